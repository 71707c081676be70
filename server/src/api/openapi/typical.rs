//! What fields of the examples hold: a return as a shop may well have it.

use super::example::ID;
use serde_json::{Value, json};

/// What a field of that type holds, if the type says more than the name.
pub(super) fn of_type(owner: &str, name: &str) -> Option<Value> {
    let owner = owner.strip_suffix("Input").unwrap_or(owner);
    Some(match (owner, name) {
        (_, "hasMore") => json!(false),
        (_, "nextPage") => Value::Null,
        (_, "limit") => json!(20),
        (_, "locale" | "language") => json!("en"),
        ("Shipment", "receiver") | ("ReturnLocation", "address") | ("Policy", "returnAddress") => warehouse(),
        // One state at a time: neither over nor failed.
        (
            _,
            "archivedAt" | "revokedAt" | "disabledAt" | "disabledReason" | "failingSince" | "reviewReason" | "errorCode"
            | "errorMessage" | "denialReason" | "qrCode" | "gift" | "exchangeFor" | "parentId",
        )
        | ("ReturnOrder", "payment")
        | ("DraftReturnOrder", "returnOrderId") | ("Eligibility", "code" | "message") => Value::Null,
        ("Bridge", "kind") => json!("http"),
        ("CarrierSettings", "url" | "noticesUrl") | ("PaymentSettings", "url" | "noticesUrl" | "takesNotices") => {
            Value::Null
        }
        ("Account", "name") => json!("Fjord & Fern"),
        ("User" | "InvitedUser", "name") => json!("Grace Hopper"),
        ("User" | "InvitedUser", "email") => json!("grace@example.com"),
        ("ServiceUser" | "ServiceUserWithKey", "name") => json!("backoffice"),
        ("ReturnLocation", "name") => json!("Warehouse Leith"),
        ("Product" | "OrderLine", "name") => json!("Mug, blue"),
        ("ExchangeOption", "name") => json!("Mug, green"),
        ("ExchangeOption" | "ExchangeFor", "sku") => json!("MUG-GREEN"),
        ("EvidenceFile" | "PendingEvidence", "name") => json!("broken-handle.jpg"),
        ("EvidenceFile" | "PendingEvidence", "bytes") => json!(248_211),
        ("EvidenceFile", "url") => json!(format!("/api/v0/return-requests/{ID}/evidence/{ID}")),
        ("PendingEvidence", "url") => json!(format!("/consumer/{ID}/purchase/{ID}/evidence/{ID}")),
        ("Preview", "url") => json!("https://returns.example/fjord-fern/preview?token=5f63f6272f2ba37a9224e193941ed126"),
        ("Link", "url") => json!("https://shop.example/help"),
        ("Link", "text") => json!({"en": "Help"}),
        ("StepTexts", "lookUp") => json!({"en": "Refunds within 5 days of arrival."}),
        ("StepTexts", "choose") => json!({"en": "Return mugs in their box."}),
        ("StepTexts", "review") => json!({"en": "We refund to the card that you paid with."}),
        ("StepTexts", "follow") => json!({"en": "Drop-off is open until 8 pm."}),
        ("ShippingOption", "name") => json!({"en": "Parcel shop"}),
        ("ShippingOption", "description") => json!({"en": "Print the label and take the parcel to a parcel shop."}),
        ("OfferedShippingOption", "name") => json!("Parcel shop"),
        ("OfferedShippingOption", "description") => json!("Print the label and take the parcel to a parcel shop."),
        ("OfferedShippingOption", "needsPrinter") => json!(true),
        ("ReturnReason", "description") => json!({"en": "Damaged"}),
        ("OfferedReturnReason", "description") => json!("Damaged"),
        ("Question", "text") | ("Answer", "question") => json!({"en": "What is damaged?"}),
        ("OfferedQuestion", "text") => json!("What is damaged?"),
        ("Question", "options") => json!([
            {"id": "handle", "text": {"en": "The handle"}}, {"id": "rim", "text": {"en": "The rim"}},
        ]),
        ("OfferedQuestion", "options") => {
            json!([{"id": "handle", "text": "The handle"}, {"id": "rim", "text": "The rim"}])
        }
        ("AnswerOption" | "OfferedAnswer", "id") | ("Answer", "value") => json!("handle"),
        ("AnswerOption" | "Answer", "text") => json!({"en": "The handle"}),
        ("OfferedAnswer", "text") => json!("The handle"),
        ("SalesOrder" | "Order" | "OrderData" | "RefusedOrder", "number" | "externalId") => json!("1001"),
        ("NamedOrders", "count") => json!(0),
        ("NamedOrders", "numbers") | ("ImportReport", "refused" | "skipped") => json!([]),
        ("ImportReport", "refusedCount" | "skippedCount") => json!(0),
        ("ImportReport", "lines" | "changed") => json!(2),
        ("Mail", "about") => json!("Ready"),
        ("IdentifiedConsumer", "accessToken") => json!("rtc_…"),
        ("SignedIn", "accessToken") => json!("rtu_…"),
        ("Payment", "checkoutUrl") => json!(format!("/fjord-fern/returns/{ID}/pay")),
        ("PaymentCheckout", "status") => json!("Paid"),
        ("PaymentCheckout", "settled") | ("WebhookSubscription", "enabled") => json!(true),
        ("Policy", field) => return policy(field),
        ("CostBreakdown", field) => return costs(field),
        ("Resolution", "value" | "fullValue") => euro("35.00"),
        ("ReturnRequest", "surplusQuantity") | ("Inspection", "refused") => json!(0),
        ("ReturnOrder", "status") => json!("Open"),
        ("ReturnRequest", "stage") => json!("Shipment: In Transit"),
        ("ReturnRequest", "receivedQuantity") => json!(0),
        ("Resolution", "status" | "externalReference") => Value::Null,
        ("Shipment", "status") => json!("InTransit"),
        ("Shipment", "labelMediaTypes") => json!(["application/pdf", "image/png", "application/zpl"]),
        ("Eligibility", "returnable") => json!(true),
        ("Eligibility", "returnBy") => json!("2026-03-03T23:59:59Z"),
        ("Eligibility", "returnByDate") => json!("2026-03-03"),
        ("Purchase", "takenQuantity" | "settledQuantity" | "refundedQuantity") => json!(0),
        ("Purchase", "requiresShipping") => json!(true),
        ("Purchase", "fulfilledAt") => json!("2026-02-01T09:00:00Z"),
        ("Purchase", "deliveredAt") => json!("2026-02-03T15:30:00Z"),
        ("ConsumerPurchase", "dearerUnits") => json!(0),
        ("WeightPrice" | "OfferedWeightPrice", "above") => json!(2_000),
        ("WeightPrice", "prices") => json!([euro("6.95")]),
        ("OfferedWeightPrice", "price") => euro("6.95"),
        _ => return None,
    })
}

/// What a field of that name holds in every type.
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
        "number" => "R-7K3M9Q2A",
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
        "shopUrl" | "embedOrigins" => "https://shop.example",
        "termsUrl" => "https://shop.example/terms",
        "trackingUrl" => "https://carrier.example/PF123456785GB",
        "labelUrl" => return Some(json!(format!("/api/v0/shipments/{ID}/label"))),
        "status" => "Approved",
        "code" => "ValidationFailed",
        "message" => "Some fields have values that are not allowed.",
        _ => return None,
    }))
}

/// What a number or an amount of that name is in every type.
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
        _ => return None,
    })
}

fn policy(field: &str) -> Option<Value> {
    Some(match field {
        "autoApprove" | "autoResolve" | "mail" | "withdrawalFunction" => json!(true),
        "returnWindowDays" | "labelExpiresDays" => json!(30),
        "graceDays" | "storeCreditBonusPercent" => json!(0),
        "evidenceDays" => json!(14),
        "paymentHours" => json!(48),
        "refundDays" => json!(5),
        "reviewDays" => json!(2),
        "transitDays" => json!(3),
        "defaultWeight" => json!(500),
        "keepItemBelow" | "requestFee" => json!([]),
        "resolveOn" => json!("receipt"),
        _ => return None,
    })
}

/// A mug goes back, and sending it comes off.
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

fn warehouse() -> Value {
    json!({
        "name": "Fjord & Fern Returns", "street": "14 Harbour Yard", "additional": "Unit 3", "postalCode": "EH6 7AB",
        "city": "Edinburgh", "province": "", "country": "GB",
    })
}

fn euro(value: &str) -> Value {
    json!({"value": value, "currency": "EUR"})
}
