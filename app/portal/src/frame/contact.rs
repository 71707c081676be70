//! How shoppers reach the shop's staff.

use crate::words::Words;
use domain::branding::Branding;

/// The ways to reach a shop's staff. Each may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contact {
    pub url: Option<String>,
    pub email: Option<String>,
    /// A telephone number as people read it.
    pub phone: Option<String>,
}

impl Contact {
    /// The contact of the merchant's settings.
    pub fn new(branding: &Branding) -> Self {
        let is_web = |url: &&String| url.starts_with("https://") || url.starts_with("http://");
        Self {
            url: branding.contact_url.as_ref().filter(is_web).cloned(),
            email: branding.help_email().map(str::to_owned),
            phone: branding.contact_phone.clone(),
        }
    }

    /// All ways in one line, for mail. Empty if there is none.
    pub fn line(&self, words: &Words) -> String {
        let ways: Vec<&str> = [&self.url, &self.email, &self.phone].into_iter().flatten().map(String::as_str).collect();
        ways.join(words.list_comma)
    }
}
