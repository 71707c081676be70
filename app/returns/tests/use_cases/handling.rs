//! How staff handle a return: who has it, flags, notes, who looks at it, and everything that happened in one list.

use crate::{
    progress::{because, to},
    shop::{HERE, NOW, Shop, fields, fresh, refusal, sent},
    team::{PASSWORD, user},
    webhooks::Hooked,
};
use domain::{
    NoteId, RefusalCode, ReturnOrderId, UserId,
    party::Actor,
    policy::Policy,
    stage::{Inspection, StageName as N},
};
use returns::{
    Error, ErrorCode, IdempotencyKey, NoteInput, PatchField, Receipt, ReturnOrderChange, Role, Scope, Staff, TakeBack,
    UserCredentials, VisitInput,
    view::{ActivityEntry, ActivityType, NoteView},
};
use serde_json::json;
use store::testing::Database;

/// A shop where a person decides about each return.
pub async fn careful(database: &Database) -> Shop {
    Shop::open_with(database, "careful", "EUR", Policy { auto_approve: false, ..Policy::default() }).await
}

/// A member of staff with a name of their own.
pub async fn agent(shop: &Shop, email: &str) -> (UserId, Staff) {
    let id = user(shop, email, Role::Agent).await.id;
    let given = UserCredentials { email: email.to_owned(), password: PASSWORD.to_owned(), code: None };
    let token = shop.retour.sign_in(given, HERE, "curl/8").await.unwrap().token;
    (id, shop.retour.caller(&token).await.unwrap().as_staff(Scope::Write).unwrap())
}

fn said(text: &str) -> NoteInput {
    NoteInput { text: text.to_owned() }
}

/// A key of a client, for a request with this content.
pub fn once(key: &str) -> Option<IdempotencyKey> {
    Some(IdempotencyKey { credential: "user:1".into(), key: key.into(), fingerprint: b"request".to_vec() })
}

impl Shop {
    async fn note(&self, staff: &Staff, order: ReturnOrderId, text: &str) -> Result<NoteView, Error> {
        Ok(fresh(self.retour.merchant(staff).add_note(order, said(text), None).await?, 201))
    }

    async fn change_note(&self, staff: &Staff, note: &NoteView, text: &str) -> Result<NoteView, Error> {
        let handle = self.retour.merchant(staff);
        Ok(fresh(handle.change_note(note.return_order_id, note.id, said(text), Some(note.version), None).await?, 200))
    }

    pub async fn activity(&self, order: ReturnOrderId) -> Vec<ActivityEntry> {
        self.retour.merchant(&self.staff).activity(order).await.unwrap()
    }
}

/// Everything that a consumer can read of their returns, as JSON.
async fn read_by_consumer(shop: &Shop, order: ReturnOrderId) -> String {
    let customer = shop.customer("1001").await;
    let orders = serde_json::to_string(&customer.return_orders().await).unwrap();
    let timeline = shop.retour.consumer(&customer.shopper).timeline(order).await.unwrap();
    format!("{orders}{timeline:?}")
}

store::on_each_database! {
    async fn notes_are_for_staff_and_their_author_can_change_them_for_ten_minutes(database: Database) {
        let shop = careful(&database).await;
        let ((_, ada), (_, grace)) = (agent(&shop, "ada@shop.example").await, agent(&shop, "grace@shop.example").await);
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        let note = shop.note(&ada, order, " Called.\nThe handle broke. ").await.unwrap();
        assert_eq!((note.text.as_str(), note.author_id, note.version), ("Called.\nThe handle broke.", Some(ada.id()), 1));
        assert_eq!(refusal(shop.change_note(&grace, &note, "No.").await), ErrorCode::Forbidden);
        let mended = shop.change_note(&ada, &note, "The lid broke.").await.unwrap();
        assert_eq!((mended.text.as_str(), mended.version), ("The lid broke.", 2));
        assert_eq!(refusal(shop.change_note(&ada, &note, "Again.").await), ErrorCode::PreconditionFailed);
        shop.source.set(NOW.plus_seconds(600));
        let mended = shop.change_note(&ada, &mended, "The lid broke off.").await.unwrap();
        shop.source.set(NOW.plus_seconds(601));
        assert_eq!(refusal(shop.change_note(&ada, &mended, "Late.").await), ErrorCode::Refused(RefusalCode::TooLate));
        let all = shop.retour.merchant(&shop.staff).notes(order).await.unwrap();
        assert_eq!(all.iter().map(|note| note.text.as_str()).collect::<Vec<_>>(), ["The lid broke off."]);
        assert!(!read_by_consumer(&shop, order).await.contains("lid broke"), "consumers never see notes");
        let events = database.texts("SELECT data FROM events WHERE type = 'return_order.note_added'").await;
        assert_eq!(events.len(), 1);
        assert!(events[0].contains("The handle broke.") && events[0].contains("returnOrderNumber"), "{}", events[0]);
    }

    async fn a_note_has_a_text_and_belongs_to_a_return_order_of_the_account(database: Database) {
        let shop = careful(&database).await;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        assert_eq!(fields(shop.note(&shop.staff, order, " \n ").await), ["text"]);
        assert_eq!(fields(shop.note(&shop.staff, order, &"a".repeat(4_001)).await), ["text"]);
        assert_eq!(fields(shop.note(&shop.staff, order, "a\0b").await), ["text"]);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.note(&other.staff, order, "Hello").await), ErrorCode::NotFound);
        let note = shop.note(&shop.staff, order, "Hello").await.unwrap();
        assert_eq!(refusal(other.change_note(&other.staff, &note, "Bye").await), ErrorCode::NotFound);
        let elsewhere = NoteView { return_order_id: ReturnOrderId(note.id.0), ..note.clone() };
        assert_eq!(refusal(shop.change_note(&shop.staff, &elsewhere, "Bye").await), ErrorCode::NotFound);
        let unknown = NoteView { id: NoteId(order.0), ..note };
        assert_eq!(refusal(shop.change_note(&shop.staff, &unknown, "Bye").await), ErrorCode::NotFound);
        let handle = shop.retour.merchant(&shop.staff);
        fresh(handle.add_note(order, said("Once"), once("1")).await.unwrap(), 201);
        handle.add_note(order, said("Once"), once("1")).await.unwrap();
        assert_eq!(handle.notes(order).await.unwrap().len(), 2, "a repeated request adds nothing");
    }

    async fn a_return_is_handed_to_a_user_and_flagged(database: Database) {
        let shop = careful(&database).await;
        let (ada, _) = agent(&shop, "ada@shop.example").await;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await;
        let handle = shop.retour.merchant(&shop.staff);
        let change: ReturnOrderChange = sent(json!({"assigneeId": ada, "flags": [" VIP ", "fraud?", "VIP"], "leaveOutOfBulk": true}));
        let changed = fresh(handle.change_return_order(order.id, change.clone(), Some(order.version), None).await.unwrap(), 200);
        assert_eq!((changed.assignee_id, changed.leave_out_of_bulk, changed.version), (Some(ada), true, order.version + 1));
        assert_eq!(changed.flags, ["VIP", "fraud?"]);
        assert_eq!(refusal(handle.change_return_order(order.id, change.clone(), Some(order.version), None).await), ErrorCode::PreconditionFailed);
        let same = fresh(handle.change_return_order(order.id, change, None, None).await.unwrap(), 200);
        assert_eq!(same.version, changed.version, "nothing changed");
        let assigned = "SELECT COUNT(*) FROM events WHERE type = 'return_order.assigned'";
        assert_eq!(database.number(assigned).await, 1);
        assert_eq!(database.rows("return_order_flags").await, 2);
        let seen = read_by_consumer(&shop, order.id).await;
        assert!(!seen.contains("fraud?") && !seen.contains(&ada.to_string()), "consumers see neither");
        // A later step keeps them.
        let request = shop.whole(order.id).await.return_requests.unwrap()[0].id;
        shop.advance(request, to(N::RequestedApproved)).await;
        let whole = shop.whole(order.id).await;
        assert_eq!((whole.assignee_id, whole.flags.len(), whole.leave_out_of_bulk), (Some(ada), 2, true));
        let nobody = sent(json!({"assigneeId": null, "flags": [], "leaveOutOfBulk": false}));
        let freed = fresh(handle.change_return_order(order.id, nobody, None, None).await.unwrap(), 200);
        assert_eq!((freed.assignee_id, freed.flags.len(), freed.leave_out_of_bulk), (None, 0, false));
        assert_eq!((database.number(assigned).await, database.rows("return_order_flags").await), (2, 0));
    }

    async fn only_good_flags_and_users_of_the_account_are_accepted(database: Database) {
        let shop = careful(&database).await;
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let (stranger, _) = agent(&other, "eve@other.example").await;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        let change = async |change: serde_json::Value| {
            shop.retour.merchant(&shop.staff).change_return_order(order, sent(change), None, None).await
        };
        assert_eq!(fields(change(json!({"assigneeId": stranger})).await), ["assigneeId"]);
        assert_eq!(fields(change(json!({"flags": ["1", "2", "3", "4", "5", "6"]})).await), ["flags"]);
        assert_eq!(fields(change(json!({"flags": ["", "a".repeat(41), "a\nb"]})).await), ["flags[0]", "flags[1]", "flags[2]"]);
        let theirs = other.retour.merchant(&other.staff).change_return_order(order, ReturnOrderChange::default(), None, None).await;
        assert_eq!(refusal(theirs), ErrorCode::NotFound);
    }

    async fn a_user_who_is_removed_has_no_returns_any_more(database: Database) {
        let shop = careful(&database).await;
        let (ada, _) = agent(&shop, "ada@shop.example").await;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        let handle = shop.retour.merchant(&shop.staff);
        let change = ReturnOrderChange { assignee_id: PatchField(Some(Some(ada))), ..ReturnOrderChange::default() };
        handle.change_return_order(order, change, None, None).await.unwrap();
        handle.delete_user(ada).await.unwrap();
        assert_eq!(shop.whole(order).await.assignee_id, None);
    }

    async fn colleagues_see_each_other_for_five_minutes(database: Database) {
        let shop = careful(&database).await;
        let ((ada, as_ada), (_, as_grace)) = (agent(&shop, "ada@shop.example").await, agent(&shop, "grace@shop.example").await);
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        let seen = async |staff: &Staff, is_writing| shop.retour.merchant(staff).visit_return_order(order, VisitInput { is_writing }).await.unwrap();
        let look = async |staff: &Staff| seen(staff, false).await;
        assert_eq!(look(&as_ada).await, []);
        assert_eq!(look(&as_ada).await, [], "nobody sees themselves");
        shop.source.set(NOW.plus_seconds(20));
        let others = look(&as_grace).await;
        assert_eq!((others.len(), others[0].visitor_id, others[0].seen_at), (1, ada.0, NOW));
        assert_eq!(others[0].visitor_name.as_deref(), Some("ada@shop.example"), "the address of a user without a name");
        assert!(!others[0].is_writing);
        shop.source.set(NOW.plus_seconds(300));
        assert_eq!(look(&as_grace).await, []);
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(database.rows("return_order_visits").await, 1, "only the visit of five minutes ago is deleted");
        seen(&as_ada, true).await;
        assert!(look(&as_grace).await[0].is_writing);
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.retour.merchant(&other.staff).visit_return_order(order, VisitInput::default()).await), ErrorCode::NotFound);
    }

    async fn deliveries_to_a_deleted_subscription_leave_the_activity(database: Database) {
        let Hooked { shop, .. } = Hooked::open(&database).await;
        let merchant = shop.retour.merchant(&shop.staff);
        let new = sent(json!({"url": "https://hooks.example/retour"}));
        let hook = fresh(merchant.create_webhook_subscription(new, None).await.unwrap(), 201).id;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        let deliveries = async || {
            let all = shop.activity(order).await;
            all.into_iter().filter(|entry| entry.kind == ActivityType::WebhookDelivery).count()
        };
        assert!(deliveries().await > 0);
        merchant.delete_webhook_subscription(hook).await.unwrap();
        assert_eq!(deliveries().await, 0);
    }

    async fn the_activity_joins_everything_and_names_who_did_it(database: Database) {
        let policy = Policy { auto_approve: false, auto_resolve: false, ..Policy::default() };
        let shop = Shop::open_with(&database, "careful", "EUR", policy).await;
        let (ada, as_ada) = agent(&shop, "ada@shop.example").await;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await.id;
        let request = shop.whole(order).await.return_requests.unwrap()[0].id;
        shop.source.set(NOW.plus_seconds(60));
        shop.note(&as_ada, order, "A regular.").await.unwrap();
        shop.source.set(NOW.plus_seconds(120));
        shop.retour.merchant(&as_ada).update_status(request, because(N::RequestedApproved, "Known"), None).await.unwrap();
        shop.source.set(NOW.plus_seconds(180));
        let arrived = Receipt { quantity: 1, external_reference: Some("GR-1".to_owned()) };
        shop.retour.merchant(&as_ada).receive(request, arrived, None).await.unwrap();
        shop.source.set(NOW.plus_seconds(240));
        let inspection =
            Inspection { accepted: 1, refused: 0, condition: None, disposition: None, note: Some("As new".to_owned()) };
        shop.retour.merchant(&as_ada).inspect(request, inspection, None).await.unwrap();
        let all = shop.activity(order).await;
        assert!(all.is_sorted_by_key(|entry| entry.at));
        let kinds: Vec<ActivityType> = all.iter().map(|entry| entry.kind).collect();
        assert_eq!(kinds.iter().filter(|kind| **kind == ActivityType::Note).count(), 1);
        let receipt = all.iter().find(|entry| entry.kind == ActivityType::Receipt).unwrap();
        assert_eq!(receipt.actor_id, Some(ada.0));
        let inspected = all.iter().find(|entry| entry.kind == ActivityType::Inspection).unwrap();
        assert_eq!((inspected.at, inspected.actor_id), (NOW.plus_seconds(240), Some(ada.0)));
        let id = receipt.receipt_id.unwrap();
        let why = TakeBack { reason: Some("Another parcel".to_owned()) };
        shop.retour.merchant(&as_ada).delete_inspection(request).await.unwrap();
        shop.retour.merchant(&as_ada).reverse_receipt(request, id, why, None).await.unwrap();
        let left = shop.activity(order).await;
        let is_of_warehouse =
            |entry: &&ActivityEntry| matches!(entry.kind, ActivityType::Receipt | ActivityType::Inspection);
        assert_eq!(left.iter().filter(is_of_warehouse).count(), 0);
        let corrected = |entry: &&ActivityEntry| entry.kind == ActivityType::Correction && entry.text.ends_with("Another parcel");
        let moved = |entry: &&ActivityEntry| entry.kind == ActivityType::Stage && entry.text.ends_with("Another parcel");
        assert!(left.iter().any(|entry| corrected(&entry) || moved(&entry)), "{left:?}");
        let approved = all.iter().find(|entry| entry.to_stage == Some(N::RequestedApproved)).unwrap();
        assert_eq!((approved.actor, approved.actor_id, approved.text.as_str()), (Some(Actor::Merchant), Some(ada.0), "Known"));
        assert_eq!(approved.actor_name.as_deref(), Some("ada@shop.example"));
        let note = all.iter().find(|entry| entry.kind == ActivityType::Note).unwrap();
        assert_eq!((note.text.as_str(), note.actor_id), ("A regular.", Some(ada.0)));
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        assert_eq!(refusal(other.retour.merchant(&other.staff).activity(order).await), ErrorCode::NotFound);
    }

    async fn an_erasure_clears_notes_flags_and_their_events(database: Database) {
        let shop = careful(&database).await;
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let order = customer.send_back(&[(0, 1)]).await.id;
        let handle = shop.retour.merchant(&shop.staff);
        handle.add_note(order, said("Secretive customer"), once("1")).await.unwrap();
        let flagged = sent(json!({"flags": ["secretive"]}));
        handle.change_return_order(order, flagged, None, once("2")).await.unwrap();
        let (ada, _) = agent(&shop, "ada@shop.example").await;
        handle.change_return_order(order, sent(json!({"assigneeId": ada})), None, None).await.unwrap();
        let data = handle.personal_data(customer.shopper.consumer).await.unwrap();
        assert_eq!(data.notes.len(), 1, "the person may read what is written about them");
        fresh(customer.cancel(order).await.unwrap(), 200);
        handle.erase_consumer(customer.shopper.consumer).await.unwrap();
        let mut texts = database.texts("SELECT text FROM return_order_notes").await;
        assert_eq!(texts, [""]);
        for table in ["SELECT data FROM events", "SELECT body FROM idempotency_keys", "SELECT flags FROM return_orders"] {
            texts.extend(database.texts(table).await);
        }
        assert!(!texts.concat().to_lowercase().contains("secretive"));
        assert_eq!(database.rows("return_order_flags").await, 0);
    }
}
