//! When the next steps of a return come.

use crate::progress::{
    followed_return::FollowedReturn,
    phase::Phase,
    promises::{ExpectedDates, Promise, Since, in_days, within},
};
use domain::{
    Timestamp,
    policy::ResolveOn,
    shipping::ShippingMethod,
    stage::{StageGroup, StageName},
};
use ui::{dates::day, text::format};

impl FollowedReturn<'_> {
    /// When the next steps come.
    pub fn soon(&self) -> ExpectedDates {
        let back = match (self.account.policy.resolve_on, self.method()) {
            (ResolveOn::Submission, _) | (_, None | Some(ShippingMethod::InStore)) => self.words.when_submission,
            (ResolveOn::FirstScan, _) => self.words.when_first_scan,
            (ResolveOn::Delivery | ResolveOn::Receipt | ResolveOn::Inspection, _) => self.words.when_receipt,
        };
        let plain = self.words.when_submission;
        ExpectedDates {
            review: self.say(self.review(), plain),
            arrival: self.say(self.arrival(), plain),
            check: self.say(self.check(), plain),
            back: self.say(self.back(), back),
        }
    }

    /// When the shopper is compensated, as a part of a sentence. Empty if nothing is promised.
    pub fn back_when(&self) -> String {
        match self.back() {
            Promise::Nothing => String::new(),
            Promise::Within(_) => within(&self.account.policy, self.words, self.method(), self.is_kept()),
            Promise::By(at) => format(self.words.after_by, &[&day(at, self.calendar(), self.words)]),
        }
    }

    fn say(&self, promise: Promise, in_words: &str) -> String {
        match promise {
            Promise::Nothing => String::new(),
            Promise::Within(days) => in_days(in_words, days, self.words),
            Promise::By(at) => format(self.words.soon_by, &[&day(at, self.calendar(), self.words)]),
        }
    }

    fn review(&self) -> Promise {
        let asked = self.timeline.iter().rev().find(|entry| entry.to_stage == StageName::RequestedReview);
        let since = match (self.phase(), asked) {
            (Phase::Review, Some(entry)) => Since::Known(entry.at),
            (Phase::Review, None) => Since::Unclear,
            _ => Since::Ahead,
        };
        Promise::new(self.account.policy.review_days, since, self.calendar())
    }

    fn arrival(&self) -> Promise {
        let since = match self.phase() {
            Phase::Delayed => Since::Unclear, // the carrier is late
            Phase::Transit => self.all_since(ItemProgress::Sent).map_or(Since::Unclear, Since::Known),
            _ => Since::Ahead,
        };
        Promise::new(self.account.policy.transit_days, since, self.calendar())
    }

    fn check(&self) -> Promise {
        let since = self.all_since(ItemProgress::Arrived).map_or(Since::Unclear, Since::Known);
        Promise::new(self.account.policy.review_days, since, self.calendar())
    }

    /// When the shopper is compensated.
    pub fn back(&self) -> Promise {
        let counts_from = match self.account.policy.resolve_on {
            _ if self.is_kept() => ItemProgress::Settling,
            ResolveOn::Submission => ItemProgress::Settling,
            ResolveOn::FirstScan => ItemProgress::Sent,
            ResolveOn::Delivery | ResolveOn::Receipt | ResolveOn::Inspection => ItemProgress::Arrived,
        };
        let has_begun = self.timeline.iter().any(|entry| ItemProgress::at(entry.to_stage) >= counts_from);
        let since = match self.all_since(counts_from) {
            Some(at) => Since::Known(at),
            None if has_begun => Since::Unclear,
            None => Since::Ahead,
        };
        let days = self.account.policy.refund_days;
        match Promise::new(days, since, self.calendar()) {
            // Nothing is approved yet, so no day is certain.
            Promise::By(_) if self.phase() == Phase::Checking => days.map_or(Promise::Nothing, Promise::Within),
            promise => promise,
        }
    }

    /// When the last open request made this progress. `None` while one has not.
    fn all_since(&self, progress: ItemProgress) -> Option<Timestamp> {
        let is_open = |stage: StageName| stage != StageName::RequestedRejected && stage.group() != StageGroup::Closed;
        let reached = self.requests().filter(|request| is_open(request.stage)).map(|request| {
            let mut entries = self.timeline.iter().filter(|entry| entry.return_request_id == request.id);
            entries.find(|entry| ItemProgress::at(entry.to_stage) >= progress).map(|entry| entry.at)
        });
        reached.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// How far the items of a request are, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ItemProgress {
    /// Not sent yet, or the request has ended.
    NotSent,
    /// The carrier has them, or the shop has some of them.
    Sent,
    /// The shop has all of them.
    Arrived,
    /// The resolution is decided or about to be.
    Settling,
}

impl ItemProgress {
    fn at(stage: StageName) -> Self {
        use StageName as N;
        match stage {
            N::RequestedEvidencePending
            | N::RequestedReview
            | N::RequestedApproved
            | N::RequestedRejected
            | N::SubmittedPaymentPending
            | N::SubmittedLabelPending
            | N::SubmittedLabelFailed
            | N::SubmittedReady
            | N::ClosedCancelled
            | N::ClosedExpired => Self::NotSent,
            N::ShipmentInTransit | N::ShipmentException | N::ReceivedPartial => Self::Sent,
            N::ShipmentDelivered | N::ReceivedComplete | N::InspectionPending => Self::Arrived,
            N::ResolutionPending
            | N::ResolutionApproved
            | N::ResolutionProcessing
            | N::ResolutionCompleted
            | N::ResolutionFailed
            | N::ResolutionDenied => Self::Settling,
        }
    }
}
