//! Arbitrary answers never cause a panic.

use super::{
    super::answers,
    fixtures::{NOW, credentials, label, labelled, places, purchases, resolution, resolved, response},
};
use crate::bridge::examples;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Arbitrary JSON with field names of the contract.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,20}".prop_map(Value::from),
        prop::sample::select(vec!["EUR", "1.00", "Completed", "Created", "application/pdf", "2026-01-31T12:00:00Z"])
            .prop_map(Value::from),
    ];
    let names = prop::sample::select(vec![
        "consumer",
        "email",
        "addresses",
        "purchases",
        "purchaseId",
        "order",
        "number",
        "product",
        "name",
        "paid",
        "value",
        "currency",
        "status",
        "items",
        "returnRequestId",
        "label",
        "mediaType",
        "data",
        "qrCode",
    ]);
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(names.clone(), inner, 0..6).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(name, field)| (name.to_owned(), field)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(status in 100_u16..1_000, body in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = answers::look_up(response(status, body.clone()), &credentials(), NOW);
        let _ = answers::resolution(response(status, body.clone()), &resolution(), NOW);
        let _ = answers::label(response(status, body), &label(), NOW);
    }

    #[test]
    fn arbitrary_json_does_not_panic(body in any_json(), pointer in any::<prop::sample::Index>()) {
        let _ = purchases(&body);
        let _ = resolved(&body);
        let _ = labelled(&body);
        // The same within an otherwise valid answer.
        for example in [examples::purchases(), examples::completed(), examples::label_created()] {
            let mut all = Vec::new();
            places(&example, "", &mut all);
            let mut spoiled = example;
            *spoiled.pointer_mut(&all[pointer.index(all.len())]).unwrap() = body.clone();
            let _ = purchases(&spoiled);
            let _ = resolved(&spoiled);
            let _ = labelled(&spoiled);
        }
    }

    #[test]
    fn changed_bytes_do_not_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        for example in [examples::purchases(), examples::completed(), examples::label_created()] {
            let mut body = example.to_string().into_bytes();
            for (at, byte) in &changes {
                let at = at.index(body.len());
                body[at] = *byte;
            }
            let _ = answers::look_up(response(200, body.clone()), &credentials(), NOW);
            let _ = answers::resolution(response(200, body.clone()), &resolution(), NOW);
            let _ = answers::label(response(200, body), &label(), NOW);
        }
    }
}
