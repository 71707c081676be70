//! The examples of the OpenAPI document: one return, from the look-up to the refund. Tests parse and check each of them.

use serde_json::{Value, json};

pub(crate) fn get_purchases() -> Value {
    json!({
        "requestId": "0190a5b1-7d3a-7c41-9f0e-2b6f6a1c9d10",
        "account": "fjord-fern",
        "locale": "en",
        "credentials": {"orderNumber": "#1001", "email": "ada@example.com"},
        "maxAgeDays": 60,
    })
}

pub(crate) fn get_purchases_by_postal_code() -> Value {
    let mut example = get_purchases();
    if let Some(fields) = example.as_object_mut() {
        fields.insert("credentials".to_owned(), json!({"orderNumber": "1001", "postalCode": "ec1a1bb"}));
    }
    example
}

pub(crate) fn purchases() -> Value {
    let order = json!({
        "id": "820982911946154508",
        "number": "1001",
        "orderedAt": "2026-01-31T12:00:00Z",
        "currency": "EUR",
        "tags": ["winter"],
        "shippingPaid": {"value": "4.95", "currency": "EUR"},
        "totalPaid": {"value": "69.90", "currency": "EUR"},
        "totalRefunded": {"value": "0.00", "currency": "EUR"},
    });
    json!({
        "consumer": {
            "email": "Ada@example.com",
            "firstName": "Ada",
            "lastName": "Lovelace",
            "locale": "en",
            "addresses": [{
                "name": "Ada Lovelace", "street": "12 Analytical Lane", "postalCode": "EC1A 1BB", "city": "London",
                "country": "GB",
            }],
        },
        "purchases": [
            {
                "purchaseId": "466157049",
                "order": order,
                "product": {
                    "id": "632910392", "name": "Mug, blue", "sku": "MUG-BLUE", "barcode": "4006381333931",
                    "imageUrls": ["https://shop.example/mug-blue.jpg"], "attributes": {"Colour": "Blue"},
                    "exchangeOptions": [{"sku": "MUG-GREEN", "name": "Green"}, {"sku": "MUG-BLUE", "name": "The same again"}],
                    "weight": 350, "hsCode": "691110", "originCountry": "PT",
                },
                "quantity": 2,
                "paid": {"value": "39.95", "currency": "EUR"},
                "tax": {"value": "6.93", "currency": "EUR"},
                "taxIncluded": true,
                "discount": {"value": "5.00", "currency": "EUR"},
                "fulfilledAt": "2026-02-01T09:00:00Z",
                "deliveredAt": "2026-02-03T15:30:00Z",
                "refundedQuantity": 0,
            },
            {
                "purchaseId": "466157050",
                "order": order,
                "product": {"name": "Gift card", "finalSale": true},
                "quantity": 1,
                "paid": {"value": "25.00", "currency": "EUR"},
                "tax": {"value": "0.00", "currency": "EUR"},
                "taxIncluded": true,
                "fulfilledAt": null,
                "refundedQuantity": 0,
                "returnable": false,
                "reasonCode": "FinalSale",
            },
        ],
    })
}

pub(crate) fn refund() -> Value {
    json!({
        "transactionId": "0190a5b2-0c11-7b52-8d7e-51c0b7a9e2f4",
        "type": "Refund",
        "orderId": "820982911946154508",
        "returnOrderNumber": "R-7K3M9Q2A",
        "items": [{
            "returnRequestId": "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90",
            "purchaseId": "466157049",
            "quantity": 1,
            "amount": {"value": "19.98", "currency": "EUR"},
            "disposition": "Restock",
        }],
        "shippingRefund": {"value": "0.00", "currency": "EUR"},
        "fees": {"value": "4.95", "currency": "EUR"},
    })
}

pub(crate) fn exchange() -> Value {
    json!({
        "transactionId": "0190a5b2-4d20-7e61-9a3b-08f1c6d2e7a5",
        "type": "Exchange",
        "orderId": "820982911946154508",
        "returnOrderNumber": "R-7K3M9Q2A",
        "items": [{
            "returnRequestId": "0190a5b1-9e50-7c11-8f42-3a9b1d7c5e60",
            "purchaseId": "466157049",
            "quantity": 1,
            "amount": {"value": "19.97", "currency": "EUR"},
            "exchangeSku": "MUG-GREEN",
            "disposition": null,
        }],
        "shippingRefund": {"value": "0.00", "currency": "EUR"},
        "fees": {"value": "0.00", "currency": "EUR"},
    })
}

pub(crate) fn completed() -> Value {
    json!({
        "status": "Completed",
        "externalReference": "re_77",
        "items": [{
            "returnRequestId": "0190a5b1-9e4f-7a30-b1c2-7f3d5e8a6b90",
            "quantity": 1,
            "amount": {"value": "19.98", "currency": "EUR"},
        }],
    })
}

pub(crate) fn pending() -> Value {
    json!({"status": "Pending", "externalReference": "re_77"})
}

pub(crate) fn failed() -> Value {
    json!({"status": "Failed", "reason": "The card was closed: ask the customer for a bank account."})
}

pub(crate) fn get_label() -> Value {
    json!({
        "transactionId": "0190a5b1-a1c2-7d34-8e5f-60718293a4b5",
        "account": "fjord-fern",
        "returnOrderId": "0190a5b1-9e4f-7b21-a3d4-5e6f708192a3",
        "returnOrderNumber": "R-7K3M9Q2A",
        "orderNumbers": ["1001"],
        "shippingOption": {
            "id": "0190a5a0-1b2c-7d3e-8f40-516273849506",
            "name": {"en": "Post office"},
            "method": "Label",
            "carrierService": "",
        },
        "sender": {
            "name": "Ida Sommer", "street": "Hafenstraße 12", "additional": "", "postalCode": "20457", "city": "Hamburg",
            "province": "", "country": "DE",
        },
        "receiver": {
            "name": "Fjord & Fern Returns", "street": "Kaistraat 4", "additional": "Dock 2", "postalCode": "1013 AA",
            "city": "Amsterdam", "province": "", "country": "NL",
        },
        "sscc": "095212340000000013",
        "weight": 350,
        "passesCustoms": false,
        "items": [{
            "purchaseId": "466157049",
            "name": "Stoneware mug",
            "sku": "MUG-BLUE",
            "quantity": 1,
            "value": {"value": "19.98", "currency": "EUR"},
            "weight": 350,
            "hsCode": "6912.00",
            "originCountry": "PT",
        }],
    })
}

pub(crate) fn label_created() -> Value {
    json!({
        "status": "Created",
        "carrier": "Post",
        "trackingNumber": "3SABC0012345678",
        "trackingUrl": "https://post.example/track/3SABC0012345678",
        "label": {"mediaType": "application/pdf", "data": "JVBERi0xLjcK"},
    })
}

pub(crate) fn label_paperless() -> Value {
    json!({"status": "Created", "carrier": "Post", "trackingNumber": "3SABC0012345679", "qrCode": "POST:3SABC0012345679"})
}

pub(crate) fn label_pending() -> Value {
    json!({"status": "Pending"})
}

pub(crate) fn label_failed() -> Value {
    json!({"status": "Failed", "errorCode": "address", "reason": "The carrier does not know this postal code."})
}
