//! Labels: one request, the same request repeated, and requests that Retour did not sign.
//!
//! A label may cost money. So all requests have the same transaction id and lead to one label.

use super::{BridgeCheck, CheckOutcome, CheckVerdict, Signed, settling::WAIT, strangers::refusal};
use domain::{Money, ReturnOrderId, ShippingOptionId, Translated, address::Address, shipping::ShippingMethod};
use outbound::{
    bridge::{
        BridgeError, CarrierLabel, Labelled, Rejected,
        contract::{GetLabel, LabelItem, LabelOption, Purchases},
    },
    labels::Sscc,
};

const UNKNOWN: &str = "expected a label, got 404: the component lacks /get-label, which is optional only if the account's \
    carrier is not bridge";
/// The prefix that GS1 reserves for examples.
const PREFIX: &str = "9521234";

type Answer = Result<Labelled, BridgeError>;

impl BridgeCheck {
    pub(super) async fn try_labels(&self, found: &Purchases, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
        if !self.asked.label {
            return tell("labels", CheckOutcome::not_tried("only with --label, which makes one: use a test contract"));
        }
        let asked = self.parcel(found);
        let (first, second) = tokio::join!(self.get_label(&asked), self.get_label(&asked));
        if [&first, &second].into_iter().any(is_unknown) {
            return tell("labels", CheckOutcome::failed(UNKNOWN));
        }
        let third = self.get_label(&asked).await;
        tell("a label, requested twice at once", at_once(&first, &second));
        tell("the same label again", once_more([&first, &second, &third]));
        self.try_strangers_labels(&asked, tell).await;
    }

    async fn try_strangers_labels(&self, asked: &GetLabel, tell: &mut impl FnMut(&'static str, CheckOutcome)) {
        let body = serde_json::to_string(asked).unwrap_or_default();
        let unsigned = self.send("get-label", body.clone(), Signed::Not).await;
        let mend = "anybody can request and read labels: verify the signature here too";
        tell("an unsigned request for a label", refusal(&unsigned, mend));
        let secret = self.strange_secret();
        let wrong = self.send("get-label", body, Signed::With { secret: &secret, seconds_ago: 0 }).await;
        let mend = "compare the signature here too; its presence is not enough";
        tell("a label with a wrong signature", refusal(&wrong, mend));
    }

    /// One unit of the order, on its way back. Carriers validate addresses, so the order's own address is used if it is
    /// complete.
    fn parcel(&self, found: &Purchases) -> GetLabel {
        let address = found.consumer.addresses.iter().flatten().map(Address::from).find(is_whole);
        let address = address.unwrap_or_else(town_hall);
        let item = found.purchases.first().map(|line| LabelItem {
            purchase_id: line.purchase_id.clone(),
            name: line.product.name.clone(),
            sku: line.product.sku.clone().unwrap_or_default(),
            quantity: 1,
            value: Money::new(line.total().minor.min(1), line.paid.currency),
            weight: line.product.weight.unwrap_or(WEIGHT),
            hs_code: line.product.hs_code.clone().unwrap_or_default(),
            origin_country: line.product.origin_country.clone().unwrap_or_default(),
        });
        let number = u64::from(u32::from_le_bytes(self.source.random()));
        GetLabel {
            transaction_id: self.source.id(),
            account: self.asked.account.clone(),
            return_order_id: ReturnOrderId(self.source.id()),
            return_order_number: "R-TRIAL".to_owned(),
            order_numbers: vec![self.asked.order_number.clone()],
            shipping_option: Some(LabelOption {
                id: ShippingOptionId(self.source.id()),
                name: Translated::en("Trial"),
                method: ShippingMethod::Label,
                carrier_service: String::new(),
            }),
            receiver: Address { name: "Retour Trial".to_owned(), ..address.clone() },
            sender: address,
            sscc: Sscc::nth(PREFIX, number).map(|sscc| sscc.to_string()).unwrap_or_default(), // the number fits
            weight: item.iter().map(|item| u64::from(item.weight)).sum(),
            passes_customs: false,
            items: item.into_iter().collect(),
        }
    }

    async fn get_label(&self, asked: &GetLabel) -> Answer {
        self.bridge.get_label(asked, self.source.now()).await
    }
}

/// The weight in grams of a unit whose weight is unknown.
const WEIGHT: u32 = 500;

fn is_whole(address: &Address) -> bool {
    [&address.street, &address.postal_code, &address.city, &address.country].iter().all(|line| !line.trim().is_empty())
}

/// A real address that carriers accept, for orders without one.
fn town_hall() -> Address {
    Address {
        name: "Retour Trial".to_owned(),
        street: "Coolsingel 40".to_owned(),
        postal_code: "3011 AD".to_owned(),
        city: "Rotterdam".to_owned(),
        country: "NL".to_owned(),
        ..Address::default()
    }
}

fn is_unknown(answer: &Answer) -> bool {
    matches!(answer, Err(BridgeError::Rejected(Rejected { status: 404 })))
}

fn at_once(first: &Answer, second: &Answer) -> CheckOutcome {
    match (first, second) {
        (Ok(Labelled::Failed { reason, .. }), _) | (_, Ok(Labelled::Failed { reason, .. })) => not_made(reason),
        (Ok(labelled), Ok(_)) => CheckOutcome::passed(form(labelled)),
        (Ok(_), Err(error)) | (Err(error), Ok(_)) => CheckOutcome {
            verdict: CheckVerdict::Warned,
            messages: CheckOutcome::from(error).messages.into_iter().chain([WAIT.to_owned()]).collect(),
        },
        (Err(error), Err(_)) => CheckOutcome::from(error),
    }
}

fn not_made(reason: &str) -> CheckOutcome {
    CheckOutcome::failed(format!("expected Created or Pending, got Failed: {reason}"))
}

/// What the label consists of, in one word.
fn form(labelled: &Labelled) -> &'static str {
    match labelled {
        Labelled::Created(made) => made.file.as_ref().map_or("a code", |(format, _)| format.media_type()),
        Labelled::Pending => "Pending",
        Labelled::Failed { .. } | Labelled::NotNow { .. } => "Failed",
    }
}

/// The same transaction id must give the same label.
fn once_more(answers: [&Answer; 3]) -> CheckOutcome {
    let [first, second, third] = answers;
    if ![first, second].into_iter().any(is_accepted) {
        return CheckOutcome::not_tried("not meaningful before a label is Created or Pending");
    }
    let labels: Vec<&CarrierLabel> = answers.into_iter().filter_map(made).collect();
    match third {
        Err(error) => CheckOutcome::from(error),
        Ok(Labelled::Failed { reason, .. }) if labels.is_empty() => not_made(reason),
        Ok(Labelled::Failed { reason, .. }) => CheckOutcome::failed(format!(
            "expected the same answer as before, got Failed: {reason} A label that exists is Created in every answer"
        )),
        Ok(Labelled::Pending) if !labels.is_empty() => CheckOutcome::failed(
            "expected the label of the first request, got Pending: a label that exists stays Created",
        ),
        Ok(_) => alike(&labels),
    }
}

fn is_accepted(answer: &Answer) -> bool {
    matches!(answer, Ok(Labelled::Created(_) | Labelled::Pending))
}

fn made(answer: &Answer) -> Option<&CarrierLabel> {
    match answer {
        Ok(Labelled::Created(made)) => Some(made),
        _ => None,
    }
}

fn alike(labels: &[&CarrierLabel]) -> CheckOutcome {
    let [first, others @ ..] = labels else {
        return CheckOutcome::not_tried("not meaningful while the label is Pending");
    };
    let number = &first.tracking_number;
    let is_same = |other: &&CarrierLabel| {
        (&other.tracking_number, &other.barcode, &other.qr_code) == (number, &first.barcode, &first.qr_code)
    };
    let is_same_file = others.iter().all(|other| other.file == first.file);
    if others.is_empty() {
        CheckOutcome::not_tried("not meaningful before the label is Created twice")
    } else if !others.iter().all(is_same) || (number.is_empty() && !is_same_file) {
        CheckOutcome::failed(
            "expected the label of the first request: the same transactionId must never make two labels. Store the label \
             with its transactionId, and look it up first",
        )
    } else if number.is_empty() {
        CheckOutcome::warned("there is no trackingNumber: give the carrier's, so that the shipment can be tracked")
    } else if is_same_file {
        CheckOutcome::passed(format!("{number} again"))
    } else {
        CheckOutcome::warned(format!(
            "{number} again, but with another file: store the file too, and answer with the same one"
        ))
    }
}
