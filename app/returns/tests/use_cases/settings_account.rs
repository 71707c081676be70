//! A merchant changes the account: policy, theme, time zone, origins and host names.

use crate::{
    settings::address,
    shop::{NOW, Shop, fields, fresh, sent},
};
use domain::{
    RefusalCode, TimeZone,
    branding::{Branding, Corners, Font},
    policy::Policy,
};
use returns::{AccountUpdate, Error, NewAccount, SERVER_PATHS};
use serde_json::{Value, json};
use store::testing::Database;

store::on_each_database! {
    async fn an_accounts_policy_and_theme_change_field_by_field(database: Database) {
        let shop = Shop::open(&database).await;
        let change = async |body: Value| shop.retour.merchant(&shop.staff).change_account(sent(body), None, None).await;
        let body = json!({"policy": {"returnWindowDays": null, "graceDays": 3, "returnAddress": address("Leith")}, "branding": {"color": "#2f6f5e"}});
        let kept = fresh(change(body).await.unwrap(), 200);
        assert_eq!((kept.policy.return_window_days, kept.policy.grace_days, kept.policy.label_expires_days), (None, 3, 30));
        let kept = fresh(change(json!({"policy": {"returnAddress": null}, "name": "Fern"})).await.unwrap(), 200);
        assert_eq!((kept.policy.return_address, kept.policy.grace_days, kept.name.as_str()), (None, 3, "Fern"));
        assert_eq!(kept.branding.color.as_deref(), Some("#2f6f5e"));
        let bad = json!({"name": " ", "policy": {"resolutions": [], "gs1CompanyPrefix": "x"}, "branding": {"shopUrl": "javascript:x"}});
        assert_eq!(fields(change(bad).await), ["name", "policy.resolutions", "policy.gs1CompanyPrefix", "branding.shopUrl"]);
        let now = shop.retour.merchant(&shop.staff).account_settings().await.unwrap();
        assert_eq!((now.name.as_str(), now.version), ("Fern", 3));
        // Changes by the command line count as well.
        shop.retour.operator().update_account(shop.account.id, AccountUpdate { name: Some("Fjord".to_owned()), policy: Some(Policy::default()), ..AccountUpdate::default() }).await.unwrap();
        let now = shop.retour.merchant(&shop.staff).account_settings().await.unwrap();
        assert_eq!((now.name.as_str(), now.policy.grace_days, now.version), ("Fjord", 0, 4));
    }

    async fn days_are_days_of_the_accounts_time_zone(database: Database) {
        let shop = Shop::open(&database).await;
        let change = async |name: &str| shop.retour.merchant(&shop.staff).change_account(sent(json!({"timeZone": name})), None, None).await;
        assert_eq!(shop.retour.merchant(&shop.staff).account_settings().await.unwrap().time_zone, TimeZone::UTC);
        let customer = shop.sell("1001", &[(1, 100)]).await;
        // Shipped at 12:00 UTC on 1 March: the same day in Berlin, the next day on Kiritimati.
        let by = async || customer.purchases().await[0].eligibility.return_by.unwrap().to_string();
        assert_eq!(by().await, "2026-03-31T23:59:59Z");
        for (name, kept, until) in [
            ("europe/berlin", "Europe/Berlin", "2026-03-31T21:59:59Z"),
            ("Pacific/Kiritimati", "Pacific/Kiritimati", "2026-04-01T09:59:59Z"),
        ] {
            assert_eq!(fresh(change(name).await.unwrap(), 200).time_zone.name(), kept);
            assert_eq!(by().await, until);
        }
        for wrong in ["", "Berlin", "+01:00", "Mars/Olympus", "Europe/Berlin\0"] {
            let Err(Error::Invalid(errors)) = change(wrong).await else { panic!("accepted: {wrong}") };
            assert_eq!((errors.len(), errors[0].field.as_str(), errors[0].code), (1, "timeZone", RefusalCode::NotAllowed));
            assert!(errors[0].message.contains("Europe/Berlin"), "the message gives an example");
        }
        // The command line sets it, too.
        let update = AccountUpdate { time_zone: Some("Asia/Kolkata".to_owned()), ..AccountUpdate::default() };
        assert_eq!(fresh(shop.retour.operator().update_account(shop.account.id, update).await.unwrap(), 200).time_zone.name(), "Asia/Kolkata");
    }

    async fn api_origins_apply_at_once_to_this_instance_and_within_seconds_to_others(database: Database) {
        let shop = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await; // another instance
        let list = async |origins: &[&str]| shop.retour.merchant(&shop.staff).change_account(sent(json!({"apiOrigins": origins})), None, None).await;
        let found = async |at: &Shop| {
            let origins = at.retour.api_origins().await;
            let origin = "https://shop.example";
            (origins.has(origin), origins.has_for(shop.account.id, origin), origins.has_for(theirs.account.id, origin))
        };
        assert_eq!((found(&shop).await, found(&theirs).await), ((false, false, false), (false, false, false)));
        let kept = fresh(list(&["https://shop.example", "http://localhost:8080"]).await.unwrap(), 200);
        assert_eq!(kept.api_origins, ["https://shop.example", "http://localhost:8080"]);
        assert_eq!(found(&shop).await, (true, true, false));
        theirs.source.set(NOW.plus_seconds(4));
        assert_eq!(found(&theirs).await, (false, false, false));
        theirs.source.set(NOW.plus_seconds(5));
        assert_eq!(found(&theirs).await, (true, true, false));
        // An invalid list changes nothing.
        let wrong = ["https://shop.example", "https://shop.example/returns", "https://SHOP.example", "*", "null", ""];
        let refused: Vec<String> = (1..6).map(|index| format!("apiOrigins[{index}]")).collect();
        assert_eq!(fields(list(&wrong).await), refused);
        assert_eq!(fields(list(&["https://shop.example"; 21]).await), ["apiOrigins"]);
        assert_eq!(found(&shop).await, (true, true, false));
        // The command line replaces the whole list, too.
        let update = AccountUpdate { api_origins: Some(Vec::new()), ..AccountUpdate::default() };
        assert!(fresh(shop.retour.operator().update_account(shop.account.id, update).await.unwrap(), 200).api_origins.is_empty());
        assert_eq!(found(&shop).await, (false, false, false));
        let new = NewAccount {
            slug: "new".to_owned(),
            name: "New".to_owned(),
            currency: shop.account.currency,
            time_zone: TimeZone::UTC,
            policy: Policy::default(),
            branding: Branding::default(),
            api_origins: vec!["https://shop.example".to_owned()],
        };
        let made = shop.retour.operator().create_account(new.clone()).await.unwrap();
        assert!(shop.retour.api_origins().await.has_for(made.id, "https://shop.example"));
        let new = NewAccount { slug: "newer".to_owned(), api_origins: vec!["shop.example".to_owned()], ..new };
        assert_eq!(fields(shop.retour.operator().create_account(new).await), ["apiOrigins[0]"]);
    }

    async fn no_slug_is_a_path_of_the_server(database: Database) {
        let shop = Shop::open(&database).await;
        for path in SERVER_PATHS.into_iter().chain(["static", "assets", "desk"]) {
            let new = NewAccount {
                slug: path.to_owned(),
                name: "New".to_owned(),
                currency: shop.account.currency,
                time_zone: TimeZone::UTC,
                policy: Policy::default(),
                branding: Branding::default(),
                api_origins: Vec::new(),
            };
            assert_eq!(fields(shop.retour.operator().create_account(new).await), ["slug"], "{path}");
        }
    }

    async fn a_portal_domain_belongs_to_one_account(database: Database) {
        let ours = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let retour = ours.retour.clone().configured(|config| "https://returns.example:8443".clone_into(&mut config.public_url));
        let set = async |shop: &Shop, host: &str| retour.operator().update_account(shop.account.id, AccountUpdate { domain: Some(host.to_owned()), ..AccountUpdate::default() }).await;
        assert_eq!(retour.portal_url(&ours.account, true), "https://returns.example:8443/fjord-fern");
        let kept = fresh(set(&ours, "Returns.Fern.example").await.unwrap(), 200);
        let host = kept.domain.clone().unwrap();
        assert_eq!(host.as_str(), "returns.fern.example");
        assert_eq!(retour.shop_at(&host).await.unwrap().as_deref(), Some("fjord-fern"));
        let now = retour.account("fjord-fern").await.unwrap();
        assert_eq!(retour.portal_url(&now, true), "https://returns.fern.example:8443");
        assert_eq!(retour.portal_url(&now, false), "https://returns.example:8443/fjord-fern");
        for taken in ["returns.fern.example", "returns.example", "RETURNS.example", "127.0.0.1", "https://a.example", "a.example:80"] {
            assert_eq!(fields(set(&theirs, taken).await), ["domain"], "{taken}");
        }
        // Setting it again keeps the version; removing it frees the domain.
        assert_eq!(fresh(set(&ours, "returns.fern.example").await.unwrap(), 200).version, kept.version);
        assert_eq!(fresh(set(&ours, "").await.unwrap(), 200).domain, None);
        assert!(set(&theirs, "returns.fern.example").await.is_ok());
    }

    async fn a_theme_preview_is_valid_for_a_day_and_for_one_account(database: Database) {
        let shop = Shop::open(&database).await;
        let theirs = Shop::open_with(&database, "theirs", "EUR", Policy::default()).await;
        let live = shop.retour.merchant(&shop.staff).change_account(sent(json!({"branding": {"color": "#2f6f5e", "corners": "Round"}})), None, None);
        fresh(live.await.unwrap(), 200);
        let tried = sent(json!({"branding": {"color": "#a8324a", "font": "Serif"}}));
        let preview = fresh(shop.retour.merchant(&shop.staff).preview(tried, None).await.unwrap(), 201);
        let token = preview.url.split_once("/preview?token=").unwrap().1.to_owned();
        let seen = shop.retour.previewed(shop.account.id, &token).await.unwrap().unwrap();
        assert_eq!(seen, preview.branding);
        assert_eq!((seen.color.as_deref(), seen.font, seen.corners), (Some("#a8324a"), Font::Serif, Corners::Round));
        let now = shop.retour.merchant(&shop.staff).account_settings().await.unwrap().branding;
        assert_eq!((now.color.as_deref(), now.font), (Some("#2f6f5e"), Font::System), "the live theme stays");
        assert_eq!(shop.retour.previewed(theirs.account.id, &token).await.unwrap(), None);
        assert_eq!(shop.retour.previewed(shop.account.id, "0123456789abcdef0123456789abcdef").await.unwrap(), None);
        // A preview token opens no session, and a session token no preview.
        assert_eq!(shop.retour.load_session(&token).await.unwrap(), None);
        shop.source.set(shop.retour.now().plus_hours(24));
        assert_eq!(shop.retour.previewed(shop.account.id, &token).await.unwrap(), None);
        let bad = shop.retour.merchant(&shop.staff).preview(sent(json!({"branding": {"termsUrl": "/terms"}})), None).await;
        assert_eq!(fields(bad), ["branding.termsUrl"]);
    }
}
