//! Enums whose values are words in JSON and SQL.

/// Reads an enum from JSON strings only. The code that Serde derives also accepts `{"Word": null}`, and its error for
/// numbers and `null` calls them invalid JSON.
///
/// Each enum needs `#[serde(remote = "Itself")]`: Serde then derives plain functions in place of the traits, and this
/// macro writes the traits.
#[macro_export]
macro_rules! string_enum {
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

/// Gives an enum its names in JSON and SQL: `ALL`, `name` and `from_name`. A name is that of the variant, unless another
/// one is given.
macro_rules! enum_names {
    (@name $variant:ident) => { stringify!($variant) };
    (@name $variant:ident $name:literal) => { $name };
    ($enum:ident { $($variant:ident $(= $name:literal)?),+ $(,)? }) => {
        impl $enum {
            /// All values.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => enum_names!(@name $variant $($name)?),)+
                }
            }

            /// The value with that name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}

/// An enum whose names in JSON and SQL are those of its variants.
macro_rules! named_enum {
    ($($(#[$doc:meta])* $status:ident { $($(#[$word_doc:meta])* $word:ident,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        pub enum $status {
            $($(#[$word_doc])* $word,)+
        }

        impl $status {
            /// All values.
            pub const fn all() -> &'static [Self] {
                &[$(Self::$word),+]
            }

            /// The name in JSON and SQL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$word => stringify!($word),)+
                }
            }

            /// The value with that name.
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
