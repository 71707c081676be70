//! English, and with it which tables a language has.

/// Declares [`Words`] with a field for each table, and its English edition.
macro_rules! words {
    ($($(#[$doc:meta])* $field:ident: $table:ident,)+) => {
        $(pub use super::$field::$table;)+

        /// The texts of all pages in one language.
        #[derive(Debug)]
        pub struct Words {
            $($(#[$doc])* pub $field: &'static $table,)+
        }

        /// English.
        pub static EN: Words = Words { $($field: &super::$field::EN,)+ };

        impl Words {
            /// The same words with each text changed, by its name and text. They stay for as long as the program runs.
            pub(super) fn changed(&self, change: impl Fn(&str, &'static str) -> &'static str) -> Self {
                Self {
                    $($field: Box::leak(Box::new($table::of_texts(
                        $table::NAMES.iter().copied().zip(self.$field.texts()).map(|(name, text)| change(name, text)),
                    ))),)+
                }
            }
        }

        #[cfg(test)]
        impl Words {
            /// All texts with their names, such as `common.save`.
            pub fn named(&self) -> Vec<(String, &'static str)> {
                let mut all = Vec::new();
                $(all.extend($table::NAMES.iter().zip(self.$field.texts()).map(|(name, text)| {
                    (format!("{}.{name}", stringify!($field)), text)
                }));)+
                all
            }
        }
    };
}

words! {
    /// What all pages share.
    common: Common,
    /// The names of the stages.
    stages: Stages,
    /// The names of states and kinds.
    names: Names,
    /// The names of the queues.
    queues: Queues,
    /// Why something is refused.
    refusals: Refusals,
    // One for each page, in alphabetical order.
    audit: Audit,
    audit_actions: AuditActions,
    bulk: Bulk,
    connections: Connections,
    found: Found,
    /// Of mails to users.
    mail: Mail,
    me: Me,
    new_return: NewReturn,
    orders: Orders,
    people: People,
    return_order: ReturnOrder,
    returns: Returns,
    scan: Scan,
    search: Search,
    sign_in: SignIn,
    today: Today,
    withdrawals: Withdrawals,
}
