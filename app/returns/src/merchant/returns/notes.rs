//! Notes of staff about return orders. Consumers never see them.

use crate::{
    base::{
        Begun, Done, Error, IdempotencyKey, Result, Retour, Staff, again_on_deadlock, conclude, detached,
        error::check,
        guessing::{is_repeated, of_today},
    },
    merchant::{
        handle::MerchantHandle,
        returns::{actors, mentions::mentioned},
        version::check_version,
    },
    returning::worked::record_work,
    view::{self, to_value},
};
use domain::{
    EventId, NoteId, Problems, Refusal, RefusalCode, ReturnOrderId, UserId, mail::StaffNotice, webhook::EventType,
};
use schemars::JsonSchema;
use serde::Deserialize;
use store::{
    Writing,
    events::Event,
    return_order_notes::{self, Note},
    return_orders, users,
};

const MAX_NOTE_CHARS: usize = 4_000;
/// The most notes about one return order: a loop of a program must not fill the page.
const MAX_NOTES: i64 = 500;
/// How long the author may change a note, in seconds. Afterwards others may have acted on it.
const CHANGEABLE_SECONDS: i64 = 600;
/// Further mentions about the same return within so many seconds mail a user once.
const MENTION_SECONDS: i64 = 600;
/// The most mails a day that a user gets because one author mentions them.
const MENTIONS_A_DAY: i64 = 50;

/// A note about a return order.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "NoteInput")]
pub struct NoteInput {
    /// The text: 1 to 4,000 characters; several lines are allowed.
    #[schemars(length(min = 1, max = 4000))]
    pub text: String,
}

impl NoteInput {
    pub(super) fn checked(self) -> Result<String> {
        let text = self.text.trim().to_owned();
        let mut problems = Problems::default();
        problems.check_text("text", &text.replace(['\n', '\r', '\t'], " "), 1..=MAX_NOTE_CHARS);
        check(problems)?;
        Ok(text)
    }
}

/// Whether the users that a note mentions get a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mentions {
    Mailed,
    Silent,
}

impl MerchantHandle<'_> {
    /// Adds a note to a return order.
    pub async fn add_note(
        self,
        order: ReturnOrderId,
        input: NoteInput,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::NoteView>> {
        let (retour, staff, text) = (self.retour.clone(), self.staff, input.checked()?);
        detached(async move {
            again_on_deadlock(|| retour.add_note_once(staff, order, &text, Mentions::Mailed, key.as_ref())).await
        })
        .await
    }

    /// Changes a note. Only its author may, for ten minutes. `version`: the version that the caller has seen.
    pub async fn change_note(
        self,
        order: ReturnOrderId,
        id: NoteId,
        input: NoteInput,
        version: Option<i64>,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::NoteView>> {
        let (retour, staff, text) = (self.retour.clone(), self.staff, input.checked()?);
        detached(async move {
            again_on_deadlock(|| async {
                let account = staff.account();
                let mut writing = match retour.begin(account, key.as_ref()).await? {
                    Begun::New(writing) => writing,
                    Begun::Before(done) => return Ok(done),
                };
                let number = return_orders::lock(writing.db(), account, order).await?.ok_or(Error::NotFound)?.number;
                let found = return_order_notes::find(writing.db(), account, id).await?;
                let mut note = found.filter(|note| note.return_order_id == order).ok_or(Error::NotFound)?;
                check_version(version, note.version)?;
                retour.check_changeable(&staff, &note)?;
                if note.text != text {
                    retour.tell_mentioned(&mut writing, &staff, &number, (&note.text, &text)).await?;
                    (note.text, note.updated_at) = (text.clone(), retour.now());
                    if !return_order_notes::update(writing.db(), account, &note).await? {
                        return Err(Error::broken()); // cannot happen: the return order is locked
                    }
                    note.version += 1;
                }
                conclude(writing, account, key.as_ref(), 200, note.into()).await
            })
            .await
        })
        .await
    }

    /// The notes about a return order, oldest first.
    pub async fn notes(self, order: ReturnOrderId) -> Result<Vec<view::NoteView>> {
        let mut reading = self.retour.store.read().await?;
        let account = self.staff.account();
        return_orders::find(reading.db(), account, order).await?.ok_or(Error::NotFound)?;
        let notes = return_order_notes::list_of_return_order(reading.db(), account, order).await?;
        Ok(notes.into_iter().map(Into::into).collect())
    }
}

impl Retour {
    pub(super) async fn add_note_once(
        &self,
        staff: Staff,
        id: ReturnOrderId,
        text: &str,
        mentions: Mentions,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::NoteView>> {
        let account = staff.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        // The order of events of a return order is that of its locks.
        let order = return_orders::lock(writing.db(), account, id).await?.ok_or(Error::NotFound)?;
        if return_order_notes::count_of_return_order(writing.db(), account, id).await? >= MAX_NOTES {
            let message = format!("A return order can have {MAX_NOTES} notes.");
            return Err(Refusal::new(RefusalCode::LimitReached, message).into());
        }
        let now = self.now();
        let note = Note {
            id: NoteId(self.source.id()),
            return_order_id: id,
            author_id: staff.actor_id(),
            text: text.to_owned(),
            created_at: now,
            updated_at: now,
            version: 1,
        };
        return_order_notes::insert(writing.db(), account, &note).await?;
        if mentions == Mentions::Mailed {
            self.tell_mentioned(&mut writing, &staff, &order.number, ("", text)).await?;
        }
        record_work(&mut writing, &staff, id, now).await?;
        let shown = view::NoteView::from(note);
        let data = view::NoteEventData { note: shown.clone(), return_order_number: order.number };
        writing.publish(Event {
            id: EventId(self.source.id()),
            account_id: account,
            kind: EventType::NoteAdded,
            stage: None,
            return_order_id: id,
            data: to_value(&data)?.to_string(),
            created_at: now,
        });
        conclude(writing, account, key, 201, shown).await
    }

    /// Queues a mail to each user that a note mentions now and did not before. Its author gets none.
    async fn tell_mentioned(
        &self,
        writing: &mut Writing,
        staff: &Staff,
        return_number: &str,
        (before, text): (&str, &str),
    ) -> Result<()> {
        if self.config.mailer.is_none() || !text.contains('@') {
            return Ok(());
        }
        let account = staff.account();
        let users = users::called(writing.db(), account).await?;
        let known = mentioned(before, &users);
        let author = staff.actor_id();
        let new: Vec<UserId> =
            mentioned(text, &users).into_iter().filter(|id| !known.contains(id) && Some(id.0) != author).collect();
        if new.is_empty() {
            return Ok(());
        }
        let named = actors::names(writing.db(), account, author.as_slice()).await?;
        let by = author.and_then(|id| named.get(&id).cloned()).unwrap_or_default();
        for user in new {
            if !self.may_mail_mention(writing, staff, user, return_number).await? {
                continue;
            }
            let notice = StaffNotice::Mentioned { return_number: return_number.to_owned(), by: by.clone() };
            self.notify_user(writing, account, user, notice).await?;
        }
        Ok(())
    }

    /// Whether a user gets a mail because of a mention: one about each return in ten minutes, and a number of them a day
    /// from each author. So nobody floods a colleague or uses up the mails of others, and a mail leads to all notes anyway.
    async fn may_mail_mention(
        &self,
        writing: &mut Writing,
        staff: &Staff,
        user: UserId,
        return_number: &str,
    ) -> Result<bool> {
        let (whose, to, now) = (staff.account().to_string(), user.to_string(), self.now());
        let by = staff.actor_id().map(|id| id.to_string()).unwrap_or_default();
        let about = ["mention", &whose, &to, return_number];
        if is_repeated(writing, &about, MENTION_SECONDS, now).await? {
            return Ok(false);
        }
        Ok(of_today(writing, &["mentions", &whose, &by, &to], MENTIONS_A_DAY, now).await?.is_none())
    }

    fn check_changeable(&self, staff: &Staff, note: &Note) -> Result<()> {
        if note.author_id != staff.actor_id() {
            return Err(Error::Forbidden("only the author of a note may change it".to_owned()));
        }
        if self.now() > note.created_at.plus_seconds(CHANGEABLE_SECONDS) {
            let message = "A note can be changed for ten minutes. Write another note.";
            return Err(Refusal::new(RefusalCode::TooLate, message).into());
        }
        Ok(())
    }
}
