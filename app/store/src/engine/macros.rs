//! One SQL text for both databases, under a name.

/// Names the SQL texts of a module and lists them, so that a test can prepare each on both databases. Begins with the
/// module's name as other crates see it: `statements! { in orders; FIND = "…"; }` lists `store::orders::FIND`.
macro_rules! statements {
    (in $module:ident; $($(#[$doc:meta])* $name:ident = $sql:expr;)+) => {
        $($(#[$doc])* const $name: &str = $sql;)+
        /// Name and text of every statement in this module.
        pub(crate) const STATEMENTS: &[(&str, &str)] =
            &[$((concat!("store::", stringify!($module), "::", stringify!($name)), $name)),+];
    };
}

/// Runs a query that returns no rows; the number of rows that it changed.
macro_rules! execute {
    ($db:expr, $query:expr) => {
        on!(&mut $db, connection => $query.execute(&mut **connection).await?.rows_affected())
    };
}
