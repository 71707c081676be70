//! Scanned codes, the tally of the day, and parcels without papers.

use crate::{
    progress::returned,
    receiving::item,
    shop::{NOW, Shop, fields, fresh, refusal, sent},
};
use domain::{
    ReturnOrderId,
    policy::Policy,
    returning::FoundParcelStatus,
    stage::{Scan, StageName as N},
};
use returns::{ErrorCode, TrackingReport, lists, view, view::ScanKind};
use serde_json::json;
use store::{lists::Listing, testing::Database};

impl Shop {
    async fn scan(&self, code: &str, open: Option<ReturnOrderId>) -> view::Scan {
        self.retour.merchant(&self.staff).scan(code, open).await.unwrap()
    }

    /// What a code is, and the return that it opens.
    async fn opens(&self, code: &str) -> Vec<(ScanKind, ReturnOrderId)> {
        self.scan(code, None).await.matches.into_iter().map(|one| (one.kind, one.return_order_id)).collect()
    }
}

store::on_each_database! {
    async fn a_code_opens_the_return_that_it_belongs_to(database: Database) {
        let shop = Shop::open(&database).await;
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let (order, _) = returned(&shop, &customer, &[(0, 1)]).await;
        let (second, _) = returned(&shop, &customer, &[(0, 1)]).await;
        let whole = shop.whole(order).await;
        let shipment = whole.shipments.unwrap().remove(0);
        let report = TrackingReport {
            status: Scan::InTransit,
            explanation: String::new(),
            happened_at: None,
            carrier: Some("USPS".to_owned()),
            tracking_number: Some("9261290113185417468510".to_owned()),
            tracking_url: None,
        };
        fresh(shop.retour.merchant(&shop.staff).track(shipment.id, report, None).await.unwrap(), 200);
        let sscc = shipment.label_barcode.clone();
        for code in [sscc.clone(), format!("]C100{sscc}\r\n"), format!("(00){sscc}"), "4201028200009261290113185417468510".to_owned()] {
            assert_eq!(shop.opens(&code).await, [(ScanKind::Shipment, order)], "{code}");
            assert_eq!(other.opens(&code).await, [], "another shop knows nothing of it");
        }
        for code in [whole.number.clone(), whole.number.to_lowercase(), format!("{}\t", whole.number)] {
            assert_eq!(shop.opens(&code).await, [(ScanKind::ReturnOrder, order)]);
        }
        for code in ["#1001", "1001"] {
            assert_eq!(shop.opens(code).await, [(ScanKind::Order, second), (ScanKind::Order, order)], "both returns");
        }
        for code in [&sscc[..17], &sscc[1..], "9261290113185417468511", "unheard of"] {
            assert_eq!(shop.opens(code).await, [], "{code}");
        }
        let command = shop.scan("$RETOUR-ALL-HERE", None).await;
        assert_eq!((command.command.as_deref(), command.matches.len()), (Some("ALL-HERE"), 0));
        assert_eq!(fields(shop.retour.merchant(&shop.staff).scan("", None).await), ["code"]);
        assert_eq!(shop.opens(" \u{1d}").await, [], "nothing to see");
        assert_eq!(fields(shop.retour.merchant(&shop.staff).scan(&"9".repeat(201), None).await), ["code"]);
    }

    async fn with_an_open_return_a_code_can_be_its_product(database: Database) {
        let shop = Shop::open(&database).await;
        let mut sold = shop.order("1001", &[(1, 1000), (1, 500)]);
        sold.lines[0].product.barcode = "4006381333931".into();
        sold.lines[1].product.sku = "1001".into();
        shop.import(vec![sold]).await;
        let customer = shop.customer("1001").await;
        let (order, ids) = returned(&shop, &customer, &[(0, 1), (1, 1)]).await;
        assert_eq!(shop.opens("4006381333931").await, [], "no parcel is open");
        let found = shop.scan("]E04006381333931", Some(order)).await.matches;
        assert_eq!((found.len(), found[0].kind, found[0].return_request_id), (1, ScanKind::Product, Some(ids[0])));
        let found = shop.scan("1001", Some(order)).await.matches;
        let kinds: Vec<ScanKind> = found.iter().map(|one| one.kind).collect();
        assert_eq!(kinds, [ScanKind::Product, ScanKind::Order], "a person chooses");
        assert_eq!(found[0].return_request_id, Some(ids[1]));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.retour.merchant(&other.staff).scan("1001", Some(order)).await), ErrorCode::NotFound);
    }

    async fn the_tally_counts_what_the_caller_received_today(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(3, 1000)]).await;
        let (order, ids) = returned(&shop, &customer, &[(0, 2)]).await;
        let (later, more) = returned(&shop, &customer, &[(0, 1)]).await;
        shop.parcel(order, "P-1", &[item(ids[0], 2)]).await;
        let counted = shop.parcel(later, "P-2", &[item(more[0], 1)]).await;
        let tally = async || {
            let tally = shop.retour.merchant(&shop.staff).scan_tally().await.unwrap();
            (tally.parcels, tally.units, tally.last.map(|last| last.return_order_number))
        };
        assert_eq!(tally().await, (2, 3, Some(counted.return_order_number.clone())));
        let why = returns::TakeBack::default();
        let back = shop.retour.merchant(&shop.staff).reverse_receiving(later, counted.id.unwrap(), why, None).await;
        assert_eq!(fresh(back.unwrap(), 200).return_requests.unwrap()[0].stage, N::SubmittedReady);
        assert_eq!(tally().await.0, 1, "what was taken back does not count");
        shop.source.set(NOW.plus_days(1));
        assert_eq!(tally().await, (0, 0, None));
    }

    async fn a_found_parcel_is_matched_or_closed_with_a_note(database: Database) {
        let shop = Shop::open(&database).await;
        let staff = shop.retour.merchant(&shop.staff);
        assert_eq!(fields(staff.create_found_parcel(sent(json!({})), None).await), ["contents"]);
        let long = "x".repeat(2_001);
        assert_eq!(fields(staff.create_found_parcel(sent(json!({"note": long})), None).await), ["note"]);
        let new = json!({"code": "]C100095212340000000013", "carrier": "Parcel Force", "contents": "A mug\nand a lid"});
        let found = fresh(staff.create_found_parcel(sent(new), None).await.unwrap(), 201);
        assert_eq!((found.code.as_str(), found.status), ("095212340000000013", FoundParcelStatus::Open));
        assert!(found.number.starts_with("F-"));
        let by_code = Listing {
            conditions: vec![lists::FOUND_PARCELS.condition("code:(00)095212340000000013").unwrap()],
            ..Listing::newest(crate::shop::ALL)
        };
        assert_eq!(staff.found_parcels(&by_code).await.unwrap().data.len(), 1);
        let closed = staff.change_found_parcel(found.id, sent(json!({"status": "Closed"})), None, None).await;
        assert_eq!(fields(closed), ["note"], "somebody will ask why");
        let stale = staff.change_found_parcel(found.id, sent(json!({"note": "x"})), Some(7), None).await;
        assert!(stale.is_err());
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, _) = returned(&shop, &customer, &[(0, 1)]).await;
        let change = json!({"returnOrderId": order});
        let matched = fresh(staff.change_found_parcel(found.id, sent(change.clone()), Some(1), None).await.unwrap(), 200);
        assert_eq!((matched.status, matched.return_order_id, matched.version), (FoundParcelStatus::Matched, Some(order), 2));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let theirs = other.retour.merchant(&other.staff);
        assert_eq!(refusal(theirs.found_parcel(found.id).await), ErrorCode::NotFound);
        assert_eq!(refusal(theirs.change_found_parcel(found.id, sent(json!({})), None, None).await), ErrorCode::NotFound);
        let foreign = fresh(theirs.create_found_parcel(sent(json!({"note": "x"})), None).await.unwrap(), 201);
        assert_eq!(fields(theirs.change_found_parcel(foreign.id, sent(change), None, None).await), ["returnOrderId"]);
    }

    async fn the_command_sheet_is_a_pdf(database: Database) {
        let shop = Shop::open(&database).await;
        let sheet = shop.retour.merchant(&shop.staff).command_sheet(returns::SheetWords::default()).await.unwrap();
        assert!(sheet.starts_with(b"%PDF"));
    }
}
