//! What karrio answers, as far as we read it.

use serde::Deserialize;
use serde_json::Value;

/// A list, newest first.
#[derive(Deserialize)]
pub(super) struct Listed<T> {
    pub results: Vec<T>,
}

/// A shipment.
#[derive(Deserialize)]
pub(super) struct Shipment {
    pub id: String,
    pub status: String,
    #[serde(default)]
    pub metadata: Value,
    #[serde(default)]
    pub rates: Vec<Rate>,
    pub selected_rate: Option<Rate>,
    pub carrier_name: Option<String>,
    pub tracking_number: Option<String>,
    pub tracking_url: Option<String>,
    #[serde(default)]
    pub shipping_documents: Vec<Document>,
    #[serde(default)]
    pub messages: Vec<Why>,
}

impl Shipment {
    /// Whether its label was bought, and it was not called off since.
    pub fn is_bought(&self) -> bool {
        !matches!(self.status.as_str(), "draft" | "cancelled")
    }
}

/// What a carrier would take for it.
#[derive(Deserialize)]
pub(super) struct Rate {
    pub id: Option<String>,
    pub service: String,
    pub carrier_name: Option<String>,
    pub total_charge: Option<f64>,
}

/// A file that belongs to a shipment.
#[derive(Deserialize)]
pub(super) struct Document {
    pub category: Option<String>,
    pub format: Option<String>,
    pub base64: Option<String>,
}

impl Document {
    pub fn is_label(&self) -> bool {
        self.category.as_deref() == Some("label")
    }
}

/// Why something was not done: by karrio itself (`errors`), or by carriers (`messages`).
#[derive(Deserialize)]
pub(super) struct Refused {
    #[serde(default)]
    errors: Vec<Why>,
    #[serde(default)]
    messages: Vec<Why>,
}

/// One reason.
#[derive(Deserialize)]
pub(super) struct Why {
    /// A text or a number.
    code: Option<Value>,
    message: Option<Value>,
    details: Option<Value>,
}

impl Why {
    fn code(&self) -> String {
        match &self.code {
            Some(Value::String(code)) => code.clone(),
            Some(Value::Number(code)) => code.to_string(),
            _ => String::new(),
        }
    }

    fn text(&self) -> String {
        match self.message.as_ref().or(self.details.as_ref()) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        }
    }
}

/// Their first code, and all of their texts.
pub(super) fn why(messages: &[Why]) -> (String, String) {
    let texts: Vec<String> = messages.iter().map(Why::text).filter(|text| !text.trim().is_empty()).collect();
    let code = messages.first().map(Why::code).unwrap_or_default();
    let text = if texts.is_empty() { "Karrio does not say why.".to_owned() } else { texts.join(" ") };
    (code, text)
}

impl Refused {
    pub fn why(&self) -> (String, String) {
        why(if self.errors.is_empty() { &self.messages } else { &self.errors })
    }
}

/// What is known of a parcel on its way.
#[derive(Deserialize)]
pub(super) struct Tracker {
    pub tracking_number: String,
    pub status: Option<String>,
    /// Newest first.
    #[serde(default)]
    pub events: Vec<Event>,
}

/// What a carrier saw.
#[derive(Deserialize)]
pub(super) struct Event {
    pub date: Option<String>,
    pub time: Option<String>,
    pub timestamp: Option<String>,
    pub status: Option<String>,
    pub description: Option<String>,
    pub location: Option<String>,
}

/// What karrio tells by itself.
#[derive(Deserialize)]
pub(super) struct Notice {
    pub data: Noticed,
}

/// What it tells it of.
#[derive(Deserialize)]
pub(super) struct Noticed {
    pub tracking_number: Option<String>,
}
