//! Codes to show in place of a label, in mail.

use crate::{
    mail::letter::{Letter, ShownCode},
    progress::{
        followed_return::FollowedReturn,
        shipment::{number_of, receiver},
    },
    words::Words,
};
use domain::shipping::ShippingMethod;
use returns::{QrCode, view};
use ui::text::{format, isolated};

/// The longest text of a code that people read out, characters.
const READ_OUT: usize = 32;

/// A code to show at a counter, and what to know about it.
#[derive(Debug)]
pub struct CodeToShow {
    pub title: &'static str,
    /// Where to show it, and what happens there.
    how: &'static str,
    codes: Vec<ShownCode>,
    facts: Vec<(String, String)>,
    /// The last day, as a sentence, if it is known.
    until: Option<String>,
}

impl CodeToShow {
    /// The codes of a return that is ready to be sent. `None` if nothing has to be shown.
    pub fn of(following: &FollowedReturn<'_>, due: &str) -> Option<Self> {
        let FollowedReturn { words, order, .. } = *following;
        let method = following.sends_by()?;
        let (title, how, caption) = match method {
            ShippingMethod::Paperless => (words.mail_code_title, words.show_it, words.show_this),
            ShippingMethod::DropOff => (words.mail_code_title, words.show_drop_off, words.show_this),
            ShippingMethod::InStore => (words.mail_store_code_title, words.bring_text, words.show_in_shop),
            ShippingMethod::Label | ShippingMethod::PickUp | ShippingMethod::OwnCarrier => return None,
        };
        let mut codes: Vec<ShownCode> = Vec::new();
        for code in all(following).into_iter().filter_map(|content| content.shown(order, caption, words)) {
            if codes.iter().all(|one| one.png != code.png) {
                codes.push(code);
            }
        }
        let until = (!due.is_empty()).then(|| format(words.hand_in_by, &[due]));
        (!codes.is_empty()).then(|| Self { title, how, codes, facts: facts(following, method), until })
    }

    /// Writes the codes into a letter. `reminds` says that the title has the last day already.
    pub fn write(self, letter: Letter, reminds: bool) -> Letter {
        let letter = letter.text(self.how);
        let letter = self.codes.into_iter().fold(letter, Letter::code);
        letter.text(&self.until.filter(|_| !reminds).unwrap_or_default()).facts("", self.facts)
    }
}

/// The content of each code: each shipment's own, or the number of the return.
fn all<'a>(following: &'a FollowedReturn<'_>) -> Vec<CodeContent<'a>> {
    let own = |shipment: &'a view::ShipmentView| {
        Some(CodeContent { text: shipment.qr_code.as_deref()?, shipment: Some(shipment) })
    };
    let codes: Vec<_> = following.shipments().filter_map(own).collect();
    if codes.is_empty() {
        vec![CodeContent { text: &following.order.number, shipment: following.shipments().next() }]
    } else {
        codes
    }
}

/// The content of a code.
struct CodeContent<'a> {
    text: &'a str,
    shipment: Option<&'a view::ShipmentView>,
}

impl CodeContent<'_> {
    /// The code as a picture, with the text that people read out.
    fn shown(&self, order: &view::ReturnOrderView, caption: &'static str, words: &Words) -> Option<ShownCode> {
        let Self { text, shipment } = *self;
        let id = shipment.map_or(order.id.0, |shipment| shipment.id.0);
        let is_read_out =
            text.chars().count() <= READ_OUT && !text.chars().any(|c| c.is_whitespace() || c.is_control());
        Some(ShownCode {
            cid: format!("code-{id}@retour"),
            png: QrCode::new(text)?.png()?,
            alt: format(words.code_of, &[&order.number]),
            caption,
            says: if is_read_out { text.to_owned() } else { order.number.clone() },
        })
    }
}

/// The facts that the page shows beside the code.
fn facts(following: &FollowedReturn<'_>, method: ShippingMethod) -> Vec<(String, String)> {
    let words = following.words;
    let (name, about) =
        following.option().map(|option| (option.name.clone(), option.description.clone())).unwrap_or_default();
    let mut shipments = following.shipments();
    let facts = if method == ShippingMethod::InStore {
        // The description of an in-store option says where the shop is.
        let way = if about.is_empty() {
            name
        } else {
            format(words.only_for, &[&isolated(&name, words), &isolated(&about, words)])
        };
        vec![(words.way, way)]
    } else {
        let shipment = shipments.next();
        let number = shipment.filter(|_| shipments.next().is_none()).map(|shipment| number_of(&shipment.label_barcode));
        let to =
            shipment.map(|shipment| receiver(&shipment.receiver, &shipment.sender_country, words)).unwrap_or_default();
        vec![(words.way, name), (words.parcel_number, number.unwrap_or_default()), (words.goes_to, to.join("\n"))]
    };
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    known.map(|(label, value)| (label.to_owned(), value)).collect()
}
