//! The parts of karrio's responses that we read.

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
    pub shipping_documents: Vec<ShippingDocument>,
    #[serde(default)]
    pub messages: Vec<KarrioMessage>,
}

impl Shipment {
    /// Whether its label was bought and not cancelled since.
    pub fn is_bought(&self) -> bool {
        !matches!(self.status.as_str(), "draft" | "cancelled")
    }
}

/// A carrier's offer for a shipment.
#[derive(Deserialize)]
pub(super) struct Rate {
    pub id: Option<String>,
    pub service: String,
    pub carrier_name: Option<String>,
    pub total_charge: Option<f64>,
}

/// A document of a shipment.
#[derive(Deserialize)]
pub(super) struct ShippingDocument {
    pub category: Option<String>,
    pub format: Option<String>,
    pub base64: Option<String>,
}

impl ShippingDocument {
    pub fn is_label(&self) -> bool {
        self.category.as_deref() == Some("label")
    }
}

/// Why a request was refused: karrio's own `errors`, or the carriers' `messages`.
#[derive(Deserialize)]
pub(super) struct KarrioErrorResponse {
    #[serde(default)]
    errors: Vec<KarrioMessage>,
    #[serde(default)]
    messages: Vec<KarrioMessage>,
}

/// One message.
#[derive(Deserialize)]
pub(super) struct KarrioMessage {
    /// Text or a number.
    code: Option<Value>,
    message: Option<Value>,
    details: Option<Value>,
}

impl KarrioMessage {
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

/// The first code of messages, and all of their texts.
pub(super) fn code_and_reason(messages: &[KarrioMessage]) -> (String, String) {
    let texts: Vec<String> = messages.iter().map(KarrioMessage::text).filter(|text| !text.trim().is_empty()).collect();
    let code = messages.first().map(KarrioMessage::code).unwrap_or_default();
    let text = if texts.is_empty() { "Karrio gives no reason.".to_owned() } else { texts.join(" ") };
    (code, text)
}

impl KarrioErrorResponse {
    pub fn code_and_reason(&self) -> (String, String) {
        code_and_reason(if self.errors.is_empty() { &self.messages } else { &self.errors })
    }
}

/// The tracking state of a shipment.
#[derive(Deserialize)]
pub(super) struct Tracker {
    pub tracking_number: String,
    pub status: Option<String>,
    /// Newest first.
    #[serde(default)]
    pub events: Vec<TrackingEvent>,
}

/// An event that a carrier reported.
#[derive(Deserialize)]
pub(super) struct TrackingEvent {
    pub date: Option<String>,
    pub time: Option<String>,
    pub timestamp: Option<String>,
    pub status: Option<String>,
    pub description: Option<String>,
    pub location: Option<String>,
}

/// The body of a webhook.
#[derive(Deserialize)]
pub(super) struct Notice {
    pub data: NoticeData,
}

/// What the webhook is about.
#[derive(Deserialize)]
pub(super) struct NoticeData {
    pub tracking_number: Option<String>,
}
