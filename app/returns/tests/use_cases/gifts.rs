//! Returns by the recipient of a gift: they see no amounts and nothing about the buyer, and the buyer sees nothing of their
//! returns.

use crate::{
    bridges::{answer_known_order, change_account, connected},
    bridges_settling::{Ledger, is_settling, request, settlement_requests, start_settling, wait_for_stage},
    payments::charge_shipping_up_front,
    progress::to,
    race::at_once,
    shop::{Customer, EMAIL, HERE, Shop, fields, for_consumer, fresh, refusal, select, taken},
    webhooks_receiver::Receiver,
};
use domain::{
    RefusalCode, ReturnRequestId,
    costs::LineKind,
    policy::{Policy, Resolution},
    stage::StageName,
};
use returns::{Done, Error, ErrorCode, Instead, Proof, Selection, StatusUpdate, view};
use serde_json::json;
use store::testing::Database;

const CODE: &str = "EC1A 1BB";
const EVE: &str = "Eve@example.com";

fn gift(code: &str, email: &str) -> Proof {
    Proof::Gift { postal_code: code.to_owned(), recipient: email.to_owned() }
}

fn policy() -> Policy {
    Policy {
        resolutions: vec![Resolution::Refund, Resolution::StoreCredit, Resolution::Exchange],
        gift_returns: true,
        ..Policy::default()
    }
}

/// A shop that accepts gift returns, with one order of these lines.
pub async fn shop(database: &Database, lines: &[(u32, i64)]) -> Shop {
    let shop = Shop::open_with(database, "fjord-fern", "EUR", policy()).await;
    let mut order = shop.order("1001", lines);
    CODE.clone_into(&mut order.address.postal_code);
    order.shipping_paid = 395;
    shop.import(vec![order]).await;
    shop
}

pub async fn recipient(shop: &Shop) -> Customer {
    let shopper = shop.retour.identify(&shop.account, "1001", gift(CODE, EVE), HERE).await.unwrap().shopper;
    Customer { retour: shop.retour.clone(), shopper }
}

async fn wants(customer: &Customer, resolution: Resolution) -> Vec<Selection> {
    vec![Selection { resolution, ..select(&customer.purchases().await[0], 1) }]
}

async fn draft_one(customer: &Customer, resolution: Resolution) -> view::Draft {
    fresh(customer.try_draft(wants(customer, resolution).await, None).await.unwrap(), 201)
}

async fn return_one(customer: &Customer, resolution: Resolution) -> view::ReturnOrderView {
    fresh(customer.submit(draft_one(customer, resolution).await.id).await.unwrap(), 201)
}

async fn only_request(shop: &Shop, order: &view::ReturnOrderView) -> ReturnRequestId {
    shop.whole(order.id).await.return_requests.unwrap()[0].id
}

fn text(shown: &impl serde::Serialize) -> String {
    serde_json::to_string(shown).unwrap()
}

async fn receive(shop: &Shop, id: ReturnRequestId) {
    let receipt = returns::Receipt { quantity: 1, external_reference: None };
    fresh(shop.retour.merchant(&shop.staff).receive(id, receipt, None).await.unwrap(), 200);
}

store::on_each_database! {
    async fn a_postal_code_proves_a_gift_where_the_shop_accepts_gift_returns(database: Database) {
        let shop = shop(&database, &[(1, 1_999)]).await;
        let identify = async |proof| shop.retour.identify(&shop.account, "1001", proof, HERE).await;
        let eve = identify(gift(" ec1a1bb", &format!(" {EVE} "))).await.unwrap();
        assert_eq!((eve.is_new, eve.consumer.gift_recipient, eve.consumer.email.as_str()), (true, true, EVE));
        assert_eq!((eve.consumer.address.name.as_str(), eve.consumer.address.postal_code.as_str()), ("", CODE));
        let again = identify(gift(CODE, "eve@EXAMPLE.com")).await.unwrap();
        assert_eq!((again.is_new, again.shopper), (false, eve.shopper));
        assert_eq!(again.consumer.email, "eve@EXAMPLE.com", "the last spelling is kept");
        let bob = identify(gift(CODE, "bob@example.com")).await.unwrap();
        let buyer = shop.customer("1001").await;
        assert!(bob.shopper != eve.shopper && buyer.shopper != eve.shopper && buyer.shopper != bob.shopper);

        for wrong in [gift("EC1A 1BC", EVE), gift("", EVE), gift(EMAIL, EVE), gift(EVE, CODE)] {
            let refused = identify(wrong).await;
            assert!(matches!(refused, Err(Error::InvalidOrderCredentials | Error::Invalid(_))), "{refused:?}");
        }
        for email in ["", "eve", "eve@", "e v e@example.com", "eve@example.com,bob@example.com"] {
            assert_eq!(fields(identify(gift(CODE, email)).await), ["giftRecipientEmail"], "{email}");
        }
        // Postal codes still prove nothing but gifts: the policy allows e-mails only.
        assert_eq!(fields(identify(Proof::PostalCode(CODE.to_owned())).await), ["postalCode"]);
        change_account(&shop, json!({"policy": {"giftReturns": false}})).await.unwrap();
        let off = shop.retour.account("fjord-fern").await.unwrap();
        assert_eq!(fields(shop.retour.identify(&off, "1001", gift(CODE, EVE), HERE).await), ["giftRecipientEmail"]);
        let unusable = change_account(&shop, json!({"policy": {"giftReturns": true, "resolutions": ["Refund"]}})).await;
        assert_eq!(fields(unusable), ["policy.giftReturns"]);
    }

    async fn guesses_at_a_gift_count_like_guesses_at_its_order(database: Database) {
        let shop = shop(&database, &[(1, 1_999)]).await;
        for number in 0..10 {
            // The recipient's e-mail address differs each time: it is not part of the guess.
            let wrong = gift(&format!("EC1A {number}"), &format!("eve{number}@example.com"));
            let refused = shop.retour.identify(&shop.account, "1001", wrong, HERE).await;
            assert_eq!(refusal(refused), ErrorCode::InvalidOrderCredentials);
        }
        let refused = shop.retour.identify(&shop.account, "1001", gift(CODE, EVE), HERE).await;
        assert_eq!(refusal(refused), ErrorCode::TooManyRequests);
        let by_email = shop.retour.identify(&shop.account, "1001", Proof::Email(EMAIL.to_owned()), HERE).await;
        assert!(by_email.is_ok(), "wrong postal codes block postal codes only");
    }

    async fn a_gift_is_returned_for_credit_or_goods_never_for_money(database: Database) {
        let shop = shop(&database, &[(2, 3_998)]).await;
        let eve = recipient(&shop).await;
        let seen = eve.purchases().await.remove(0);
        assert_eq!(seen.resolutions, [Resolution::StoreCredit, Resolution::Exchange]);
        assert!(seen.return_reasons.iter().all(|reason| !reason.resolutions.contains(&Resolution::Refund)));
        assert_eq!(fields(eve.try_draft(wants(&eve, Resolution::Refund).await, None).await), ["selectedPurchases[0].requestedResolution"]);
        let staff = shop.retour.merchant(&shop.staff).create_draft(for_consumer(&eve.shopper, wants(&eve, Resolution::Refund).await, None), None).await;
        assert_eq!(fields(staff), ["selectedPurchases[0].requestedResolution"], "staff cannot choose money for them either");

        let order = return_one(&eve, Resolution::Exchange).await;
        let id = only_request(&shop, &order).await;
        receive(&shop, id).await;
        for stage in [StageName::ResolutionProcessing, StageName::ResolutionFailed] {
            let update = StatusUpdate { comment: "Sold out".to_owned(), ..to(stage) };
            fresh(shop.retour.merchant(&shop.staff).update_status(id, update, None).await.unwrap(), 200);
        }
        let instead = |resolution| StatusUpdate {
            instead: Some(Instead { resolution, exchange_for: None }),
            ..to(StageName::ResolutionCompleted)
        };
        let money = shop.retour.merchant(&shop.staff).update_status(id, instead(Resolution::Refund), None).await;
        assert_eq!(fields(money), ["requestedResolution"]);
        let credit = shop.retour.merchant(&shop.staff).update_status(id, instead(Resolution::StoreCredit), None).await;
        assert_eq!(fresh(credit.unwrap(), 200).resolution.value.unwrap().minor, 1_999);
    }

    async fn recipients_see_no_amounts_and_the_shop_sees_all_of_them(database: Database) {
        let shop = charge_shipping_up_front(shop(&database, &[(1, 1_999)]).await).await;
        let eve = recipient(&shop).await;
        let draft = draft_one(&eve, Resolution::StoreCredit).await;
        let offers = shop.retour.consumer(&eve.shopper).compare_shipping(draft.id, &domain::Locale::default()).await.unwrap();
        assert!(offers.ways.iter().all(|(way, costs)| way.fare.is_none() && costs.breakdown().is_none()));
        let order = fresh(eve.submit(draft.id).await.unwrap(), 201);
        let again = match eve.submit(draft.id).await.unwrap() {
            Done::Fresh { value, .. } => value,
            Done::Replayed(answer) => panic!("expected a fresh result, as no key was sent: {answer:?}"),
        };
        let cancelled = fresh(eve.cancel(order.id).await.unwrap(), 200);
        let found = shop.retour.consumer(&eve.shopper).find_draft(draft.id).await.unwrap();
        let listed = eve.return_orders().await.remove(0);
        for shown in [text(&eve.purchases().await), text(&draft), text(&found), text(&order), text(&again), text(&listed), text(&cancelled)] {
            for amount in ["19.99", "15.04", "4.95", "3.95", "EUR", "currency", EMAIL, "Lovelace"] {
                assert!(!shown.contains(amount), "{amount} in {shown}");
            }
        }
        assert_eq!(draft.costs, view::Costs::Gift(view::GiftCosts { store_credit: true, charges_taken_off: true }));
        let kept = shop.retour.merchant(&shop.staff).draft_return_order(draft.id).await.unwrap();
        let costs = kept.costs.breakdown().unwrap();
        // The policy requires fees up front, but never from a recipient.
        assert_eq!((costs.estimated_credit.minor, costs.payable_now.minor), (1_999 - 495, 0));
        assert_eq!(costs.total(LineKind::OutboundShippingRefund), 0);
        let event = "SELECT COUNT(*) FROM events WHERE data LIKE '%15.04%' AND data LIKE '%Eve@example.com%' AND data NOT LIKE '%ada@%'";
        assert!(database.number(event).await > 0, "webhooks contain the amounts and the recipient's address");
    }

    async fn recipients_must_send_back_even_cheap_gifts(database: Database) {
        let shop = shop(&database, &[(1, 500)]).await;
        let cheap = json!({"policy": {"keepItemBelow": [{"value": "10.00", "currency": "EUR"}]}});
        change_account(&shop, cheap).await.unwrap();
        let eve = recipient(&shop).await;
        assert!(!draft_one(&eve, Resolution::StoreCredit).await.selected_purchases[0].keep_item);
        let buyer = shop.customer("1001").await;
        assert!(draft_one(&buyer, Resolution::Refund).await.selected_purchases[0].keep_item);
    }

    async fn a_gift_return_never_refunds_the_outbound_shipping(database: Database) {
        let shop = shop(&database, &[(1, 1_000), (1, 2_000)]).await;
        let (eve, buyer) = (recipient(&shop).await, shop.customer("1001").await);
        buyer.send_back(&[(1, 1)]).await;
        let order = return_one(&eve, Resolution::StoreCredit).await;
        receive(&shop, only_request(&shop, &order).await).await;
        let whole = shop.retour.merchant(&shop.staff).return_order(order.id, &[]).await.unwrap();
        let costs = whole.costs.breakdown().unwrap();
        assert_eq!((costs.estimated_refund.minor, costs.estimated_credit.minor), (0, 1_000));
        assert_eq!(database.number("SELECT shipping_returned FROM orders").await, 0);
    }

    async fn of_buyer_and_recipient_who_return_the_last_unit_one_succeeds(database: Database) {
        let shop = shop(&database, &[(1, 1_999)]).await;
        let (eve, buyer) = (recipient(&shop).await, shop.customer("1001").await);
        let mut submits = Vec::new();
        for _ in 0..8 {
            for (customer, wanted) in [(&eve, Resolution::StoreCredit), (&buyer, Resolution::Refund)] {
                let (customer, draft) = (customer.clone(), draft_one(customer, wanted).await.id);
                submits.push(async move { customer.submit(draft).await });
            }
        }
        let outcomes = at_once(submits).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        for outcome in outcomes.into_iter().filter(Result::is_err) {
            let Err(Error::Outdated { refusal, .. }) = outcome else { panic!("{outcome:?}") };
            assert_eq!(refusal.code, RefusalCode::QuantityExceeded);
        }
        assert_eq!(taken(&database).await.0, 1);
        assert_eq!(eve.return_orders().await.len() + buyer.return_orders().await.len(), 1, "one of the two has the only return");
    }

    async fn buyer_and_recipient_cannot_see_each_others_returns(database: Database) {
        let shop = shop(&database, &[(2, 4_000)]).await;
        let (eve, buyer) = (recipient(&shop).await, shop.customer("1001").await);
        let given = return_one(&eve, Resolution::StoreCredit).await;
        let bought = return_one(&buyer, Resolution::Refund).await;
        let ids = |orders: Vec<view::ReturnOrderView>| orders.into_iter().map(|order| order.id).collect::<Vec<_>>();
        assert_eq!((ids(eve.return_orders().await), ids(buyer.return_orders().await)), (vec![given.id], vec![bought.id]));
        for (customer, other) in [(&eve, bought.id), (&buyer, given.id)] {
            assert_eq!(refusal(shop.retour.consumer(&customer.shopper).return_order(other, &[]).await), ErrorCode::NotFound);
            assert_eq!(refusal(shop.retour.consumer(&customer.shopper).timeline(other).await), ErrorCode::NotFound);
            assert_eq!(refusal(customer.cancel(other).await), ErrorCode::NotFound);
        }
    }

    async fn erasing_the_recipient_leaves_the_buyer_and_the_reverse(database: Database) {
        let shop = shop(&database, &[(2, 4_000)]).await;
        let (eve, buyer) = (recipient(&shop).await, shop.customer("1001").await);
        let given = return_one(&eve, Resolution::StoreCredit).await;
        fresh(eve.cancel(given.id).await.unwrap(), 200);
        shop.retour.merchant(&shop.staff).erase_email("eve@example.com").await.unwrap();
        assert_eq!(buyer.purchases().await.len(), 1);
        shop.customer("1001").await;
        let people = "SELECT COUNT(*) FROM consumers WHERE LOWER(email) LIKE 'eve%' OR proof_key LIKE '%eve%'";
        assert_eq!(database.number(people).await, 0);

        let eve = recipient(&shop).await;
        shop.retour.merchant(&shop.staff).erase_email(EMAIL).await.unwrap();
        let gone = shop.retour.identify(&shop.account, "1001", Proof::Email(EMAIL.to_owned()), HERE).await;
        assert_eq!(refusal(gone), ErrorCode::InvalidOrderCredentials);
        let kept = shop.retour.merchant(&shop.staff).consumer(eve.shopper.consumer).await.unwrap();
        assert_eq!((kept.email.as_str(), kept.address.postal_code.as_str()), (EVE, CODE));
    }

    async fn a_connected_shop_gets_the_postal_code_and_the_recipient_of_the_credit(database: Database) {
        let ledger = Ledger::default();
        let pays = ledger.clone();
        let component = Receiver::start(move |got| if is_settling(got) { pays.pay(&got.json()) } else { answer_known_order(got) }).await;
        let mut shop = connected(&database, &component).await;
        let gifts = json!({"policy": {"giftReturns": true, "lookUpBy": ["email"], "resolutions": ["Refund", "StoreCredit"]}});
        change_account(&shop, gifts).await.unwrap();
        shop.account = shop.retour.account("fjord-fern").await.unwrap();
        let shopper = shop.retour.identify(&shop.account, "1001", gift("ec1a1bb", EVE), HERE).await.unwrap().shopper;
        let credentials = component.got()[0].json()["credentials"].clone();
        assert_eq!(credentials, json!({"orderNumber": "1001", "postalCode": "ec1a1bb"}), "the recipient's address is not part of the look-up");
        let settling = start_settling(&shop);
        let eve = Customer { retour: shop.retour.clone(), shopper };
        let id = only_request(&shop, &return_one(&eve, Resolution::StoreCredit).await).await;
        receive(&shop, id).await;
        wait_for_stage(&shop, id, StageName::ResolutionCompleted).await;
        let buyer = shop.customer("1001").await;
        let bought = only_request(&shop, &return_one(&buyer, Resolution::Refund).await).await;
        receive(&shop, bought).await;
        wait_for_stage(&shop, bought, StageName::ResolutionCompleted).await;
        let recipients: Vec<_> = settlement_requests(&component).iter().map(|asked| asked.get("giftRecipientEmail").cloned()).collect();
        assert_eq!(recipients, [Some(json!(EVE)), None]);
        assert_eq!(request(&shop, id).await.requested_resolution, Resolution::StoreCredit);
        settling.stop().await;
    }
}
