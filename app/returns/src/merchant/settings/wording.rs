//! Checks a merchant's own texts for the portal.

use crate::base::Retour;
use domain::{Problems, RefusalCode, branding::Branding};

impl Retour {
    /// The problems of changed texts. Unchanged texts pass: a later version may have other texts, and the portal
    /// replaces one that no longer fits by its own.
    pub(crate) fn check_wording(&self, before: &Branding, now: &Branding, problems: &mut Problems) {
        const FIELD: &str = "branding.wording";
        let wording = &now.wording;
        // `Wording::check` reports malformed entries, so they are not checked again here.
        if wording.is_empty() || *wording == before.wording || !wording.check("").0.is_empty() {
            return;
        }
        match self.config.wording_check {
            Some(check) => problems.add_parts(FIELD, check(wording)),
            None => problems.add(FIELD, RefusalCode::NotAllowed, "expected {}: this program does not show the portal"),
        }
    }
}
