//! Who a note mentions: `@name`.

use domain::UserId;
use store::users::Called;

/// The users that a text mentions, each once. `@` begins a word; their full name follows, or their first name or the part of their
/// e-mail address before `@` if nobody else has the same. Of several that fit, the longest counts.
pub(super) fn mentioned(text: &str, users: &[Called]) -> Vec<UserId> {
    let handles = handles(users);
    let mut found = Vec::new();
    let lower = text.to_lowercase();
    for (at, _) in lower.match_indices('@') {
        let (before, after) = lower.split_at(at);
        let after = after.strip_prefix('@').unwrap_or_default();
        if before.chars().next_back().is_some_and(char::is_alphanumeric) {
            continue; // an e-mail address
        }
        let fits = |handle: &str| {
            after.strip_prefix(handle).is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric))
        };
        let longest = handles.iter().filter(|(handle, _)| fits(handle)).map(|(handle, _)| handle.len()).max();
        let them = handles.iter().filter(|(handle, _)| Some(handle.len()) == longest && fits(handle));
        for (_, id) in them {
            if !found.contains(id) {
                found.push(*id);
            }
        }
    }
    found
}

/// What users are called, in lower case.
fn handles(users: &[Called]) -> Vec<(String, UserId)> {
    let full = users.iter().map(|user| (user.name.to_lowercase(), user.id));
    let mut all: Vec<(String, UserId)> = full.filter(|(name, _)| !name.is_empty()).collect();
    let short = |user: &Called| {
        let first = user.name.split_whitespace().next().unwrap_or_default().to_lowercase();
        let mut short = vec![first, user.email.split('@').next().unwrap_or_default().to_lowercase()];
        short.dedup();
        short.into_iter().filter(|name| !name.is_empty()).map(|name| (name, user.id)).collect::<Vec<_>>()
    };
    let short: Vec<(String, UserId)> = users.iter().flat_map(short).collect();
    let is_taken =
        |name: &str, id: UserId| short.iter().chain(&all).any(|(other, whose)| other == name && *whose != id);
    let own: Vec<_> = short.iter().filter(|(name, id)| !is_taken(name, *id)).cloned().collect();
    all.extend(own);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn names_are_found_as_people_write_them() {
        let user = |number: u128, name: &str, email: &str| Called {
            id: UserId(Uuid::from_u128(number)),
            name: name.to_owned(),
            email: email.to_owned(),
        };
        let users = [
            user(1, "Ada Lund", "ada@shop.example"),
            user(2, "Ada", "lovelace@shop.example"),
            user(3, "Björn Ek", "b.ek@shop.example"),
            user(4, "", "kim@shop.example"),
            user(5, "Kim Ono", "kim.ono@shop.example"),
        ];
        for (text, expected) in [
            ("@Ada Lund, please look", &[1][..]),
            ("please ask @ada.", &[2]),
            ("(@BJÖRN) and @b.ek again", &[3]),
            ("@Lovelace @Björn Ek", &[2, 3]),
            ("@kim: two people are called so", &[]),
            ("@Kim Ono", &[5]),
            ("write to x@ada, or ada@shop.example", &[]),
            ("@Adamant", &[]),
            ("@", &[]),
        ] {
            let found: Vec<u128> = mentioned(text, &users).iter().map(|id| id.0.as_u128()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
