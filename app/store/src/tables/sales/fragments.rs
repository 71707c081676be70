//! Conditions and sums over orders and purchases that several statements share.
//!
//! These are macros rather than views or columns: a statement has to name the tables in the order in which SQLite
//! should read them (`CROSS JOIN`), and programs of the previous version use the same tables.

/// Two reports of one sale carry order dates of at most 48 hours apart, in microseconds.
macro_rules! twin_interval {
    () => {
        "172800000000"
    };
}

/// Whether order `t` may be the same sale as order `o`, reported by another shop under other ids: it has the same
/// number, and the same buyer or nearly the same date. Two shops may give one number to two different sales.
macro_rules! is_twin {
    () => {
        concat!(
            "t.account_id = o.account_id AND t.number_key = o.number_key AND t.shop <> o.shop \
         AND (t.email_key = o.email_key OR t.email_key = '' OR o.email_key = '' \
         OR (t.ordered_at - o.ordered_at < ",
            twin_interval!(),
            " AND o.ordered_at - t.ordered_at < ",
            twin_interval!(),
            "))"
        )
    };
}

/// Units of `purchases p` that the shop refunded on its own, for no return of ours. The shop may have taken some of
/// that back.
macro_rules! refunded_apart {
    () => {
        "CASE WHEN p.refunded_apart < p.shop_refunded THEN p.refunded_apart ELSE p.shop_refunded END"
    };
}

/// Units of `purchases p` that are in returns or that the shop refunded. The units that it reports as refunded may be
/// those in returns.
macro_rules! gone {
    () => {
        gone!("p.taken")
    };
    // With another number of units in returns.
    ($taken:literal) => {
        concat!(
            "CASE WHEN ",
            $taken,
            " + ",
            refunded_apart!(),
            " < p.shop_refunded THEN p.shop_refunded ELSE ",
            $taken,
            " + ",
            refunded_apart!(),
            " END"
        )
    };
}

/// Units that the shop refunded: as it reports, and at least those that it refunded on its own plus those that we
/// settled.
macro_rules! shop_refunded {
    () => {
        concat!(
            "CASE WHEN p.settled + ",
            refunded_apart!(),
            " < p.shop_refunded THEN p.shop_refunded ELSE p.settled + ",
            refunded_apart!(),
            " END AS shop_refunded"
        )
    };
}
