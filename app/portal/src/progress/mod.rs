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

    fn about(back: Compensation) -> Circumstances {
        Circumstances {
            wanted: Resolution::Refund,
            method: None,
            back,
            due: None,
            to_pay: None,
            comment: String::new(),
            soon: ExpectedDates::default(),
        }
    }

    #[test]
    fn a_return_is_checked_until_its_resolution_is_approved() {
        use StageName as N;
        for (stages, kept, phase) in [
            (&[N::ResolutionPending][..], false, Phase::Checking),
            (&[N::ResolutionPending], true, Phase::Checking),
            (&[N::ResolutionApproved, N::ResolutionPending], false, Phase::Checking),
            (&[N::ResolutionPending, N::ReceivedPartial], false, Phase::Arrived),
            (&[N::ResolutionApproved, N::RequestedRejected], false, Phase::Coming),
            (&[N::ResolutionApproved], true, Phase::Kept),
        ] {
            assert_eq!(Phase::new(ReturnOrderStatus::Open, stages, kept), phase, "{stages:?}");
        }
        let refund = about(Compensation { refund: Some("£1.00".into()), ..Compensation::default() });
        assert_eq!(Headline::new(Phase::Checking, &refund, &EN).title, "We’re reviewing your return");
        assert_eq!(Phase::Checking.tag(Some(Resolution::Refund), None, &EN).text, "Under review");
    }

    #[test]
    fn a_return_that_gives_nothing_is_not_called_a_refund() {
        let said = |phase| {
            let Headline { title, text, .. } = Headline::new(phase, &about(Compensation::default()), &EN);
            [title, text, Phase::tag(phase, None, None, &EN).text.to_owned()]
        };
        assert_eq!(said(Phase::Done), ["Your return is complete", "No refund due.", "Done"]);
        assert_eq!(said(Phase::Coming), ["No refund due", "", "Almost done"]);
        assert_eq!(said(Phase::Kept), ["No refund due", "", "Almost done"]);
        let exchange = about(Compensation { exchange: true, ..Compensation::default() });
        let exchange = Circumstances { wanted: Resolution::Exchange, ..exchange };
        assert_eq!(Headline::new(Phase::Done, &exchange, &EN).title, "Your exchange is complete");
    }

    #[test]
    fn every_status_has_a_phase_and_final_ones_no_next_steps() {
        let about = about(Compensation { refund: Some("£1.00".into()), ..Compensation::default() });
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
