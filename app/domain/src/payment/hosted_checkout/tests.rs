use super::*;
use crate::payment::{fee_payment::tests::payment, status::PaymentStatus};
use proptest::prelude::*;

const NOW: Timestamp = Timestamp::from_seconds(1_800_000_000);

fn paid(reference: &str) -> Heard {
    Heard::Paid { reference: reference.to_owned() }
}

fn open(payment: &mut Payment, now: Timestamp) -> Checkout {
    let Leads::Asks(asked) = payment.lead(&[], now) else { panic!("another page was expected") };
    payment.opened(&asked, (format!("cs_{}", asked.number), format!("https://pay.example/{}", asked.number)));
    asked
}

#[test]
fn there_is_one_page_at_a_time() {
    let mut payment = payment();
    let Leads::Asks(first) = payment.lead(&[], NOW) else { panic!() };
    assert_eq!(payment.lead(&[], NOW.plus_seconds(599)), Leads::Asks(first.clone()), "asked again under the same key");
    payment.opened(&first, ("cs_1".into(), "https://pay.example/1".into()));
    payment.opened(&first, ("cs_1".into(), "https://pay.example/1".into()));
    let leads = Leads::To("https://pay.example/1".into());
    assert_eq!(payment.lead(&[], NOW.plus_seconds(600)), leads);
    assert_eq!(first.ends_at, NOW.plus_seconds(LONGEST), "a day at most");
    assert_eq!(payment.lead(&[], first.ends_at.plus_seconds(-61)), leads);
    let Leads::Asks(second) = payment.lead(&[], first.ends_at) else { panic!() };
    assert_eq!(second.number, 2);
    payment.not_opened(&second);
    let Leads::Asks(third) = payment.lead(&[], first.ends_at.plus_seconds(1)) else { panic!() };
    assert_eq!((third.number, payment.checkouts.len()), (2, 2), "what was refused leaves nothing");
    assert_ne!(third.begun_at, second.begun_at);
    let Leads::Asks(fourth) = payment.lead(&[], third.begun_at.plus_seconds(600)) else { panic!() };
    assert_eq!(fourth.begun_at, third.begun_at.plus_seconds(600), "nobody was ever led to that one");
    payment.end(0);
    assert_eq!(payment.lead(&[], NOW), Leads::Nowhere);
}

#[test]
fn a_page_is_open_from_when_it_is_known_until_it_is_paid_or_over() {
    let mut payment = payment();
    assert!(!payment.has_open_page(), "nobody was led anywhere");
    let Leads::Asks(asked) = payment.lead(&[], NOW) else { panic!() };
    assert!(!payment.has_open_page(), "the page is only asked for");
    payment.opened(&asked, ("cs_1".into(), "https://pay.example/1".into()));
    assert!(payment.has_open_page());
    payment.hear(1, paid("ch_1"));
    assert!(!payment.has_open_page());
    let mut payment = crate::payment::fee_payment::tests::payment();
    open(&mut payment, NOW);
    payment.end(0);
    assert!(!payment.has_open_page(), "the payment is over");
}

#[test]
fn a_page_lasts_as_long_as_the_return_waits_and_long_enough_for_the_provider() {
    for (due, lasts) in [(60, SHORTEST), (10_000, 10_000), (172_800, LONGEST)] {
        let mut payment = Payment { due: NOW.plus_seconds(due), ..payment() };
        assert_eq!(open(&mut payment, NOW).ends_at, NOW.plus_seconds(lasts));
    }
}

#[test]
fn what_is_paid_twice_goes_back_once() {
    let mut payment = payment();
    let first = open(&mut payment, NOW);
    open(&mut payment, first.ends_at);
    payment.hear(1, paid("ch_1")); // late, but not too late
    payment.hear(1, paid("ch_1"));
    assert_eq!(payment.todos(), [Todo::Close(2, "cs_2".into())]);
    payment.hear(2, paid("ch_2"));
    assert_eq!((payment.status(), payment.settled_by), (PaymentStatus::Paid, Some(1)));
    let Some(Todo::Refund(refund)) = payment.todos().pop() else { panic!() };
    assert_eq!((refund.number, refund.minor, refund.reference.as_str()), (2, 495, "ch_2"));
    let begun = payment.begin_refund(2).unwrap();
    assert_eq!(payment.begin_refund(2), Some(begun.clone()), "the same until it is known how it ended");
    payment.end_refund(&begun, RefundOutcome::WentBack);
    payment.end_refund(&begun, RefundOutcome::WentBack);
    assert_eq!((payment.todos(), payment.next_look(&[], NOW)), (vec![], None));
    assert_eq!((payment.status(), payment.refunded), (PaymentStatus::Paid, 0), "it is paid once");
    payment.end(0);
    let refund = payment.begin_refund(1).unwrap();
    payment.end_refund(&refund, RefundOutcome::WentBack);
    assert_eq!((payment.status(), payment.refunded), (PaymentStatus::Refunded, 495));
}

#[test]
fn a_refund_stays_as_it_was_asked_for_until_it_is_known_how_it_ended() {
    let mut payment = payment();
    open(&mut payment, NOW);
    payment.hear(1, paid("ch_1"));
    payment.end(400);
    let part = payment.begin_refund(1).unwrap();
    payment.end(0);
    let again = payment.begin_refund(1).unwrap();
    assert_eq!((again.minor, again.before), (95, part.before));
    payment.end_refund(&again, RefundOutcome::Failed);
    let whole = payment.begin_refund(1).unwrap();
    assert_eq!((whole.minor, whole.before), (495, 1), "it did not, so it is asked for anew, and all of it");
    payment.end_refund(&part, RefundOutcome::WentBack);
    assert_eq!(payment.refunded, 0, "that one is over");
    payment.end_refund(&whole, RefundOutcome::WentBack);
    assert_eq!((payment.refunded, payment.todos()), (495, vec![]));
}

#[test]
fn a_page_that_comes_late_is_asked_about_too() {
    let mut payment = payment();
    let Leads::Asks(first) = payment.lead(&[], NOW) else { panic!() };
    let Leads::Asks(second) = payment.lead(&[], NOW.plus_seconds(600)) else { panic!() };
    payment.opened(&second, ("cs_2".into(), "https://pay.example/2".into()));
    payment.opened(&first, ("cs_1".into(), "https://pay.example/1".into()));
    payment.opened(&first, ("cs_1".into(), "https://pay.example/1".into()));
    assert_eq!(payment.todos(), [Todo::Look(1, "cs_2".into()), Todo::Look(2, "cs_1".into())]);
    // One that was refused meanwhile for somebody else.
    let mut payment = crate::payment::fee_payment::tests::payment();
    let Leads::Asks(asked) = payment.lead(&[], NOW) else { panic!() };
    payment.not_opened(&asked);
    payment.opened(&asked, ("cs_1".into(), "https://pay.example/1".into()));
    assert_eq!(payment.todos(), [Todo::Look(1, "cs_1".into())]);
}

#[test]
fn a_page_that_the_provider_does_not_know_leads_nobody_and_is_asked_about_later() {
    let mut payment = payment();
    open(&mut payment, NOW);
    assert!(matches!(payment.lead(&[1], NOW), Leads::Asks(Checkout { number: 2, .. })));
    assert_eq!(payment.todos().len(), 1, "who paid there is heard of once the account is set again");
    assert_eq!(payment.next_look(&[1], NOW), None);
}

#[test]
fn a_refund_on_its_way_is_looked_after_until_it_is_there_or_is_not() {
    let mut payment = payment();
    open(&mut payment, NOW);
    payment.hear(1, paid("ch_1"));
    payment.end(0);
    let refund = payment.begin_refund(1).unwrap();
    payment.end_refund(&refund, RefundOutcome::OnItsWay);
    assert_eq!((payment.status(), payment.refunded), (PaymentStatus::Paid, 0));
    assert_eq!(payment.next_look(&[], NOW), Some(NOW.plus_seconds(LOOK_AT_PROCESSING)));
    let again = payment.begin_refund(1).unwrap();
    assert_eq!(again, Refund { on_its_way: true, ..refund.clone() });
    payment.end_refund(&again, RefundOutcome::Failed);
    let new = payment.begin_refund(1).unwrap();
    assert_eq!((new.before, new.on_its_way, new.minor), (1, false, 495));
    payment.end_refund(&new, RefundOutcome::WentBack);
    assert_eq!(payment.status(), PaymentStatus::Refunded);
}

#[test]
fn money_on_its_way_is_waited_for_and_may_not_come() {
    let mut payment = payment();
    open(&mut payment, NOW);
    payment.hear(1, Heard::Processing);
    assert_eq!(payment.lead(&[], NOW), Leads::Nowhere, "nobody pays twice");
    assert!(payment.is_on_its_way(payment.due.plus_days(13)) && !payment.is_on_its_way(payment.due.plus_days(14)));
    assert_eq!(payment.next_look(&[], NOW), Some(NOW.plus_seconds(LOOK_AT_PROCESSING)));
    payment.end(0);
    assert_eq!(payment.todos(), [Todo::Look(1, "cs_1".into())], "nobody can stop it");
    payment.hear(1, paid("ch_1"));
    assert!(matches!(payment.todos()[..], [Todo::Refund(Refund { minor: 495, .. })]));
}

#[test]
fn it_is_asked_less_and_less() {
    let mut payment = payment();
    open(&mut payment, NOW);
    for (age, next) in [(0, 60), (599, 60), (600, 300), (3_599, 300), (3_600, 1_800), (1_000_000, 1_800)] {
        let now = NOW.plus_seconds(age);
        assert_eq!(payment.next_look(&[], now), Some(now.plus_seconds(next)), "{age}");
    }
}

#[test]
fn tries_are_kept_as_they_are() {
    let mut payment = payment();
    open(&mut payment, NOW);
    let text = serde_json::to_value(&payment.checkouts[0]).unwrap();
    assert_eq!((&text["state"], &text["id"]), (&"Open".into(), &"cs_1".into()));
    for heard in [Heard::Processing, Heard::Closed, paid("ch_1")] {
        payment.hear(1, heard);
        let text = serde_json::to_string(&payment).unwrap();
        assert_eq!(serde_json::from_str::<Payment>(&text).unwrap(), payment);
    }
}

#[derive(Debug, Clone)]
enum Happens {
    Lead,
    Wait(i64),
    Says(u32, Heard),
    End(i64),
    Refund(u32, Option<RefundOutcome>),
}

fn any_of_them() -> impl Strategy<Value = Happens> {
    let heard = prop_oneof![Just(Heard::Open), Just(Heard::Processing), Just(paid("ch")), Just(Heard::Closed)];
    let outcome = prop_oneof![
        Just(None),
        Just(Some(RefundOutcome::WentBack)),
        Just(Some(RefundOutcome::OnItsWay)),
        Just(Some(RefundOutcome::Failed)),
    ];
    prop_oneof![
        3 => Just(Happens::Lead),
        1 => prop_oneof![Just(700_i64), Just(90_000)].prop_map(Happens::Wait),
        4 => (1_u32..4, heard).prop_map(|(number, heard)| Happens::Says(number, heard)),
        1 => (0_i64..600).prop_map(Happens::End),
        3 => (1_u32..4, outcome).prop_map(|(number, ends): (u32, Option<RefundOutcome>)| Happens::Refund(number, ends)),
    ]
}

proptest! {
    /// Whatever happens: of each try no more goes back than came, all of what settled nothing, and when nothing is left
    /// to do, what is kept is what was earned.
    #[test]
    fn money_is_kept_or_goes_back(all in prop::collection::vec(any_of_them(), 0..40)) {
        let (mut payment, mut now) = (payment(), NOW);
        for one in all {
            match one {
                Happens::Lead => if let Leads::Asks(asked) = payment.lead(&[], now) {
                    payment.opened(&asked, (format!("cs_{}", asked.number), "https://pay.example".into()));
                },
                Happens::Wait(seconds) => now = now.plus_seconds(seconds),
                Happens::Says(number, heard) => payment.hear(number, heard),
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
            prop_assert_eq!(payment.todos().is_empty(), payment.next_look(&[], now).is_none());
        }
        while let Some(Todo::Refund(refund)) = payment.todos().into_iter().find(|todo| matches!(todo, Todo::Refund(_))) {
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
