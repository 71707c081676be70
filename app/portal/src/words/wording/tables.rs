//! The words of a shop with texts of its own: a table like those of the languages, made once.
//!
//! Pages, mail and islands hold words as `&'static`, so a table and its texts are leaked: they live as long as the process. Tables are
//! found by their content, and their number is limited.

use crate::words::{
    en::Words,
    live::Live,
    wording::{check::refusal, keys, regional},
};
use domain::{AccountId, account::Account, wording::Wording};
use std::{
    collections::HashMap,
    hash::{BuildHasher as _, RandomState},
    sync::{LazyLock, PoisonError, RwLock},
};
use ui::language::Language;

/// A table takes about 10 kB, up to 75 kB with its texts, and is never freed. Frequent changes must not exhaust memory, so these
/// limit the tables of one account and of all accounts.
const MAX_OF_ACCOUNT: usize = 50;
const MAX_IN_ALL: usize = 2_000;

static TABLES: LazyLock<RwLock<Tables>> = LazyLock::new(|| RwLock::new(Tables::bounded(MAX_OF_ACCOUNT, MAX_IN_ALL)));

impl Words {
    /// The words of a shop in a language: those of the country of its return address, with the merchant's own texts.
    pub fn of_shop(account: &Account, language: Language) -> &'static Self {
        let country = account.policy.return_address.as_ref().map_or("", |address| &address.country);
        of_wording(account.id, &account.branding.wording, regional::words(language, country))
    }
}

fn of_wording(account: AccountId, wording: &Wording, standard: &'static Words) -> &'static Words {
    let own: Vec<_> = wording.in_language(standard.tag).collect();
    if own.is_empty() { standard } else { Tables::of_own(&TABLES, account, standard, &own) }
}

/// Keys and texts of one language.
type Own<'a> = [(&'a str, &'a str)];

/// All tables that were made.
#[derive(Debug)]
struct Tables {
    max_of_account: usize,
    max_in_all: usize,
    hasher: RandomState,
    by_content: HashMap<u64, Vec<Table>>,
    of_accounts: HashMap<AccountId, OfAccount>,
    count: usize,
}

#[derive(Debug)]
struct Table {
    standard: &'static Words,
    own: Vec<(String, String)>,
    words: &'static Words,
}

/// The tables of an account.
#[derive(Debug, Default)]
struct OfAccount {
    count: usize,
    /// The last table in place of each standard one.
    last: Vec<(&'static Words, &'static Words)>,
    was_warned: bool,
}

impl OfAccount {
    fn last(&self, standard: &'static Words) -> Option<&'static Words> {
        self.last.iter().find(|(one, _)| std::ptr::eq(*one, standard)).map(|(_, words)| *words)
    }

    /// The last table in a language, whatever the country.
    fn last_in(&self, tag: &str) -> Option<&'static Words> {
        self.last.iter().rev().find(|(one, _)| one.tag == tag).map(|(_, words)| *words)
    }
}

impl Tables {
    fn bounded(max_of_account: usize, max_in_all: usize) -> Self {
        Self {
            max_of_account,
            max_in_all,
            hasher: RandomState::new(),
            by_content: HashMap::new(),
            of_accounts: HashMap::new(),
            count: 0,
        }
    }

    /// The table with these texts, made if there is none.
    fn of_own(tables: &RwLock<Self>, account: AccountId, standard: &'static Words, own: &Own<'_>) -> &'static Words {
        let read = tables.read().unwrap_or_else(PoisonError::into_inner);
        let hash = read.hasher.hash_one((standard.tag, standard.postal_code, own));
        let found = read.find(hash, standard, own);
        let last = read.of_accounts.get(&account).and_then(|made| made.last(standard));
        drop(read);
        match (found, last) {
            (Some(found), Some(last)) if std::ptr::eq(found, last) => found,
            _ => tables.write().unwrap_or_else(PoisonError::into_inner).find_or_make(account, hash, standard, own),
        }
    }

    fn find(&self, hash: u64, standard: &'static Words, own: &Own<'_>) -> Option<&'static Words> {
        let is_it = |table: &&Table| {
            let theirs = table.own.iter().map(|(key, text)| (key.as_str(), text.as_str()));
            std::ptr::eq(table.standard, standard) && theirs.eq(own.iter().copied())
        };
        self.by_content.get(&hash)?.iter().find(is_it).map(|table| table.words)
    }

    fn find_or_make(
        &mut self,
        account: AccountId,
        hash: u64,
        standard: &'static Words,
        own: &Own<'_>,
    ) -> &'static Words {
        let found = self.find(hash, standard, own);
        let is_full = self.count >= self.max_in_all;
        let of_account = self.of_accounts.entry(account).or_default();
        if found.is_none() && (is_full || of_account.count >= self.max_of_account) {
            if !of_account.was_warned {
                of_account.was_warned = true;
                tracing::warn!(%account, "too many different wordings since the start: a shop shows the last ones until the next start");
            }
            return of_account.last(standard).or_else(|| of_account.last_in(standard.tag)).unwrap_or(standard);
        }
        let words = found.unwrap_or_else(|| {
            let words = make(standard, own);
            let own = own.iter().map(|&(key, text)| (key.to_owned(), text.to_owned())).collect();
            self.by_content.entry(hash).or_default().push(Table { standard, own, words });
            self.count += 1;
            of_account.count += 1;
            words
        });
        of_account.last.retain(|(one, _)| !std::ptr::eq(*one, standard));
        of_account.last.push((standard, words));
        words
    }
}

/// The standard table with a merchant's texts in it. A text that does not fit is left out: it was saved while the standard text had
/// other placeholders.
fn make(standard: &'static Words, own: &Own<'_>) -> &'static Words {
    let language = standard.language();
    let said: HashMap<&str, &'static str> = own
        .iter()
        .filter_map(|&(name, text)| {
            let key = keys::all().get(name).filter(|key| key.fixed.is_none())?;
            let fits = refusal(key, language, text).is_none();
            fits.then(|| (name, &*dressed(text, key.standard(language)).leak()))
        })
        .collect();
    let text =
        |(field, standard): (&&str, &'static str)| said.get(keys::key_of(field).as_str()).copied().unwrap_or(standard);
    let live = Live::of_texts(Live::NAMES.iter().zip(standard.live().texts()).map(text));
    let live: &'static Live = Box::leak(Box::new(live));
    Box::leak(Box::new(Words::of_texts(live, Words::NAMES.iter().zip(standard.texts()).map(text))))
}

/// A text with the leading and trailing spaces of the standard text, which precedes or follows other text.
fn dressed(text: &str, standard: &str) -> String {
    let core = standard.trim();
    let (before, after) = standard.split_once(core).unwrap_or_default();
    format!("{before}{}{after}", text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Translated;
    use std::collections::BTreeMap;
    use uuid::Uuid;

    fn id(number: u128) -> AccountId {
        AccountId(Uuid::from_u128(number))
    }

    /// The words of an account with these texts: key, language, text.
    fn words(account: u128, texts: &[(&str, &str, &str)], language: Language) -> &'static Words {
        let mut wording = BTreeMap::<String, Translated>::new();
        for (key, tag, text) in texts {
            wording.entry((*key).to_owned()).or_default().0.insert((*tag).to_owned(), (*text).to_owned());
        }
        of_wording(id(account), &Wording(wording), Words::of(language))
    }

    #[test]
    fn own_words_apply_only_to_their_language() {
        let own = [("findMyOrder", "en", "Find my parcel"), ("continue", "de", "Los & weiter")];
        let (english, german) = (words(1, &own, Language::En), words(1, &own, Language::De));
        assert_eq!((english.find_my_order, english.live().continue_), ("Find my parcel", "Continue"));
        assert_eq!((german.find_my_order, german.live().continue_), ("Bestellung finden", "Los & weiter"));
        assert_eq!((german.tag, german.live().tag, german.language()), ("de", "de", Language::De));
        assert!(
            std::ptr::eq(words(1, &own, Language::Fr), Words::of(Language::Fr)),
            "no table is made without own texts"
        );
        let others = english.texts().into_iter().zip(Words::of(Language::En).texts());
        assert_eq!(others.filter(|(own, standard)| own != standard).count(), 1);
    }

    #[test]
    fn equal_words_share_a_table() {
        let texts = [("findMyOrder", "en", "The same for both")];
        let own = words(2, &texts, Language::En);
        assert!(std::ptr::eq(own, words(2, &texts, Language::En)));
        assert!(std::ptr::eq(own, words(3, &texts, Language::En)));
        assert!(!std::ptr::eq(own, words(2, &[("findMyOrder", "en", "Other")], Language::En)));
    }

    #[test]
    fn own_texts_stand_beside_those_of_the_country() {
        let wording = Wording(BTreeMap::from([(
            "findMyOrder".to_owned(),
            Translated(BTreeMap::from([("en".to_owned(), "Go".to_owned())])),
        )]));
        let [british, american] =
            ["GB", "US"].map(|country| of_wording(id(6), &wording, regional::words(Language::En, country)));
        assert_eq!((british.find_my_order, british.postal_code), ("Go", "Postcode"));
        assert_eq!((american.find_my_order, american.postal_code), ("Go", "ZIP code"));
    }

    #[test]
    fn outdated_texts_are_not_shown() {
        let own = [
            ("goneSince", "en", "x"),
            ("withdraw", "en", "Click"),
            ("decimal", "en", ";"),
            ("continueWith", "en", "On with {0} and {1}"),
            ("selectAll", "en", "</script>"),
            ("findMyOrder", "en", "Go"),
        ];
        let (words, standard) = (words(4, &own, Language::En), Words::of(Language::En));
        assert_eq!((words.withdraw, words.continue_with), (standard.withdraw, standard.continue_with));
        assert_eq!((words.live().decimal, words.live().select_all), (".", standard.live().select_all));
        assert_eq!(words.find_my_order, "Go");
    }

    #[test]
    fn a_text_keeps_the_spaces_of_the_standard_one() {
        let own = [("errorPrefix", "en", "Oops:"), ("findMyOrder", "en", "  Go \u{a0}")];
        let words = words(5, &own, Language::En);
        assert_eq!((words.live().error_prefix, words.find_my_order), ("Oops: ", "Go"));
        assert_eq!(dressed(" a ", ""), "a");
    }

    #[test]
    fn tables_are_limited_and_the_last_one_stays() {
        let tables = RwLock::new(Tables::bounded(2, 3));
        let of = |account, language, text: &str| {
            Tables::of_own(&tables, id(account), Words::of(language), &[("findMyOrder", text)]).find_my_order
        };
        let en = Language::En;
        assert_eq!(
            [of(1, en, "a"), of(1, en, "b"), of(1, en, "c")],
            ["a", "b", "b"],
            "at most two tables of an account"
        );
        assert_eq!(of(1, en, "a"), "a", "an existing table is found");
        assert_eq!(of(1, en, "c"), "a", "and becomes the last one");
        assert_eq!(of(1, Language::De, "c"), "Bestellung finden", "there is no table in this language");
        assert_eq!(
            [of(2, en, "a"), of(2, en, "c"), of(2, en, "d")],
            ["a", "c", "c"],
            "at most three tables; shared ones count once"
        );
        let moved = Tables::of_own(&tables, id(2), regional::words(en, "GB"), &[("findMyOrder", "d")]);
        assert_eq!(moved.find_my_order, "c", "a shop that moves to another country keeps its texts");
        assert_eq!(of(3, en, "e"), "Find my order");
        assert_eq!(of(3, en, "c"), "c");
    }
}
