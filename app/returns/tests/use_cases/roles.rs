//! What each role may do and see.

use crate::{
    progress::{because, to},
    shop::{Customer, NOW, Shop, fresh, refusal},
    team::user,
};
use domain::{
    Money, RefusalCode, ReturnOrderId, ReturnRequestId,
    money::Prices,
    policy::Policy,
    stage::{Inspection, StageName as N},
};
use returns::{
    AdjustmentInput, Error, ErrorCode, Expand, Receipt, Role, Scope, Staff, StatusUpdate, UserCredentials, lists, view,
};
use serde_json::Value;
use store::{lists::Listing, testing::Database};

impl Shop {
    async fn token_of(&self, email: &str) -> String {
        let (email, password) = (email.to_owned(), crate::team::PASSWORD.to_owned());
        let given = UserCredentials { email, password, code: None };
        self.retour.sign_in(given, crate::shop::HERE, "curl/8").await.unwrap().token
    }

    /// A user of the shop with this role, as staff.
    pub async fn staff_with(&self, role: Role) -> Staff {
        let email = format!("{}@team.example", role.name());
        user(self, &email, role).await;
        let token = self.token_of(&email).await;
        self.retour.caller(&token).await.unwrap().as_staff_with_any(&Scope::ALL).unwrap()
    }

    async fn move_as(&self, staff: &Staff, id: ReturnRequestId, update: StatusUpdate) -> Result<N, Error> {
        Ok(fresh(self.retour.merchant(staff).update_status(id, update, None).await?, 200).stage)
    }
}

async fn requests(shop: &Shop, customer: &Customer, units: &[(usize, u32)]) -> (ReturnOrderId, Vec<ReturnRequestId>) {
    let order = customer.send_back(units).await.id;
    let requests = shop.whole(order).await.return_requests.unwrap();
    (order, requests.iter().map(|request| request.id).collect())
}

/// A policy by which a person approves each return and each resolution.
fn by_hand() -> Policy {
    Policy { auto_approve: false, auto_resolve: false, ..Policy::default() }
}

fn limit(minor: i64) -> Prices {
    Prices::new([Money::new(minor, domain::Currency::from_code("EUR").unwrap())]).unwrap()
}

/// All texts of a JSON value.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(fields) => fields.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

store::on_each_database! {
    async fn each_move_needs_the_scope_of_its_stage(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", by_hand()).await;
        let customer = shop.sell("1001", &[(1, 4000), (1, 4000)]).await;
        let (_, ids) = requests(&shop, &customer, &[(0, 1)]).await;
        let (viewer, warehouse) = (shop.staff_with(Role::Viewer).await, shop.staff_with(Role::Warehouse).await);
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);

        for staff in [viewer, warehouse, finance] {
            assert_eq!(refusal(shop.move_as(&staff, ids[0], to(N::RequestedApproved)).await), ErrorCode::Forbidden);
        }
        assert_eq!(shop.move_as(&agent, ids[0], to(N::RequestedApproved)).await.unwrap(), N::SubmittedReady);
        let receipt = Receipt { quantity: 1, external_reference: None };
        let counted = fresh(shop.retour.merchant(&warehouse).receive(ids[0], receipt, None).await.unwrap(), 200);
        assert_eq!(counted.stage, N::ResolutionPending);
        for staff in [viewer, warehouse] {
            let refused = shop.move_as(&staff, ids[0], to(N::ResolutionApproved)).await;
            assert_eq!(refused.unwrap_err().to_string(), "This credential does not allow the request: it lacks the scope resolve");
        }
        assert_eq!(shop.move_as(&finance, ids[0], to(N::ResolutionApproved)).await.unwrap(), N::ResolutionApproved);
        assert_eq!(refusal(shop.move_as(&finance, ids[0], to(N::ClosedCancelled)).await), ErrorCode::Forbidden);
    }

    async fn an_agent_decides_up_to_the_limit_and_somebody_else_above_it(database: Database) {
        let policy = Policy { agent_limit: limit(4000), ..by_hand() };
        let shop = Shop::open_with(&database, "careful", "EUR", policy).await;
        let customer = shop.sell("1001", &[(1, 4000), (1, 4001), (1, 4001)]).await;
        let (_, ids) = requests(&shop, &customer, &[(0, 1), (1, 1), (2, 1)]).await;
        let (agent, finance) = (shop.staff_with(Role::Agent).await, shop.staff_with(Role::Finance).await);
        for id in &ids {
            shop.move_as(&agent, *id, to(N::RequestedApproved)).await.unwrap();
        }
        for id in &ids {
            assert_eq!(shop.move_as(&agent, *id, because(N::ResolutionPending, "Lost in the post")).await.unwrap(), N::ResolutionPending);
        }
        assert_eq!(shop.move_as(&agent, ids[0], to(N::ResolutionApproved)).await.unwrap(), N::ResolutionApproved);
        for update in [to(N::ResolutionApproved), because(N::ResolutionDenied, "Worn")] {
            let refused = shop.move_as(&agent, ids[1], update).await.unwrap_err();
            assert_eq!(refused.code(), ErrorCode::Refused(RefusalCode::AgentLimitExceeded));
            assert!(refused.to_string().contains("at most 40.00 EUR"), "{refused}");
        }
        let before = shop.whole(shop.request(ids[1]).await.return_order_id).await;
        assert_eq!(before.return_requests.unwrap()[1].stage, N::ResolutionPending, "nothing has changed");
        assert_eq!(shop.move_as(&finance, ids[1], to(N::ResolutionApproved)).await.unwrap(), N::ResolutionApproved);
        let refused = shop.move_as(&agent, ids[1], to(N::ResolutionProcessing)).await;
        assert_eq!(refusal(refused), ErrorCode::Refused(RefusalCode::AgentLimitExceeded), "nor carry it out");
        // A key with the scope write is no agent.
        assert_eq!(shop.advance(ids[2], to(N::ResolutionApproved)).await, N::ResolutionApproved);
    }

    async fn without_a_limit_in_the_currency_an_agent_decides_about_everything(database: Database) {
        let usd = Prices::new([Money::new(1, domain::Currency::from_code("USD").unwrap())]).unwrap();
        for (slug, agent_limit) in [("none", Prices::default()), ("other", usd)] {
            let shop = Shop::open_with(&database, slug, "EUR", Policy { agent_limit, ..by_hand() }).await;
            let customer = shop.sell("1001", &[(1, 999_999)]).await;
            let (_, ids) = requests(&shop, &customer, &[(0, 1)]).await;
            let staff = shop.agent_named(slug).await;
            shop.move_as(&staff, ids[0], to(N::RequestedApproved)).await.unwrap();
            shop.move_as(&staff, ids[0], because(N::ResolutionPending, "Lost in the post")).await.unwrap();
            assert_eq!(shop.move_as(&staff, ids[0], to(N::ResolutionApproved)).await.unwrap(), N::ResolutionApproved);
        }
    }

    async fn the_warehouse_sees_no_money_no_address_and_no_comments(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", by_hand()).await;
        let mut order = shop.order("1001", &[(2, 4321)]);
        order.address.street = "12 Analytical Lane".into();
        order.address.postal_code = "EC1A 1BB".into();
        order.address.city = "London".into();
        shop.import(vec![order]).await;
        let customer = shop.customer("1001").await;
        let (id, requests) = requests(&shop, &customer, &[(0, 2)]).await;
        shop.advance(requests[0], because(N::RequestedApproved, "Refund 43.21 to ada@example.com")).await;
        let staff = shop.staff_with(Role::Warehouse).await;
        let warehouse = shop.retour.merchant(&staff);
        let expand = [Expand::Consumer, Expand::Shipments, Expand::ReturnRequests, Expand::DraftReturnOrder];
        let order = warehouse.return_order(id, &expand).await.unwrap();
        let receipt = Receipt { quantity: 2, external_reference: None };
        let inspection = Inspection { accepted: 2, refused: 0, condition: None, disposition: None, note: None };
        let seen = [
            serde_json::to_value(&order).unwrap(),
            json(warehouse.return_orders(&newest(), &expand).await),
            json(warehouse.return_request(requests[0], &[Expand::Consumer]).await),
            json(warehouse.return_requests(&newest(), &[Expand::Consumer]).await),
            json(warehouse.shipments(&newest()).await),
            json(warehouse.shipment(order.shipments.unwrap()[0].id).await),
            json(warehouse.timeline(requests[0]).await),
            json(warehouse.receive(requests[0], receipt, None).await.map(|done| fresh(done, 200))),
            json(warehouse.inspect(requests[0], inspection, None).await.map(|done| fresh(done, 200))),
        ];
        for answer in &seen {
            let all = texts(answer).join("\n");
            for hidden in ["43.21", "21.6", "ada@example.com", "Analytical", "EC1A", "EUR"] {
                assert!(!all.contains(hidden), "{hidden}: {answer:#}");
            }
        }
        let all = texts(&seen[0]).join("\n");
        assert!(all.contains("Mug 1") && all.contains("Ada Lovelace") && all.contains("London"), "{all}");
        // Everybody else sees all of it.
        let viewer = shop.staff_with(Role::Viewer).await;
        let whole = json(shop.retour.merchant(&viewer).return_order(id, &expand).await);
        let all = texts(&whole).join("\n");
        for shown in ["43.21", "ada@example.com", "Analytical", "EC1A"] {
            assert!(all.contains(shown), "{shown}");
        }
        let comments = texts(&json(shop.retour.merchant(&viewer).timeline(requests[0]).await)).join("\n");
        assert!(comments.contains("Refund 43.21"), "{comments}");
    }

    async fn the_warehouse_does_not_read_why_staff_changed_a_value(database: Database) {
        let shop = Shop::open_with(&database, "careful", "EUR", by_hand()).await;
        let customer = shop.sell("1001", &[(2, 4000)]).await;
        let (_, ids) = requests(&shop, &customer, &[(0, 2)]).await;
        shop.advance(ids[0], to(N::RequestedApproved)).await;
        let warehouse = shop.staff_with(Role::Warehouse).await;
        let receipt = Receipt { quantity: 1, external_reference: None };
        let counted = fresh(shop.retour.merchant(&warehouse).receive(ids[0], receipt, None).await.unwrap(), 200);
        assert_eq!(counted.stage, N::ReceivedPartial);
        let amount = Money::new(-100, domain::Currency::from_code("EUR").unwrap());
        let less = AdjustmentInput { amount, reason: "Stained".to_owned(), from_stage: Some(N::ReceivedPartial) };
        fresh(shop.retour.merchant(&shop.staff).adjust(ids[0], less, None).await.unwrap(), 200);
        for (reader, is_shown) in [(warehouse, false), (shop.staff, true)] {
            let timeline = shop.retour.merchant(&reader).timeline(ids[0]).await.unwrap();
            assert_eq!(timeline.iter().any(|entry| entry.comment.contains("Stained")), is_shown);
        }
    }

    async fn the_warehouse_cannot_search(database: Database) {
        let shop = Shop::open(&database).await;
        let staff = shop.staff_with(Role::Warehouse).await;
        let listing = Listing { search: Some("ada@".to_owned()), ..newest() };
        assert_eq!(refusal(shop.retour.merchant(&staff).return_orders(&listing, &[]).await), ErrorCode::Forbidden);
        assert_eq!(refusal(shop.retour.merchant(&staff).return_requests(&listing, &[]).await), ErrorCode::Forbidden);
        let by_number = lists::RETURN_ORDERS.condition("purchaseOrderNumber:1001").unwrap();
        let listing = Listing { conditions: vec![by_number], ..newest() };
        assert!(shop.retour.merchant(&staff).return_orders(&listing, &[]).await.is_ok());
        assert_eq!(shop.source.now(), NOW);
    }
}

impl Shop {
    async fn request(&self, id: ReturnRequestId) -> view::ReturnRequestView {
        self.retour.merchant(&self.staff).return_request(id, &[]).await.unwrap()
    }

    /// An agent, with an address that no other account's users have.
    async fn agent_named(&self, name: &str) -> Staff {
        let email = format!("{name}@team.example");
        user(self, &email, Role::Agent).await;
        let token = self.token_of(&email).await;
        self.retour.caller(&token).await.unwrap().as_staff(Scope::Write).unwrap()
    }
}

fn newest() -> Listing {
    Listing::newest(crate::shop::ALL)
}

fn json<T: serde::Serialize + std::fmt::Debug>(answer: Result<T, Error>) -> Value {
    serde_json::to_value(answer.unwrap()).unwrap()
}
