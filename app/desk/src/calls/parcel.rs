//! The form of a parcel that is being counted: a field for each item, named by the item's place in the return.

use crate::{components::condition_text, words::Scan};
use domain::stage::{Condition, Disposition, StageGroup, StageName};
use returns::{ReceivedInspection, ReceivedItem, view};
use ui::web::form::{Fields, encoded};

/// The parcel on the table.
#[derive(Debug, Clone)]
pub struct Parcel {
    /// The number of the return.
    pub number: String,
    /// Its items, one for each return request.
    pub items: Vec<CountedItem>,
    /// Whether nothing more is to come.
    pub is_last: bool,
    /// The place of the item that was scanned last.
    pub current: Option<usize>,
}

/// An item of the parcel.
#[derive(Debug, Clone)]
pub struct CountedItem {
    /// The request.
    pub request: view::ReturnRequestView,
    /// The units that had arrived before when the page was shown.
    pub seen: u32,
    /// The units that are here now.
    pub units: Number,
    /// How many of them are refused.
    pub refused: Number,
    /// Their condition.
    pub condition: Option<Condition>,
    /// What happens to them.
    pub disposition: Option<Disposition>,
    /// Why units are refused.
    pub why: String,
}

/// A number as it was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Number(String);

impl Number {
    /// Its value: 0 if nothing is typed, `None` if it is no whole number.
    pub fn value(&self) -> Option<u32> {
        let text = self.0.trim();
        if text.is_empty() { Some(0) } else { text.parse().ok() }
    }

    /// The text to show. Empty for 0.
    pub fn text(&self) -> &str {
        &self.0
    }

    fn of(value: u32) -> Self {
        Self(if value == 0 { String::new() } else { value.to_string() })
    }
}

impl Parcel {
    /// The parcel of a return, with what a form or an address says of it.
    pub fn read(order: &view::ReturnOrderView, fields: &Fields, words: &Scan) -> Self {
        let requests = order.return_requests.clone().unwrap_or_default();
        let item = |(place, request): (usize, view::ReturnRequestView)| {
            let field = |name: &str| fields.get(&format!("{name}{place}")).to_owned();
            let units = Number(field("units-"));
            let arrived = arrived(&request);
            // A count that begins now is in addition to what is here now.
            let seen = if units.value() == Some(0) { arrived } else { field("seen-").parse().unwrap_or(arrived) };
            CountedItem {
                request,
                seen,
                units,
                refused: Number(field("refused-")),
                condition: condition_of(&field("condition-")),
                disposition: DISPOSITIONS.into_iter().find(|one| disposition_name(*one) == field("disposition-")),
                why: match condition_of(&field("because-")) {
                    Some(condition) if !fields.has(&format!("why-{place}")) => {
                        condition_text(condition, words).to_owned()
                    }
                    _ => field("why-"),
                },
            }
        };
        let items: Vec<CountedItem> = requests.into_iter().enumerate().map(item).collect();
        let current = fields.get("at").parse().ok().filter(|place| *place < items.len());
        Self { number: order.number.clone(), items, is_last: !fields.get("last").is_empty(), current }
    }

    /// The query that shows the parcel as it is counted, without texts: addresses contain no words of people. A reason that
    /// is just a condition, such as the one of the command Damaged, is named by that condition.
    pub fn query(&self, words: &Scan) -> String {
        let mut parts = vec![format!("open={}", encoded(&self.number))];
        let mut add = |name: &str, place: usize, value: &str| {
            if !value.is_empty() {
                parts.push(format!("{name}{place}={}", encoded(value)));
            }
        };
        for (place, item) in self.items.iter().enumerate() {
            add("units-", place, item.units.text());
            if item.units.value() != Some(0) {
                add("seen-", place, &item.seen.to_string());
            }
            add("refused-", place, item.refused.text());
            add("condition-", place, item.condition.map_or("", condition_name));
            add("disposition-", place, item.disposition.map_or("", disposition_name));
            let because = CONDITIONS.into_iter().find(|one| condition_text(*one, words) == item.why.trim());
            add("because-", place, because.map_or("", condition_name));
        }
        parts.extend(self.is_last.then(|| "last=yes".to_owned()));
        parts.extend(self.current.map(|current| format!("at={current}")));
        parts.join("&")
    }

    /// Whether anything is counted.
    pub fn is_begun(&self) -> bool {
        self.items.iter().any(|item| item.units.value() != Some(0))
    }

    /// Counts everything that is expected.
    pub fn count_all(&mut self) {
        for item in &mut self.items {
            item.units = Number::of(item.wanted());
        }
        self.see_arrived();
    }

    /// What is counted is in addition to what has arrived by now.
    pub fn see_arrived(&mut self) {
        for item in &mut self.items {
            item.seen = item.already();
        }
    }

    /// Counts one more unit of an item.
    pub fn add_one(&mut self, place: usize) {
        self.current = Some(place);
        if let Some(item) = self.items.get_mut(place) {
            item.units = Number::of(item.units.value().unwrap_or(0).saturating_add(1));
        }
    }

    /// The item that was scanned last, or the only one.
    pub fn current_mut(&mut self) -> Option<&mut CountedItem> {
        let only = (self.items.len() == 1).then_some(0);
        self.items.get_mut(self.current.or(only)?)
    }

    /// The items to receive. `inspects`: whether the policy asks for an inspection.
    pub fn received(&self, inspects: bool) -> Vec<ReceivedItem> {
        self.items.iter().filter_map(|item| item.received(inspects, self.is_last)).collect()
    }
}

impl CountedItem {
    /// The units that are still expected.
    pub fn wanted(&self) -> u32 {
        let request = &self.request;
        let is_over = matches!(request.stage.group(), StageGroup::Requested | StageGroup::Closed)
            || request.stage == StageName::RequestedRejected
            || (request.stage.group() == StageGroup::Submitted && request.stage != StageName::SubmittedReady);
        if is_over { 0 } else { request.quantity.saturating_sub(self.already()) }
    }

    /// The units that arrived before.
    pub fn already(&self) -> u32 {
        arrived(&self.request)
    }

    /// Sets the units that are here.
    pub fn set_units(&mut self, units: u32) {
        self.units = Number::of(units);
    }

    /// Refuses all units that are here, because of their condition.
    pub fn refuse(&mut self, condition: Condition, why: &str) {
        self.condition = Some(condition);
        self.refused = Number::of(self.units.value().unwrap_or(0).max(1));
        if self.units.value() == Some(0) {
            self.set_units(1);
        }
        if self.why.is_empty() {
            why.clone_into(&mut self.why);
        }
    }

    /// Whether the form inspects units although others are still to come: the inspection is about all of them.
    pub fn inspects_too_early(&self, is_last: bool) -> bool {
        self.units.value() != Some(0) && self.says_something() && !self.is_complete(is_last)
    }

    fn says_something(&self) -> bool {
        self.refused.value() != Some(0) || self.condition.is_some() || self.disposition.is_some()
    }

    fn is_complete(&self, is_last: bool) -> bool {
        is_last || self.units.value().unwrap_or(0).saturating_add(self.already()) >= self.request.quantity
    }

    fn received(&self, inspects: bool, is_last: bool) -> Option<ReceivedItem> {
        let quantity = self.units.value().filter(|units| *units > 0)?;
        let is_inspected = (inspects && self.is_complete(is_last)) || self.says_something();
        let inspection = is_inspected.then(|| ReceivedInspection {
            refused: self.refused.value().unwrap_or(0),
            condition: self.condition,
            disposition: self.disposition,
            note: Some(self.why.trim().to_owned()).filter(|why| !why.is_empty()),
        });
        let from_arrived_quantity = Some(self.seen);
        Some(ReceivedItem { return_request_id: self.request.id, quantity, is_last, from_arrived_quantity, inspection })
    }
}

fn arrived(request: &view::ReturnRequestView) -> u32 {
    request.received_quantity.saturating_add(request.surplus_quantity)
}

/// The conditions, in the order of the form.
pub const CONDITIONS: [Condition; 6] = [
    Condition::New,
    Condition::Opened,
    Condition::Used,
    Condition::Damaged,
    Condition::Incomplete,
    Condition::WrongItem,
];

fn condition_of(name: &str) -> Option<Condition> {
    CONDITIONS.into_iter().find(|one| condition_name(*one) == name)
}

/// The name of a condition in forms.
pub fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::New => "New",
        Condition::Opened => "Opened",
        Condition::Used => "Used",
        Condition::Damaged => "Damaged",
        Condition::Incomplete => "Incomplete",
        Condition::WrongItem => "WrongItem",
    }
}

/// The dispositions, in the order of the form.
pub const DISPOSITIONS: [Disposition; 6] = [
    Disposition::Restock,
    Disposition::Refurbish,
    Disposition::Outlet,
    Disposition::Donate,
    Disposition::Dispose,
    Disposition::ReturnToConsumer,
];

/// The name of a disposition in forms.
pub fn disposition_name(disposition: Disposition) -> &'static str {
    match disposition {
        Disposition::Restock => "Restock",
        Disposition::Refurbish => "Refurbish",
        Disposition::Outlet => "Outlet",
        Disposition::Donate => "Donate",
        Disposition::Dispose => "Dispose",
        Disposition::ReturnToConsumer => "ReturnToConsumer",
    }
}
