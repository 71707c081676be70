//! The values of the examples: a return as it may occur in a shop.

use serde_json::{Value, json};

/// The id of everything in examples.
pub(super) const ID: &str = "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10";

/// The value of a field of this type, if the type says more than the name of the field.
pub(super) fn of_type(owner: &str, name: &str) -> Option<Value> {
    let owner = ["Input", "EventData"].iter().find_map(|suffix| owner.strip_suffix(suffix)).unwrap_or(owner);
    if is_empty(owner, name) {
        return Some(Value::Null);
    }
    match owner {
        "Policy" => policy(name),
        "CostBreakdown" => costs(name),
        "Branding" | "StepTexts" | "Link" => branding(owner, name),
        "Purchase" | "ConsumerPurchase" | "Eligibility" => purchase(name),
        "ImportReport" | "NamedOrders" => report(name),
        _ => text_of(owner, name).or_else(|| choice_of(owner, name)),
    }
}

/// Whether the field is `null` in examples. An example is in one state at a time: for example, not both open and failed.
fn is_empty(owner: &str, name: &str) -> bool {
    let is_elsewhere = matches!(
        name,
        "nextPage"
            | "archivedAt"
            | "revokedAt"
            | "disabledAt"
            | "disabledReason"
            | "failingSince"
            | "reviewReason"
            | "errorCode"
            | "errorMessage"
            | "denialReason"
            | "qrCode"
            | "gift"
            | "exchangeFor"
            | "parentId"
    );
    let is_here = matches!(
        (owner, name),
        ("ReturnOrder", "payment" | "assigneeId")
            | ("DraftReturnOrder", "returnOrderId")
            | ("ReturnRequest", "dueAt" | "proposal")
            | ("BatchResult" | "BulkRunResult" | "Eligibility", "code" | "message")
            | ("BulkPlanItem", "obstacle")
            | ("CarrierSettings", "url" | "noticesUrl")
            | ("PaymentSettings", "url" | "noticesUrl" | "takesNotices")
            | ("Resolution", "status" | "externalReference" | "nextAttemptAt")
            | ("Payment" | "Shipment", "nextAttemptAt")
            | ("Integration" | "IntegrationHealth" | "OperationHealth", "lastErrorAt" | "nextAttemptAt")
    );
    (is_elsewhere && owner != "SubscriptionDisabled") || is_here
}

#[expect(clippy::too_many_lines, reason = "one line for each text")]
#[expect(clippy::match_same_arms, reason = "grouped by what they describe")]
fn text_of(owner: &str, name: &str) -> Option<Value> {
    Some(json!(match (owner, name) {
        (_, "locale" | "language") => "en",
        ("Bridge", "kind") => "http",
        ("Account", "name") => "Fjord & Fern",
        ("User" | "InvitedUser" | "Assignee", "name") | ("Visit", "visitorName") | ("ActivityEntry", "actorName") =>
            "Grace Hopper",
        ("User" | "InvitedUser", "email") => "grace@example.com",
        ("ServiceUser" | "ServiceUserWithKey", "name") => "backoffice",
        ("ReturnLocation", "name") => "Warehouse Leith",
        ("Product" | "OrderLine", "name") | ("BulkPlanItem", "productName") => "Mug, blue",
        ("ExchangeOption", "name") => "Mug, green",
        ("ExchangeOption" | "ExchangeFor", "sku") => "MUG-GREEN",
        ("EvidenceFile" | "PendingEvidence", "name") => "broken-handle.jpg",
        ("OfferedShippingOption", "name") => "Parcel shop",
        ("OfferedShippingOption", "description") => "Print the label and take the parcel to a parcel shop.",
        ("OfferedReturnReason", "description") => "Damaged",
        ("OfferedQuestion", "text") => "What is damaged?",
        ("AnswerOption" | "OfferedAnswer", "id") | ("Answer", "value") => "handle",
        ("OfferedAnswer", "text") => "The handle",
        ("SalesOrder" | "Order" | "OrderData" | "RefusedOrder", "number" | "externalId") => "1001",
        ("Mail", "about") => "Ready",
        ("AuditEntry", "subjectId" | "requestId") => ID,
        ("AuditEntry" | "UserSession", "network") => "203.0.113.0/24",
        ("ActivityEntry", "text") => "The handle is broken.",
        ("Note" | "NoteInput" | "NoteAdded", "text") => "The customer called: the handle broke on the way.",
        ("NoteAdded", "returnOrderNumber") => "R-7K3M9Q2A",
        ("BatchResult" | "BulkRunResult", "outcome") => "Done",
        ("ReturnOrder" | "ReturnOrderChange", "flags") => return Some(json!(["VIP"])),
        ("IdentifiedConsumer", "accessToken") => "rtc_…",
        ("SignedIn", "accessToken") => "rtu_…",
        ("SignedIn", "step") => "Complete",
        ("UserSession", "kind") => "Desk",
        ("UserSession", "device") => "Firefox on Linux",
        ("NewTotp", "secret") => "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
        ("NewTotp", "uri") => {
            "otpauth://totp/Fjord%20%26%20Fern:grace%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Fjord%20%26%20Fern&algorithm=SHA1&digits=6&period=30"
        }
        ("Passkey" | "MadePasskey" | "PasskeyName", "name") => "Work laptop",
        ("Passkeys", "host") | ("PasskeySite", "id") | ("PasskeyRequestOptions", "rpId") => "desk.example.com",
        ("PasskeySite", "name") => "Fjord & Fern",
        ("PasskeyUser", "name") => "grace@example.com",
        ("PasskeyUser", "displayName") => "Grace Hopper",
        ("PasskeyUser", "id") | ("PasskeyProof", "userHandle") => "AZ3a6cAAcACAAAAAAAAAAQGd2unAAHAAgAAAAAAAAAI",
        ("PasskeyCreationOptions" | "PasskeyRequestOptions", "challenge") =>
            "OcDnUhQXulTUPo3JUXT0I97pvzzYBP9tZchXyav01Ag",
        ("PasskeyProof" | "MadePasskey", "clientDataJson") =>
            "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiT2NEblVoUVh1bFRVUG8zSlVYVDBJOTdwdnp6WUJQOXRaY2hYeWF2MDFBZyJ9",
        ("PasskeyProof", "authenticatorData") => "v6vDdDKViwYzYNOtZGHJxHNa5_jt1GWSpeDwFFKy5LUNAAAAAA",
        ("PasskeyProof", "signature") => "MEUCIGlJadPukt5u8C7yOpxkTX13mRZFFzSpS0MlQvSYoevp",
        ("MadePasskey", "attestationObject") => "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YUA",
        ("PasskeyAlgorithm" | "PasskeyReference", "type") => "public-key",
        ("PasskeyReference", "id") | ("PasskeyProof", "credentialId") => "yab1s0YtAoc_6gxWhiI0-Z8IFygITlEbt3YCAaiQVKU",
        ("PasskeySelection" | "PasskeyRequestOptions", "residentKey" | "userVerification") => "required",
        ("PasskeyCreationOptions", "attestation") => "none",
        ("TotpCode", "code") => "287082",
        ("PaymentCheckout", "status") => "Paid",
        ("ReturnOrder", "status") => "Open",
        ("SavedView" | "NewSavedView" | "SavedViewChange", "name") => "Expensive, from abroad",
        ("SavedView" | "NewSavedView" | "SavedViewChange", "list") => "return-requests",
        ("SavedView" | "NewSavedView" | "SavedViewChange", "query") =>
            "filter=country:GB&filter=purchasePrice>=100 EUR",
        ("ReturnRequest", "stage") => "Shipment: In Transit",
        ("BulkPlanItem", "stage") => "Requested: Review",
        ("FiguresSummary", "timeZone") => "Europe/Berlin",
        ("Shipment", "status") => "InTransit",
        ("Preview", "url") => "https://returns.example/fjord-fern/preview?token=5f63f6272f2ba37a9224e193941ed126",
        ("EvidenceFile", "url") => return Some(json!(format!("/api/v0/return-requests/{ID}/evidence/{ID}"))),
        ("PendingEvidence", "url") => return Some(json!(format!("/consumer/{ID}/purchase/{ID}/evidence/{ID}"))),
        ("Payment", "checkoutUrl") => return Some(json!(format!("/fjord-fern/returns/{ID}/pay"))),
        _ => return None,
    }))
}

/// Values that are no text: translations, lists, numbers and booleans.
fn choice_of(owner: &str, name: &str) -> Option<Value> {
    Some(match (owner, name) {
        (_, "limit") => json!(20),
        ("SubscriptionDisabled", "disabledReason") => json!("Failing"),
        ("Shipment", "receiver") | ("ReturnLocation", "address") => warehouse(),
        ("AuditEntry", "before") => json!({"role": "viewer"}),
        ("AuditEntry", "after") => json!({"role": "agent"}),
        ("AuditEntry", "action") => json!("user.updated"),
        ("AuditEntry", "topic") => json!("Team"),
        ("AuditEntry", "subject") => json!("User"),
        ("Shipment", "labelMediaTypes") => json!(["application/pdf", "image/png", "application/zpl"]),
        ("EvidenceFile" | "PendingEvidence", "bytes") => json!(248_211),
        ("ShippingOption", "name") => json!({"en": "Parcel shop"}),
        ("ShippingOption", "description") => json!({"en": "Print the label and take the parcel to a parcel shop."}),
        ("ReturnReason", "description") => json!({"en": "Damaged"}),
        ("Question", "text") | ("Answer", "question") => json!({"en": "What is damaged?"}),
        ("AnswerOption" | "Answer", "text") => json!({"en": "The handle"}),
        ("Question", "options") => json!([
            {"id": "handle", "text": {"en": "The handle"}}, {"id": "rim", "text": {"en": "The rim"}},
        ]),
        ("OfferedQuestion", "options") => {
            json!([{"id": "handle", "text": "The handle"}, {"id": "rim", "text": "The rim"}])
        }
        ("OfferedShippingOption", "needsPrinter")
        | ("PaymentCheckout", "settled")
        | ("WebhookSubscription", "enabled") => json!(true),
        ("ReturnRequest", "surplusQuantity" | "receivedQuantity") | ("Inspection", "refused") => json!(0),
        ("Resolution", "value" | "fullValue") | ("BulkPlanItem", "value") => euro("35.00"),
        ("FigureAmounts", "keptPercent") => json!(40),
        ("PeriodFigures", "completedFilters") => json!(["stage:Resolution: Completed"]),
        ("WeightPrice" | "OfferedWeightPrice", "above") => json!(2_000),
        ("WeightPrice", "prices") => json!([euro("6.95")]),
        ("OfferedWeightPrice", "price") => euro("6.95"),
        _ => return None,
    })
}

fn branding(owner: &str, name: &str) -> Option<Value> {
    Some(match (owner, name) {
        ("Branding", "locale") => json!("en"),
        ("Link", "url") => json!("https://shop.example/help"),
        ("Link", "text") => json!({"en": "Help"}),
        ("StepTexts", "lookUp") => json!({"en": "Refunds within 5 days of arrival."}),
        ("StepTexts", "choose") => json!({"en": "Return mugs in their box."}),
        ("StepTexts", "review") => json!({"en": "We refund to the card that you paid with."}),
        ("StepTexts", "follow") => json!({"en": "Drop-off is open until 8 pm."}),
        _ => return None,
    })
}

/// A purchase that can be returned: it was delivered, and its return window is open.
fn purchase(name: &str) -> Option<Value> {
    Some(match name {
        "returnable" | "requiresShipping" => json!(true),
        "returnBy" => json!("2026-03-03T23:59:59Z"),
        "returnByDate" => json!("2026-03-03"),
        "takenQuantity" | "settledQuantity" | "removedQuantity" | "refundedQuantity" | "dearerUnits" => json!(0),
        "fulfilledAt" => json!("2026-02-01T09:00:00Z"),
        "deliveredAt" => json!("2026-02-03T15:30:00Z"),
        _ => return None,
    })
}

/// The report of a file that was imported completely.
fn report(name: &str) -> Option<Value> {
    Some(match name {
        "count" | "refusedCount" | "skippedCount" => json!(0),
        "numbers" | "refused" | "skipped" => json!([]),
        "lines" | "changed" => json!(2),
        _ => return None,
    })
}

/// The value of a field of this name, in every type.
pub(super) fn of_name(name: &str) -> Option<Value> {
    Some(json!(match name {
        "name" => "Ada Lovelace",
        "slug" | "account" => "fjord-fern",
        "street" => "12 Analytical Lane",
        "additional" | "province" | "carrierService" => "",
        "city" => "London",
        "country" | "countries" | "originCountry" => "GB",
        "postalCode" | "billingPostalCode" => "EC1A 1BB",
        "color" => "#0f766e",
        "orderNumber" | "purchaseOrderNumber" | "purchaseOrderNumbers" => "1001",
        "number" | "returnNumber" => "R-7K3M9Q2A",
        "externalId" | "purchaseExternalId" => "1001/1",
        "sku" => "MUG-BLUE",
        "barcode" => "4006381333931",
        "hsCode" => "691110",
        "tags" => "spring",
        "finalSale" => "final-sale",
        "gs1CompanyPrefix" => "9521234",
        "externalReference" => "re_77",
        "carrier" => "Parcel Force",
        "trackingNumber" => "PF123456785GB",
        "explanation" => "Seen at the depot",
        "returnReasonComment" | "comment" | "reason" | "note" => "The handle is broken.",
        "password" => "correct horse battery staple",
        "token" | "invitationToken" => "rti_…",
        "apiKey" => "rtk_…9f3c",
        "keyLastFour" => "9f3c",
        "mediaType" => "image/jpeg",
        "tokenType" => "Bearer",
        "labelBarcode" => "095212340000000017",
        "field" => "quantity",
        "email" => "ada@example.com",
        "contactEmail" | "replyTo" => "help@shop.example",
        "contactUrl" => "https://shop.example/contact",
        "contactPhone" => "+44 131 496 0000",
        "logoUrl" => "/shop/logo.svg",
        "logoDarkUrl" => "/shop/logo-dark.svg",
        "imageUrls" => "https://shop.example/mug.jpg",
        "shopUrl" | "embedOrigins" | "apiOrigins" => "https://shop.example",
        "termsUrl" => "https://shop.example/terms",
        "trackingUrl" => "https://carrier.example/PF123456785GB",
        "labelUrl" => return Some(json!(format!("/api/v0/shipments/{ID}/label"))),
        "status" => "Approved",
        "code" => "ValidationFailed",
        "message" => "Some fields have values that are not allowed.",
        _ => return None,
    }))
}

/// The value of a number or an amount of this name, in every type.
pub(super) fn amount_of(name: &str, is_list: bool) -> Option<Value> {
    Some(match name {
        "discount" | "totalRefunded" | "refunded" | "refundDue" | "estimatedCredit" => euro("0.00"),
        "shippingPaid" | "price" => euro("4.95"),
        "tax" => euro("6.38"),
        "totalPaid" => euro("44.90"),
        "freeFrom" if is_list => json!([euro("100.00")]),
        "freeFrom" => euro("100.00"),
        "prices" => json!([euro("4.95")]),
        "maxWeight" => json!(31_500),
        "weight" => json!(350),
        "failedAttempts" | "fromArrivedQuantity" => json!(0),
        _ => return None,
    })
}

fn policy(field: &str) -> Option<Value> {
    Some(match field {
        "returnAddress" => warehouse(),
        "autoApprove" | "autoResolve" | "mail" | "withdrawalFunction" => json!(true),
        "returnWindowDays" | "labelExpiresDays" => json!(30),
        "graceDays" | "storeCreditBonusPercent" => json!(0),
        "evidenceDays" => json!(14),
        "paymentHours" => json!(48),
        "refundDays" => json!(5),
        "reviewDays" => json!(2),
        "transitDays" => json!(3),
        "defaultWeight" => json!(500),
        "agentLimit" | "keepItemBelow" | "requestFee" => json!([]),
        "resolveOn" => json!("receipt"),
        "requireSecondFactor" => json!("admins"),
        "queueTargets" => queue_targets(),
        _ => return None,
    })
}

/// The costs of returning a mug, with a fee for shipping.
fn costs(field: &str) -> Option<Value> {
    Some(match field {
        "lines" => json!([
            {"kind": "ItemRefund", "purchaseId": ID, "quantity": 1, "amount": euro("39.95")},
            {"kind": "ReturnShipping", "purchaseId": ID, "shippingOptionId": ID, "amount": euro("-4.95")},
        ]),
        "refundTotal" => euro("39.95"),
        "feeTotal" => euro("4.95"),
        "estimatedRefund" => euro("35.00"),
        "estimatedCredit" | "payableNow" => euro("0.00"),
        _ => return None,
    })
}

fn queue_targets() -> Value {
    json!({
        "toDecide": 24, "waitingForCustomer": null, "labelTrouble": 1, "lateOnTheWay": 240, "arrivedNotCounted": 24,
        "toInspect": 48, "toSettle": 48, "toPay": 48, "paymentFailed": 4, "withdrawn": 240, "withoutPapers": 72,
    })
}

fn warehouse() -> Value {
    json!({
        "name": "Fjord & Fern Returns", "street": "14 Harbour Yard", "additional": "Unit 3", "postalCode": "EH6 7AB",
        "city": "Edinburgh", "province": "", "country": "GB",
    })
}

fn euro(value: &str) -> Value {
    json!({"value": value, "currency": "EUR"})
}
