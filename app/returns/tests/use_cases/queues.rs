//! Queues, the search over everything, lists with several filters, and saved views.

use crate::{
    progress::{because, returned, to},
    shop::{ALL, EMAIL, NOW, Shop, fields, fresh, refusal, sent},
};
use domain::{
    RefusalCode, SavedViewId,
    policy::Policy,
    stage::{Queue, StageName as N},
};
use returns::{
    Direction, Done, Error, ErrorCode, IdempotencyKey, Listing, NewSavedView, Scope, Sort, Staff, lists, view,
};
use serde_json::json;
use store::testing::Database;

impl Shop {
    async fn queue(&self, queue: Queue) -> view::QueueView {
        let queues = self.retour.merchant(&self.staff).queues().await.unwrap().data;
        queues.into_iter().find(|one| one.queue == queue).unwrap()
    }

    async fn numbers_in(&self, queue: Queue) -> Vec<String> {
        let condition = lists::RETURN_REQUESTS.condition(&format!("queue:{}", queue.name())).unwrap();
        let listing = Listing {
            conditions: vec![condition],
            sort: Sort::StageSince,
            direction: Direction::Ascending,
            ..Listing::newest(ALL)
        };
        let list = self.retour.merchant(&self.staff).return_requests(&listing, &[]).await.unwrap();
        list.data.into_iter().map(|request| request.return_number).collect()
    }

    async fn found(&self, words: &str) -> Vec<(view::FoundKind, String, Option<String>)> {
        let found = self.retour.merchant(&self.staff).find(words).await.unwrap().data;
        found.into_iter().map(|found| (found.kind, found.title, found.return_number)).collect()
    }

    /// A member of staff with these scopes.
    async fn colleague(&self, scopes: &[Scope]) -> Staff {
        let key = self.retour.operator().create_service_user(self.account.id, "Colleague", scopes).await.unwrap();
        self.retour.caller(&key).await.unwrap().as_staff(scopes[0]).unwrap()
    }

    async fn save(
        &self,
        staff: &Staff,
        name: &str,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::SavedView>, Error> {
        let new = NewSavedView {
            list: "return-requests".to_owned(),
            name: name.to_owned(),
            query: "filter=queue%3AToDecide".to_owned(),
        };
        self.retour.merchant(staff).create_saved_view(new, key).await
    }

    async fn views_of(&self, staff: &Staff) -> Vec<(String, bool, bool)> {
        let views = self.retour.merchant(staff).saved_views().await.unwrap().data;
        views.into_iter().map(|view| (view.name, view.is_own, view.is_shared)).collect()
    }
}

fn reviewing() -> Policy {
    Policy { auto_approve: false, ..Policy::default() }
}

store::on_each_database! {
    async fn a_return_is_in_the_queue_of_its_stage_and_counts_from_the_stages_beginning(database: Database) {
        let shop = Shop::open_with(&database, "fjord-fern", "EUR", reviewing()).await;
        let customer = shop.sell("1001", &[(1, 1_000), (1, 2_000)]).await;
        let (_, requests) = returned(&shop, &customer, &[(0, 1), (1, 1)]).await;
        let to_decide = shop.queue(Queue::ToDecide).await;
        assert_eq!((to_decide.count, to_decide.is_capped, to_decide.oldest_since), (2, false, Some(NOW)));
        assert_eq!((to_decide.over_target, to_decide.target_hours), (0, Some(24)));
        assert_eq!((to_decide.list, to_decide.filters.as_slice()), ("return-requests", &["queue:ToDecide".to_owned()][..]));
        assert_eq!(shop.numbers_in(Queue::ToDecide).await.len(), 2);
        // NOW is a Sunday: the target of one working day ends with Monday.
        shop.source.set(NOW.plus_hours(35));
        assert_eq!(shop.queue(Queue::ToDecide).await.over_target, 0);
        shop.source.set(NOW.plus_hours(37));
        assert_eq!(shop.queue(Queue::ToDecide).await.over_target, 2);
        // A decision ends the wait.
        shop.advance(requests[0], because(N::RequestedRejected, "Worn")).await;
        let to_decide = shop.queue(Queue::ToDecide).await;
        assert_eq!((to_decide.count, to_decide.over_target), (1, 1));
        let rejected = shop.retour.merchant(&shop.staff).return_request(requests[0], &[]).await.unwrap();
        assert_eq!(rejected.stage_since, NOW.plus_hours(37));
    }

    async fn a_parcel_is_late_after_ten_days_without_news(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let (_, requests) = returned(&shop, &customer, &[(0, 1)]).await;
        shop.advance(requests[0], to(N::ShipmentInTransit)).await;
        shop.source.set(NOW.plus_days(9));
        assert_eq!(shop.queue(Queue::LateOnTheWay).await.count, 0);
        shop.source.set(NOW.plus_days(11));
        assert_eq!(shop.queue(Queue::LateOnTheWay).await.count, 1);
        assert_eq!(shop.numbers_in(Queue::LateOnTheWay).await.len(), 1);
    }

    async fn staff_see_the_queues_of_their_own_account_alone(database: Database) {
        let ours = Shop::open_with(&database, "fjord-fern", "EUR", reviewing()).await;
        let theirs = Shop::open_with(&database, "other", "EUR", reviewing()).await;
        let customer = theirs.sell("1001", &[(1, 1_000)]).await;
        let order = customer.send_back(&[(0, 1)]).await;
        assert_eq!(theirs.queue(Queue::ToDecide).await.count, 1);
        for queue in Queue::ALL {
            assert_eq!(ours.queue(queue).await.count, 0, "{}", queue.name());
        }
        assert_eq!(ours.found(&order.number).await, []);
        assert_eq!(ours.found("1001").await, []);
        assert_eq!(ours.found(EMAIL).await, []);
    }

    async fn a_search_finds_what_people_know_a_return_by(database: Database) {
        let shop = Shop::open(&database).await;
        let mut order = shop.order("1001", &[(1, 1_000)]);
        order.lines[0].product.sku = "MUG|1".into();
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        let order = customer.send_back(&[(0, 1)]).await;
        let (number, whole) = (order.number.clone(), shop.whole(order.id).await);
        let returned = (view::FoundKind::ReturnOrder, number.clone(), Some(number.clone()));
        assert_eq!(shop.found(&number).await, std::slice::from_ref(&returned));
        assert_eq!(shop.found(&format!(" {} ", number.to_lowercase())).await, std::slice::from_ref(&returned));
        let sold = (view::FoundKind::Order, "#1001".to_owned(), None);
        assert_eq!(shop.found("#1001").await, [returned, sold]);
        let barcode = whole.shipments.unwrap()[0].label_barcode.clone();
        let parcel = (view::FoundKind::Shipment, barcode.clone(), Some(number.clone()));
        assert_eq!(shop.found(&format!("]C100{barcode}")).await, [parcel]);
        for words in [EMAIL, "ADA@", "lovel", "ada lo"] {
            let found = shop.found(words).await;
            assert_eq!(found, [(view::FoundKind::Consumer, "Ada Lovelace".to_owned(), None)], "{words}");
        }
        let product = (view::FoundKind::ReturnRequest, "MUG|1".to_owned(), Some(number));
        assert_eq!(shop.found("MUG|1").await, [product]);
        assert_eq!(shop.found("nothing of this").await, []);
        assert_eq!(fields(shop.retour.merchant(&shop.staff).find("x").await), ["q"]);
        assert_eq!(shop.found(" x ").await, [], "one letter begins too many names");
        // Who receives parcels sees no people.
        let receiver = shop.colleague(&[Scope::Receive]).await;
        assert_eq!(shop.retour.merchant(&receiver).find(EMAIL).await.unwrap().data, []);
    }

    async fn a_list_tells_its_number_of_rows_if_it_is_asked(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000), (1, 2_000)]).await;
        customer.send_back(&[(0, 1), (1, 1)]).await;
        let merchant = shop.retour.merchant(&shop.staff);
        let listing = Listing { counts: true, ..Listing::newest(ALL) };
        let requests = merchant.return_requests(&listing, &[]).await.unwrap();
        assert_eq!(requests.count, Some(view::Count { count: 2, is_capped: false }));
        let orders = merchant.return_orders(&listing, &[]).await.unwrap();
        assert_eq!(orders.count, Some(view::Count { count: 1, is_capped: false }));
        assert_eq!(merchant.return_orders(&Listing::newest(ALL), &[]).await.unwrap().count, None);
    }

    async fn who_sees_no_amounts_cannot_filter_by_them(database: Database) {
        let shop = Shop::open(&database).await;
        let receiver = shop.colleague(&[Scope::Receive]).await;
        let condition = lists::RETURN_REQUESTS.condition("purchasePrice>=1.00 EUR").unwrap();
        let listing = Listing { conditions: vec![condition], ..Listing::newest(ALL) };
        let refused = shop.retour.merchant(&receiver).return_requests(&listing, &[]).await;
        assert_eq!(refusal(refused), ErrorCode::Forbidden);
    }

    async fn a_saved_view_belongs_to_who_saved_it_until_it_is_shared(database: Database) {
        let shop = Shop::open(&database).await;
        let colleague = shop.colleague(&[Scope::Read]).await;
        let merchant = shop.retour.merchant(&shop.staff);
        let mine = fresh(shop.save(&shop.staff, "Mine", None).await.unwrap(), 201);
        let theirs = fresh(shop.save(&colleague, " Theirs ", None).await.unwrap(), 201);
        assert_eq!(shop.views_of(&shop.staff).await, [("Mine".to_owned(), true, false)]);
        assert_eq!(shop.views_of(&colleague).await, [("Theirs".to_owned(), true, false)]);
        // A view that its owner does not share is unknown to others.
        let unknown = |outcome: Result<Done<view::SavedView>, Error>| assert_eq!(refusal(outcome), ErrorCode::NotFound);
        unknown(merchant.share_saved_view(theirs.id, true, None).await);
        unknown(merchant.change_saved_view(theirs.id, sent(json!({"name": "Ours"})), None, None).await);
        assert_eq!(refusal(merchant.delete_saved_view(theirs.id).await), ErrorCode::NotFound);
        let shared = fresh(merchant.share_saved_view(mine.id, true, None).await.unwrap(), 200);
        assert_eq!((shared.is_shared, shared.version), (true, 2));
        assert_eq!(shop.views_of(&colleague).await, [
            ("Theirs".to_owned(), true, false),
            ("Mine".to_owned(), false, true),
        ]);
        // Who sees a shared view cannot change it.
        let others = shop.retour.merchant(&colleague);
        unknown(others.change_saved_view(mine.id, sent(json!({"name": "Ours"})), None, None).await);
        assert_eq!(refusal(others.delete_saved_view(mine.id).await), ErrorCode::NotFound);
        let changed = merchant.change_saved_view(mine.id, sent(json!({"name": "Everybody's"})), Some(2), None).await;
        assert_eq!(fresh(changed.unwrap(), 200).version, 3);
        let stale = merchant.change_saved_view(mine.id, sent(json!({"name": "Late"})), Some(2), None).await;
        assert_eq!(refusal(stale), ErrorCode::PreconditionFailed);
        merchant.delete_saved_view(mine.id).await.unwrap();
        assert_eq!(refusal(merchant.delete_saved_view(mine.id).await), ErrorCode::NotFound);
        assert_eq!(shop.views_of(&colleague).await.len(), 1);
        let stranger = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(stranger.views_of(&stranger.staff).await, []);
        unknown(stranger.retour.merchant(&stranger.staff).share_saved_view(theirs.id, true, None).await);
    }

    async fn a_saved_view_is_checked_and_saved_once(database: Database) {
        let shop = Shop::open(&database).await;
        let merchant = shop.retour.merchant(&shop.staff);
        let new = |list: &str, name: &str, query: &str| NewSavedView {
            list: list.to_owned(),
            name: name.to_owned(),
            query: query.to_owned(),
        };
        assert_eq!(fields(merchant.create_saved_view(new("users", " ", "a\nb"), None).await), ["list", "name", "query"]);
        for search in ["search=ada", "flag=x&se%61rch=ada"] {
            assert_eq!(fields(merchant.create_saved_view(new("return-orders", "x", search), None).await), ["query"]);
        }
        let key = IdempotencyKey { credential: "x".into(), key: "once".into(), fingerprint: b"view".to_vec() };
        fresh(shop.save(&shop.staff, "Mine", Some(key.clone())).await.unwrap(), 201);
        assert!(matches!(shop.save(&shop.staff, "Mine", Some(key)).await.unwrap(), Done::Replayed(_)));
        assert_eq!(shop.views_of(&shop.staff).await.len(), 1);
        for number in 1..100 {
            shop.save(&shop.staff, &format!("View {number}"), None).await.unwrap();
        }
        let full = shop.save(&shop.staff, "One more", None).await;
        assert_eq!(refusal(full), ErrorCode::Refused(RefusalCode::LimitReached));
        assert_eq!(refusal(merchant.delete_saved_view(SavedViewId(shop.account.id.0)).await), ErrorCode::NotFound);
    }

    async fn targets_of_queues_are_a_setting(database: Database) {
        let shop = Shop::open(&database).await;
        let merchant = shop.retour.merchant(&shop.staff);
        let change = |targets: serde_json::Value| sent(json!({"policy": {"queueTargets": targets}}));
        fresh(merchant.change_account(change(json!({"toDecide": 8, "toInspect": null})), None, None).await.unwrap(), 200);
        assert_eq!(shop.queue(Queue::ToDecide).await.target_hours, Some(8));
        assert_eq!(shop.queue(Queue::ToInspect).await.target_hours, None);
        assert_eq!(shop.queue(Queue::ToSettle).await.target_hours, Some(48));
        let refused = merchant.change_account(change(json!({"toPay": 0})), None, None).await;
        assert_eq!(fields(refused), ["policy.queueTargets.toPay"]);
    }
}
