//! Photos and documents that a consumer uploads for purchases before the submit: who may upload them, how many there may be,
//! and when they become evidence or are deleted.

use crate::{
    evidence::{paper, photo, reason},
    shop::{Customer, NOW, Shop, fresh, refusal},
};
use domain::{
    DraftReturnOrderId, EvidenceId, PurchaseId, RefusalCode, ReturnReasonId,
    party::Actor,
    policy::{Policy, reason::EvidenceRule},
    stage::StageName as N,
};
use returns::{
    Done, Erasure, Error, ErrorCode, FileKind, Files, IdempotencyKey, MAX_FILE_BYTES, S3Settings, Upload, view,
};
use std::sync::Arc;
use store::testing::Database;
use tokio::{sync::Barrier, task::JoinSet};

/// A shop with files on a disk that the test can inspect, and one customer.
struct Scene {
    shop: Shop,
    ada: Customer,
    files: Files,
    _folder: tempfile::TempDir,
}

impl Scene {
    /// Opens the shop with an order of two lines of `units` units each.
    async fn open(database: &Database, units: u32) -> Self {
        let mut shop = Shop::open(database).await;
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&format!("file://{}", folder.path().display()), &S3Settings::default()).unwrap();
        shop.retour = shop.retour.clone().configured(|config| config.files = Some(files.clone()));
        let ada = shop.sell("1001", &[(units, 1000), (units, 2000)]).await;
        Self { shop, ada, files, _folder: folder }
    }

    async fn has_file(&self, id: EvidenceId) -> bool {
        self.files.exists(self.shop.account.id, id.0).await.unwrap()
    }
}

impl Customer {
    async fn try_upload(&self, beside: PurchaseId, upload: Upload) -> Result<Done<view::PendingEvidenceView>, Error> {
        self.retour.consumer(&self.shopper).add_pending_evidence(beside, upload, None).await
    }

    async fn upload(&self, beside: PurchaseId, number: usize) -> EvidenceId {
        fresh(self.try_upload(beside, paper(number)).await.unwrap(), 201).id
    }

    async fn purchase_ids(&self) -> Vec<PurchaseId> {
        self.purchases().await.iter().map(|purchase| purchase.id).collect()
    }

    /// The ids of all pending files of the customer.
    async fn pending_ids(&self) -> Vec<EvidenceId> {
        self.retour.consumer(&self.shopper).pending_evidence().await.unwrap().iter().map(|file| file.id).collect()
    }

    /// A draft of one unit of each of the first purchases, with these reasons.
    async fn draft_because(&self, reasons: &[ReturnReasonId]) -> DraftReturnOrderId {
        let mut selections = self.choose(&[(0, 1), (1, 1)]).await;
        selections.truncate(reasons.len());
        for (selection, reason) in selections.iter_mut().zip(reasons) {
            selection.return_reason_id = Some(*reason);
        }
        fresh(self.try_draft(selections, None).await.unwrap(), 201).id
    }
}

/// The requests of a customer's newest return.
async fn requests(customer: &Customer) -> Vec<view::ReturnRequestView> {
    customer.return_orders().await.remove(0).return_requests.unwrap()
}

fn ids(request: &view::ReturnRequestView) -> Vec<EvidenceId> {
    request.evidence.iter().map(|file| file.id).collect()
}

store::on_each_database! {
    async fn pending_files_become_evidence_of_the_return(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let laid = fresh(ada.try_upload(bought[0], photo()).await.unwrap(), 201);
        assert_eq!((laid.name.as_str(), laid.media_type.as_str(), laid.created_at), ("IMG_1.JPG", "image/jpeg", NOW));
        let own = format!("/consumer/{}/purchase/{}/evidence/{}", ada.shopper.consumer, bought[0], laid.id);
        assert_eq!((laid.purchase_id, &laid.url), (bought[0], &own));
        let file = ada.retour.consumer(&ada.shopper).pending_evidence_file(bought[0], laid.id).await.unwrap();
        assert!(!file.bytes.windows(3).any(|window| window == b"GPS"), "the GPS position is removed");
        assert_eq!(i64::try_from(file.bytes.len()).unwrap(), laid.bytes);
        let (beside_other, second) = (ada.upload(bought[1], 1).await, ada.upload(bought[0], 2).await);
        assert_eq!(ada.pending_ids().await, [laid.id, beside_other, second]);
        let of_one = ada.retour.consumer(&ada.shopper).pending_evidence_of(bought[0]).await.unwrap();
        assert_eq!(of_one.iter().map(|file| file.id).collect::<Vec<_>>(), [laid.id, second]);

        shop.source.set(NOW.plus_hours(1));
        let reasons = [reason(shop, EvidenceRule::Required).await, reason(shop, EvidenceRule::Optional).await];
        let order = fresh(ada.submit(ada.draft_because(&reasons).await).await.unwrap(), 201).id;
        let requests = requests(ada).await;
        assert_eq!(requests.iter().map(|one| one.stage).collect::<Vec<_>>(), [N::RequestedReview, N::RequestedApproved]);
        assert_eq!([ids(&requests[0]), ids(&requests[1])], [vec![laid.id, second], vec![beside_other]]);
        let evidence = &requests[0].evidence[0];
        assert_eq!((evidence.name.as_str(), evidence.added_by, evidence.created_at), ("IMG_1.JPG", Actor::Consumer, NOW));
        let entries = shop.retour.merchant(&shop.staff).timeline(requests[0].id).await.unwrap();
        assert_eq!((entries.len(), entries[0].from_stage, entries[0].to_stage), (1, None, N::RequestedReview));
        for kind in ["return_request.stage_changed", "return_order.created"] {
            let recorded = database.texts(&format!("SELECT data FROM events WHERE type = '{kind}' ORDER BY seq")).await;
            assert!(recorded[0].contains(&laid.id.to_string()), "{kind} contains the evidence: {recorded:?}");
        }

        let kept = ada.retour.consumer(&ada.shopper).evidence_file(order, laid.id).await.unwrap();
        assert_eq!(kept.bytes, file.bytes);
        assert_eq!((ada.pending_ids().await, database.rows("unclaimed_files").await), (vec![], 0));
        let gone = ada.retour.consumer(&ada.shopper).pending_evidence_file(bought[0], laid.id).await;
        assert_eq!(refusal(gone), ErrorCode::NotFound);
        shop.source.set(NOW.plus_days(2));
        shop.retour.operator().prune().await.unwrap();
        for id in [laid.id, second, beside_other] {
            assert!(scene.has_file(id).await, "evidence is kept");
        }
    }

    async fn a_reason_without_evidence_deletes_the_pending_files(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let (useless, elsewhere) = (ada.upload(bought[0], 1).await, ada.upload(bought[1], 1).await);
        let none = reason(shop, EvidenceRule::None).await;
        fresh(ada.submit(ada.draft_because(&[none]).await).await.unwrap(), 201);
        assert_eq!(ids(&requests(ada).await[0]), []);
        assert_eq!(ada.pending_ids().await, [elsewhere], "that purchase is not part of the return");
        assert_eq!((database.rows("evidence").await, database.rows("unclaimed_files").await), (0, 1));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!((scene.has_file(useless).await, scene.has_file(elsewhere).await), (false, true));
    }

    async fn a_reason_that_requires_evidence_waits_without_pending_files(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let ada = &scene.ada;
        let bought = ada.purchase_ids().await;
        let deleted = ada.upload(bought[0], 1).await;
        ada.retour.consumer(&ada.shopper).delete_pending_evidence(bought[0], deleted).await.unwrap();
        ada.upload(bought[1], 1).await;
        let required = reason(&scene.shop, EvidenceRule::Required).await;
        fresh(ada.submit(ada.draft_because(&[required]).await).await.unwrap(), 201);
        assert_eq!(requests(ada).await[0].stage, N::RequestedEvidencePending);
    }

    async fn refused_and_repeated_submits_neither_lose_nor_duplicate_files(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let (bought, optional) = (ada.purchase_ids().await, reason(shop, EvidenceRule::Optional).await);
        let (one, late) = (ada.draft_because(&[optional]).await, ada.draft_because(&[optional, optional]).await);
        let (first, other) = (ada.upload(bought[0], 1).await, ada.upload(bought[1], 1).await);
        let (mut tasks, barrier) = (JoinSet::new(), Arc::new(Barrier::new(4)));
        for _ in 0..4 {
            let (ada, barrier) = (ada.clone(), barrier.clone());
            tasks.spawn(async move {
                barrier.wait().await;
                ada.submit(one).await.unwrap()
            });
        }
        let mut statuses = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let Done::Fresh { status, .. } = done.unwrap() else { panic!("expected a fresh result: no key was sent") };
            statuses.push(status);
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 200, 201]);
        assert_eq!((ids(&requests(ada).await[0]), database.rows("evidence").await), (vec![first], 1));

        let again = ada.upload(bought[0], 2).await;
        fresh(ada.submit(one).await.unwrap(), 200);
        assert_eq!(refusal(ada.submit(late).await), ErrorCode::Refused(RefusalCode::QuantityExceeded));
        assert_eq!(ada.pending_ids().await, [other, again], "the refused submit takes no files");
        assert_eq!((database.rows("evidence").await, database.rows("unclaimed_files").await), (1, 0));
        for id in [first, other, again] {
            assert!(scene.has_file(id).await);
        }
    }

    async fn a_pending_file_is_either_submitted_or_deleted(database: Database) {
        let scene = Scene::open(&database, 8).await;
        let ada = &scene.ada;
        let (bought, optional) = (ada.purchase_ids().await, reason(&scene.shop, EvidenceRule::Optional).await);
        for number in 0..8 {
            let (id, draft) = (ada.upload(bought[0], number).await, ada.draft_because(&[optional]).await);
            let delete = ada.retour.consumer(&ada.shopper).delete_pending_evidence(bought[0], id);
            let (sent, deleted) = tokio::join!(ada.submit(draft), delete);
            fresh(sent.unwrap(), 201);
            let is_evidence = ids(&requests(ada).await[0]) == [id];
            assert_eq!((deleted.is_err(), scene.has_file(id).await), (is_evidence, is_evidence));
        }
        assert_eq!((database.rows("pending_evidence").await, database.rows("unclaimed_files").await), (0, 0));
    }

    async fn a_return_made_by_the_shop_takes_no_pending_files(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let laid = ada.upload(bought[0], 1).await;
        let required = reason(shop, EvidenceRule::Required).await;
        fresh(shop.retour.merchant(&shop.staff).accept_draft(ada.draft_because(&[required]).await).await.unwrap(), 201);
        let request = requests(ada).await.remove(0);
        assert_eq!((ids(&request), request.stage), (vec![], N::SubmittedReady));
        assert_eq!((ada.pending_ids().await, scene.has_file(laid).await), (vec![laid], true));
    }

    async fn the_same_file_for_one_purchase_is_stored_once(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let ada = &scene.ada;
        let bought = ada.purchase_ids().await;
        let first = fresh(ada.try_upload(bought[0], photo()).await.unwrap(), 201);
        let renamed = Upload { name: "again.jpg".to_owned(), ..photo() };
        let again = fresh(ada.try_upload(bought[0], renamed).await.unwrap(), 200);
        assert_eq!((again.id, again.name), (first.id, first.name));
        let (mut tasks, barrier) = (JoinSet::new(), Arc::new(Barrier::new(2)));
        for _ in 0..2 {
            let (ada, barrier, purchase) = (ada.clone(), barrier.clone(), bought[0]);
            tasks.spawn(async move {
                barrier.wait().await;
                ada.try_upload(purchase, paper(1)).await.unwrap()
            });
        }
        let mut statuses = Vec::new();
        while let Some(done) = tasks.join_next().await {
            let Done::Fresh { status, .. } = done.unwrap() else { panic!("expected a fresh result: no key was sent") };
            statuses.push(status);
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 201]);
        fresh(ada.try_upload(bought[1], photo()).await.unwrap(), 201); // for another purchase, the file is new
        assert_eq!((database.rows("pending_evidence").await, database.rows("unclaimed_files").await), (3, 0));
    }

    async fn a_key_returns_the_first_answer_again(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let ada = &scene.ada;
        let bought = ada.purchase_ids().await;
        let key = |print| Some(IdempotencyKey { credential: "me".into(), key: "1".into(), fingerprint: vec![print] });
        let send = async |number, print| ada.retour.consumer(&ada.shopper).add_pending_evidence(bought[0], paper(number), key(print)).await;
        let first = fresh(send(1, 1).await.unwrap(), 201);
        assert!(matches!(send(1, 1).await.unwrap(), Done::Replayed(answer) if answer.status == 201));
        assert_eq!(refusal(send(2, 2).await), ErrorCode::IdempotencyKeyReused);
        assert_eq!(ada.pending_ids().await, [first.id]);
    }

    async fn simultaneous_uploads_stop_at_ten_files_for_a_purchase(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let ada = &scene.ada;
        let bought = ada.purchase_ids().await;
        let (mut tasks, barrier) = (JoinSet::new(), Arc::new(Barrier::new(14)));
        for number in 0..14 {
            let (ada, barrier, purchase) = (ada.clone(), barrier.clone(), bought[0]);
            tasks.spawn(async move {
                barrier.wait().await;
                ada.try_upload(purchase, paper(number)).await
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
        let laid = ada.pending_ids().await;
        assert_eq!((refused, laid.len(), database.rows("unclaimed_files").await), (4, 10, 0), "refused uploads leave nothing behind");
        ada.upload(bought[1], 1).await;
        ada.retour.consumer(&ada.shopper).delete_pending_evidence(bought[0], laid[0]).await.unwrap();
        assert!(!scene.has_file(laid[0]).await);
        ada.upload(bought[0], 99).await;
    }

    async fn one_consumer_can_store_at_most_100_pending_files(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let first = ada.upload(bought[0], 1).await;
        let consumer_id = ada.shopper.consumer;
        let mut writing = database.store.write().await.unwrap();
        let one = store::pending_evidence::find(writing.db(), shop.account.id, consumer_id, first).await.unwrap().unwrap();
        for number in 1..100 {
            let (id, purchase_id) = (EvidenceId(uuid::Uuid::from_u128(number)), PurchaseId(uuid::Uuid::from_u128(number)));
            let file = store::pending_evidence::PendingEvidence { id, purchase_id, ..one.clone() };
            store::pending_evidence::insert(writing.db(), shop.account.id, &file).await.unwrap();
        }
        writing.commit().await.unwrap();
        assert_eq!(refusal(ada.try_upload(bought[1], paper(2)).await), ErrorCode::Refused(RefusalCode::LimitReached));
        fresh(ada.try_upload(bought[0], paper(1)).await.unwrap(), 200);
        ada.retour.consumer(&ada.shopper).delete_pending_evidence(bought[0], first).await.unwrap();
        ada.upload(bought[1], 2).await;
    }

    async fn only_images_and_pdfs_are_accepted(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let ada = &scene.ada;
        let bought = ada.purchase_ids().await;
        let of = |kind, bytes: &[u8]| Upload { name: String::new(), kind, bytes: bytes.to_vec() };
        let mut too_large = b"%PDF-".to_vec();
        too_large.resize(MAX_FILE_BYTES + 1, b' ');
        let cases = [
            (of(FileKind::Pdf, &too_large), RefusalCode::OutOfRange),
            (of(FileKind::Png, &photo().bytes), RefusalCode::Mismatch),
            (of(FileKind::Jpeg, &photo().bytes[..30]), RefusalCode::NotAllowed),
        ];
        for (upload, code) in cases {
            let Err(Error::Invalid(errors)) = ada.try_upload(bought[0], upload).await else { panic!("accepted: {code:?}") };
            assert_eq!(errors[0].code, code);
        }
        assert_eq!((database.rows("pending_evidence").await, database.rows("unclaimed_files").await), (0, 0));
    }

    async fn other_consumers_and_accounts_cannot_reach_pending_files(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let (ben, eve) = (shop.sell("1002", &[(1, 1000)]).await, other.sell("1001", &[(1, 1000)]).await);
        let (bought, bens) = (ada.purchase_ids().await, ben.purchase_ids().await);
        let id = ada.upload(bought[0], 1).await;
        let not_found = ErrorCode::NotFound;
        for stranger in [&ben, &eve] {
            let (retour, shopper) = (&stranger.retour, &stranger.shopper);
            assert_eq!(refusal(stranger.try_upload(bought[0], paper(2)).await), not_found);
            assert_eq!(refusal(retour.consumer(shopper).pending_evidence_of(bought[0]).await), not_found);
            for beside in [bought[0], bens[0]] {
                assert_eq!(refusal(retour.consumer(shopper).pending_evidence_file(beside, id).await), not_found);
                assert_eq!(refusal(retour.consumer(shopper).delete_pending_evidence(beside, id).await), not_found);
            }
            assert_eq!(stranger.pending_ids().await, []);
        }
        let (retour, shopper) = (&ada.retour, &ada.shopper);
        assert_eq!(refusal(retour.consumer(shopper).pending_evidence_file(bought[1], id).await), not_found, "the file belongs to another purchase");
        assert_eq!(refusal(retour.consumer(shopper).delete_pending_evidence(bought[1], id).await), not_found);
        assert_eq!((ada.pending_ids().await, scene.has_file(id).await, database.rows("unclaimed_files").await), (vec![id], true, 0));
    }

    async fn pending_files_are_deleted_after_two_days(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let old = ada.upload(bought[0], 1).await;
        shop.source.set(NOW.plus_seconds(1));
        let new = ada.upload(bought[0], 2).await;
        shop.source.set(NOW.plus_hours(48).plus_seconds(-1));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(ada.pending_ids().await, [old, new]);
        shop.source.set(NOW.plus_hours(48));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!((ada.pending_ids().await, scene.has_file(old).await, scene.has_file(new).await), (vec![new], false, true));
        assert_eq!(database.rows("unclaimed_files").await, 0);
    }

    async fn an_erasure_deletes_pending_files_and_prevents_new_ones(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let laid = ada.upload(bought[0], 1).await;
        let held = shop.retour.merchant(&shop.staff).personal_data(ada.shopper.consumer).await.unwrap();
        assert_eq!(held.pending_evidence.iter().map(|file| file.id).collect::<Vec<_>>(), [laid]);
        let erased = shop.retour.merchant(&shop.staff).erase_consumer(ada.shopper.consumer).await.unwrap();
        assert_eq!((erased, scene.has_file(laid).await, database.rows("pending_evidence").await), (Erasure::Done, false, 0));
        assert_eq!(refusal(ada.try_upload(bought[0], paper(2)).await), ErrorCode::NotFound);
        assert_eq!(database.rows("unclaimed_files").await, 0);
    }

    async fn a_purchase_with_pending_files_can_be_deleted(database: Database) {
        let scene = Scene::open(&database, 1).await;
        let (shop, ada) = (&scene.shop, &scene.ada);
        let bought = ada.purchase_ids().await;
        let laid = ada.upload(bought[0], 1).await;
        shop.retour.merchant(&shop.staff).delete_purchase(bought[0].to_string()).await.unwrap();
        assert_eq!(refusal(ada.retour.consumer(&ada.shopper).pending_evidence_of(bought[0]).await), ErrorCode::NotFound);
        ada.retour.consumer(&ada.shopper).delete_pending_evidence(bought[0], laid).await.unwrap();
        assert!(!scene.has_file(laid).await);
    }
}
