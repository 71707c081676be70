//! Where a return stands and what is next, in words. Its page and its mail share this.

pub mod expectations;
pub mod followed_return;
pub mod headline;
pub mod outcome;
pub mod phase;
pub mod promises;
pub mod shipment;
pub mod summary;
pub mod timeline;
pub mod tracking;
pub mod wording;

#[cfg(test)]
mod tests {
    use super::{
        headline::{Circumstances, Compensation, Headline},
        phase::Phase,
        promises::ExpectedDates,
        timeline::ahead,
    };
    use crate::words::EN;
    use domain::{policy::Resolution, returning::ReturnOrderStatus, stage::StageName};

    #[test]
    fn every_status_has_a_phase_and_final_ones_no_next_steps() {
        let about = Circumstances {
            wanted: Resolution::Refund,
            method: None,
            back: Compensation { refund: Some("£1.00".into()), ..Compensation::default() },
            due: None,
            to_pay: None,
            comment: String::new(),
            soon: ExpectedDates::default(),
        };
        for &status in ReturnOrderStatus::all() {
            for &stage in StageName::all() {
                let phase = Phase::new(status, &[stage], false);
                assert!(!Headline::new(phase, &about, &EN).title.is_empty());
                let is_over = !matches!(
                    status,
                    ReturnOrderStatus::Requested | ReturnOrderStatus::AwaitingPayment | ReturnOrderStatus::Open
                );
                assert_eq!(ahead(phase, &about, &EN).is_empty(), is_over, "{status} {stage}");
            }
        }
    }
}
