//! The names of the people and API keys that the log names by their ids.

use crate::words::Words;
use domain::audit::AuditActorKind;
use returns::{Error, Listing, MAX_LIMIT, Page, Retour, Staff, view};
use std::collections::BTreeMap;
use ui::text::format;
use uuid::Uuid;

/// The people and keys of an account by their ids.
#[derive(Debug, Default)]
pub(super) struct Actors(BTreeMap<Uuid, String>);

impl Actors {
    /// All users and service users of the account. Somebody who may not read them sees ids.
    pub async fn load(retour: &Retour, staff: &Staff, words: &Words) -> Result<Self, Error> {
        let mut names = BTreeMap::new();
        if !staff.may(returns::Scope::Admin) {
            return Ok(Self(names));
        }
        let mut page = Some(Page::first(MAX_LIMIT));
        while let Some(here) = page {
            let list = retour.merchant(staff).users(&Listing::newest(here)).await?;
            page = list.next_page.map(|next| Page::at(Some(next), MAX_LIMIT));
            names.extend(list.data.into_iter().map(|user| (user.id.0, name_of(&user))));
        }
        let mut page = Some(Page::first(MAX_LIMIT));
        while let Some(here) = page {
            let list = retour.merchant(staff).service_users(&Listing::newest(here)).await?;
            page = list.next_page.map(|next| Page::at(Some(next), MAX_LIMIT));
            names.extend(list.data.into_iter().map(|key| (key.id.0, format(words.audit.key, &[&key.name]))));
        }
        Ok(Self(names))
    }

    /// The name of who made an entry.
    pub fn name(&self, entry: &view::AuditEntry, words: &Words) -> String {
        match (entry.actor, entry.actor_id) {
            (AuditActorKind::Operator, _) => words.audit.operator.to_owned(),
            (AuditActorKind::Shop, _) => words.audit.shop.to_owned(),
            (AuditActorKind::User | AuditActorKind::ServiceUser, Some(id)) => match self.0.get(&id) {
                Some(name) => name.clone(),
                None => words.audit.unknown.to_owned(),
            },
            (AuditActorKind::Nobody | AuditActorKind::User | AuditActorKind::ServiceUser, _) => {
                words.audit.nobody.to_owned()
            }
        }
    }

    /// The name of this user or key, if it is known.
    pub fn known(&self, id: &str) -> Option<&str> {
        self.0.get(&Uuid::try_parse(id).ok()?).map(String::as_str)
    }

    /// All of them, by name, for a filter.
    pub fn options(&self) -> Vec<(String, String)> {
        let mut all: Vec<(String, String)> = self.0.iter().map(|(id, name)| (id.to_string(), name.clone())).collect();
        all.sort_by(|one, other| one.1.cmp(&other.1));
        all
    }
}

fn name_of(user: &view::User) -> String {
    if user.name.is_empty() { user.email.clone() } else { user.name.clone() }
}
