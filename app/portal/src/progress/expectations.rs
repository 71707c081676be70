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
            _ => self.words.when_receipt,
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
            Phase::Transit => self.all_since(was_sent).map_or(Since::Unclear, Since::Known),
            _ => Since::Ahead,
        };
        Promise::new(self.account.policy.transit_days, since, self.calendar())
    }

    fn check(&self) -> Promise {
        let since = self.all_since(has_arrived).map_or(Since::Unclear, Since::Known);
        Promise::new(self.account.policy.review_days, since, self.calendar())
    }

    /// When the shopper is compensated.
    pub fn back(&self) -> Promise {
        let counts_from: fn(StageName) -> bool = match self.account.policy.resolve_on {
            _ if self.is_kept() => is_settling,
            ResolveOn::Submission => is_settling,
            ResolveOn::FirstScan => was_sent,
            ResolveOn::Delivery | ResolveOn::Receipt | ResolveOn::Inspection => has_arrived,
        };
        let has_begun = self.timeline.iter().any(|entry| counts_from(entry.to_stage));
        let since = match self.all_since(counts_from) {
            Some(at) => Since::Known(at),
            None if has_begun => Since::Unclear,
            None => Since::Ahead,
        };
        Promise::new(self.account.policy.refund_days, since, self.calendar())
    }

    /// When the last open request reached a stage. `None` while one has not.
    fn all_since(&self, is_there: fn(StageName) -> bool) -> Option<Timestamp> {
        let is_open = |stage: StageName| stage != StageName::RequestedRejected && stage.group() != StageGroup::Closed;
        let reached = self.requests().filter(|request| is_open(request.stage)).map(|request| {
            let mut entries = self.timeline.iter().filter(|entry| entry.return_request_id == request.id);
            entries.find(|entry| is_there(entry.to_stage)).map(|entry| entry.at)
        });
        reached.collect::<Option<Vec<_>>>()?.into_iter().max()
    }
}

/// Whether the carrier has, or had, the items.
fn was_sent(stage: StageName) -> bool {
    stage.group() == StageGroup::Shipment || stage == StageName::ReceivedPartial || has_arrived(stage)
}

/// Whether the shop has all items.
fn has_arrived(stage: StageName) -> bool {
    matches!(stage, StageName::ShipmentDelivered | StageName::ReceivedComplete)
        || stage.group() == StageGroup::Inspection
        || is_settling(stage)
}

/// Whether the resolution is decided or about to be.
fn is_settling(stage: StageName) -> bool {
    stage.group() == StageGroup::Resolution
}
