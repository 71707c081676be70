//! Photos and documents of returns: who may add, see and delete them, how many there may be, and which stage follows.

use crate::shop::{Customer, NOW, Shop, fresh, refusal};
use domain::{
    Percent, RefusalCode, ReturnOrderId, ReturnReasonId, ReturnRequestId, Translated,
    party::Actor,
    policy::{Policy, reason::EvidenceRule},
    stage::StageName as N,
};
use returns::{
    Done, Error, ErrorCode, Expand, FileKind, Files, IdempotencyKey, MAX_FILE_BYTES, NewReturnReason, S3Settings,
    Upload, view,
};
use std::sync::Arc;
use store::testing::Database;
use tokio::{sync::Barrier, task::JoinSet};

pub fn paper(number: usize) -> Upload {
    Upload { name: format!("paper {number}.pdf"), kind: FileKind::Pdf, bytes: format!("%PDF-1.7 {number}").into() }
}

/// A photo of a dot, with the GPS position where it was taken.
pub fn photo() -> Upload {
    let mut bytes = b"\xFF\xD8\xFF\xE1\x00\x10Exif\0\0GPS 52.37".to_vec();
    bytes.truncate(4 + 16);
    bytes.extend(
        b"\xFF\xC0\x00\x0B\x08\x00\x01\x00\x01\x01\x01\x11\x00\xFF\xDA\x00\x08\x01\x01\x00\x00\x3F\x00\x01\xFF\xD9",
    );
    Upload { name: "IMG_1.JPG".to_owned(), kind: FileKind::Jpeg, bytes }
}

/// A reason that requires evidence.
pub async fn broken(shop: &Shop) -> ReturnReasonId {
    reason(shop, EvidenceRule::Required).await
}

/// A reason with this evidence rule.
pub async fn reason(shop: &Shop, evidence: EvidenceRule) -> ReturnReasonId {
    let new = NewReturnReason {
        description: Translated::en("Broken"),
        parent_id: None,
        position: None,
        evidence: Some(evidence),
        review: false,
        fault: None,
        restocking_fee_percent: Percent::default(),
        allowed_resolutions: Vec::new(),
        questions: Vec::new(),
    };
    fresh(shop.retour.merchant(&shop.staff).create_return_reason(new, None).await.unwrap(), 201).id
}

/// A return whose reason requires evidence.
async fn pending(shop: &Shop, customer: &Customer) -> (ReturnOrderId, ReturnRequestId) {
    let mut selections = customer.choose(&[(0, 1)]).await;
    selections[0].return_reason_id = Some(broken(shop).await);
    let draft = fresh(customer.try_draft(selections, None).await.unwrap(), 201).id;
    let order = fresh(customer.submit(draft).await.unwrap(), 201).id;
    (order, request_of(shop, order).await.id)
}

async fn request_of(shop: &Shop, order: ReturnOrderId) -> view::ReturnRequestView {
    let order = shop.retour.merchant(&shop.staff).return_order(order, &[Expand::ReturnRequests]).await.unwrap();
    order.return_requests.unwrap().remove(0)
}

impl Shop {
    async fn add(&self, id: ReturnRequestId, upload: Upload) -> Result<Done<view::EvidenceView>, Error> {
        self.retour.merchant(&self.staff).add_evidence(id, upload, None).await
    }
}

impl Customer {
    async fn add(
        &self,
        (order, request): (ReturnOrderId, ReturnRequestId),
        upload: Upload,
    ) -> Result<Done<view::EvidenceView>, Error> {
        self.retour.consumer(&self.shopper).add_evidence(order, request, upload, None).await
    }
}

store::on_each_database! {
    async fn a_request_that_waits_for_evidence_continues_to_review(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let (order, id) = pending(&shop, &customer).await;
        let before = request_of(&shop, order).await;
        assert_eq!((before.stage, before.evidence.len()), (N::RequestedEvidencePending, 0));
        let added = fresh(customer.add((order, id), photo()).await.unwrap(), 201);
        assert_eq!((added.name.as_str(), added.media_type.as_str(), added.added_by), ("IMG_1.JPG", "image/jpeg", Actor::Consumer));
        let after = request_of(&shop, order).await;
        assert_eq!((after.stage, after.version, after.evidence.len()), (N::RequestedReview, before.version + 1, 1));
        let entries = shop.retour.merchant(&shop.staff).timeline(id).await.unwrap();
        assert_eq!((entries[1].actor, entries[1].to_stage), (Actor::Consumer, N::RequestedReview));
        let stage_events = database.texts("SELECT data FROM events WHERE data LIKE '%Requested: Review%' ORDER BY seq").await;
        assert!(stage_events.last().unwrap().contains(&added.id.to_string()), "the event contains the evidence: {stage_events:?}");

        let file = shop.retour.merchant(&shop.staff).evidence_file(id, added.id).await.unwrap();
        assert!(!file.bytes.windows(3).any(|window| window == b"GPS"), "the GPS position is removed");
        assert_eq!(i64::try_from(file.bytes.len()).unwrap(), added.bytes);
        let own = customer.retour.consumer(&customer.shopper).evidence_file(order, added.id).await.unwrap();
        assert_eq!(own.bytes, file.bytes);
        assert!(added.url.starts_with(&format!("/consumer/{}/", customer.shopper.consumer)), "{}", added.url);
        assert_eq!(after.evidence[0].url, format!("/api/v0/return-requests/{id}/evidence/{}", added.id));
    }

    async fn a_process_killed_between_database_and_disk_leaves_no_file(database: Database) {
        let mut shop = Shop::open(&database).await;
        let (folder, account) = (tempfile::tempdir().unwrap(), shop.account.id);
        let files = Files::open(&format!("file://{}", folder.path().display()), &S3Settings::default()).unwrap();
        shop.retour = shop.retour.clone().configured(|config| config.files = Some(files.clone()));
        let mut customer = shop.sell("1001", &[(1, 1000)]).await;
        customer.retour = shop.retour.clone();
        let (order, id) = pending(&shop, &customer).await;
        let kept = fresh(customer.add((order, id), paper(1)).await.unwrap(), 201).id;
        let deleted = fresh(customer.add((order, id), paper(2)).await.unwrap(), 201).id;
        assert_eq!(database.rows("unclaimed_files").await, 0, "both files are claimed");

        // One process was killed after it deleted its evidence, one before it wrote its evidence.
        let written = uuid::Uuid::from_u128(7);
        let mut writing = database.store.write().await.unwrap();
        store::evidence::delete(writing.db(), account, deleted).await.unwrap();
        store::files::announce(writing.db(), account, written, NOW).await.unwrap();
        writing.commit().await.unwrap();
        files.put(account, written, "%PDF-1.7").await.unwrap();

        shop.retour.operator().prune().await.unwrap();
        let are_there = async || {
            let mut there = [false; 3];
            for (there, id) in there.iter_mut().zip([kept.0, deleted.0, written]) {
                *there = files.exists(account, id).await.unwrap();
            }
            there
        };
        assert_eq!(are_there().await, [true, false, true], "a file that was just written may still be claimed");
        shop.source.set(NOW.plus_seconds(3_601));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!((are_there().await, database.rows("unclaimed_files").await), ([true, false, false], 0));
    }

    async fn the_same_file_is_the_same_evidence(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(2, 1000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = request_of(&shop, order).await.id;
        let first = fresh(customer.add((order, id), photo()).await.unwrap(), 201);
        let renamed = Upload { name: "again.jpg".to_owned(), ..photo() };
        assert_eq!(fresh(shop.add(id, renamed).await.unwrap(), 200).id, first.id);
        assert_eq!(request_of(&shop, order).await.version, 2, "version 1 is the creation, version 2 the evidence");
        let mut tasks = JoinSet::new();
        for _ in 0..5 {
            let customer = customer.clone();
            tasks.spawn(async move { customer.add((order, id), paper(1)).await.unwrap() });
        }
        let mut statuses: Vec<u16> = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let Done::Fresh { status, .. } = done.unwrap() else { panic!("expected a fresh result: no key was sent") };
            statuses.push(status);
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 200, 201]);
        // For another return, the file is new evidence.
        let other = customer.send_back(&[(0, 1)]).await.id;
        let other_id = request_of(&shop, other).await.id;
        fresh(customer.add((other, other_id), photo()).await.unwrap(), 201);
        assert_eq!(database.rows("evidence").await, 3);
    }

    async fn a_key_returns_the_first_answer_again(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = request_of(&shop, order).await.id;
        let key = |print| Some(IdempotencyKey { credential: "me".into(), key: "1".into(), fingerprint: vec![print] });
        let send = async |number, print| shop.retour.merchant(&shop.staff).add_evidence(id, paper(number), key(print)).await;
        let first = fresh(send(1, 1).await.unwrap(), 201);
        assert!(matches!(send(1, 1).await.unwrap(), Done::Replayed(answer) if answer.status == 201));
        assert_eq!(refusal(send(2, 2).await), ErrorCode::IdempotencyKeyReused);
        shop.retour.merchant(&shop.staff).delete_evidence(id, first.id).await.unwrap();
        assert!(matches!(send(1, 1).await.unwrap(), Done::Replayed(_)), "the first answer is returned again");
        assert_eq!(database.rows("evidence").await, 0);
    }

    async fn simultaneous_uploads_stop_at_ten_files(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = request_of(&shop, order).await.id;
        let (mut tasks, barrier) = (JoinSet::new(), Arc::new(Barrier::new(16)));
        for number in 0..16 {
            let (customer, barrier) = (customer.clone(), barrier.clone());
            tasks.spawn(async move {
                barrier.wait().await;
                customer.add((order, id), paper(number)).await
            });
        }
        let mut refused = 0;
        while let Some(outcome) = tasks.join_next().await {
            match outcome.unwrap() {
                Ok(done) => drop(fresh(done, 201)),
                Err(error) => {
                    assert_eq!(error.code(), ErrorCode::Refused(RefusalCode::LimitReached));
                    refused += 1;
                }
            }
        }
        let kept = shop.retour.merchant(&shop.staff).evidence(id).await.unwrap();
        assert_eq!((refused, kept.len(), database.rows("evidence").await), (6, 10, 10));
        shop.retour.merchant(&shop.staff).delete_evidence(id, kept[0].id).await.unwrap();
        fresh(shop.add(id, paper(99)).await.unwrap(), 201);
    }

    async fn other_consumers_and_accounts_cannot_reach_evidence(database: Database) {
        let shop = Shop::open(&database).await;
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let (ada, ben) = (shop.sell("1001", &[(2, 1000)]).await, shop.sell("1002", &[(1, 1000)]).await);
        let (order, bens) = (ada.send_back(&[(0, 1)]).await.id, ben.send_back(&[(0, 1)]).await.id);
        let second = ada.send_back(&[(0, 1)]).await.id;
        let (id, bens_id, second_id) =
            (request_of(&shop, order).await.id, request_of(&shop, bens).await.id, request_of(&shop, second).await.id);
        let file = fresh(ada.add((order, id), paper(1)).await.unwrap(), 201).id;
        let retour = &shop.retour;

        let not_found = ErrorCode::NotFound;
        assert_eq!(refusal(ben.add((order, id), paper(2)).await), not_found);
        assert_eq!(refusal(ben.add((bens, id), paper(2)).await), not_found, "ada's request under ben's return");
        assert_eq!(refusal(ada.add((second, id), paper(2)).await), not_found, "a request of another return");
        assert_eq!(refusal(retour.consumer(&ben.shopper).evidence(order).await), not_found);
        assert_eq!(refusal(retour.consumer(&ben.shopper).evidence_file(order, file).await), not_found);
        assert_eq!(refusal(retour.consumer(&ben.shopper).evidence_file(bens, file).await), not_found);
        assert_eq!(refusal(retour.consumer(&ada.shopper).evidence_file(second, file).await), not_found);
        assert!(retour.consumer(&ben.shopper).evidence(bens).await.unwrap().is_empty());

        assert_eq!(refusal(retour.merchant(&other.staff).add_evidence(id, paper(2), None).await), not_found);
        assert_eq!(refusal(retour.merchant(&other.staff).evidence(id).await), not_found);
        assert_eq!(refusal(retour.merchant(&other.staff).evidence_file(id, file).await), not_found);
        assert_eq!(refusal(retour.merchant(&other.staff).delete_evidence(id, file).await), not_found);
        for elsewhere in [bens_id, second_id] {
            assert_eq!(refusal(retour.merchant(&shop.staff).evidence_file(elsewhere, file).await), not_found);
            assert_eq!(refusal(retour.merchant(&shop.staff).delete_evidence(elsewhere, file).await), not_found);
        }
        assert_eq!(database.rows("evidence").await, 1);
        assert_eq!(retour.consumer(&ada.shopper).evidence(order).await.unwrap()[0].id, file);
        retour.merchant(&shop.staff).delete_evidence(id, file).await.unwrap();
        assert_eq!(refusal(retour.merchant(&shop.staff).evidence_file(id, file).await), not_found);
        assert_eq!(refusal(retour.merchant(&shop.staff).delete_evidence(id, file).await), not_found);
        assert!(request_of(&shop, order).await.evidence.is_empty());
    }

    async fn only_images_and_pdfs_are_accepted(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = request_of(&shop, order).await.id;
        let of = |kind, bytes: &[u8]| Upload { name: String::new(), kind, bytes: bytes.to_vec() };
        let mut too_large = b"%PDF-".to_vec();
        too_large.resize(MAX_FILE_BYTES + 1, b' ');
        let cases = [
            (of(FileKind::Pdf, b""), RefusalCode::OutOfRange),
            (of(FileKind::Pdf, &too_large), RefusalCode::OutOfRange),
            (of(FileKind::Png, &photo().bytes), RefusalCode::Mismatch),
            (of(FileKind::Jpeg, b"<script>alert(1)</script>"), RefusalCode::Mismatch),
            (of(FileKind::Pdf, b"MZ\x90"), RefusalCode::Mismatch),
            (of(FileKind::Jpeg, &photo().bytes[..30]), RefusalCode::NotAllowed),
            (of(FileKind::Webp, b"RIFF\xFF\xFF\xFF\xFFWEBP"), RefusalCode::NotAllowed),
            (of(FileKind::Png, b"\x89PNG\r\n\x1A\nIHDR"), RefusalCode::NotAllowed),
            (Upload { name: "x".repeat(201), ..paper(1) }, RefusalCode::OutOfRange),
        ];
        for (upload, code) in cases {
            let name = format!("{:?} {:?}", upload.kind, upload.bytes.get(..20));
            let Err(Error::Invalid(errors)) = shop.add(id, upload).await else { panic!("accepted: {name}") };
            assert_eq!(errors[0].code, code, "{name}");
        }
        assert_eq!(database.rows("evidence").await, 0);
        too_large.pop();
        fresh(shop.add(id, of(FileKind::Pdf, &too_large)).await.unwrap(), 201);
    }

    async fn a_file_name_is_shown_and_never_used_as_a_path(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = request_of(&shop, order).await.id;
        let names = [
            ("../../../etc/passwd", "passwd"),
            ("C:\\temp\\..\\foto.pdf", "foto.pdf"),
            ("..", "evidence.pdf"),
            ("", "evidence.pdf"),
            ("a/", "evidence.pdf"),
            ("a\0b\r\nc\u{202E}fdp.exe", "abcfdp.exe"),
            (" Ärmel „links“ 手.pdf ", "Ärmel „links“ 手.pdf"),
        ];
        for (number, (sent, kept)) in names.into_iter().enumerate() {
            let added = fresh(shop.add(id, Upload { name: sent.to_owned(), ..paper(number) }).await.unwrap(), 201);
            assert_eq!(added.name, kept);
        }
    }

    async fn closed_requests_accept_no_evidence(database: Database) {
        let shop = Shop::open(&database).await;
        let customer = shop.sell("1001", &[(1, 1000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let id = request_of(&shop, order).await.id;
        let kept = fresh(customer.add((order, id), paper(1)).await.unwrap(), 201);
        fresh(customer.cancel(order).await.unwrap(), 200);
        assert_eq!(refusal(customer.add((order, id), paper(2)).await), ErrorCode::Refused(RefusalCode::IllegalTransition));
        assert_eq!(fresh(customer.add((order, id), paper(1)).await.unwrap(), 200).id, kept.id);
        shop.source.set(NOW.plus_days(1));
        shop.retour.merchant(&shop.staff).delete_evidence(id, kept.id).await.unwrap();
        assert_eq!(request_of(&shop, order).await.updated_at, NOW.plus_days(1));
    }
}
