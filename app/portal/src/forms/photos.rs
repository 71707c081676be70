//! Photos of returned items: which files were refused, and which were sent.

use crate::words::Words;
use serde::{Deserialize, Serialize};
use ui::text::{format, isolated};
use uuid::Uuid;

/// Why a file was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhotoProblem {
    /// The form had no file.
    NoneChosen,
    /// The file is too large.
    TooLarge,
    /// The picture has too many pixels.
    TooManyDots,
    /// Not a photo, or damaged.
    Unreadable,
    /// The limit of photos is reached.
    TooMany,
    /// The return is settled.
    TooLate,
}

/// A refused file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhotoMistake {
    /// What the photo is of: a return request, or a purchase without one.
    pub of: Option<Uuid>,
    pub name: String,
    pub problem: PhotoProblem,
}

/// The longest file name that is stored and shown, characters.
const MAX_NAME_CHARS: usize = 60;

impl PhotoMistake {
    /// A refused file.
    pub fn new(of: Option<Uuid>, name: &str, problem: PhotoProblem) -> Self {
        Self { of, name: Self::short(name), problem }
    }

    /// Shortens a file name. Phones send paths or nothing, and the name only serves people.
    pub fn short(name: &str) -> String {
        name.chars().take(MAX_NAME_CHARS).collect()
    }

    /// What to do about it.
    pub fn text(&self, words: &Words) -> String {
        let text = match self.problem {
            PhotoProblem::NoneChosen => words.photo_missing,
            PhotoProblem::TooLarge => words.live().photo_too_large,
            PhotoProblem::TooManyDots => words.photo_too_many_dots,
            PhotoProblem::Unreadable => words.photo_unreadable,
            PhotoProblem::TooMany => words.photo_too_many,
            PhotoProblem::TooLate => words.photo_too_late,
        };
        let name = if self.name.is_empty() { words.photo.to_owned() } else { isolated(&self.name, words) };
        format(text, &[&name])
    }

    /// The field that the file was sent in.
    pub fn href(&self, first: Option<Uuid>) -> String {
        self.of.or(first).map_or("#photos".to_owned(), |of| format!("#{}", field(of)))
    }
}

/// A photo that was sent.
#[derive(Debug, Clone)]
pub struct SentPhoto {
    pub href: String,
    /// Whether browsers can display it.
    pub is_shown: bool,
    /// The form value that removes it. `None` if it cannot be removed.
    pub removal: Option<String>,
}

/// The name of a file field, which is also its id.
pub fn field(of: Uuid) -> String {
    format!("photos-{of}")
}
