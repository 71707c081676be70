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
