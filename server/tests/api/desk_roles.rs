//! Role × page and role × action of the desk, all cells.

use crate::{
    browser::Browser,
    harness::{Service, on_both_databases, text},
};
use reqwest::Method;
use returns::Role::{self, Admin, Agent, Finance, Viewer, Warehouse};
use std::collections::BTreeSet;

on_both_databases! {
    each_role_opens_its_pages
    each_role_uses_its_actions
    the_navigation_lists_what_a_role_may_open
    people_and_keys_are_managed_at_the_desk
    the_log_is_read_and_downloaded
}

const ALL: &[Role] = &Role::ALL;
const READ: &[Role] = &[Viewer, Agent, Finance, Admin];
const WRITE: &[Role] = &[Agent, Admin];
const RECEIVE: &[Role] = &[Warehouse, Agent, Admin];
const DECIDE: &[Role] = &[Agent, Finance, Admin];
const SUPERVISE: &[Role] = &[Finance, Admin];
const ADMIN: &[Role] = &[Admin];
const ABSENT: &str = "01999999-0000-7000-8000-000000000000";

/// The pages, and the roles that open them. `{number}` is the number of a return, `{user}` and `{key}` are ids.
const PAGES: &[(&str, &[Role])] = &[
    ("/desk", ALL),
    ("/desk/me", ALL),
    ("/desk/returns", ALL),
    ("/desk/returns/{number}", ALL),
    ("/desk/returns/bulk", DECIDE),
    ("/desk/returns/bulk?do=count-all", RECEIVE),
    ("/desk/returns/bulk?do=note", WRITE),
    ("/desk/search?q=1001", ALL),
    ("/desk/scan", RECEIVE),
    ("/desk/scan/found", RECEIVE),
    ("/desk/scan/sheet.pdf", RECEIVE),
    ("/desk/orders", READ),
    ("/desk/withdrawals", READ),
    ("/desk/connections", READ),
    ("/desk/new-return", WRITE),
    ("/desk/people", ADMIN),
    ("/desk/people/invite", ADMIN),
    ("/desk/people/new-key", ADMIN),
    ("/desk/people/users/{user}", ADMIN),
    ("/desk/people/users/{user}/remove", ADMIN),
    ("/desk/people/users/{user}/reset", ADMIN),
    ("/desk/people/keys/{key}", ADMIN),
    ("/desk/people/keys/{key}/rotate", ADMIN),
    ("/desk/people/keys/{key}/revoke", ADMIN),
    ("/desk/audit", SUPERVISE),
    ("/desk/audit.csv", SUPERVISE),
];

/// The server functions, and the roles that may call them.
const ACTIONS: &[(&[&str], &[Role])] = &[
    (
        &[
            "label-again",
            "cancel-parcel",
            "correct-sender",
            "report-delivered",
            "add-parcel",
            "cancel-return",
            "hand-return",
            "take-return",
            "write-note",
            "change-note",
            "mail-again",
            "draft-return",
            "make-return",
            "begin-return",
            "link-withdrawal",
            "close-withdrawal",
            "amend-request",
            "change-shipping",
        ],
        WRITE,
    ),
    (
        &[
            "scan",
            "receive",
            "all-here",
            "take-back",
            "take-recording-back",
            "record-found",
            "match-found",
            "close-found",
            "count-units",
            "inspect-units",
        ],
        RECEIVE,
    ),
    (&["move-request", "change-many", "adjust", "propose", "approve-proposal", "refuse-proposal"], DECIDE),
    (&["continue-bulk"], &[Warehouse, Agent, Finance, Admin]),
    (&["find-orders"], READ),
    (&["find", "save-view", "delete-view", "look"], ALL),
    (
        &[
            "share-view",
            "unshare-view",
            "invite-person",
            "invite-person-again",
            "change-person",
            "reset-person",
            "remove-person",
            "create-key",
            "change-key",
            "rotate-key",
            "revoke-key",
        ],
        ADMIN,
    ),
];

/// What everybody does about their own sign-in, signed in or not.
const OWN: &[&str] = &[
    "sign-in",
    "code",
    "confirm",
    "sign-out",
    "forgotten",
    "set-password",
    "own-profile",
    "choices",
    "change-password",
    "begin-app",
    "confirm-app",
    "remove-app",
    "renew-codes",
    "end-session",
    "end-other-sessions",
    "begin-passkey",
    "begin-passkey-proof",
    "sign-in-with-passkey",
    "begin-new-passkey",
    "add-passkey",
    "remove-passkey",
    "rename-passkey",
];

async fn at_desk(service: &Service, role: Role) -> Browser<'_> {
    service.at_desk(&format!("{}@team.example", role.name()), role).await
}

async fn each_role_opens_its_pages(service: Service) {
    let ada = service.ada().await;
    let purchases = service.purchases(&ada).await;
    let number = text(&service.create_return(&ada, &purchases[..1]).await["number"]);
    let key = text(&service.get("/api/v0/service-users", &service.demo.key).await.json()["data"][0]["id"]);
    for role in Role::ALL {
        let browser = at_desk(&service, role).await;
        let users = service.get("/api/v0/users", &service.demo.key).await.json();
        let user = text(&users["data"][0]["id"]);
        for (page, roles) in PAGES {
            let path = page.replace("{number}", &number).replace("{user}", &user).replace("{key}", &key);
            let answer = browser.get(&path).await;
            let expected = if roles.contains(&role) { [200, 303] } else { [403, 403] };
            assert!(expected.contains(&answer.status), "{path} as {}: {}", role.name(), answer.status);
        }
    }
}

async fn each_role_uses_its_actions(service: Service) {
    let ids = ["id", "request", "order", "shipment", "note", "mail", "view", "parcel", "draft", "withdrawal", "run"];
    for role in Role::ALL {
        let browser = at_desk(&service, role).await;
        for (names, roles) in ACTIONS {
            for &name in *names {
                let mut form = ids.map(|field| (field, ABSENT)).to_vec();
                form.extend([("here", "/desk/me"), ("key", name), ("quantity", "1"), ("stage", "Requested: Approved")]);
                let answer = browser.send(Method::POST, &format!("/desk/call/{name}"), &form).await;
                let is_refused = answer.status == 403;
                assert_eq!(!is_refused, roles.contains(&role), "{name} as {}: {}", role.name(), answer.text());
            }
        }
    }
}

/// A server function that is in no list here fails the test.
#[test]
fn each_action_is_in_the_matrix() {
    let listed: BTreeSet<&str> = ACTIONS.iter().flat_map(|(names, _)| *names).chain(OWN).copied().collect();
    let all: BTreeSet<String> = leptos::server_fn::axum::server_fn_paths()
        .filter_map(|(path, _)| path.strip_prefix("/desk/call/").map(str::to_owned))
        .collect();
    let missing: Vec<&String> = all.iter().filter(|name| !listed.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "say which roles may call {missing:?}");
    assert!(all.len() > 30, "{all:?}");
}

async fn the_navigation_lists_what_a_role_may_open(service: Service) {
    let links = [
        ("/desk/returns", ALL),
        ("/desk/scan", RECEIVE),
        ("/desk/new-return", WRITE),
        ("/desk/withdrawals", READ),
        ("/desk/connections", READ),
        ("/desk/people", ADMIN),
        ("/desk/audit", SUPERVISE),
    ];
    for role in Role::ALL {
        let page = at_desk(&service, role).await.get("/desk/me").await.text();
        for (link, roles) in links {
            let is_listed = page.contains(&format!("<a href=\"{link}\""));
            assert_eq!(is_listed, roles.contains(&role), "{link} as {}", role.name());
        }
    }
}

async fn people_and_keys_are_managed_at_the_desk(service: Service) {
    let browser = at_desk(&service, Admin).await;
    let here = ("here", "/desk/people/invite");
    let form = [here, ("key", "1"), ("email", "grace@team.example"), ("name", "Grace"), ("role", "warehouse")];
    let invited = browser.send(Method::POST, "/desk/call/invite-person", &form).await;
    assert_eq!(invited.status, 200, "{}", invited.text());
    let page = invited.text();
    assert!(page.contains("/desk/password?token=rti_"), "the invitation is shown: {page}");
    // The same form again does nothing new, and shows the same invitation.
    let again = browser.send(Method::POST, "/desk/call/invite-person", &form).await;
    let link = |page: &str| page.split("token=").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert_eq!(link(&again.text()), link(&page));
    let users = service.get("/api/v0/users?filter=email:grace@team.example", &service.demo.key).await.json();
    let user = &users["data"][0];
    assert_eq!((users["data"].as_array().unwrap().len(), &user["role"]), (1, &"warehouse".into()));
    let path = format!("/desk/people/users/{}", text(&user["id"]));
    assert!(!browser.get(&path).await.text().contains("rti_"), "it is shown once");

    let wrong = [here, ("key", "2"), ("email", "no address"), ("role", "warehouse")];
    let refused = browser.send(Method::POST, "/desk/call/invite-person", &wrong).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("no address") && refused.text().contains("email-error"), "{}", refused.text());

    let none = [("here", "/desk/people/new-key"), ("key", "3"), ("name", "ERP")];
    assert_eq!(browser.send(Method::POST, "/desk/call/create-key", &none).await.status, 422, "no scope");
    let form =
        [("here", "/desk/people/new-key"), ("key", "4"), ("name", "3PL"), ("scope", "receive"), ("scope", "read")];
    let made = browser.send(Method::POST, "/desk/call/create-key", &form).await;
    assert_eq!(made.status, 200, "{}", made.text());
    assert!(made.text().contains("rtk_"));
    let keys = service.get("/api/v0/service-users", &service.demo.key).await.json();
    let key = keys["data"].as_array().unwrap().iter().find(|key| key["name"] == "3PL").unwrap().clone();
    assert_eq!(key["scopes"], serde_json::json!(["read", "receive"]));
    let id = text(&key["id"]);
    let form = [("here", "/desk/people"), ("key", "5"), ("id", id.as_str())];
    let revoked = browser.send(Method::POST, "/desk/call/revoke-key", &form).await;
    assert_eq!((revoked.status, revoked.header("location")), (303, Some(format!("/desk/people/keys/{id}").as_str())));
    let page = browser.get(&format!("/desk/people/keys/{id}")).await.text();
    assert!(page.contains("The key is revoked") && page.contains("aria-disabled"), "{page}");
}

async fn the_log_is_read_and_downloaded(service: Service) {
    let browser = at_desk(&service, Admin).await;
    let change = serde_json::json!({"policy": {"returnWindowDays": 14}});
    assert_eq!(service.patch("/api/v0/account", &service.demo.key, change).await.status, 200);
    let page = browser.get("/desk/audit?topic=Settings").await.text();
    for part in ["Settings changed", "policy.returnWindowDays", "30", "14", "demo (API key)"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let empty = browser.get("/desk/audit?topic=Settings&action=user.deleted").await.text();
    assert!(empty.contains("No entry matches these filters"), "{empty}");
    assert!(browser.get("/desk/audit?topic=Nonsense").await.status == 200, "a filter that no entry can match");
    let csv = browser.get("/desk/audit.csv?topic=Settings").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    let text = csv.text();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert!(lines[0].starts_with("createdAt,actor,") && lines[1].contains("account.updated"), "{text}");
}
