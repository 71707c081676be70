//! Example bodies that a shop can send as they are, except for the ids.

use super::typical::ID;
use serde_json::{Value, json};

/// The example body of an operation; `None` if one that is generated from its schema is good enough.
pub(super) fn body(operation: &str) -> Option<Value> {
    Some(match operation {
        // Sending this changes neither the shop's name nor its mail.
        "updateAccount" => json!({
            "timeZone": "Europe/Berlin", "policy": {"returnWindowDays": 30}, "branding": {"color": "#0f766e"},
        }),
        "createPreview" => json!({"branding": {
            "color": "#0f766e", "font": "Serif", "texts": {"lookUp": {"en": "Refunds within 5 days of arrival."}},
        }}),
        "updateReturnOrder" => json!({"flags": ["VIP"], "leaveOutOfBulk": false}),
        "createBulkRun" => json!({
            "action": "Flag", "flag": "VIP", "items": [{"returnRequestId": ID, "fromStage": "Requested: Review"}],
        }),
        "planBulkRun" => json!({"action": "Approve", "returnRequestIds": [ID]}),
        "lookUpConsumer" => json!({"orderNumber": "1001", "email": "ada@example.com"}),
        "getPersonalData" => json!({"email": "ada@example.com"}),
        // Not a consumer of the demo shop: sending this erases nothing.
        "erasePerson" => json!({"email": "former.customer@example.com"}),
        "createDraftReturnOrder" | "createReturnOrder" => {
            json!({"consumerId": ID, "selectedPurchases": [selection()], "shippingOptionId": ID})
        }
        "createOwnDraftReturnOrder" => json!({"selectedPurchases": [selection()], "shippingOptionId": ID}),
        "createOwnReturnOrder" => json!({"draftReturnOrderId": ID}),
        "putPurchase" => purchase(),
        "createReturnLocation" => json!({"name": "Warehouse Leith", "address": {
            "name": "Fjord & Fern Returns", "street": "14 Harbour Yard", "postalCode": "EH6 7AB", "city": "Edinburgh",
            "country": "GB",
        }}),
        "updateReturnLocation" => json!({"name": "Warehouse Leith, dock 2", "isDefault": true}),
        "changeShippingOption" | "previewShippingOption" => json!({"shippingOptionId": ID, "reason": "No printer"}),
        "correctSender" => json!({"reason": "Moved last month", "address": {
            "name": "Ada Lovelace", "street": "12 St James Square", "postalCode": "SW1Y 4JH", "city": "London",
            "country": "GB",
        }}),
        "createReturnReason" => reason(),
        "updateReturnReason" => json!({"restockingFeePercent": 10, "position": 2}),
        "createInspection" => json!({
            "accepted": 1, "refused": 0, "condition": "Opened", "disposition": "Restock", "note": "The box is open.",
        }),
        "createReceiving" => json!({"externalReference": "GR-4711", "items": [
            {"returnRequestId": ID, "quantity": 1, "inspection": {"condition": "Opened", "disposition": "Restock"}},
        ]}),
        "reverseReceiving" | "reverseReceipt" => json!({"reason": "Counted with another parcel"}),
        "createFoundParcel" => json!({"carrier": "Parcel Force", "contents": "A blue mug", "note": "No papers in it"}),
        "updateFoundParcel" => json!({"status": "Closed", "note": "Sent back to its sender"}),
        "createReceipt" => json!({"quantity": 1, "externalReference": "GR-4711"}),
        "createServiceUser" => json!({"name": "backoffice", "scopes": ["read", "write"]}),
        "updateServiceUser" => json!({"scopes": ["read"]}),
        "createShippingOption" => shipping_option(),
        "updateShippingOption" => json!({"prices": [{"value": "3.95", "currency": "GBP"}], "position": 2}),
        "inviteUser" => json!({"email": "grace@example.com", "name": "Grace Hopper", "role": "agent"}),
        "updateUser" => json!({"role": "agent"}),
        "updateWebhookSubscription" => {
            json!({"eventTypes": ["return_request.stage_changed"], "stages": ["Resolution: Approved"]})
        }
        "createWithdrawal" => json!({
            "name": "Ada Lovelace", "contract": "Order 1001", "email": "ada@example.com", "language": "en",
        }),
        "updateWithdrawal" => json!({"status": "Closed", "note": "Refunded by hand"}),
        "signIn" => json!({"email": "grace@example.com", "password": "correct horse battery staple"}),
        _ => return of_money(operation),
    })
}

/// Of operations about what a return request gives.
fn of_money(operation: &str) -> Option<Value> {
    Some(match operation {
        "createAmendment" | "previewAmendment" => {
            json!({"quantity": 1, "requestedResolution": "StoreCredit", "reason": "Asked on the phone"})
        }
        "createAdjustment" => json!({"amount": {"value": "-1.00", "currency": "GBP"}, "reason": "Stained"}),
        "createProposal" => json!({
            "kind": "Adjustment", "amount": {"value": "-1.00", "currency": "GBP"}, "comment": "Damaged on the way",
        }),
        "refuseProposal" => json!({"comment": "Ask for a photo first"}),
        _ => return None,
    })
}

fn selection() -> Value {
    json!({
        "purchaseId": ID, "quantity": 1, "returnReasonId": ID, "returnReasonComment": "The handle is broken.",
        "requestedResolution": "Refund",
    })
}

/// A purchase of an order that the demo shop does not have, because a purchase never changes its order.
fn purchase() -> Value {
    json!({
        "order": {
            "number": "2001", "email": "grace@example.com", "currency": "EUR", "orderedAt": "2026-01-31T12:00:00Z",
            "shippingPaid": {"value": "4.95", "currency": "EUR"},
            "address": {
                "name": "Grace Hopper", "street": "1 Pier Road", "postalCode": "EH6 6SA", "city": "Edinburgh",
                "country": "GB",
            },
        },
        "product": {
            "name": "Mug, blue", "sku": "MUG-BLUE", "weight": 350, "hsCode": "691110", "originCountry": "PT",
        },
        "quantity": 2, "totalPrice": {"value": "39.95", "currency": "EUR"}, "fulfilledAt": "2026-02-01T09:00:00Z",
    })
}

fn reason() -> Value {
    json!({
        "description": {"en": "Damaged", "de": "Beschädigt"}, "fault": "merchant", "evidence": "optional",
        "questions": [{
            "id": "where", "text": {"en": "What is damaged?"}, "required": true,
            "options": [
                {"id": "handle", "text": {"en": "The handle"}},
                {"id": "rim", "text": {"en": "The rim"}},
            ],
        }],
    })
}

fn shipping_option() -> Value {
    json!({
        "name": {"en": "Parcel shop"}, "description": {"en": "Print the label and take the parcel to a parcel shop."},
        "method": "Label", "prices": [{"value": "4.95", "currency": "GBP"}],
        "weightPrices": [{"above": 2_000, "prices": [{"value": "6.95", "currency": "GBP"}]}], "maxWeight": 31_500,
        "freeFrom": [{"value": "100.00", "currency": "GBP"}], "countries": ["GB"],
    })
}
