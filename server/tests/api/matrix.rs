//! The permission matrix: every operation of the document, with every kind of credential, on own objects, on objects of others, and on
//! missing objects. The expectation follows from the operation's [`Access`] alone. An operation whose objects are not named here fails
//! the test.

use crate::harness::{Answer, NOW, Service, choose, on_both_databases, send, text};
use axum::http::Method;
use returns::{NewUser, Role, Scope};
use serde_json::{Value, json};
use server::api::{
    operation::{Access, Operation},
    operations,
};
use std::collections::BTreeMap;

on_both_databases! {
    credentials_without_permission_are_refused
    credentials_with_permission_reach_only_their_own_objects
}

const ABSENT: &str = "01999999-0000-7000-8000-000000000000";
const PASSWORD: &str = "correct horse battery";

/// The ids of the objects of one shop, by the operations' tags. Objects of consumers and webhooks are named by words in the paths.
pub struct ShopObjects {
    account: String,
    consumer: String,
    token: String,
    ids: BTreeMap<&'static str, String>,
}

impl ShopObjects {
    /// Creates one object of each kind in the shop with this slug and this admin key.
    #[expect(clippy::too_many_lines, reason = "one object after the other")]
    pub async fn of(service: &Service, slug: &str, key: &str) -> Self {
        let account = text(&service.get("/api/v0/account", key).await.json()["id"]);
        let proof = json!({"account": slug, "orderNumber": "1001", "email": "ada@example.com"});
        let proved = service.post("/auth/consumer", "", proof).await.json();
        let (consumer, token) = (text(&proved["consumer"]["id"]), text(&proved["accessToken"]));
        let purchases = service.get(&format!("/consumer/{consumer}/purchases"), &token).await.json()["data"].clone();
        let to_nowhere = json!({"url": "http://127.0.0.1:9/"}); // before there is any event
        let subscription = created(service.post("/api/v0/webhook-subscriptions", key, to_nowhere).await);
        let option = purchases[0]["shippingOptions"][0]["id"].clone();
        let made = json!({"consumerId": consumer, "selectedPurchases": [choose(&purchases[0], 1)], "shippingOptionId": option});
        let order = created(service.post("/api/v0/return-orders", key, made.clone()).await);
        let beside = format!("/api/v0/return-orders/{order}?expand=returnRequests&expand=shipments");
        let beside = service.get(&beside, key).await.json();
        let request = text(&beside["returnRequests"][0]["id"]);
        let file = service.request(Method::POST, &format!("/api/v0/return-requests/{request}/evidence"), key);
        let file = send(file.header("content-type", "application/pdf").body("%PDF-1.4\n%%EOF\n")).await;
        let ahead = format!("/consumer/{consumer}/purchase/{}/evidence", text(&purchases[0]["id"]));
        let laid = service.request(Method::POST, &ahead, key).header("content-type", "application/pdf");
        let laid = send(laid.body("%PDF-1.4\n%%EOF\n")).await;
        let event = text(&service.get("/api/v0/events", key).await.json()["data"][0]["id"]);
        let deliveries = format!("/api/v0/webhook-subscriptions/{subscription}/deliveries");
        let delivery = text(&service.get(&deliveries, key).await.json()["data"][0]["id"]);
        let noted = json!({"text": "Called."});
        let note = created(service.post(&format!("/api/v0/return-orders/{order}/notes"), key, noted).await);
        let mut other = made;
        other["selectedPurchases"] = json!([choose(purchases.get(1).unwrap_or(&purchases[0]), 1)]);
        let draft = created(service.post("/api/v0/draft-return-orders", key, other).await);
        let place = json!({"name": "Dock", "address": {"street": "Quay 1", "city": "Leith", "country": "GB"}});
        let location = created(service.post("/api/v0/return-locations", key, place).await);
        let stated = json!({"name": "Ada", "contract": "1001", "email": "ada@example.com"});
        let withdrawal = created(service.post("/api/v0/withdrawals", key, stated).await);
        let found = created(service.post("/api/v0/found-parcels", key, json!({"note": "no papers"})).await);
        let parcel = json!({"items": [{"returnRequestId": request, "quantity": 1}]});
        let parcel = created(service.post(&format!("/api/v0/return-orders/{order}/receivings"), key, parcel).await);
        let receipts = service.get(&format!("/api/v0/return-requests/{request}/receipts"), key).await.json();
        let program =
            created(service.post("/api/v0/service-users", key, json!({"name": "x", "scopes": ["read"]})).await);
        let email = format!("{slug}@team.example");
        let user =
            created(service.post("/api/v0/users", key, json!({"email": email, "name": "x", "role": "viewer"})).await);
        let view = json!({"list": "return-orders", "name": "Open", "query": "filter=status:Open"});
        let view = created(service.post("/api/v0/saved-views", key, view).await);
        let bulk = json!({"action": "Flag", "flag": "VIP", "items": [{"returnRequestId": request, "fromStage": "Submitted: Ready"}]});
        let bulk = created(service.post("/api/v0/bulk-runs", key, bulk).await);
        let ids = BTreeMap::from([
            ("Bulk runs", bulk),
            ("Return requests", request),
            ("Saved views", view),
            ("Return orders", order),
            ("Notes", note),
            ("Mails", ABSENT.to_owned()), // nothing is mailed here
            ("Draft return orders", draft),
            ("Evidence", created(file)),
            ("Pending evidence", created(laid)),
            ("Consumers", consumer.clone()),
            ("Purchases", text(&purchases[0]["id"])),
            ("Shipments", text(&beside["shipments"][0]["id"])),
            ("Shipping options", text(&option)),
            ("Return reasons", text(&purchases[0]["returnReasons"][0]["id"])),
            ("Return locations", location),
            ("Withdrawals", withdrawal),
            ("Found parcels", found),
            ("Receivings", parcel),
            ("Receipts", text(&receipts["data"][0]["id"])),
            ("Proposals", ABSENT.to_owned()), // nobody is an agent here
            ("Service users", program),
            ("Users", user),
            ("Own security", ABSENT.to_owned()),
            ("webhook-subscriptions", subscription),
            ("events", event),
            ("deliveries", delivery),
        ]);
        Self { account, consumer, token, ids }
    }

    fn id(&self, what: &str) -> String {
        self.ids.get(what).unwrap_or_else(|| panic!("the matrix has no {what}: add one to ShopObjects::of")).clone()
    }

    /// The path of an operation with these ids.
    pub fn path(&self, operation: &Operation) -> String {
        let path = operation.path();
        let id = match operation.resource.tag {
            "Consumer" if path.contains("/draft-return-order/") => self.id("Draft return orders"),
            "Consumer" if path.contains("/purchase/") => self.id("Purchases"),
            "Consumer" | "Evidence" if path.contains("/return-order/") => self.id("Return orders"),
            "Evidence" => self.id("Return requests"),
            _ if !path.contains("{id}") && !path.contains("{external_id}") => String::new(),
            "Webhooks" => self.id(path.split('/').nth(5).unwrap()),
            tag => self.id(tag),
        };
        let path = path.replace("{account_id}", &self.account).replace("{consumer_id}", &self.consumer);
        let evidence = if path.contains("/purchase/") { "Pending evidence" } else { "Evidence" };
        let path = path.replace("{evidence_id}", &self.id(evidence));
        let path = path.replace("{shipment_id}", &self.id("Shipments")).replace("{note_id}", &self.id("Notes"));
        let path = path.replace("{session_id}", &self.id("Own security"));
        let path = path.replace("{receiving_id}", &self.id("Receivings")).replace("{receipt_id}", &self.id("Receipts"));
        let path = path.replace("{proposal_id}", &self.id("Proposals"));
        let query = match operation.id {
            "createOwnEvidence" => format!("?returnRequestId={}", self.id("Return requests")),
            "scanCode" => "?code=1001".to_owned(),
            "find" => "?q=1001".to_owned(),
            _ => String::new(),
        };
        path.replace("{id}", &id).replace("{external_id}", &id) + &query
    }

    /// The same path with another last id: of another shop's object, or of a missing one.
    fn path_with(&self, operation: &Operation, theirs: &ShopObjects) -> Option<String> {
        let names = [
            "{id}",
            "{external_id}",
            "{evidence_id}",
            "{shipment_id}",
            "{note_id}",
            "{receiving_id}",
            "{receipt_id}",
            "{proposal_id}",
        ];
        if !names.iter().any(|name| operation.path().contains(name)) {
            return None;
        }
        let mixed = ShopObjects {
            account: self.account.clone(),
            consumer: self.consumer.clone(),
            token: String::new(),
            ids: theirs.ids.clone(),
        };
        Some(mixed.path(operation))
    }

    /// Ids of objects that do not exist.
    fn absent(&self) -> Self {
        let ids = self.ids.keys().map(|&tag| (tag, ABSENT.to_owned())).collect();
        Self { account: self.account.clone(), consumer: self.consumer.clone(), token: String::new(), ids }
    }
}

fn created(answer: Answer) -> String {
    assert_eq!(answer.status, 201, "{}", answer.text());
    text(&answer.json()["id"])
}

/// Sends a body that the operation can read, though it may be invalid.
async fn ask(service: &Service, operation: &Operation, path: &str, credential: &str) -> Answer {
    let request = service.request(operation.method.clone(), path, credential);
    let request = match &operation.body {
        Some(server::api::operation::RequestBody::Bytes(_)) => {
            request.header("content-type", "application/pdf").body("%PDF-1.4\n")
        }
        Some(_) => request.json(&json!({})),
        None => request,
    };
    send(request).await
}

async fn user(service: &Service, email: &str, role: Role) -> String {
    let new = NewUser { email: email.to_owned(), name: String::new(), role, language: None };
    service.retour.operator().create_user(service.demo.account.id, new, PASSWORD.to_owned()).await.unwrap();
    let signed_in = service.post("/auth/user", "", json!({"email": email, "password": PASSWORD})).await;
    text(&signed_in.json()["accessToken"])
}

async fn key(service: &Service, scope: Scope) -> String {
    service.retour.operator().create_service_user(service.demo.account.id, scope.name(), &[scope]).await.unwrap()
}

/// The owner of a credential.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Holder {
    Nobody,
    Consumer { themselves: bool },
    Key(Scope),
    User(Role),
    Stranger,
}

impl Holder {
    /// The scopes of the credential, written down once more: the test must not ask the code that it tests.
    fn scopes(self) -> &'static [Scope] {
        use Scope::{Admin, Override, Personal, Read, Receive, Resolve, Write};
        const ALL: &[Scope] = &[Read, Write, Admin, Receive, Resolve, Override, Personal];
        match self {
            Self::Nobody | Self::Consumer { .. } | Self::Stranger => &[],
            Self::Key(Admin) | Self::User(Role::Admin) => ALL,
            Self::Key(Write) => &[Write, Receive, Resolve, Override],
            Self::Key(Read) => &[Read, Personal],
            Self::Key(Receive) | Self::User(Role::Warehouse) => &[Receive],
            Self::Key(Resolve) => &[Resolve],
            Self::Key(Override) => &[Override],
            Self::Key(Personal) => &[Personal],
            Self::User(Role::Agent) => &[Read, Write, Receive, Resolve, Override, Personal],
            Self::User(Role::Finance) => &[Read, Resolve, Override, Personal],
            Self::User(Role::Viewer) => &[Read],
        }
    }
}

/// The status that refuses this holder; `None` if the answer depends on the object.
fn refusal(access: Access, holder: Holder) -> Option<u16> {
    let lacks = |needed: &[Scope]| !needed.iter().any(|scope| holder.scopes().contains(scope));
    match (access, holder) {
        (Access::Anyone, _) | (Access::SignedIn, Holder::User(_)) => None,
        (_, Holder::Nobody) => Some(401),
        (Access::SignedIn, _)
        | (Access::Staff(_) | Access::StaffAny(_) | Access::StaffButAgents(_), Holder::Consumer { .. }) => Some(403),
        (Access::Consumer(_), Holder::Consumer { themselves }) => (!themselves).then_some(404),
        (_, Holder::Stranger) => Some(404),
        (Access::Consumer(needed) | Access::Staff(needed), Holder::User(_) | Holder::Key(_)) => {
            lacks(&[needed]).then_some(403)
        }
        // Of several scopes, one must be granted to a key itself.
        (Access::StaffAny(needed) | Access::StaffButAgents(needed), Holder::Key(has)) => {
            (has != Scope::Admin && !needed.contains(&has)).then_some(403)
        }
        (Access::StaffAny(needed), Holder::User(_)) => lacks(needed).then_some(403),
        (Access::StaffButAgents(needed), Holder::User(_)) => {
            (lacks(needed) || holder == Holder::User(Role::Agent)).then_some(403)
        }
    }
}

async fn credentials_without_permission_are_refused(service: Service) {
    let ours = ShopObjects::of(&service, "fjord-fern", &service.demo.key).await;
    let ben = service.prove("1002", "ben@example.com").await;
    let revoked = {
        let made = service
            .post("/api/v0/service-users", &service.demo.key, json!({"name": "x", "scopes": ["admin"]}))
            .await
            .json();
        let path = format!("/api/v0/service-users/{}", text(&made["id"]));
        assert_eq!(service.delete(&path, &service.demo.key).await.status, 204);
        text(&made["apiKey"])
    };
    let over = user(&service, "late@team.example", Role::Admin).await;
    service.clock.set(NOW.plus_hours(2)); // a user's token expires after one hour
    let mut credentials = vec![
        (Holder::Nobody, String::new()),
        (Holder::Nobody, "garbage".to_owned()),
        (Holder::Nobody, over),
        (Holder::Nobody, revoked),
        (Holder::Consumer { themselves: true }, ours.token.clone()),
        (Holder::Consumer { themselves: false }, ben.token),
        (Holder::Stranger, service.other_key.clone()),
    ];
    for scope in Scope::ALL {
        credentials.push((Holder::Key(scope), key(&service, scope).await));
    }
    for role in Role::ALL {
        let email = format!("{}@team.example", role.name());
        credentials.push((Holder::User(role), user(&service, &email, role).await));
    }
    let before = service.contents().await;
    let mut cells = 0;
    for operation in operations() {
        for (holder, credential) in &credentials {
            let Some(status) = refusal(operation.access, *holder) else { continue };
            let answer = ask(&service, &operation, &ours.path(&operation), credential).await;
            // For paths under /consumer, a key of another shop gets the errors of the body first, as a request without a key does.
            if *holder == Holder::Stranger && answer.status == 422 {
                let nobody = ours.path(&operation).replace(&ours.consumer, ABSENT);
                assert_eq!(answer.text(), ask(&service, &operation, &nobody, credential).await.text());
                continue;
            }
            assert_eq!(answer.status, status, "{} as {holder:?}: {}", operation.id, answer.text());
            let code = match status {
                401 => "Unauthorized",
                403 => "Forbidden",
                _ => "NotFound",
            };
            assert_eq!(answer.error_code(), code, "{}", operation.id);
            cells += 1;
        }
    }
    assert!(cells > 800, "{cells}");
    assert_eq!(service.contents().await, before, "nothing has changed");
}

async fn credentials_with_permission_reach_only_their_own_objects(service: Service) {
    let admin = service.demo.key.clone();
    let ours = ShopObjects::of(&service, "fjord-fern", &admin).await;
    let theirs = ShopObjects::of(&service, "other", &service.other_key).await;
    let before = service.contents().await;
    let boss = user(&service, "boss@team.example", Role::Admin).await;
    for operation in operations() {
        let credential = if operation.access == Access::SignedIn { &boss } else { &admin };
        // An object of another shop looks like a missing one.
        if let Some(foreign) = ours.path_with(&operation, &theirs) {
            let absent = ours.path_with(&operation, &ours.absent()).unwrap();
            // A PUT of a purchase with an unknown id creates it.
            if operation.id != "putPurchase" {
                let (foreign, absent) = (
                    ask(&service, &operation, &foreign, credential).await,
                    ask(&service, &operation, &absent, credential).await,
                );
                assert!([404, 422, 400].contains(&foreign.status), "{}: {}", operation.id, foreign.text());
                assert_eq!((foreign.status, foreign.text()), (absent.status, absent.text()), "{}", operation.id);
            }
        }
        // Reads succeed. Writes are refused because of their bodies, not because of their credentials.
        let not_there_yet = ["getOwnLabel", "getOwnShipmentLabel", "getOwnReturnAddress", "getInspection"];
        let is_there_yet = !not_there_yet.contains(&operation.id);
        if operation.method == Method::GET && is_there_yet {
            let answer = ask(&service, &operation, &ours.path(&operation), credential).await;
            assert!([200, 201].contains(&answer.status), "{}: {}", operation.id, answer.text());
        }
    }
    assert_eq!(service.contents().await, before, "nothing has changed");
    let other_side: Vec<Value> =
        service.get("/api/v0/return-orders", &service.other_key).await.json()["data"].as_array().unwrap().clone();
    assert_eq!(other_side.len(), 1);
}
