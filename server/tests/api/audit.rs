//! The audit log: what each operation that changes something leaves behind.

use crate::harness::{Answer, Service, choose, on_both_databases, send, text};
use axum::http::Method;
use domain::audit::AuditAction;
use returns::{NewUser, Role};
use serde_json::{Value, json};
use server::api::operations;
use std::{cell::RefCell, collections::BTreeSet};

on_both_databases! {
    each_operation_that_changes_something_is_recorded
    an_entry_says_who_did_what_from_where
    a_secret_is_recorded_as_changed
    an_erased_person_is_not_in_the_log
    finance_reads_entries_about_money_alone
}

const LOG: &str = "/api/v0/audit-entries";

/// What an operation that changes something leaves behind.
enum Trace {
    /// An entry in the audit log.
    Audited(AuditAction),
    /// The same; other tests make these requests.
    InOtherTests(AuditAction),
    /// Its trace is elsewhere, for this reason.
    Elsewhere(&'static str),
}

/// The trace of each operation that changes something. An operation that is not listed fails the test.
#[expect(clippy::too_many_lines, reason = "a table of operations")]
fn trace_of(operation: &str) -> Option<Trace> {
    use AuditAction as A;
    use Trace::{Audited, Elsewhere, InOtherTests};
    Some(match operation {
        "updateAccount" => Audited(A::AccountUpdated),
        "createPreview" => Audited(A::PreviewCreated),
        "createReturnLocation" => Audited(A::ReturnLocationCreated),
        "updateReturnLocation" => Audited(A::ReturnLocationUpdated),
        "deleteReturnLocation" => Audited(A::ReturnLocationDeleted),
        "createReturnReason" => Audited(A::ReturnReasonCreated),
        "updateReturnReason" => Audited(A::ReturnReasonUpdated),
        "deleteReturnReason" => Audited(A::ReturnReasonDeleted),
        "createShippingOption" => Audited(A::ShippingOptionCreated),
        "updateShippingOption" => Audited(A::ShippingOptionUpdated),
        "deleteShippingOption" => Audited(A::ShippingOptionDeleted),
        "inviteUser" => Audited(A::UserInvited),
        "inviteUserAgain" => Audited(A::UserInvitedAgain),
        "updateUser" => Audited(A::UserUpdated),
        "deleteUser" => Audited(A::UserDeleted),
        "createServiceUser" => Audited(A::ServiceUserCreated),
        "updateServiceUser" => Audited(A::ServiceUserUpdated),
        "rotateServiceUser" => Audited(A::ServiceUserRotated),
        "revokeServiceUser" => Audited(A::ServiceUserRevoked),
        "importPurchases" => Audited(A::OrdersImported),
        "deletePurchase" => Audited(A::PurchaseDeleted),
        "createEvidence" => Audited(A::EvidenceAdded),
        "deleteEvidence" => Audited(A::EvidenceDeleted),
        "correctSender" => InOtherTests(A::SenderCorrected),
        "changeShippingOption" => InOtherTests(A::ShippingChanged),
        "addShipment" => Audited(A::ShipmentAdded),
        "cancelShipment" => Audited(A::ShipmentCancelled),
        "rejectDraftReturnOrder" => Audited(A::DraftRejected),
        "createWithdrawal" => Audited(A::WithdrawalCreated),
        "updateWithdrawal" => Audited(A::WithdrawalUpdated),
        "createFoundParcel" => Audited(A::FoundParcelCreated),
        "updateFoundParcel" => Audited(A::FoundParcelUpdated),
        "getPersonalData" => Audited(A::PersonalDataExported),
        "erasePerson" | "eraseConsumer" => Audited(A::PersonalDataErased),
        "createWebhookSubscription" => Audited(A::WebhookSubscriptionCreated),
        "updateWebhookSubscription" => Audited(A::WebhookSubscriptionUpdated),
        "deleteWebhookSubscription" => Audited(A::WebhookSubscriptionDeleted),
        "rotateWebhookSecret" => Audited(A::WebhookSecretRotated),
        "redeliverSince" | "redeliverEvent" | "redeliverWebhookDelivery" => Audited(A::EventsRedelivered),
        "createAmendment" => Audited(A::RequestAmended),
        "createAdjustment" => Audited(A::AdjustmentMade),
        "createProposal" => Audited(A::ProposalMade),
        "approveProposal" => InOtherTests(A::ProposalApproved), // nobody approves their own
        "refuseProposal" => Audited(A::ProposalRefused),
        "mailDraftReturnOrder" => InOtherTests(A::DraftMailed), // it needs a mail server
        "resetUserFactors" => Audited(A::UserFactorsReset),
        "endUserSessions" => Audited(A::UserSessionsEnded),
        "endUserSession" | "endOwnSession" | "endOtherSessions" => InOtherTests(A::UserSessionsEnded),
        "signIn" => InOtherTests(A::UserSignedIn),
        "signOut" => InOtherTests(A::UserSignedOut),
        "setPassword" | "changeOwnPassword" => InOtherTests(A::UserPasswordSet),
        "signInWithPasskey" => InOtherTests(A::UserSignedInWithPasskey),
        "addOwnPasskey" => InOtherTests(A::UserPasskeyAdded),
        "renameOwnPasskey" => InOtherTests(A::UserPasskeyRenamed),
        "removeOwnPasskey" => InOtherTests(A::UserPasskeyRemoved),
        "beginPasskeySignIn" | "beginOwnPasskey" => {
            Elsewhere("a challenge changes nothing, and is forgotten after five minutes")
        }
        "confirmOwnTotp" => InOtherTests(A::UserFactorAdded),
        "removeOwnTotp" => InOtherTests(A::UserFactorRemoved),
        "renewOwnRecoveryCodes" => InOtherTests(A::UserRecoveryCodesRenewed),
        "beginOwnTotp" => Elsewhere("the app is not used before it is confirmed"),
        "requestPasswordReset" => Elsewhere("it mails a link, and changes nothing before the link is used"),
        "createNote" | "updateNote" => Elsewhere("the notes of the return, with their writers and times"),
        "createVisit" => Elsewhere("who looks at a return is forgotten after five minutes"),
        "createReceiving" | "reverseReceiving" | "reverseReceipt" | "deleteInspection" => {
            Elsewhere("the requests' receipts, and their timelines")
        }
        "updateReturnOrder" => Audited(A::ReturnOrderUpdated),
        "updateReturnRequests" => Elsewhere("the returns' timelines"),
        "createBulkRun" => Audited(A::BulkRunCreated),
        "planBulkRun" => Elsewhere("a plan changes nothing"),
        "previewAmendment" | "previewShippingOption" => Elsewhere("a preview changes nothing"),
        "continueBulkRun" => Elsewhere("the run was recorded when it began"),
        "resendMail" => Elsewhere("the return's mails"),
        "createSavedView" | "updateSavedView" | "deleteSavedView" | "shareSavedView" | "unshareSavedView" => {
            Elsewhere("a view of a list changes nothing in the account")
        }
        "createConsumer" => Elsewhere("a consumer proves an order"),
        "lookUpConsumer" => Elsewhere("a consumer without a return changes nothing"),
        "updateSignedInUser" => InOtherTests(A::UserUpdated),
        "testWebhookSubscription" => Elsewhere("the test is among the subscription's deliveries"),
        "putPurchase" => Elsewhere("the shop's systems send each change of an order"),
        "createDraftReturnOrder" => Elsewhere("a draft changes nothing before its submission"),
        "createReturnOrder" | "acceptDraftReturnOrder" | "cancelReturnOrder" | "updateReturnRequest" => {
            Elsewhere("the return's timeline")
        }
        "createReceipt" => Elsewhere("the request's receipts, and its timeline"),
        "createInspection" => Elsewhere("the request's inspection, and its timeline"),
        "retryLabel" => Elsewhere("the return's timeline"),
        "createTrackingUpdate" => Elsewhere("the shipment's tracking updates, and the return's timeline"),
        _ => return None,
    })
}

#[test]
fn each_operation_that_changes_something_has_a_trace() {
    let changing = operations().into_iter().filter(|operation| operation.method != Method::GET);
    let of_staff = changing.filter(|operation| !operation.path().starts_with("/consumer/"));
    let silent: Vec<&str> =
        of_staff.map(|operation| operation.id).filter(|operation| trace_of(operation).is_none()).collect();
    assert!(silent.is_empty(), "record these in the audit log, or say where their trace is: {silent:?}");
    for trace in operations().iter().filter_map(|operation| trace_of(operation.id)) {
        match trace {
            Trace::Audited(action) | Trace::InOtherTests(action) => assert!(AuditAction::ALL.contains(&action)),
            Trace::Elsewhere(reason) => assert!(!reason.is_empty()),
        }
    }
}

/// Makes requests, and checks the trace of each.
struct Recorder<'a> {
    service: &'a Service,
    seen: RefCell<BTreeSet<String>>,
}

impl Recorder<'_> {
    async fn entries(&self) -> i64 {
        self.service.database.rows("audit_entries").await
    }

    /// Makes a request, which must add one entry: the one of its operation.
    async fn make(&self, operation: &str, method: Method, path: &str, body: Value) -> Value {
        let request = self.service.request(method, path, &self.service.demo.key).json(&body);
        self.made(operation, request).await
    }

    async fn made(&self, operation: &str, request: reqwest::RequestBuilder) -> Value {
        let before = self.entries().await;
        let answer: Answer = send(request).await;
        assert!(answer.status < 300, "{operation}: {} {}", answer.status, answer.text());
        let Some(Trace::Audited(action)) = trace_of(operation) else { panic!("{operation} is not audited") };
        assert_eq!(self.entries().await, before + 1, "{operation}");
        let newest = self.service.get(&format!("{LOG}?limit=1"), &self.service.demo.key).await.json();
        assert_eq!(newest["data"][0]["action"], action.name(), "{operation}");
        self.seen.borrow_mut().insert(operation.to_owned());
        if answer.body.is_empty() { Value::Null } else { answer.json() }
    }
}

#[expect(clippy::too_many_lines, reason = "a list of requests")]
async fn each_operation_that_changes_something_is_recorded(service: Service) {
    let recorder = Recorder { service: &service, seen: RefCell::default() };
    let (post, patch, delete) = (Method::POST, Method::PATCH, Method::DELETE);
    let id = |made: &Value| text(&made["id"]);

    recorder.make("updateAccount", patch.clone(), "/api/v0/account", json!({"name": "Fjord"})).await;
    recorder.make("createPreview", post.clone(), "/api/v0/account/previews", json!({})).await;
    let place = json!({"name": "Dock", "address": {"street": "Quay 1", "city": "Leith", "country": "GB"}});
    for (kind, plural, new, change) in [
        ("ReturnLocation", "return-locations", place, json!({"name": "Dock 2"})),
        ("ReturnReason", "return-reasons", json!({"description": {"en": "Odd"}}), json!({"review": true})),
        (
            "ShippingOption",
            "shipping-options",
            json!({"name": {"en": "Post"}, "method": "Label", "prices": [{"value": "1.00", "currency": "GBP"}]}),
            json!({"position": 7}),
        ),
    ] {
        let made = recorder.make(&format!("create{kind}"), post.clone(), &format!("/api/v0/{plural}"), new).await;
        let path = format!("/api/v0/{plural}/{}", id(&made));
        recorder.make(&format!("update{kind}"), patch.clone(), &path, change).await;
        recorder.make(&format!("delete{kind}"), delete.clone(), &path, Value::Null).await;
    }

    let new = json!({"email": "grace@team.example", "name": "Grace", "role": "viewer"});
    let user = format!("/api/v0/users/{}", id(&recorder.make("inviteUser", post.clone(), "/api/v0/users", new).await));
    recorder.make("inviteUserAgain", post.clone(), &format!("{user}/invitation"), json!({})).await;
    recorder.make("updateUser", patch.clone(), &user, json!({"role": "agent"})).await;
    recorder.make("resetUserFactors", post.clone(), &format!("{user}/reset-factors"), json!({})).await;
    recorder.make("endUserSessions", delete.clone(), &format!("{user}/sessions"), Value::Null).await;
    recorder.make("deleteUser", delete.clone(), &user, Value::Null).await;
    let new = json!({"name": "ERP", "scopes": ["read"]});
    let program = recorder.make("createServiceUser", post.clone(), "/api/v0/service-users", new).await;
    let program = format!("/api/v0/service-users/{}", id(&program));
    recorder.make("updateServiceUser", patch.clone(), &program, json!({"name": "CRM"})).await;
    recorder.make("rotateServiceUser", post.clone(), &format!("{program}/rotate"), json!({})).await;
    recorder.make("revokeServiceUser", delete.clone(), &program, Value::Null).await;

    let new = json!({"url": "http://127.0.0.1:9/"});
    let hook = recorder.make("createWebhookSubscription", post.clone(), "/api/v0/webhook-subscriptions", new).await;
    let hook = format!("/api/v0/webhook-subscriptions/{}", id(&hook));
    recorder.make("updateWebhookSubscription", patch.clone(), &hook, json!({"description": "ERP"})).await;
    recorder.make("rotateWebhookSecret", post.clone(), &format!("{hook}/rotate-secret"), json!({})).await;

    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let order = text(&service.create_return(&ada, &purchases[..1]).await["id"]);
    let beside = format!("/api/v0/return-orders/{order}");
    let whole = service.get(&format!("{beside}?expand=returnRequests"), &service.demo.key).await.json();
    let request = format!("/api/v0/return-requests/{}", text(&whole["returnRequests"][0]["id"]));
    recorder.make("updateReturnOrder", patch.clone(), &beside, json!({"flags": ["VIP"]})).await;
    let shipment = recorder.make("addShipment", post.clone(), &format!("{beside}/shipments"), json!({})).await;
    recorder
        .make("cancelShipment", post.clone(), &format!("/api/v0/shipments/{}/cancel", id(&shipment)), json!({}))
        .await;
    let file = service.request(post.clone(), &format!("{request}/evidence"), &service.demo.key);
    let file = file.header("content-type", "application/pdf").body("%PDF-1.4\n%%EOF\n");
    let file = recorder.made("createEvidence", file).await;
    recorder.make("deleteEvidence", delete.clone(), &format!("{request}/evidence/{}", id(&file)), Value::Null).await;

    let request_id = text(&whole["returnRequests"][0]["id"]);
    let items = json!([{"returnRequestId": request_id, "fromStage": "Submitted: Ready"}]);
    let many = json!({"action": "Note", "note": "Called", "items": items});
    recorder.make("createBulkRun", post.clone(), "/api/v0/bulk-runs", many).await;
    let less = json!({"amount": {"value": "-1.00", "currency": "GBP"}, "reason": "A scratch"});
    let other = json!({"returnReasonComment": "Too small", "reason": "On the phone"});
    recorder.make("createAmendment", post.clone(), &format!("{request}/amendments"), other).await;
    recorder.make("createAdjustment", post.clone(), &format!("{request}/adjustments"), less).await;
    let asked = json!({"kind": "Adjustment", "amount": {"value": "-1.00", "currency": "GBP"}, "comment": "A crack"});
    let proposed = recorder.make("createProposal", post.clone(), &format!("{request}/proposals"), asked).await;
    let refuse = format!("{request}/proposals/{}/refuse", text(&proposed["proposal"]["id"]));
    recorder.make("refuseProposal", post.clone(), &refuse, json!({"comment": "Ask for a photo"})).await;
    let new = json!({"code": "X-1", "contents": "A blue mug"});
    let parcel = recorder.make("createFoundParcel", post.clone(), "/api/v0/found-parcels", new).await;
    let parcel = format!("/api/v0/found-parcels/{}", id(&parcel));
    recorder.make("updateFoundParcel", patch.clone(), &parcel, json!({"note": "On the shelf"})).await;

    let since = json!({"since": "2020-01-01T00:00:00Z"});
    recorder.make("redeliverSince", post.clone(), &format!("{hook}/redeliver"), since).await;
    let event = id(&service.get("/api/v0/events", &service.demo.key).await.json()["data"][0]);
    recorder.make("redeliverEvent", post.clone(), &format!("/api/v0/events/{event}/redeliver"), json!({})).await;
    let deliveries = service.get(&format!("{hook}/deliveries"), &service.demo.key).await.json();
    let delivery = format!("/api/v0/deliveries/{}/redeliver", id(&deliveries["data"][0]));
    recorder.make("redeliverWebhookDelivery", post.clone(), &delivery, json!({})).await;
    recorder.make("deleteWebhookSubscription", delete.clone(), &hook, Value::Null).await;

    let selected = json!({"consumerId": ada.id, "selectedPurchases": [choose(&purchases[1], 1)]});
    let draft = id(&service.post("/api/v0/draft-return-orders", &service.demo.key, selected).await.json());
    let reject = format!("/api/v0/draft-return-orders/{draft}/reject");
    recorder.make("rejectDraftReturnOrder", Method::PUT, &reject, json!({})).await;

    let orders = json!({"orders": [{
        "order": {
            "externalId": "2001", "number": "2001", "currency": "GBP", "orderedAt": "2026-02-01T00:00:00Z",
            "email": "eve@example.com",
        },
        "purchases": [{"externalId": "2001/1", "quantity": 1, "fulfilledAt": "2026-02-02T00:00:00Z", "totalPrice": {"value": "9.00", "currency": "GBP"}, "product": {"name": "Cup"}}],
    }]});
    recorder.make("importPurchases", post.clone(), "/api/v0/purchases/import", orders).await;
    recorder.make("deletePurchase", delete.clone(), "/api/v0/purchases/2001%2F1", Value::Null).await;

    let stated = json!({"name": "Ada", "contract": "1001", "email": "ada@example.com"});
    let withdrawal = recorder.make("createWithdrawal", post.clone(), "/api/v0/withdrawals", stated).await;
    let withdrawal = format!("/api/v0/withdrawals/{}", id(&withdrawal));
    recorder.make("updateWithdrawal", patch.clone(), &withdrawal, json!({"returnOrderId": order})).await;
    let found = recorder.make("createFoundParcel", post.clone(), "/api/v0/found-parcels", json!({"note": "x"})).await;
    let found = format!("/api/v0/found-parcels/{}", id(&found));
    recorder.make("updateFoundParcel", patch.clone(), &found, json!({"returnOrderId": order})).await;
    let of_ada = json!({"email": "ada@example.com"});
    recorder.make("getPersonalData", post.clone(), "/api/v0/consumers/data", of_ada.clone()).await;
    recorder.make("erasePerson", post.clone(), "/api/v0/consumers/erasure", of_ada).await;
    let ben = service.prove("1002", "ben@example.com").await;
    recorder.make("eraseConsumer", delete, &format!("/api/v0/consumers/{}", ben.id), Value::Null).await;

    let audited: BTreeSet<String> = operations()
        .into_iter()
        .map(|operation| operation.id.to_owned())
        .filter(|operation| matches!(trace_of(operation), Some(Trace::Audited(_))))
        .collect();
    assert_eq!(*recorder.seen.borrow(), audited, "each of these is tried above");
}

async fn an_entry_says_who_did_what_from_where(service: Service) {
    let new =
        NewUser { email: "grace@team.example".to_owned(), name: "Grace".to_owned(), role: Role::Admin, language: None };
    let password = "correct horse battery";
    let grace = service.retour.operator().create_user(service.demo.account.id, new, password.to_owned()).await.unwrap();
    let body = json!({"email": "grace@team.example", "password": password});
    let token = text(&service.post("/auth/user", "", body).await.json()["accessToken"]);
    let change = service.request(Method::PATCH, "/api/v0/account", &token).header("x-request-id", "try-7");
    send(change.json(&json!({"policy": {"returnWindowDays": 14}}))).await;
    let entry =
        service.get(&format!("{LOG}?filter=actorId:{}&limit=1", grace.id), &token).await.json()["data"][0].clone();
    assert_eq!(entry["actor"], "User");
    assert_eq!((&entry["action"], &entry["topic"]), (&json!("account.updated"), &json!("Settings")));
    assert_eq!(entry["subjectId"], service.demo.account.id.to_string());
    assert_eq!((&entry["network"], &entry["requestId"]), (&json!("127.0.0.0/24"), &json!("try-7")));
    assert_eq!(entry["before"], json!({"policy": {"returnWindowDays": 30}}));
    assert_eq!(entry["after"], json!({"policy": {"returnWindowDays": 14}}));
    // A change that changes nothing is not recorded.
    let before = service.database.rows("audit_entries").await;
    service.patch("/api/v0/account", &token, json!({"policy": {"returnWindowDays": 14}})).await;
    assert_eq!(service.database.rows("audit_entries").await, before);
    // Another account sees nothing of it.
    let theirs = service.get(&format!("{LOG}?filter=topic:Settings"), &service.other_key).await;
    assert!(!theirs.text().contains("returnWindowDays"), "{}", theirs.text());
}

async fn a_secret_is_recorded_as_changed(service: Service) {
    let bridge = |secret: &str| json!({"bridge": {"kind": "http", "url": "http://127.0.0.1:9", "secret": secret}});
    for secret in ["whsec_Zmlyc3Qtc2VjcmV0LW9mLXRoZS1zaG9wLTAwMDE=", "whsec_c2Vjb25kLXNlY3JldC1vZi10aGUtc2hvcC0wMDAy"] {
        let changed = service.patch("/api/v0/account", &service.demo.key, bridge(secret)).await;
        assert_eq!(changed.status, 200, "{}", changed.text());
    }
    let log = service.get(LOG, &service.demo.key).await;
    assert_eq!(log.json()["data"][0]["after"], json!({"bridge": "changed"}));
    assert!(!log.text().contains("whsec_"), "{}", log.text());
}

async fn an_erased_person_is_not_in_the_log(service: Service) {
    let of_ada = json!({"email": "ada@example.com"});
    service.post("/api/v0/consumers/data", &service.demo.key, of_ada.clone()).await;
    let consumer = service.ada().await.id;
    service.post("/api/v0/consumers/erasure", &service.demo.key, of_ada).await;
    let log = service.get(LOG, &service.demo.key).await.text();
    assert!(log.contains("personal_data.erased") && log.contains("personal_data.exported"), "{log}");
    assert!(!log.contains("ada@") && !log.contains(&consumer), "{log}");
}

async fn finance_reads_entries_about_money_alone(service: Service) {
    service.patch("/api/v0/account", &service.demo.key, json!({"name": "Fjord"})).await;
    let signed_in = async |role: Role| {
        let (email, password) = (format!("{}@team.example", role.name()), "correct horse battery");
        let new = NewUser { email: email.clone(), name: String::new(), role, language: None };
        service.retour.operator().create_user(service.demo.account.id, new, password.to_owned()).await.unwrap();
        let body = json!({"email": email, "password": password});
        text(&service.post("/auth/user", "", body).await.json()["accessToken"])
    };
    let finance = service.get(LOG, &signed_in(Role::Finance).await).await;
    assert_eq!((finance.status, &finance.json()["data"]), (200, &json!([])));
    for role in [Role::Agent, Role::Warehouse, Role::Viewer] {
        assert_eq!(service.get(LOG, &signed_in(role).await).await.status, 403, "{}", role.name());
    }
}
