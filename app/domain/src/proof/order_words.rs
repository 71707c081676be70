//! The words that people type or copy around an order number, folded as [`super::spelling::folded`] folds them.

/// What a leading word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// An order, with or without "number" in the same word: "order", "bestell-nr".
    Order,
    /// A number: "numéro".
    Number,
    /// An abbreviation of a number, which counts with a separator such as a full stop behind it, or behind another such word.
    ShortNumber,
    /// A word between and before those: "your order", "numéro de commande", "numero dell'ordine".
    Between,
}

const ORDER: &[&str] = &[
    "order",
    "orders",
    "bestellung",
    "bestellungs",
    "bestell",
    "auftrag",
    "auftrags",
    "commande",
    "pedido",
    "orden",
    "ordine",
    "bestelling",
    "bestel",
    "zamówienie",
    "zamówienia",
    "zamowienie",
    "zamowienia",
    "encomenda",
    "objednávka",
    "objednávky",
    "objednavka",
    "objednavky",
    "beställning",
    "beställnings",
    "bestilling",
    "bestillings",
    "ordre",
    "ordrer",
    "tilaus",
    "tilauksen",
    "rendelés",
    "rendelési",
    "comandă",
    "comanda",
    "comenzii",
    "sipariş",
    "siparis",
    "siparişi",
    "narudžba",
    "narudžbe",
    "naročilo",
    "naročila",
    "užsakymas",
    "užsakymo",
    "pasūtījums",
    "pasūtījuma",
    "tellimus",
    "tellimuse",
    "pesanan",
    "παραγγελία",
    "παραγγελίασ",
    "поръчка",
    "поръчката",
    "замовлення",
    "заказ",
    "заказа",
    "הזמנה",
    "طلب",
    "الطلب",
    "طلبية",
    "سفارش",
    "注文",
    "ご注文",
    "订单",
    "訂單",
    "주문",
];

const NUMBER: &[&str] = &[
    "number",
    "nummer",
    "numéro",
    "numero",
    "número",
    "numer",
    "číslo",
    "cislo",
    "broj",
    "številka",
    "szám",
    "numarasi",
    "номер",
    "αριθμόσ",
    "מספר",
    "رقم",
    "شماره",
    "番号",
    "号",
    "編號",
    "번호",
];

const SHORT_NUMBER: &[&str] = &[
    "n",
    "no",
    "nr",
    "nro",
    "núm",
    "num",
    "nbr",
    "id",
    "č",
    "ref",
    "réf",
    "reference",
    "référence",
    "referenz",
    "referencia",
    "riferimento",
    "code",
];

const BETWEEN: &[&str] = &[
    "your", "my", "the", "of", "de", "la", "del", "della", "dell", "d", "l", "do", "da", "der", "di", "ihre", "ihrer",
    "meine", "votre", "ma", "su", "tu", "mi", "il", "mój", "mijn", "je", "uw", "van",
];

/// What shops' mails say of an order behind its number.
const STATES: &[&str] = &[
    "confirmed",
    "confirmation",
    "paid",
    "fulfilled",
    "unfulfilled",
    "shipped",
    "delivered",
    "bestätigt",
    "versandt",
    "bezahlt",
    "confirmée",
    "expédiée",
    "confirmado",
    "confermato",
    "bevestigd",
    "verzonden",
    "potwierdzone",
    "opłacone",
];

/// The meaning of a folded word. It may have dashes, which do not count.
pub(super) fn word_kind(word: &str) -> Option<Word> {
    let word = word.replace('-', "");
    let word = word.as_str();
    let is_compound = || ORDER.iter().any(|order| word.strip_prefix(order).is_some_and(is_number));
    if ORDER.contains(&word) || is_compound() {
        Some(Word::Order)
    } else if NUMBER.contains(&word) {
        Some(Word::Number)
    } else if SHORT_NUMBER.contains(&word) {
        Some(Word::ShortNumber)
    } else {
        BETWEEN.contains(&word).then_some(Word::Between)
    }
}

fn is_number(word: &str) -> bool {
    NUMBER.contains(&word) || SHORT_NUMBER.contains(&word)
}

/// A text without the words behind its number that tell an order's state: "#1001 (paid)" is "#1001".
pub(super) fn without_state(text: &str) -> &str {
    let Some((number, last)) = text.rsplit_once(' ') else { return text };
    let last = last.trim_matches(['(', ')', '.', '!', ':', ',']).to_lowercase();
    if STATES.contains(&&*last) && number.contains(char::is_numeric) {
        number.trim_end_matches([' ', '-', ',', ':', '(', '.'])
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::spelling::folded;

    #[test]
    fn a_compound_is_a_word_for_an_order_and_one_for_a_number() {
        assert!(word_kind("ordernumber") == Some(Word::Order));
        assert!(word_kind("bestell-nummer") == Some(Word::Order));
        assert!(word_kind("orderly").is_none());
    }

    #[test]
    fn words_are_folded() {
        for word in [ORDER, NUMBER, SHORT_NUMBER, BETWEEN].concat() {
            assert_eq!(folded(word), *word);
        }
    }
}
