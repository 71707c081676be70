//! Texts of the portal in a merchant's own words, as they are set.

use crate::base::Retour;
use domain::{Problems, RefusalCode, branding::Branding};

impl Retour {
    /// What is wrong with texts that change. Those that were kept before stay: a later program may have other texts, and the
    /// portal shows its own in place of one that does not fit any more.
    pub(crate) fn check_wording(&self, before: &Branding, now: &Branding, problems: &mut Problems) {
        const FIELD: &str = "branding.wording";
        let wording = &now.wording;
        // What has no shape was told already.
        if wording.is_empty() || *wording == before.wording || !wording.check("").0.is_empty() {
            return;
        }
        match self.config.wording_check {
            Some(check) => problems.add_parts(FIELD, check(wording)),
            None => problems.add(FIELD, RefusalCode::NotAllowed, "expected {}: this program does not show the portal"),
        }
    }
}
