//! Codes that say what to do: from a printed sheet, for people who hold a scanner and no mouse.

use std::fmt;

/// Every command code begins with this. `$` is in no GS1 code and in no carrier's number, so that no parcel has such a
/// code.
const PREFIX: &str = "$RETOUR-";

/// The largest number that a code counts to.
pub const MAX_COUNT: u32 = 10;

/// What a command code says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScanCommand {
    /// The parcel is counted.
    Done,
    /// Everything that is wanted is here.
    AllHere,
    /// Take back what was counted last.
    TakeBack,
    /// The item is damaged.
    Damaged,
    /// It is another item than the one that was bought.
    WrongItem,
    /// The item is sold again as new.
    Restock,
    /// The item is repaired and sold again.
    Refurbish,
    /// That many units are here.
    Count(u32),
    /// Take a photo of the item.
    Photo,
}

impl ScanCommand {
    /// Every command, in the order of the sheet.
    pub fn all() -> impl Iterator<Item = Self> {
        const FIRST: [ScanCommand; 3] = [ScanCommand::Done, ScanCommand::AllHere, ScanCommand::TakeBack];
        const LAST: [ScanCommand; 5] = [
            ScanCommand::Damaged,
            ScanCommand::WrongItem,
            ScanCommand::Restock,
            ScanCommand::Refurbish,
            ScanCommand::Photo,
        ];
        FIRST.into_iter().chain(LAST).chain((1..=MAX_COUNT).map(Self::Count))
    }

    /// The command with this code; `None` if it is no command code.
    pub fn of_code(code: &str) -> Option<Self> {
        let has_prefix = code.get(..PREFIX.len()).is_some_and(|prefix| prefix.eq_ignore_ascii_case(PREFIX));
        let word = code.get(PREFIX.len()..).filter(|_| has_prefix)?;
        Self::all().find(|command| command.to_string().eq_ignore_ascii_case(word))
    }

    /// The code, to print as a barcode.
    pub fn code(self) -> String {
        format!("{PREFIX}{self}")
    }
}

impl fmt::Display for ScanCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("DONE"),
            Self::AllHere => f.write_str("ALL-HERE"),
            Self::TakeBack => f.write_str("TAKE-BACK"),
            Self::Damaged => f.write_str("DAMAGED"),
            Self::WrongItem => f.write_str("WRONG-ITEM"),
            Self::Restock => f.write_str("RESTOCK"),
            Self::Refurbish => f.write_str("REFURBISH"),
            Self::Count(units) => write!(f, "{units}"),
            Self::Photo => f.write_str("PHOTO"),
        }
    }
}
