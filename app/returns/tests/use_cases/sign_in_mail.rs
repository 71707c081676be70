//! Mails to users: invitations, forgotten passwords, new devices, changes and failed sign-ins.

use crate::{
    erasure::Writer,
    progress::returned,
    shop::{HERE, NOW, Shop, fields, fresh, refusal},
    sign_in::{ADA, ELSEWHERE, enrol, me, open, try_sign_in},
    team::{PASSWORD, user},
};
use domain::{
    Locale, RefusalCode,
    mail::{SignInChange, StaffNotice},
    policy::SecondFactorRule,
    returning::{BulkAction, BulkItem},
    stage::StageName,
};
use returns::{ErrorCode, Mailer, NewBulkRun, NewUser, NoteInput, Role};
use std::{path::PathBuf, sync::Arc, time::Duration};
use store::testing::Database;
use tempfile::TempDir;
use tokio::{sync::watch, task::JoinHandle};

/// A shop with a mail server. Nothing is sent until [`Post::start`].
async fn with_mail(database: &Database) -> Shop {
    let shop = open(database, SecondFactorRule::Off).await;
    let mailer = Mailer::new("smtp://127.0.0.1:9", "returns@example.com").unwrap();
    Shop { retour: shop.retour.clone().configured(|config| config.mailer = Some(mailer)), ..shop }
}

/// A program that writes the shop's mails into a folder.
struct Post {
    folder: TempDir,
    stop: watch::Sender<bool>,
    worker: JoinHandle<()>,
}

impl Post {
    fn start(shop: &Shop) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mailer = Mailer::new(&format!("file://{}", folder.path().display()), "desk@example.com").unwrap();
        let retour = shop.retour.clone().configured(|config| config.mailer = Some(mailer));
        let (stop, mut stopped) = watch::channel(false);
        let worker = tokio::spawn(async move {
            let workers = workers::Workers::new(&retour).writing_mail_by(Arc::new(Writer));
            workers.send_mail(async move { drop(stopped.wait_for(|stopped| *stopped).await) }).await;
        });
        Self { folder, stop, worker }
    }

    /// The tokens of all links that set a password, in the order of their files' times.
    fn tokens(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut pages: Vec<_> = files.filter(|path| path.extension().is_some_and(|kind| kind == "html")).collect();
        pages.sort_by_key(|path| path.metadata().unwrap().modified().unwrap());
        let token = |path: &PathBuf| {
            let page = std::fs::read_to_string(path).unwrap();
            page.split_once("/desk/password?token=").map(|(_, token)| token.to_owned())
        };
        pages.iter().filter_map(token).filter(|token| token.len() == 68).collect()
    }

    /// The token of the last link, once this many were mailed.
    async fn token(&self, count: usize) -> String {
        for _ in 0..2_000 {
            let tokens = self.tokens();
            if tokens.len() >= count {
                return tokens.last().unwrap().clone();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{} links were mailed", self.tokens().len())
    }

    /// Waits for a mail with this subject.
    async fn subject(&self, subject: &str) {
        for _ in 0..2_000 {
            let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
            let has_it = |path: PathBuf| {
                let mail = std::fs::read_to_string(path).unwrap_or_default();
                mail.lines().any(|line| line == format!("Subject: {subject}"))
            };
            if files.into_iter().any(has_it) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no mail has the subject {subject}")
    }

    async fn stop(self) {
        self.stop.send(true).unwrap();
        self.worker.await.unwrap();
    }
}

/// The mails that are due, the oldest first.
async fn due(database: &Database) -> Vec<StaffNotice> {
    let texts = database.texts("SELECT notice FROM mail_tasks WHERE kind = 'Staff' ORDER BY seq").await;
    texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

async fn wait_for_mails(database: &Database, count: usize) -> Vec<StaffNotice> {
    for _ in 0..600 {
        let mails = due(database).await;
        if mails.len() >= count {
            return mails;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{:?}", due(database).await)
}

store::on_each_database! {
    async fn a_forgotten_password_is_set_by_a_link_that_works_once_for_an_hour(database: Database) {
        let shop = with_mail(&database).await;
        user(&shop, ADA, Role::Agent).await;
        let signed_in = try_sign_in(&shop, None, HERE).await.unwrap();
        let post = Post::start(&shop);
        shop.retour.ask_for_password("eve@example.com", HERE).await.unwrap();
        shop.retour.ask_for_password(" Ada@Example.com ", HERE).await.unwrap();
        let one = post.token(1).await;
        shop.retour.ask_for_password(ADA, HERE).await.unwrap();
        let late = post.token(2).await;
        shop.retour.set_password(&one, "another password".to_owned(), HERE).await.unwrap();
        for token in [&one, &late] {
            let again = shop.retour.set_password(token, PASSWORD.to_owned(), HERE).await;
            assert_eq!(refusal(again), ErrorCode::InvalidInvitation, "a new password ends all links");
        }
        assert_eq!(refusal(shop.retour.caller(&signed_in.token).await), ErrorCode::Unauthorized);
        shop.retour.ask_for_password(ADA, HERE).await.unwrap();
        let over = post.token(3).await;
        shop.source.set(NOW.plus_hours(1));
        assert_eq!(refusal(shop.retour.set_password(&over, PASSWORD.to_owned(), HERE).await), ErrorCode::InvalidInvitation);
        let new = NewUser { email: "ben@example.com".to_owned(), name: String::new(), role: Role::Agent, language: None };
        fresh(shop.retour.merchant(&shop.staff).invite_user(new, None).await.unwrap(), 201);
        let invitation = post.token(4).await;
        shop.source.set(NOW.plus_days(6));
        shop.retour.set_password(&invitation, PASSWORD.to_owned(), HERE).await.unwrap();
        post.stop().await;
    }

    async fn forgotten_passwords_cannot_flood_a_user_or_block_them(database: Database) {
        let shop = with_mail(&database).await;
        user(&shop, ADA, Role::Agent).await;
        for _ in 0..8 {
            shop.retour.ask_for_password(ADA, ELSEWHERE).await.unwrap();
        }
        assert_eq!(wait_for_mails(&database, 5).await.len(), 5);
        shop.retour.ask_for_password(ADA, HERE).await.unwrap();
        assert_eq!(wait_for_mails(&database, 6).await.len(), 6, "the user's own network is not blocked");
        let without = Shop { retour: shop.retour.clone().configured(|config| config.mailer = None), ..shop.clone() };
        let refused = refusal(without.retour.ask_for_password(ADA, HERE).await);
        assert_eq!(refused, ErrorCode::Refused(RefusalCode::NoMailServer));
        assert_eq!(refusal(shop.retour.ask_for_password("ada", HERE).await), ErrorCode::ValidationFailed);
    }

    async fn a_note_mails_each_user_that_it_names_once(database: Database) {
        let shop = with_mail(&database).await;
        user(&shop, ADA, Role::Agent).await;
        user(&shop, "grace@example.com", Role::Agent).await;
        let order = shop.sell("1001", &[(1, 1_000)]).await.send_back(&[(0, 1)]).await;
        let handle = shop.retour.merchant(&shop.staff);
        let said = |text: &str| NoteInput { text: text.to_owned() };
        let note = fresh(handle.add_note(order.id, said("@ada and @ada, please look."), None).await.unwrap(), 201);
        let mention = StaffNotice::Mentioned { return_number: order.number.clone(), by: "ERP".to_owned() };
        let mentions = || async { due(&database).await.into_iter().filter(|mail| *mail == mention).count() };
        assert_eq!(mentions().await, 1);
        let changed = handle.change_note(order.id, note.id, said("@ada, please look at it."), None, None).await;
        let changed = fresh(changed.unwrap(), 200);
        assert_eq!(mentions().await, 1, "she has her mail");
        let changed = handle.change_note(order.id, changed.id, said("@ada or @grace"), None, None).await;
        fresh(changed.unwrap(), 200);
        assert_eq!(mentions().await, 2);
        let without = Shop { retour: shop.retour.clone().configured(|config| config.mailer = None), ..shop.clone() };
        fresh(without.retour.merchant(&shop.staff).add_note(order.id, said("@ada"), None).await.unwrap(), 201);
        assert_eq!(mentions().await, 2, "without a mail server, nothing waits");
    }

    async fn mentions_cannot_flood_a_user(database: Database) {
        let shop = with_mail(&database).await;
        user(&shop, ADA, Role::Agent).await;
        user(&shop, "grace@example.com", Role::Agent).await;
        let handle = shop.retour.merchant(&shop.staff);
        let mentions = || async {
            due(&database).await.into_iter().filter(|mail| matches!(mail, StaffNotice::Mentioned { .. })).count()
        };
        let note = async |order, text: &str| {
            fresh(handle.add_note(order, NoteInput { text: text.to_owned() }, None).await.unwrap(), 201);
        };
        let customer = shop.sell("1001", &[(1, 1_000)]).await;
        let first = customer.send_back(&[(0, 1)]).await.id;
        for _ in 0..5 {
            note(first, "@ada, please look.").await;
        }
        assert_eq!(mentions().await, 1, "one about a return in ten minutes");
        note(first, "@ada and @grace").await;
        assert_eq!(mentions().await, 2, "others get theirs");
        shop.source.set(shop.source.now().plus_seconds(601));
        note(first, "@ada, again.").await;
        assert_eq!(mentions().await, 3);
        // Of the fifty of the day, two are sent.
        for hour in 1..=60 {
            shop.source.set(shop.source.now().plus_seconds(601 + hour % 2));
            note(first, "@ada, once more.").await;
        }
        assert_eq!(mentions().await, 51, "fifty for one user, one for the other");
        let agent = shop.staff_with(Role::Agent).await;
        shop.source.set(shop.source.now().plus_seconds(601));
        let said = NoteInput { text: "@ada, from somebody else.".to_owned() };
        fresh(shop.retour.merchant(&agent).add_note(first, said, None).await.unwrap(), 201);
        assert_eq!(mentions().await, 52, "each author has a limit of their own");
        shop.source.set(shop.source.now().plus_days(1));
        note(first, "@ada, good morning.").await;
        assert_eq!(mentions().await, 53);
    }

    async fn a_note_on_many_returns_mails_each_user_that_it_names_once(database: Database) {
        let shop = with_mail(&database).await;
        user(&shop, ADA, Role::Agent).await;
        let mut items = Vec::new();
        for number in ["1001", "1002"] {
            let (_, ids) = returned(&shop, &shop.sell(number, &[(1, 1_000)]).await, &[(0, 1)]).await;
            items.push(BulkItem { return_request_id: ids[0], from_stage: StageName::SubmittedReady });
        }
        let new = NewBulkRun {
            action: BulkAction::Note,
            items,
            comment: String::new(),
            assignee_id: None,
            flag: String::new(),
            note: "@ada, please look.".to_owned(),
        };
        let run = fresh(Box::pin(shop.retour.merchant(&shop.staff).create_bulk_run(new, None)).await.unwrap(), 201);
        assert_eq!(database.rows("return_order_notes").await, 2, "{run:?}");
        let mails = due(&database).await;
        assert_eq!(mails.iter().filter(|mail| matches!(mail, StaffNotice::Mentioned { .. })).count(), 1);
    }

    async fn a_user_s_mail_is_in_their_language_or_the_account_s(database: Database) {
        let shop = with_mail(&database).await;
        let post = Post::start(&shop);
        for (email, language, expected) in [("ben@example.com", Some("pl"), "pl"), ("cy@example.com", None, "en")] {
            let language = language.map(|tag| Locale(tag.to_owned()));
            let new = NewUser { email: email.to_owned(), name: String::new(), role: Role::Agent, language };
            let invited = fresh(shop.retour.merchant(&shop.staff).invite_user(new, None).await.unwrap(), 201);
            post.subject(expected).await;
            let shown = shop.retour.merchant(&shop.staff).user(invited.user.id).await.unwrap();
            assert_eq!(shown.language.map_or_else(|| "en".to_owned(), |language| language.0), expected);
        }
        post.stop().await;
        let odd = NewUser { email: "di@example.com".to_owned(), name: String::new(), role: Role::Agent, language: Some(Locale("x!".to_owned())) };
        assert_eq!(fields(shop.retour.merchant(&shop.staff).invite_user(odd, None).await), ["language"]);
    }

    async fn a_new_user_gets_the_invitation_by_mail(database: Database) {
        let shop = with_mail(&database).await;
        let new = NewUser { email: ADA.to_owned(), name: "Ada".to_owned(), role: Role::Agent, language: None };
        let invited = fresh(shop.retour.merchant(&shop.staff).invite_user(new, None).await.unwrap(), 201);
        fresh(shop.retour.merchant(&shop.staff).invite_user_again(invited.user.id, None).await.unwrap(), 201);
        assert_eq!(due(&database).await, [StaffNotice::Invitation, StaffNotice::Invitation]);
    }

    async fn a_user_learns_of_new_devices_changes_and_failures(database: Database) {
        let shop = with_mail(&database).await;
        let ada = user(&shop, ADA, Role::Agent).await;
        try_sign_in(&shop, None, HERE).await.unwrap();
        try_sign_in(&shop, None, HERE).await.unwrap();
        assert_eq!(due(&database).await, [], "the first device is no news");
        let elsewhere = try_sign_in(&shop, None, ELSEWHERE).await.unwrap();
        try_sign_in(&shop, None, ELSEWHERE).await.unwrap();
        let mut expected = vec![StaffNotice::NewDevice { device: "curl".to_owned(), network: "198.51.100.0/24".to_owned() }];
        assert_eq!(due(&database).await, expected);
        let mine = me(&shop, &elsewhere.token).await;
        enrol(&shop, &mine).await;
        shop.retour.renew_recovery_codes(&mine).await.unwrap();
        shop.retour.remove_totp(&mine).await.unwrap();
        shop.retour.merchant(&shop.staff).reset_factors(ada.id, None).await.unwrap();
        let changes = [SignInChange::AppAdded, SignInChange::RecoveryCodes, SignInChange::AppRemoved, SignInChange::FactorsReset];
        expected.extend(changes.map(StaffNotice::Changed));
        assert_eq!(due(&database).await, expected);
        let mut failures = tokio::task::JoinSet::new();
        for _ in 0..6 {
            let shop = shop.clone();
            failures.spawn(async move { crate::team::sign_in(&shop, ADA, "not the password", HERE).await.unwrap_err() });
        }
        failures.join_all().await;
        expected.push(StaffNotice::FailedSignIns { count: 5 });
        assert_eq!(due(&database).await, expected);
        // A sign-in that succeeds begins a new count.
        try_sign_in(&shop, None, HERE).await.unwrap();
        crate::team::sign_in(&shop, ADA, "not the password", HERE).await.unwrap_err();
        assert_eq!(due(&database).await.len(), expected.len());
    }
}
