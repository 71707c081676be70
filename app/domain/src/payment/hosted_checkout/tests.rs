use super::*;
use crate::payment::{fee_payment::tests::payment, status::PaymentStatus};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

fn paid(reference: &str) -> CheckoutReport {
    CheckoutReport::Paid { reference: reference.to_owned() }
}

fn open(payment: &mut Payment, now: Timestamp) -> Checkout {
    let PaymentRedirect::NeedsPage(asked) = payment.redirect(&[], now) else { panic!("another page was expected") };
    payment.page_created(&asked, format!("cs_{}", asked.number), format!("https://pay.example/{}", asked.number));
    asked
}

#[test]
fn only_one_page_is_open_at_a_time() {
    let mut payment = payment();
    let PaymentRedirect::NeedsPage(first) = payment.redirect(&[], NOW) else { panic!() };
    assert_eq!(
        payment.redirect(&[], NOW.plus_seconds(599)),
        PaymentRedirect::NeedsPage(first.clone()),
        "the same request again, under the same key"
    );
    payment.page_created(&first, "cs_1".into(), "https://pay.example/1".into());
    payment.page_created(&first, "cs_1".into(), "https://pay.example/1".into());
    let redirect = PaymentRedirect::To("https://pay.example/1".into());
    assert_eq!(payment.redirect(&[], NOW.plus_seconds(600)), redirect);
    assert_eq!(first.ends_at, NOW.plus_seconds(LONGEST_VALIDITY), "a day at most");
    assert_eq!(payment.redirect(&[], first.ends_at.plus_seconds(-61)), redirect);
    let too_short = first.ends_at.plus_seconds(-60);
    let PaymentRedirect::NeedsPage(second) = payment.redirect(&[], too_short) else { panic!() };
    assert_eq!(second.number, 2);
    payment.page_refused(&second);
    let PaymentRedirect::NeedsPage(third) = payment.redirect(&[], first.ends_at.plus_seconds(1)) else { panic!() };
    assert_eq!((third.number, payment.checkouts.len()), (2, 2), "a refused page leaves no attempt");
    assert_ne!(third.begun_at, second.begun_at);
    let PaymentRedirect::NeedsPage(fourth) = payment.redirect(&[], third.begun_at.plus_seconds(600)) else { panic!() };
    assert_eq!(fourth.begun_at, third.begun_at.plus_seconds(600), "no shopper has seen that one");
    payment.end(0);
    assert_eq!(payment.redirect(&[], NOW), PaymentRedirect::Unavailable);
}

#[test]
fn a_page_is_open_until_it_is_paid_or_the_payment_ends() {
    let mut payment = payment();
    assert!(!payment.has_open_page(), "no page exists");
    let PaymentRedirect::NeedsPage(asked) = payment.redirect(&[], NOW) else { panic!() };
    assert!(!payment.has_open_page(), "the page does not exist yet");
    payment.page_created(&asked, "cs_1".into(), "https://pay.example/1".into());
    assert!(payment.has_open_page());
    payment.apply_report(1, paid("ch_1"));
    assert!(!payment.has_open_page());
    let mut payment = crate::payment::fee_payment::tests::payment();
    open(&mut payment, NOW);
    payment.end(0);
    assert!(!payment.has_open_page(), "the payment is over");
}

#[test]
fn a_page_lasts_until_the_due_date_within_the_providers_limits() {
    for (due, lasts) in [(60, SHORTEST_VALIDITY), (10_000, 10_000), (172_800, LONGEST_VALIDITY)] {
        let mut payment = Payment { due: NOW.plus_seconds(due), ..payment() };
        assert_eq!(open(&mut payment, NOW).ends_at, NOW.plus_seconds(lasts));
    }
}

#[test]
fn a_second_payment_is_refunded_once() {
    let mut payment = payment();
    let first = open(&mut payment, NOW);
    open(&mut payment, first.ends_at);
    payment.apply_report(1, paid("ch_1")); // late, but not too late
    payment.apply_report(1, paid("ch_1"));
    assert_eq!(payment.provider_tasks(), [ProviderTask::Close(2, "cs_2".into())]);
    payment.apply_report(2, paid("ch_2"));
    assert_eq!((payment.status(), payment.settled_by), (PaymentStatus::Paid, Some(1)));
    let Some(ProviderTask::Refund(refund)) = payment.provider_tasks().pop() else { panic!() };
    assert_eq!((refund.number, refund.minor, refund.reference.as_str()), (2, 495, "ch_2"));
    let begun = payment.begin_refund(2).unwrap();
    assert_eq!(payment.begin_refund(2), Some(begun.clone()), "the same until its result is known");
    payment.end_refund(&begun, RefundOutcome::WentBack);
    payment.end_refund(&begun, RefundOutcome::WentBack);
    assert_eq!((payment.provider_tasks(), payment.next_check(&[], NOW)), (vec![], None));
    assert_eq!((payment.status(), payment.refunded), (PaymentStatus::Paid, 0), "it is paid once");
    payment.end(0);
    let refund = payment.begin_refund(1).unwrap();
    payment.end_refund(&refund, RefundOutcome::WentBack);
    assert_eq!((payment.status(), payment.refunded), (PaymentStatus::Refunded, 495));
}

#[test]
fn a_refund_stays_the_same_until_its_result_is_known() {
    let mut payment = payment();
    open(&mut payment, NOW);
    payment.apply_report(1, paid("ch_1"));
    payment.end(400);
    let part = payment.begin_refund(1).unwrap();
    payment.end(0);
    let again = payment.begin_refund(1).unwrap();
    assert_eq!((again.minor, again.before), (95, part.before));
    payment.end_refund(&again, RefundOutcome::Failed);
    let whole = payment.begin_refund(1).unwrap();
    assert_eq!((whole.minor, whole.before), (495, 1), "it failed, so a new refund covers the whole amount");
    payment.end_refund(&part, RefundOutcome::WentBack);
    assert_eq!(payment.refunded, 0, "that refund has ended");
    payment.end_refund(&whole, RefundOutcome::WentBack);
    assert_eq!((payment.refunded, payment.provider_tasks()), (495, vec![]));
}

#[test]
fn a_late_page_is_checked_too() {
    let mut payment = payment();
    let PaymentRedirect::NeedsPage(first) = payment.redirect(&[], NOW) else { panic!() };
    let PaymentRedirect::NeedsPage(second) = payment.redirect(&[], NOW.plus_seconds(600)) else { panic!() };
    payment.page_created(&second, "cs_2".into(), "https://pay.example/2".into());
    payment.page_created(&first, "cs_1".into(), "https://pay.example/1".into());
    payment.page_created(&first, "cs_1".into(), "https://pay.example/1".into());
    assert_eq!(
        payment.provider_tasks(),
        [ProviderTask::Check(1, "cs_2".into()), ProviderTask::Check(2, "cs_1".into())]
    );
    // It comes before the page of the next attempt.
    let mut payment = crate::payment::fee_payment::tests::payment();
    let PaymentRedirect::NeedsPage(first) = payment.redirect(&[], NOW) else { panic!() };
    let PaymentRedirect::NeedsPage(second) = payment.redirect(&[], NOW.plus_seconds(600)) else { panic!() };
    payment.page_created(&first, "cs_1".into(), "https://pay.example/1".into());
    payment.page_created(&second, "cs_2".into(), "https://pay.example/2".into());
    assert_eq!(
        payment.provider_tasks(),
        [ProviderTask::Check(1, "cs_2".into()), ProviderTask::Check(2, "cs_1".into())]
    );
    // A page that another call reported as refused.
    let mut payment = crate::payment::fee_payment::tests::payment();
    let PaymentRedirect::NeedsPage(asked) = payment.redirect(&[], NOW) else { panic!() };
    payment.page_refused(&asked);
    payment.page_created(&asked, "cs_1".into(), "https://pay.example/1".into());
    assert_eq!(payment.provider_tasks(), [ProviderTask::Check(1, "cs_1".into())]);
}

#[test]
fn an_unknown_page_is_not_used_and_is_checked_later() {
    let mut payment = payment();
    open(&mut payment, NOW);
    assert!(matches!(payment.redirect(&[1], NOW), PaymentRedirect::NeedsPage(Checkout { number: 2, .. })));
    assert_eq!(payment.provider_tasks().len(), 1, "a payment there is found once the account is configured again");
    assert_eq!(payment.next_check(&[1], NOW), None);
}

#[test]
fn an_accepted_refund_is_checked_until_its_result_is_known() {
    let mut payment = payment();
    open(&mut payment, NOW);
    payment.apply_report(1, paid("ch_1"));
    payment.end(0);
    let refund = payment.begin_refund(1).unwrap();
    payment.end_refund(&refund, RefundOutcome::OnItsWay);
    assert_eq!((payment.status(), payment.refunded), (PaymentStatus::Paid, 0));
    assert_eq!(payment.next_check(&[], NOW), Some(NOW.plus_seconds(UNDER_WAY_INTERVAL)));
    let again = payment.begin_refund(1).unwrap();
    assert_eq!(again, Refund { on_its_way: true, ..refund.clone() });
    payment.end_refund(&again, RefundOutcome::Failed);
    let new = payment.begin_refund(1).unwrap();
    assert_eq!((new.before, new.on_its_way, new.minor), (1, false, 495));
    payment.end_refund(&new, RefundOutcome::WentBack);
    assert_eq!(payment.status(), PaymentStatus::Refunded);
}

#[test]
fn money_under_way_is_awaited_and_may_fail() {
    let mut payment = payment();
    open(&mut payment, NOW);
    payment.apply_report(1, CheckoutReport::Processing);
    assert_eq!(payment.redirect(&[], NOW), PaymentRedirect::Unavailable, "a shopper cannot pay twice");
    assert!(payment.is_on_its_way(payment.due.plus_days(13)) && !payment.is_on_its_way(payment.due.plus_days(14)));
    assert_eq!(payment.next_check(&[], NOW), Some(NOW.plus_seconds(UNDER_WAY_INTERVAL)));
    payment.end(0);
    assert_eq!(payment.provider_tasks(), [ProviderTask::Check(1, "cs_1".into())], "it cannot be stopped");
    payment.apply_report(1, paid("ch_1"));
    assert!(matches!(payment.provider_tasks()[..], [ProviderTask::Refund(Refund { minor: 495, .. })]));
}

#[test]
fn checks_become_rarer() {
    let mut payment = payment();
    open(&mut payment, NOW);
    for (age, next) in [(0, 60), (599, 60), (600, 300), (3_599, 300), (3_600, 1_800), (1_000_000, 1_800)] {
        let now = NOW.plus_seconds(age);
        assert_eq!(payment.next_check(&[], now), Some(now.plus_seconds(next)), "{age}");
    }
}

#[test]
fn attempts_survive_json() {
    let mut payment = payment();
    open(&mut payment, NOW);
    let text = serde_json::to_value(&payment.checkouts[0]).unwrap();
    assert_eq!((&text["state"], &text["id"]), (&"Open".into(), &"cs_1".into()));
    for report in [CheckoutReport::Processing, CheckoutReport::Closed, paid("ch_1")] {
        payment.apply_report(1, report);
        let text = serde_json::to_string(&payment).unwrap();
        assert_eq!(serde_json::from_str::<Payment>(&text).unwrap(), payment);
    }
}

#[derive(Debug, Clone)]
enum Happens {
    Lead,
    Wait(i64),
    Reports(u32, CheckoutReport),
    End(i64),
    Refund(u32, Option<RefundOutcome>),
}

fn any_of_them() -> impl Strategy<Value = Happens> {
    let report = prop_oneof![
        Just(CheckoutReport::Open),
        Just(CheckoutReport::Processing),
        Just(paid("ch")),
        Just(CheckoutReport::Closed)
    ];
    let outcome = prop_oneof![
        Just(None),
        Just(Some(RefundOutcome::WentBack)),
        Just(Some(RefundOutcome::OnItsWay)),
        Just(Some(RefundOutcome::Failed)),
    ];
    prop_oneof![
        3 => Just(Happens::Lead),
        1 => prop_oneof![Just(700_i64), Just(90_000)].prop_map(Happens::Wait),
        4 => (1_u32..4, report).prop_map(|(number, report)| Happens::Reports(number, report)),
        1 => (0_i64..600).prop_map(Happens::End),
        3 => (1_u32..4, outcome).prop_map(|(number, ends): (u32, Option<RefundOutcome>)| Happens::Refund(number, ends)),
    ]
}

proptest! {
    /// In any order of events, no attempt refunds more than it received, and attempts that did not settle the payment
    /// are refunded in full. Once nothing is left to do, exactly the earned part is kept.
    #[test]
    fn money_is_earned_or_refunded(all in prop::collection::vec(any_of_them(), 0..40)) {
        let (mut payment, mut now) = (payment(), NOW);
        for one in all {
            match one {
                Happens::Lead => if let PaymentRedirect::NeedsPage(asked) = payment.redirect(&[], now) {
                    payment.page_created(&asked, format!("cs_{}", asked.number), "https://pay.example".into());
                },
                Happens::Wait(seconds) => now = now.plus_seconds(seconds),
                Happens::Reports(number, report) => payment.apply_report(number, report),
                Happens::End(earned) => payment.end(earned),
                Happens::Refund(number, ends) => if let (Some(refund), Some(outcome)) = (payment.begin_refund(number), ends) {
                    payment.end_refund(&refund, outcome);
                },
            }
            let paid = payment.checkouts.iter().filter(|one| matches!(one.state, CheckoutState::Paid { .. }));
            for one in paid.clone() {
                prop_assert!(one.refunded + one.refunding.map_or(0, |refunding| refunding.minor) <= payment.amount.minor);
            }
            prop_assert_eq!(payment.settled_by.is_some(), paid.count() > 0);
            prop_assert_eq!(payment.settled_by.is_some(), payment.state == PaymentState::Paid);
            prop_assert_eq!(payment.provider_tasks().is_empty(), payment.next_check(&[], now).is_none());
        }
        while let Some(ProviderTask::Refund(refund)) = payment.provider_tasks().into_iter().find(|task| matches!(task, ProviderTask::Refund(_))) {
            let refund = payment.begin_refund(refund.number).unwrap();
            payment.end_refund(&refund, RefundOutcome::WentBack);
        }
        for one in &payment.checkouts {
            if matches!(one.state, CheckoutState::Paid { .. }) {
                let due = if payment.settled_by == Some(one.number) { payment.refund_due } else { 495 };
                prop_assert_eq!(one.refunded, due);
            }
        }
        prop_assert_eq!(payment.refunded, payment.refund_due);
    }
}
