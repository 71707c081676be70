//! The timeline of a return: what happened, what happens now and what is next.

use crate::{
    progress::{headline::Circumstances, phase::Phase},
    words::Words,
};
use domain::{
    ReturnRequestId, Timestamp, party::Actor, policy::Resolution, shipping::ShippingMethod, stage::StageName,
};
use ui::{
    dates::{Calendar, PastMoment, past_moment},
    text::{format, isolated},
};

/// A step in the timeline of a return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimelineStep {
    /// `past`, `now` or `next`.
    pub when: &'static str,
    pub what: String,
    /// The time, in words.
    pub date: String,
    /// The exact moment. `None` for future steps.
    pub moment: Option<PastMoment>,
}

/// A request that entered a stage.
#[derive(Debug, Clone)]
pub struct TimelineEvent {
    pub request: ReturnRequestId,
    /// The name of the item.
    pub name: String,
    /// The requested resolution.
    pub wanted: Resolution,
    /// Whether the return gives nothing back, whatever was requested.
    pub gives_nothing: bool,
    pub at: Timestamp,
    pub actor: Actor,
    pub from: Option<StageName>,
    pub to: StageName,
    /// The reason that was given.
    pub comment: String,
}

/// What happened, newest first. The same event on the same day is one step, which names the items if it does not apply to all.
pub fn past(
    events: &[TimelineEvent],
    requests: usize,
    method: Option<ShippingMethod>,
    calendar: Calendar<'_>,
    words: &Words,
) -> Vec<TimelineStep> {
    struct Group<'a> {
        what: &'static str,
        at: Timestamp,
        of: Vec<&'a TimelineEvent>,
    }
    let mut groups: Vec<Group<'_>> = Vec::new();
    for event in events {
        let Some(what) = past_text(event, method, words) else { continue };
        let is_same_day = |at| calendar.zone.date(at) == calendar.zone.date(event.at);
        match groups.iter_mut().find(|group| group.what == what && is_same_day(group.at)) {
            Some(group) => group.of.push(event),
            None => groups.push(Group { what, at: event.at, of: vec![event] }),
        }
    }
    let step = |group: Group<'_>| {
        let mut of: Vec<ReturnRequestId> = group.of.iter().map(|event| event.request).collect();
        of.sort_unstable();
        of.dedup();
        let mut names: Vec<&str> = group.of.iter().map(|event| event.name.as_str()).collect();
        names.dedup();
        let what = if of.len() < requests {
            let names: Vec<String> = names.into_iter().map(|name| isolated(name, words)).collect();
            format(words.only_for, &[group.what, &names.join(words.list_comma)])
        } else {
            group.what.to_owned()
        };
        // Why a label or a resolution failed is for the shop's staff only.
        let is_theirs = |event: &&&TimelineEvent| {
            !matches!(event.to, StageName::SubmittedLabelFailed | StageName::ResolutionFailed)
        };
        let comments = group.of.iter().filter(is_theirs).map(|event| event.comment.as_str());
        let comment = comments.into_iter().find(|comment| !comment.is_empty());
        let what = match comment {
            Some(comment) => {
                format(words.live().about_row, &[&what, &format(words.quoted, &[&isolated(comment, words)])])
            }
            None => what,
        };
        let moment = past_moment(group.at, calendar, words);
        TimelineStep { when: "past", what, date: moment.short.clone(), moment: Some(moment) }
    };
    groups.into_iter().rev().map(step).collect()
}

/// What a stage means to the shopper. `None` for internal stages.
fn past_text(event: &TimelineEvent, method: Option<ShippingMethod>, words: &Words) -> Option<&'static str> {
    use StageName as N;
    if event.from.is_none() {
        return Some(words.did_send_in);
    }
    let text = match event.to {
        N::RequestedReview => words.did_photo,
        N::RequestedApproved => words.did_agree,
        N::RequestedRejected => words.did_refuse,
        N::SubmittedReady if method.is_some_and(ShippingMethod::shows_code) => words.did_code,
        N::SubmittedReady if method.is_none_or(ShippingMethod::has_label) => words.did_label,
        N::SubmittedLabelFailed => words.did_label_failed,
        N::ShipmentInTransit if method == Some(ShippingMethod::PickUp) => words.did_hand_over,
        N::ShipmentInTransit => words.did_hand_in,
        N::ShipmentException => words.did_delay,
        N::ShipmentDelivered => words.did_deliver,
        N::ReceivedPartial => words.did_arrive_part,
        N::ReceivedComplete => words.did_arrive,
        N::InspectionPending => words.did_inspect,
        N::ResolutionApproved => match event.wanted {
            _ if event.gives_nothing => words.did_agree,
            Resolution::Refund => words.did_approve,
            Resolution::StoreCredit => words.did_approve_credit,
            Resolution::Exchange => words.did_approve_exchange,
        },
        N::ResolutionFailed => words.did_fail,
        N::ResolutionDenied => words.did_deny,
        N::ResolutionCompleted => match event.wanted {
            _ if event.gives_nothing => words.tag_done_other,
            Resolution::Refund => words.did_pay_back,
            Resolution::StoreCredit => words.did_credit,
            Resolution::Exchange => words.did_exchange,
        },
        N::ClosedCancelled if event.actor == Actor::Consumer => words.did_cancel,
        N::ClosedCancelled => words.did_cancel_shop,
        N::ClosedExpired => words.did_expire,
        N::RequestedEvidencePending
        | N::SubmittedPaymentPending
        | N::SubmittedLabelPending
        | N::SubmittedReady // without a code or label
        | N::ResolutionPending
        | N::ResolutionProcessing => return None,
    };
    Some(text)
}

/// What happens now and next. Empty once a return is over.
pub fn ahead(phase: Phase, about: &Circumstances, words: &Words) -> Vec<TimelineStep> {
    let by = || about.due.as_deref().map(|day| format(words.by, &[day])).unwrap_or_default();
    let (agreed, made) = match about.method {
        Some(method) if method.shows_code() => (words.will_agree_code, words.will_code),
        Some(method) if method.has_label() => (words.will_agree, words.will_label),
        _ => (words.will_agree_plain, words.will_label),
    };
    let agree = (agreed.to_owned(), words.soon_agrees.to_owned());
    let arrive = (words.will_arrive.to_owned(), about.soon.arrival.clone());
    let in_store = about.method == Some(ShippingMethod::InStore);
    let kept = about.method.is_none();
    let last: Vec<_> =
        about.back.promised(words).into_iter().map(|promised| (promised, about.soon.back.clone())).collect();
    let hand_in = match about.method {
        Some(ShippingMethod::InStore) => words.will_bring,
        Some(ShippingMethod::OwnCarrier) => words.will_send,
        Some(ShippingMethod::PickUp) => words.hand_over,
        _ => words.will_hand_in,
    };
    let review = (words.will_review.to_owned(), about.soon.review.clone());
    // The way from the shopper to the shop. Items that are kept do not take it, and items brought to a store arrive at once.
    let way = |by: String| match (kept, in_store) {
        (true, _) => Vec::new(),
        (false, true) => vec![(hand_in.to_owned(), by)],
        (false, false) => vec![(hand_in.to_owned(), by), arrive.clone()],
    };
    let then_way = |first: Vec<(String, String)>| [first, way(String::new()), last.clone()].concat();
    let steps = match phase {
        Phase::Review => then_way(vec![review, agree]),
        Phase::Evidence => then_way(vec![(words.will_photo.to_owned(), by()), review, agree]),
        Phase::Pay => then_way(vec![(words.will_pay.to_owned(), by()), (agree.0, String::new())]),
        Phase::Paying => then_way(vec![(words.will_be_paid.to_owned(), String::new()), (agree.0, String::new())]),
        Phase::LabelFailed => then_way(vec![(made.to_owned(), String::new())]),
        Phase::LabelPending => then_way(vec![(made.to_owned(), words.soon_label.to_owned())]),
        Phase::Ready => [way(by()), last].concat(),
        Phase::Transit | Phase::Delayed => [vec![arrive], last].concat(),
        Phase::Arrived => [vec![(words.will_check.to_owned(), about.soon.check.clone())], last].concat(),
        Phase::Checking => [vec![(words.will_review.to_owned(), about.soon.check.clone())], last].concat(),
        Phase::Coming | Phase::Kept => last,
        Phase::Done | Phase::Denied | Phase::Cancelled | Phase::Expired | Phase::Rejected => Vec::new(),
    };
    let step = |(index, (what, date)): (usize, (String, String))| TimelineStep {
        when: if index == 0 { "now" } else { "next" },
        what,
        date,
        moment: None,
    };
    steps.into_iter().enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        progress::{headline::Compensation, promises::ExpectedDates},
        words::EN,
    };
    use ui::language::Language;
    use uuid::Uuid;

    fn event(request: u128, from: Option<StageName>, to: StageName) -> TimelineEvent {
        TimelineEvent {
            request: ReturnRequestId(Uuid::from_u128(request)),
            name: if request == 1 { "Shirt".into() } else { "Mug".into() },
            wanted: Resolution::Refund,
            gives_nothing: false,
            at: Timestamp::from_seconds(1_796_000_000),
            actor: Actor::Consumer,
            from,
            to,
            comment: String::new(),
        }
    }

    #[test]
    fn equal_events_of_a_day_are_one_step_with_names() {
        use StageName as N;
        let refused =
            TimelineEvent { comment: "Worn".into(), ..event(2, Some(N::RequestedReview), N::RequestedRejected) };
        let events = [
            event(1, None, N::RequestedReview),
            event(2, None, N::RequestedReview),
            refused,
            event(1, Some(N::RequestedReview), N::RequestedApproved),
            event(1, Some(N::RequestedApproved), N::SubmittedLabelPending),
            event(1, Some(N::SubmittedLabelPending), N::SubmittedReady),
        ];
        let calendar = Calendar { zone: &domain::TimeZone::UTC, now: events[0].at };
        let shown = past(&events, 2, Some(ShippingMethod::Label), calendar, &EN);
        let what: Vec<&str> = shown.iter().map(|step| step.what.as_str()).collect();
        assert_eq!(what, ["Label created (Shirt)", "Approved (Shirt)", "Declined (Mug): “Worn”", "Return requested"]);
        assert!(shown.iter().all(|step| step.date.contains(':')), "today has a time: {shown:?}");
        let moments: Vec<_> = shown.iter().filter_map(|step| step.moment.as_ref()).collect();
        assert_eq!(moments.len(), shown.len());
        assert!(moments.iter().all(|moment| moment.datetime == "2026-11-30T00:53:20Z"), "{moments:?}");
    }

    #[test]
    fn an_approval_names_what_is_approved() {
        use StageName as N;
        let calendar = Calendar { zone: &domain::TimeZone::UTC, now: event(1, None, N::RequestedReview).at };
        let shown = |wanted, to, words| {
            let event = TimelineEvent { wanted, ..event(1, Some(N::ReceivedComplete), to) };
            past(&[event], 1, None, calendar, words).into_iter().map(|step| step.what).collect::<String>()
        };
        for (wanted, approved) in [
            (Resolution::Refund, "Refund approved"),
            (Resolution::StoreCredit, "Store credit approved"),
            (Resolution::Exchange, "Exchange approved"),
        ] {
            assert_eq!(shown(wanted, N::ResolutionApproved, &EN), approved);
        }
        let nothing = |to| {
            let event = TimelineEvent { gives_nothing: true, ..event(1, Some(N::ReceivedComplete), to) };
            past(&[event], 1, None, calendar, &EN).into_iter().map(|step| step.what).collect::<String>()
        };
        assert_eq!([nothing(N::ResolutionApproved), nothing(N::ResolutionCompleted)], ["Approved", "Done"]);
        // These texts also apply to store credit and exchanges.
        for words in Language::ALL.map(Words::of) {
            for neutral in [words.did_fail, words.did_deny, words.denied_title, words.tag_denied] {
                for named in [words.refund, words.store_credit, words.exchange] {
                    let (neutral, named) = (neutral.to_lowercase(), named.to_lowercase());
                    assert!(!neutral.contains(&named), "{}: {neutral}", words.tag);
                }
            }
            let approved = [words.did_approve, words.did_approve_credit, words.did_approve_exchange];
            assert!(approved.iter().all(|text| *text != words.did_agree), "{}", words.tag);
        }
    }

    #[test]
    fn a_collected_parcel_was_not_dropped_off() {
        use StageName as N;
        let calendar = Calendar { zone: &domain::TimeZone::UTC, now: event(1, None, N::RequestedReview).at };
        let shown = |method, to| {
            let event = event(1, Some(N::SubmittedReady), to);
            past(&[event], 1, method, calendar, &EN).into_iter().map(|step| step.what).collect::<String>()
        };
        assert_eq!(shown(Some(ShippingMethod::PickUp), N::ShipmentInTransit), "Collected");
        for method in [Some(ShippingMethod::Label), Some(ShippingMethod::DropOff), None] {
            assert_eq!(shown(method, N::ShipmentInTransit), "Dropped off", "{method:?}");
        }
        assert_eq!(shown(Some(ShippingMethod::DropOff), N::SubmittedReady), EN.did_code);
        assert_eq!(shown(Some(ShippingMethod::Label), N::SubmittedReady), EN.did_label);
        assert_eq!(shown(None, N::SubmittedReady), EN.did_label);
        assert_eq!(shown(Some(ShippingMethod::OwnCarrier), N::SubmittedReady), "", "there is neither");
    }

    #[test]
    fn names_are_isolated_in_languages_from_right_to_left() {
        use StageName as N;
        let first = event(1, Some(N::RequestedReview), N::RequestedApproved);
        let refused =
            TimelineEvent { comment: "Worn".into(), ..event(2, Some(N::RequestedReview), N::RequestedRejected) };
        let calendar = Calendar { zone: &domain::TimeZone::UTC, now: first.at };
        let shown = past(&[first, refused], 2, None, calendar, Words::of(Language::Ar));
        assert!(shown.iter().any(|step| step.what.contains("\u{2068}Shirt\u{2069}")), "{shown:?}");
        assert!(shown.iter().any(|step| step.what.contains("\u{2068}Worn\u{2069}")), "{shown:?}");
    }

    #[test]
    fn items_are_sent_before_they_are_refunded() {
        let shown = |method| {
            let about = about(method, Compensation { refund: Some("£1.00".into()), ..Compensation::default() });
            ahead(Phase::Review, &about, &EN).into_iter().map(|step| step.what).collect::<Vec<_>>()
        };
        let (looks, back) = ("Under review", "You’ll get £1.00 back");
        let sent = ["You’ll get your label", "Drop off your parcel", "Your parcel will arrive"];
        assert_eq!(shown(Some(ShippingMethod::Label)), [looks, sent[0], sent[1], sent[2], back]);
        assert_eq!(shown(Some(ShippingMethod::DropOff)), [looks, "You’ll get your code", sent[1], sent[2], back]);
        assert_eq!(shown(Some(ShippingMethod::PickUp)), [looks, sent[0], "Collection", sent[2], back]);
        assert_eq!(shown(Some(ShippingMethod::InStore)), [looks, "Approval", "Bring it to our store", back]);
        assert_eq!(shown(None), [looks, "Approval", back]);
    }

    #[test]
    fn each_compensation_has_a_step() {
        let shown = |back| {
            let steps = ahead(Phase::Coming, &about(None, back), &EN);
            steps.into_iter().map(|step| step.what).collect::<Vec<_>>()
        };
        let all = Compensation {
            refund: Some("£1.00".into()),
            credit: Some("£2.00".into()),
            exchange: true,
            ..Compensation::default()
        };
        assert_eq!(
            shown(all),
            ["You’ll get £1.00 back", "You’ll get £2.00 in store credit", "You’ll get your exchange"]
        );
        assert_eq!(
            shown(Compensation { gift_credit: true, ..Compensation::default() }),
            ["You’ll get your store credit"]
        );
        assert!(shown(Compensation::default()).is_empty(), "fees can use up the whole refund");
    }

    fn about(method: Option<ShippingMethod>, back: Compensation) -> Circumstances {
        Circumstances {
            wanted: Resolution::Refund,
            method,
            back,
            due: None,
            to_pay: None,
            comment: String::new(),
            soon: ExpectedDates::default(),
        }
    }
}
