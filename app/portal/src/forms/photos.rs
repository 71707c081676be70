//! Photos of returned items: which files were refused, and which were sent.

use crate::words::Words;
use serde::{Deserialize, Serialize};
use ui::text::{format, isolated};
use uuid::Uuid;

/// Why a file was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PhotoProblem {
    /// The form had no file.
    NoneChosen,
    /// It is longer than may be.
    TooLarge,
    /// It is wider or higher than can be shown.
    TooManyDots,
    /// It is no photo, or broken.
    Unreadable,
    /// There are as many as there may be.
    TooMany,
    /// It is all settled.
    TooLate,
}

/// What was wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhotoMistake {
    /// What it was about: a return request, or a purchase of which none was made yet.
    pub of: Option<Uuid>,
    /// As the file is called.
    pub name: String,
    /// What was wrong.
    pub problem: PhotoProblem,
}

/// The longest name of a file that is kept or said back, characters.
const MAX_NAME_CHARS: usize = 60;

impl PhotoMistake {
    /// What was wrong with a file of that name.
    pub fn new(of: Option<Uuid>, name: &str, problem: PhotoProblem) -> Self {
        Self { of, name: Self::short(name), problem }
    }

    /// As much of a file's name as is kept: telephones write paths or nothing, and a name is for people alone.
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

    /// The field that it was about.
    pub fn href(&self, first: Option<Uuid>) -> String {
        self.of.or(first).map_or("#photos".to_owned(), |of| format!("#{}", field(of)))
    }
}

/// A photo that was sent.
#[derive(Debug, Clone)]
pub struct SentPhoto {
    /// Where it is.
    pub href: String,
    /// Whether browsers can show it.
    pub is_shown: bool,
    /// What the form says to have it taken away; `None` where it stays.
    pub removal: Option<String>,
}

/// A field's name, which is its id as well.
pub fn field(of: Uuid) -> String {
    format!("photos-{of}")
}
