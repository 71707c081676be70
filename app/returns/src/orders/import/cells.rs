//! Parses cells of a row, or says why not. A reason never repeats the cell's content.

use super::spreadsheets::{self, OwnId};
use csv::ByteRecord;
use domain::{Currency, Money, TimeZone, Timestamp, money::MAX_AMOUNT};
use std::borrow::Cow;
use time::{
    Date, OffsetDateTime,
    format_description::{BorrowedFormatItem, well_known::Rfc3339},
    macros::format_description,
};

/// Why a row is skipped, for the person who exported the file.
pub type Reason = String;

/// The maximum length of a text, in characters.
pub const MAX_TEXT: usize = 500;
/// The maximum number of items in a cell's list; Shopify allows 250 tags.
pub const MAX_ITEMS: usize = 250;
/// The maximum quantity of a line.
pub const MAX_QUANTITY: u32 = 1_000_000;
/// 2200-01-01: a later date is a typing mistake.
pub const LATEST: Timestamp = Timestamp::from_seconds(7_258_118_400);

const SHOPIFY_TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year]-[month]-[day] [hour]:[minute]:[second] [offset_hour sign:mandatory][offset_minute]");
const DAY: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");

/// A column of the file. Each layout looks for its own columns.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name in the header.
    pub name: &'static str,
    /// Its position; `None` if the file does not have it.
    pub index: Option<usize>,
}

/// A row of the file.
#[derive(Clone, Copy)]
pub struct Row<'r> {
    /// The line in the file at which the row starts.
    pub line: u64,
    /// What is wrong with the row as a whole, if anything: then cells cannot be assigned to columns.
    pub flaw: Option<RowFlaw>,
    /// The separator of the file's cells.
    pub separator: u8,
    /// The cells.
    pub record: &'r ByteRecord,
    /// The time zone of dates without a time.
    pub zone: &'r TimeZone,
}

/// Why a row cannot be split into its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFlaw {
    /// It has more or fewer cells than the header has columns.
    Width,
    /// One cell contains all others.
    OneCell,
    /// It ends with a semicolon, in a file separated by commas.
    TrailingSemicolon,
}

impl RowFlaw {
    /// The problem in words, for the person who exported the file.
    pub fn reason(self) -> Reason {
        let reason = match self {
            Self::Width => "expected as many cells as the first line has columns",
            Self::OneCell => {
                "the row is one cell that contains the others: a spreadsheet program has changed the file; import the file as \
                 it was exported"
            }
            Self::TrailingSemicolon => {
                "the row ends with a semicolon after commas: a spreadsheet program has changed the file; import the file \
                 as it was exported"
            }
        };
        reason.to_owned()
    }
}

impl<'r> Row<'r> {
    /// The bytes of a cell without surrounding spaces; empty if the file has no such column.
    pub fn bytes(self, column: Column) -> &'r [u8] {
        column.index.and_then(|index| self.record.get(index)).unwrap_or_default().trim_ascii()
    }

    fn utf8(self, column: Column) -> Result<&'r str, Reason> {
        std::str::from_utf8(self.bytes(column))
            .map(str::trim)
            .map_err(|_| format!("{}: not UTF-8; expected the file to be saved as \"CSV UTF-8\"", column.name))
    }

    /// A text on one line: runs of spaces and line breaks become one space.
    pub fn text(self, column: Column) -> Result<String, Reason> {
        checked(self.utf8(column)?, column)
    }

    /// The shop's id of an order or line.
    pub fn own_id(self, column: Column) -> Result<OwnId, Reason> {
        Ok(OwnId::of(&self.text(column)?))
    }

    /// A text that must not be empty.
    pub fn required_text(self, column: Column) -> Result<String, Reason> {
        let text = self.text(column)?;
        if text.is_empty() { Err(missing(column)) } else { Ok(text) }
    }

    /// The texts between separators, without empty ones.
    pub fn list(self, column: Column, separator: char) -> Result<Vec<String>, Reason> {
        let items = self.utf8(column)?.split(separator).map(str::trim).filter(|item| !item.is_empty());
        let items: Vec<String> =
            items.take(MAX_ITEMS + 1).map(|item| checked(item, column)).collect::<Result<_, _>>()?;
        if items.len() > MAX_ITEMS {
            return Err(format!("{}: more than {MAX_ITEMS} items", column.name));
        }
        Ok(items)
    }

    /// A currency.
    pub fn currency(self, column: Column) -> Result<Currency, Reason> {
        let code = self.utf8(column)?;
        if code.is_empty() {
            return Err(missing(column));
        }
        Currency::from_code(&code.to_ascii_uppercase())
            .ok_or_else(|| format!("{}: expected a currency code of ISO 4217, such as EUR", column.name))
    }

    /// A country in upper case; may be empty.
    pub fn country(self, column: Column) -> Result<String, Reason> {
        let code = self.utf8(column)?;
        if code.is_empty() || (code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_alphabetic())) {
            return Ok(code.to_ascii_uppercase());
        }
        Err(format!("{}: expected two letters of ISO 3166, such as NL", column.name))
    }

    /// An amount of 0 or more, in minor units; `None` if the cell is empty.
    pub fn amount(self, column: Column, currency: Currency) -> Result<Option<i64>, Reason> {
        let text = self.utf8(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        let plain = spreadsheets::amount(text, self.separator);
        match plain.map(|text| Money::parse(&text, currency)) {
            Some(Ok(money)) if (0..=MAX_AMOUNT).contains(&money.minor) => Ok(Some(money.minor)),
            _ => {
                let example = Money::new(1250, currency).decimal();
                Err(format!("{}: expected an amount of 0 or more in {currency}, such as {example}", column.name))
            }
        }
    }

    /// An amount that may be negative, in minor units; `None` if the cell is empty.
    pub fn signed_amount(self, column: Column, currency: Currency) -> Result<Option<i64>, Reason> {
        let text = self.utf8(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        let text = with_ascii_minus(text);
        let plain = spreadsheets::amount(&text, self.separator);
        match plain.map(|text| Money::parse(&text, currency)) {
            Some(Ok(money)) if money.minor.abs() <= MAX_AMOUNT => Ok(Some(money.minor)),
            _ => {
                let example = Money::new(1250, currency).decimal();
                Err(format!("{}: expected an amount in {currency}, such as {example}", column.name))
            }
        }
    }

    /// Whether a cell that cannot be parsed may contain a negative amount, in any notation.
    pub fn may_be_negative(self, column: Column) -> bool {
        self.utf8(column).is_ok_and(|text| text.contains(['-', '\u{2212}', '\u{2013}', '(']))
    }

    /// An amount that must be present.
    pub fn required_amount(self, column: Column, currency: Currency) -> Result<i64, Reason> {
        self.amount(column, currency)?.ok_or_else(|| missing(column))
    }

    /// A number of units from `least` to `most`; `None` if the cell is empty.
    pub fn units(self, column: Column, least: u32, most: u32) -> Result<Option<u32>, Reason> {
        let text = self.utf8(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        let units = text.parse().ok().filter(|units| (least..=most).contains(units));
        units.map(Some).ok_or_else(|| format!("{}: expected a whole number from {least} to {most}", column.name))
    }

    /// The number of units that were bought.
    pub fn quantity(self, column: Column) -> Result<u32, Reason> {
        self.units(column, 1, MAX_QUANTITY)?.ok_or_else(|| missing(column))
    }

    /// A point in time; `None` if the cell is empty. A date without a time is its first moment in the shop's time zone.
    pub fn moment(self, column: Column) -> Result<Option<Timestamp>, Reason> {
        let text = self.utf8(column)?;
        if text.is_empty() {
            return Ok(None);
        }
        let at = OffsetDateTime::parse(text, &Rfc3339)
            .or_else(|_| OffsetDateTime::parse(text, SHOPIFY_TIME))
            .map(Timestamp::from)
            .or_else(|_| Date::parse(text, DAY).map(|day| self.zone.start_of_day(day)))
            .ok()
            .filter(|at| (Timestamp::from_seconds(0)..LATEST).contains(at));
        at.map(Some).ok_or_else(|| {
            format!(
                "{}: expected a date from 1970 to 2199, such as 2026-11-21, 2026-11-21T09:00:00Z or \
                 2026-11-21 09:00:00 +0000{}",
                column.name,
                if text.contains('/') || text.split('.').count() == 3 {
                    "; a spreadsheet program may have changed the dates: import the file as it was exported"
                } else {
                    ""
                }
            )
        })
    }

    /// A point in time that must be present.
    pub fn required_moment(self, column: Column) -> Result<Timestamp, Reason> {
        self.moment(column)?.ok_or_else(|| missing(column))
    }

    /// Yes or no; `None` if the cell is empty.
    pub fn flag(self, column: Column) -> Result<Option<bool>, Reason> {
        match self.utf8(column)? {
            "" => Ok(None),
            text => {
                spreadsheets::flag(text).map(Some).ok_or_else(|| format!("{}: expected true or false", column.name))
            }
        }
    }
}

/// Some programs write U+2212 for a minus sign where others write a hyphen.
fn with_ascii_minus(text: &str) -> Cow<'_, str> {
    text.strip_prefix('\u{2212}').map_or(Cow::Borrowed(text), |digits| Cow::Owned(format!("-{digits}")))
}

fn missing(column: Column) -> Reason {
    format!("{}: expected a value, the cell is empty", column.name)
}

fn checked(text: &str, column: Column) -> Result<String, Reason> {
    let text = one_line(text);
    if text.len() > MAX_TEXT && text.chars().count() > MAX_TEXT {
        return Err(format!("{}: longer than {MAX_TEXT} characters", column.name));
    }
    // Databases reject NUL, and no real product name contains the other control characters.
    if text.chars().any(char::is_control) {
        return Err(format!("{}: holds a control character", column.name));
    }
    Ok(text.into_owned())
}

fn one_line(text: &str) -> Cow<'_, str> {
    let plain = text.split(' ').all(|word| !word.is_empty() && !word.contains(char::is_whitespace));
    if plain { Cow::Borrowed(text) } else { Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")) }
}
