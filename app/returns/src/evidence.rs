//! Photos and papers that a consumer or the merchant adds to a return request.
//!
//! The bytes are written before the row that tells of them: there is never a row without its file. A file without a
//! row, after a crash, is in nobody's way; sweeping these up is for later.

use crate::{
    Done, Error, FileKind, IdempotencyKey, Result, Retour, Shopper, Staff, again_on_deadlock,
    change::{Change, Returned},
    consumer::own_order,
    detached,
    idempotency::{Begun, conclude},
    view,
};
use domain::{
    AccountId, EvidenceId, Refusal, RefusalCode, ReturnOrderId, ReturnRequestId,
    returning::{Actor, EvidenceFile, MAX_EVIDENCE, ReturnRequest},
    stage::Move,
};
use outbound::{
    files::FilesError,
    pictures::{self, PictureError},
};
use sha2::{Digest, Sha256};
use store::{Db, evidence, return_orders, return_requests};
use uuid::Uuid;

/// The largest file, bytes.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;
/// The longest name of a file, characters.
const MAX_FILE_NAME_CHARS: usize = 200;

/// A file that somebody sends.
#[derive(Debug, Clone)]
pub struct Upload {
    /// As it is called there; may be empty.
    pub name: String,
    /// What it is said to be.
    pub kind: FileKind,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A file that somebody fetches.
#[derive(Debug, Clone)]
pub struct Download {
    /// As it was called.
    pub name: String,
    /// What it is.
    pub media_type: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Who deals with evidence, and where.
#[derive(Debug, Clone, Copy)]
enum Whose {
    /// The merchant.
    Staff(Staff),
    /// The consumer, within one of their return orders.
    Consumer(Shopper, ReturnOrderId),
}

impl Whose {
    fn account(self) -> AccountId {
        match self {
            Self::Staff(staff) => staff.account(),
            Self::Consumer(shopper, _) => shopper.account,
        }
    }

    /// Whether that request is within reach.
    fn reaches(self, request: &ReturnRequest) -> bool {
        match self {
            Self::Staff(_) => true,
            Self::Consumer(shopper, order) => {
                request.consumer_id == shopper.consumer && request.return_order_id == order
            }
        }
    }

    /// The request, if it is there and within reach.
    async fn request(self, db: Db<'_>, id: ReturnRequestId) -> Result<ReturnRequest> {
        let found = return_requests::find(db, self.account(), id).await?;
        found.filter(|request| self.reaches(request)).ok_or(Error::NotFound)
    }

    fn show(self, file: EvidenceFile) -> view::EvidenceView {
        let shown = view::EvidenceView::from(file);
        match self {
            Self::Staff(_) => shown,
            Self::Consumer(shopper, order) => shown.seen_by_consumer(shopper.consumer, order),
        }
    }
}

/// A file that was written is somebody's soon, or will never be.
const CLAIMED_WITHIN_SECONDS: i64 = 3_600;

impl Retour {
    /// Adds evidence to a request. The same file again is the same evidence; what waits for it goes on to be reviewed.
    pub async fn add_evidence(
        &self,
        staff: &Staff,
        request: ReturnRequestId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let (retour, whose) = (self.clone(), Whose::Staff(*staff));
        detached(async move { retour.take_evidence(whose, request, upload, key).await }).await
    }

    /// Adds evidence to a request of one's own return order.
    pub async fn add_own_evidence(
        &self,
        shopper: &Shopper,
        (order, request): (ReturnOrderId, ReturnRequestId),
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let (retour, whose) = (self.clone(), Whose::Consumer(*shopper, order));
        detached(async move { retour.take_evidence(whose, request, upload, key).await }).await
    }

    /// The evidence of a request, oldest first.
    pub async fn evidence(&self, staff: &Staff, request: ReturnRequestId) -> Result<Vec<view::EvidenceView>> {
        let mut reading = self.store.read().await?;
        let request = Whose::Staff(*staff).request(reading.db(), request).await?;
        Ok(request.evidence.into_iter().map(Into::into).collect())
    }

    /// The evidence of one's own return order, request by request.
    pub async fn own_evidence(&self, shopper: &Shopper, order: ReturnOrderId) -> Result<Vec<view::EvidenceView>> {
        let mut reading = self.store.read().await?;
        own_order(reading.db(), shopper, order).await?;
        let requests = return_requests::list_of_return_orders(reading.db(), shopper.account, &[order]).await?;
        let files = requests.into_iter().flat_map(|request| request.evidence);
        Ok(files.map(|file| Whose::Consumer(*shopper, order).show(file)).collect())
    }

    /// What is in a file.
    pub async fn evidence_file(&self, staff: &Staff, request: ReturnRequestId, id: EvidenceId) -> Result<Download> {
        let mut reading = self.store.read().await?;
        let found = evidence::find(reading.db(), staff.account(), id).await?;
        drop(reading);
        let file = found.filter(|file| file.return_request_id == request).ok_or(Error::NotFound)?;
        self.fetch(staff.account(), file).await
    }

    /// What is in a file of one's own return order.
    pub async fn own_evidence_file(&self, shopper: &Shopper, order: ReturnOrderId, id: EvidenceId) -> Result<Download> {
        let mut reading = self.store.read().await?;
        let file = evidence::find(reading.db(), shopper.account, id).await?.ok_or(Error::NotFound)?;
        Whose::Consumer(*shopper, order).request(reading.db(), file.return_request_id).await?;
        drop(reading);
        self.fetch(shopper.account, file).await
    }

    /// Deletes evidence and its file. The request stays in its stage.
    pub async fn delete_evidence(&self, staff: &Staff, request: ReturnRequestId, id: EvidenceId) -> Result<()> {
        let (retour, account) = (self.clone(), staff.account());
        detached(async move {
            again_on_deadlock(|| retour.forget(account, request, id)).await?;
            retour.delete_file(account, id.0).await
        })
        .await
    }

    /// Deletes files that nothing in the database tells of any more, and those that never came to be anybody's. One that
    /// cannot be deleted is not in the way of those beside it.
    pub(crate) async fn delete_unclaimed_files(&self) -> Result<()> {
        let before = self.now().plus_seconds(-CLAIMED_WITHIN_SECONDS);
        let mut outcome = Ok(());
        while outcome.is_ok() {
            let mut reading = self.store.read().await?;
            let unclaimed = store::files::list_unclaimed(reading.db(), before).await?;
            drop(reading);
            if unclaimed.is_empty() {
                break;
            }
            for (account, id) in unclaimed {
                if let Err(error) = self.delete_file(account, id).await {
                    outcome = Err(error);
                }
            }
        }
        outcome
    }

    /// Deletes a file that is nobody's.
    async fn delete_file(&self, account: AccountId, id: Uuid) -> Result<()> {
        self.on_disk(move |files| files.delete(account, id)).await?;
        let mut writing = self.store.write().await?;
        store::files::claim(writing.db(), account, id).await?;
        Ok(writing.commit().await?)
    }

    async fn forget(&self, account: AccountId, request: ReturnRequestId, id: EvidenceId) -> Result<()> {
        let mut writing = self.store.write().await?;
        let found = return_requests::find(writing.db(), account, request).await?.ok_or(Error::NotFound)?;
        return_orders::lock(writing.db(), account, found.return_order_id).await?;
        let mut request = return_requests::find(writing.db(), account, request).await?.ok_or(Error::Broken)?;
        if !request.evidence.iter().any(|file| file.id == id) {
            return Err(Error::NotFound);
        }
        evidence::delete(writing.db(), account, id).await?;
        request.updated_at = self.now();
        return_requests::update(writing.db(), account, &request).await?;
        Ok(writing.commit().await?)
    }

    async fn fetch(&self, account: AccountId, file: EvidenceFile) -> Result<Download> {
        let id = file.id;
        let bytes = self.on_disk(move |files| files.get(account, id.0)).await?;
        Ok(Download { name: file.name, media_type: file.media_type, bytes })
    }

    async fn take_evidence(
        &self,
        whose: Whose,
        request: ReturnRequestId,
        upload: Upload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let account = whose.account();
        let mut reading = self.store.read().await?;
        if let Some(done) = self.answered(&mut reading, account, key.as_ref()).await? {
            return Ok(done);
        }
        whose.request(reading.db(), request).await?;
        drop(reading);
        let file = self.write_file(whose, request, upload).await?;
        let done = again_on_deadlock(|| self.add_once(whose, &file, key.as_ref())).await;
        // Where the database failed, nobody knows whether the row is there: then the file stays for a while.
        let is_somebodys = matches!(done, Ok(Done::Fresh { status: 201, .. }) | Err(Error::Store(_)));
        if !is_somebodys && let Err(error) = self.delete_file(account, file.id.0).await {
            tracing::warn!(%error, "a file that was refused is still there; it is tried again");
        }
        done
    }

    /// Checks a file, takes the camera's traces out of it, and brings it to disk.
    async fn write_file(&self, whose: Whose, request: ReturnRequestId, upload: Upload) -> Result<EvidenceFile> {
        let Upload { name, kind, bytes } = upload;
        let name = check_name(&name, kind)?;
        let (account, id, created_at) = (whose.account(), EvidenceId(self.source.id()), self.now());
        let actor = match whose {
            Whose::Staff(_) => Actor::Merchant,
            Whose::Consumer(..) => Actor::Consumer,
        };
        // Decoding takes a while: not on a thread that serves requests.
        let clean = tokio::task::spawn_blocking(move || cleaned(kind, bytes)).await.map_err(|_| Error::Broken)??;
        let mut writing = self.store.write().await?;
        store::files::announce(writing.db(), account, id.0, created_at).await?;
        writing.commit().await?;
        let length = i64::try_from(clean.bytes.len()).unwrap_or(i64::MAX);
        self.on_disk(move |files| files.put(account, id.0, &clean.bytes)).await?;
        let (media_type, sha256) = (kind.media_type().to_owned(), clean.sha256);
        Ok(EvidenceFile { id, return_request_id: request, name, media_type, bytes: length, sha256, actor, created_at })
    }

    async fn add_once(
        &self,
        whose: Whose,
        file: &EvidenceFile,
        key: Option<&IdempotencyKey>,
    ) -> Result<Done<view::EvidenceView>> {
        let account = whose.account();
        let mut writing = match self.begin(account, key).await? {
            Begun::New(writing) => writing,
            Begun::Before(done) => return Ok(done),
        };
        let found = whose.request(writing.db(), file.return_request_id).await?;
        let mut returned = Returned::lock(&mut writing, account, found.return_order_id).await?.ok_or(Error::Broken)?;
        let index = returned.requests.iter().position(|request| request.id == found.id).ok_or(Error::Broken)?;
        let request = returned.requests.get_mut(index).ok_or(Error::Broken)?;
        if let Some(known) = request.evidence.iter().find(|known| known.sha256 == file.sha256) {
            let shown = whose.show(known.clone());
            return conclude(writing, account, key, 200, shown).await;
        }
        if request.evidence.len() >= MAX_EVIDENCE {
            let message = format!("A return request has at most {MAX_EVIDENCE} files. Delete one first.");
            return Err(Refusal::new(RefusalCode::LimitReached, message).into());
        }
        let settings = store::accounts::find(writing.db(), account).await?.ok_or(Error::Broken)?;
        let staff = match whose {
            Whose::Staff(staff) => Some(staff.id()),
            Whose::Consumer(..) => None,
        };
        let (now, actor, comment) = (self.now(), file.actor, String::new());
        let change = Change { retour: self, account: &settings, now, actor, staff, comment, parcel: None };
        let step = request.state.apply(&Move::AddEvidence, &change.context())?;
        evidence::insert(writing.db(), account, file).await?;
        request.evidence.push(file.clone());
        change.write_step(&mut writing, &mut returned, (index, step), actor).await?;
        conclude(writing, account, key, 201, whose.show(file.clone())).await
    }

    /// Waits for the disk elsewhere.
    pub(crate) async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(&outbound::files::Files) -> Result<T, FilesError> + Send + 'static,
    ) -> Result<T> {
        let files = self.files.clone();
        Ok(tokio::task::spawn_blocking(move || work(&files)).await.map_err(|_| Error::Broken)??)
    }
}

/// A file without the camera's traces, and the checksum of what was sent.
struct Cleaned {
    bytes: Vec<u8>,
    sha256: Vec<u8>,
}

fn cleaned(kind: FileKind, bytes: Vec<u8>) -> Result<Cleaned> {
    check_bytes(kind, &bytes)?;
    let sha256 = Sha256::digest(&bytes).to_vec();
    let bytes = pictures::without_traces(kind, bytes).map_err(|error| {
        let code = match error {
            PictureError::Broken => RefusalCode::NotAllowed,
            PictureError::TooManyPixels => RefusalCode::OutOfRange,
        };
        Error::invalid("file", code, error.to_string())
    })?;
    Ok(Cleaned { bytes, sha256 })
}

fn check_bytes(kind: FileKind, bytes: &[u8]) -> Result<()> {
    if bytes.is_empty() || bytes.len() > MAX_FILE_BYTES {
        let message = format!("expected 1 to {MAX_FILE_BYTES} bytes");
        return Err(Error::invalid("file", RefusalCode::OutOfRange, message));
    }
    if FileKind::of_bytes(bytes) != Some(kind) {
        let message = format!("the file is not what its Content-Type says: expected {}", kind.media_type());
        return Err(Error::invalid("file", RefusalCode::Mismatch, message));
    }
    Ok(())
}

/// The last part of a path, as people wrote it, without what cannot be seen: a name to show, never one to open by.
fn check_name(name: &str, kind: FileKind) -> Result<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let hidden = |c: char| {
        c.is_control() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = last.chars().filter(|&c| !hidden(c)).collect();
    let name = name.trim();
    if name.chars().count() > MAX_FILE_NAME_CHARS {
        let message = format!("expected at most {MAX_FILE_NAME_CHARS} characters");
        return Err(Error::invalid("filename", RefusalCode::OutOfRange, message));
    }
    if name.is_empty() || name.chars().all(|c| c == '.') {
        return Ok(format!("evidence.{}", kind.extension()));
    }
    Ok(name.to_owned())
}
