//! Refuses texts that labels cannot print when a merchant sets them, not when a parcel is sent.

use domain::{Problems, RefusalCode, address::Address};
use outbound::labels::unprintable;

/// The most characters that a message lists.
const NAMED: usize = 5;

/// The lines of an address with characters that are in no font of the labels, by field.
pub(crate) fn unprintable_lines(address: &Address) -> Problems {
    let mut problems = Problems::default();
    let lines = [
        ("name", &address.name),
        ("street", &address.street),
        ("additional", &address.additional),
        ("postalCode", &address.postal_code),
        ("city", &address.city),
        ("province", &address.province),
    ];
    for (field, line) in lines {
        let missing: Vec<String> =
            unprintable(line).into_iter().take(NAMED).map(|c| format!("{c} (U+{:04X})", u32::from(c))).collect();
        if !missing.is_empty() {
            let message = format!("expected characters that labels can show: they cannot show {}", missing.join(", "));
            problems.add(field, RefusalCode::NotAllowed, message);
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_labels_cannot_show_is_named_by_its_field() {
        let readable = Address {
            name: "مرتجعات المتجر".to_owned(),
            street: "東京都千代田区丸の内１丁目９−１".to_owned(),
            city: "서울 नई दिल्ली กรุงเทพ".to_owned(),
            ..Address::default()
        };
        assert_eq!(unprintable_lines(&readable), Problems::default());
        let unreadable = Address { street: "1 ᏣᎳ Road 🚚".to_owned(), city: "\u{E000}".to_owned(), ..readable };
        let Problems(problems) = unprintable_lines(&unreadable);
        let found: Vec<_> =
            problems.iter().map(|(field, refusal)| (field.as_str(), refusal.code, refusal.message.as_str())).collect();
        let message = "expected characters that labels can show: they cannot show";
        let street = format!("{message} Ꮳ (U+13E3), Ꮃ (U+13B3), 🚚 (U+1F69A)");
        let city = format!("{message} \u{E000} (U+E000)");
        assert_eq!(
            found,
            [("street", RefusalCode::NotAllowed, street.as_str()), ("city", RefusalCode::NotAllowed, city.as_str())]
        );
    }
}
