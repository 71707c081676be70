//! A table of texts, declared together with its English edition.

/// Declares a table of texts together with its English edition: each text stands once, beside its name. A table may hold
/// another one `with` it. The crate that declares a table needs a feature `ssr`.
#[macro_export]
macro_rules! word_table {
    (
        $(#[$doc:meta])* $name:ident = $edition:ident
        $(with { $(#[$held_doc:meta])* $held:ident: $kind:ty = $value:expr })?
        { $($field:ident: $text:literal,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name {
            $($(#[$held_doc])* pub $held: $kind,)?
            $(#[doc = $text] pub $field: &'static str,)+
        }

        impl $name {
            /// The names of all texts, in the order of declaration.
            #[cfg(feature = "ssr")]
            pub const NAMES: &'static [&'static str] = &[$(stringify!($field),)+];

            /// All texts, in the order of declaration.
            pub fn texts(&self) -> Vec<&'static str> {
                vec![$(self.$field,)+]
            }

            /// A table of these texts, in the same order. Missing texts are empty.
            pub fn of_texts($($held: $kind,)? mut texts: impl Iterator<Item = &'static str>) -> Self {
                Self { $($held,)? $($field: texts.next().unwrap_or_default(),)+ }
            }
        }

        /// English.
        pub static $edition: $name = $name { $($held: $value,)? $($field: $text,)+ };
    };
}
