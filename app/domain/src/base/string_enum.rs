//! Closed sets of words in JSON.

/// Reads words from JSON strings alone. What Serde derives for an enum would also take `{"Word": null}`, and says of
/// numbers and `null` that they are no JSON.
///
/// Each has `#[serde(remote = "Itself")]`: then Serde derives plain functions in place of the traits, and the traits
/// are written here.
#[macro_export]
macro_rules! words {
    ($($word:ident),+ $(,)?) => {$(
        impl<'de> ::serde::Deserialize<'de> for $word {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::std::result::Result<Self, D::Error> {
                let name = ::std::borrow::Cow::<str>::deserialize(deserializer)?;
                $word::deserialize(::serde::de::value::CowStrDeserializer::new(name))
            }
        }

        impl ::serde::Serialize for $word {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                $word::serialize(self, serializer)
            }
        }
    )+};
}

/// A closed set of words: its names in JSON and SQL are those of the variants.
macro_rules! named_enum {
    ($($(#[$doc:meta])* $status:ident { $($(#[$word_doc:meta])* $word:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        pub enum $status {
            $($(#[$word_doc])* $word,)+
        }

        impl $status {
            /// Every one of them.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$word),+]
            }

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$word => stringify!($word),)+
                }
            }

            /// The one of that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::all().iter().copied().find(|one| one.name() == name)
            }
        }

        impl std::fmt::Display for $status {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    )+};
}
