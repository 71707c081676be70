//! Lists and single objects, as a merchant's programs read them.

use crate::harness::{Consumer, Service, on_both_databases, text};
use serde_json::{Value, json};
use std::collections::HashSet;

on_both_databases! {
    return_requests_are_listed_filtered_expanded_and_retrieved
    return_orders_are_listed_expanded_and_retrieved
    every_alias_of_a_path_gives_the_same_answer
    parameters_of_older_systems_work
    a_walk_through_the_pages_finds_each_row_once
    pages_can_be_numbered
    a_cursor_belongs_to_one_list_order_filter_and_search
    pages_neither_skip_nor_repeat_while_others_write
    an_empty_list_is_a_list
    filters_take_several_values_and_lists_can_be_counted
    queues_and_the_search_lead_to_the_returns
    a_saved_view_is_kept_shared_and_deleted
}

/// Ada returns two items in one order, and Ben returns one.
async fn with_returns(service: &Service) -> (Value, Value) {
    let (ada, ben) = (service.ada().await, service.prove("1002", "ben@example.com").await);
    let of_ada = service.create_return(&ada, &service.purchases(&ada).await[..2]).await;
    let of_ben = service.create_return(&ben, &service.purchases(&ben).await[..1]).await;
    (of_ada, of_ben)
}

async fn get(service: &Service, rest: &str) -> crate::harness::Answer {
    let path = format!("/api/v0/account/{}/{rest}", service.demo.account.id);
    service.get(&path, &service.demo.key).await
}

async fn return_requests_are_listed_filtered_expanded_and_retrieved(service: Service) {
    let (of_ada, _) = with_returns(&service).await;
    let all = get(&service, "return-requests").await;
    all.matches_snapshot("return-requests");
    assert_eq!(all.json()["data"].as_array().unwrap().len(), 3);

    for number in ["1001", "%231001", "%23%201001"] {
        let ours = get(&service, &format!("return-requests?filter=purchaseOrderNumber:{number}")).await.json();
        let orders: Vec<&Value> =
            ours["data"].as_array().unwrap().iter().map(|request| &request["returnOrderId"]).collect();
        assert_eq!(orders, [&of_ada["id"], &of_ada["id"]]);
    }
    for nothing in [
        "filter=purchaseOrderNumber:100",
        "filter=purchaseOrderNumber:",
        "filter=purchaseOrderNumber:1001&filter=purchaseOrderNumber:1002",
    ] {
        assert_eq!(get(&service, &format!("return-requests?{nothing}")).await.json()["data"], json!([]), "{nothing}");
    }
    let twice = "return-requests?filter=purchaseOrderNumber:1002&filter=purchaseOrderNumber:%231002&expand=consumer";
    get(&service, twice).await.matches_snapshot("return-requests-filtered-and-expanded");

    for request in all.json()["data"].as_array().unwrap() {
        let one = get(&service, &format!("return-requests/{}", text(&request["id"]))).await;
        assert_eq!((one.status, &one.json()), (200, request));
    }
    let id = text(&all.json()["data"][0]["id"]);
    get(&service, &format!("return-requests/{id}?expand=consumer")).await.matches_snapshot("return-request-expanded");
}

async fn return_orders_are_listed_expanded_and_retrieved(service: Service) {
    let (of_ada, of_ben) = with_returns(&service).await;
    let all = get(&service, "return-orders").await;
    all.matches_snapshot("return-orders");
    assert_eq!(all.json()["data"], json!([of_ben, of_ada]), "newest first, and only what was requested");
    let expanded = get(&service, "return-orders?expand=consumer&expand=shipments&expand=returnRequests&limit=1").await;
    expanded.matches_snapshot("return-orders-expanded");

    for (expand, added) in
        [("shipments", vec!["shipments"]), ("returnRequests", vec!["returnRequests"]), ("consumer", vec![])]
    {
        let one = get(&service, &format!("return-orders/{}?expand={expand}", text(&of_ada["id"]))).await.json();
        let new: Vec<&String> =
            one.as_object().unwrap().keys().filter(|key| of_ada.get(key.as_str()).is_none()).collect();
        assert_eq!(new, added);
        assert_eq!(one["consumerId"].is_object(), expand == "consumer");
    }
    assert_eq!(get(&service, &format!("return-orders/{}", text(&of_ada["id"]))).await.json(), of_ada);
}

async fn every_alias_of_a_path_gives_the_same_answer(service: Service) {
    let (order, _) = with_returns(&service).await;
    let account = service.demo.account.id;
    let request = text(&get(&service, "return-requests?limit=1").await.json()["data"][0]["id"]);
    let of_order = text(&order["id"]);
    for (plural, singular, id) in
        [("return-requests", "return-request", request), ("return-orders", "return-order", of_order)]
    {
        let paths = [
            format!("account/{account}/{plural}"),
            format!("account/{account}/{singular}"),
            plural.to_owned(),
            singular.to_owned(),
        ];
        let mut answers = Vec::new();
        for path in paths {
            let list = service.get(&format!("/api/v0/{path}"), &service.demo.key).await;
            let one = service.get(&format!("/api/v0/{path}/{id}"), &service.demo.key).await;
            assert_eq!((list.status, one.status), (200, 200), "{path}");
            answers.push((list.body, one.body));
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

async fn parameters_of_older_systems_work(service: Service) {
    let (ada, ben) = (service.ada().await, service.prove("1002", "ben@example.com").await);
    service.create_return(&ada, &service.purchases(&ada).await[..1]).await;
    service.clock.set(service.retour.now().plus_seconds(60));
    service.create_return(&ben, &service.purchases(&ben).await[..1]).await;
    let data = async |query: &str| get(&service, &format!("return-orders?{query}")).await.json()["data"].clone();
    let orders = data("").await;
    let (newest, oldest) = (text(&orders[0]["createdAt"]), text(&orders[1]["createdAt"]));
    for (theirs, ours) in [
        ("sort=-createdAt".to_owned(), "sortBy=createdAt&orderBy=desc".to_owned()),
        ("sort=createdAt".to_owned(), "sortBy=createdAt&orderBy=asc".to_owned()),
        ("sort=-updatedAt".to_owned(), "sortBy=updatedAt&orderBy=desc".to_owned()),
        (format!("createdFrom={newest}"), format!("filter=createdAt>={newest}")),
        (format!("createdTo={oldest}"), format!("filter=createdAt<={oldest}")),
        (format!("createdFrom={newest}&createdTo={oldest}"), "filter=number:none".to_owned()),
    ] {
        assert_eq!(data(&theirs).await, data(&ours).await, "{theirs}");
    }
    assert_eq!(data(&format!("createdTo={oldest}&sort=createdAt")).await[0]["id"], orders[1]["id"]);
    for (query, field) in [
        ("createdFrom=yesterday", "createdFrom"),
        ("createdTo=", "createdTo"),
        ("sort=newest", "sort"),
        ("sort=-createdAt&orderBy=asc", "sort"),
        ("sortBy=createdAt&sort=createdAt", "sort"),
        ("sort=createdAt&sort=createdAt", "sort"),
    ] {
        let refused = get(&service, &format!("return-orders?{query}")).await;
        assert_eq!((refused.status, refused.fields()), (400, vec![field.to_owned()]), "{query}");
    }
    // Lists that cannot be filtered by creation time refuse these parameters.
    assert_eq!(get(&service, "return-reasons?createdFrom=2026-01-01T00:00:00Z").await.status, 400);

    let mails = get(&service, "mails").await;
    for path in ["/api/v0/emails".to_owned(), format!("/api/v0/account/{}/emails", service.demo.account.id)] {
        let same = service.get(&path, &service.demo.key).await;
        assert_eq!((same.status, &same.body), (200, &mails.body), "{path}");
    }
}

/// Ten returns of one unit each.
async fn with_ten_returns(service: &Service) -> Consumer {
    let dora = service.prove("1004", "dora@example.com").await;
    for purchase in service.purchases(&dora).await.iter().take(10) {
        service.create_return(&dora, std::slice::from_ref(purchase)).await;
    }
    dora
}

/// The ids on all pages of a walk. `between` runs after each page.
async fn walk(service: &Service, path: &str, limit: usize, mut between: impl AsyncFnMut()) -> Vec<String> {
    let mut ids = Vec::new();
    let mut page = None;
    loop {
        let cursor = page.map_or_else(String::new, |page: i64| format!("&page={page}"));
        let list = service.get(&format!("{path}?limit={limit}{cursor}"), &service.demo.key).await.json();
        let rows = list["data"].as_array().unwrap();
        ids.extend(rows.iter().map(|row| text(&row["id"])));
        assert_eq!((list["limit"].as_u64(), list["page"].as_i64()), (Some(limit as u64), page.or(Some(1))));
        assert_eq!(list["hasMore"], !list["nextPage"].is_null());
        assert!(rows.len() == limit || list["nextPage"].is_null(), "only the last page can be shorter");
        match list["nextPage"].as_i64() {
            Some(next) => page = Some(next),
            None => return ids,
        }
        between().await;
    }
}

async fn a_walk_through_the_pages_finds_each_row_once(service: Service) {
    let dora = with_ten_returns(&service).await;
    let own = format!("/consumer/{}/return-orders", dora.id);
    for path in ["/api/v0/return-requests", "/api/v0/return-orders", &own] {
        let all = walk(&service, path, 100, async || ()).await;
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 10);
        for limit in [1, 3, 5, 9, 10] {
            assert_eq!(walk(&service, path, limit, async || ()).await, all, "{path}, {limit} a page");
        }
        let omitted = service.get(path, &service.demo.key).await;
        let first = service.get(&format!("{path}?page=1"), &service.demo.key).await;
        assert_eq!(omitted.body, first.body);
    }
}

async fn pages_can_be_numbered(service: Service) {
    let dora = service.prove("1004", "dora@example.com").await;
    let purchases = service.purchases(&dora).await;
    service.create_return(&dora, &purchases[..60]).await;
    let own = format!("/consumer/{}/purchases", dora.id);
    for (path, query, rows) in [
        ("/api/v0/return-requests", "", 60),
        ("/api/v0/return-requests", "&sort=updatedAt", 60),
        (own.as_str(), "", 300),
    ] {
        let page = async |number: i64| {
            service.get(&format!("{path}?limit=25{query}&page={number}"), &service.demo.key).await.json()
        };
        let (mut ids, last) = (HashSet::new(), rows / 25 + i64::from(rows % 25 > 0));
        for number in 1..=last {
            let list = page(number).await;
            assert_eq!((&list["page"], &list["hasMore"]), (&json!(number), &json!(number < last)), "{path}");
            ids.extend(list["data"].as_array().unwrap().iter().map(|row| text(&row["id"])));
            // A numbered page has a cursor, too.
            if let Some(cursor) = list["nextPage"].as_i64() {
                assert!(cursor > 10_000, "{cursor}");
                assert_eq!(page(cursor).await["data"], page(number + 1).await["data"], "{path} {number}");
            }
        }
        assert_eq!(i64::try_from(ids.len()).unwrap(), rows, "{path}");
        for beyond in [last + 1, 10_000] {
            let list = page(beyond).await;
            assert_eq!((&list["data"], &list["hasMore"], &list["page"]), (&json!([]), &json!(false), &json!(beyond)));
        }
    }
}

async fn a_cursor_belongs_to_one_list_order_filter_and_search(service: Service) {
    let dora = with_ten_returns(&service).await;
    let get = async |path: &str| service.get(path, &service.demo.key).await;
    let cursor = async |path: &str| get(path).await.json()["nextPage"].as_i64().unwrap();
    let filter = "filter=purchaseOrderNumber:1004&filter=createdAt>=2020-01-01T00:00:00Z";
    let list = "/api/v0/return-orders";
    let own = format!("/consumer/{}/purchases", dora.id);
    let deliveries = service.subscribe(json!({"url": "https://erp.example/"})).await;
    for other in [
        format!("{list}?orderBy=asc"),
        format!("{list}?sortBy=updatedAt"),
        format!("{list}?filter=purchaseOrderNumber:1004"),
        format!("{list}?search=dora"),
        "/api/v0/return-requests?".to_owned(),
        format!("{own}?"),
        format!("/consumer/{}/return-orders?", dora.id),
        format!("{deliveries}/deliveries?"),
    ] {
        // One cursor in 8191 matches another walk by chance, and ids differ in each run.
        let mut refused = 0;
        for limit in 1..=4 {
            let answer = get(&format!("{other}&page={}", cursor(&format!("{list}?limit={limit}")).await)).await;
            refused += usize::from(answer.status == 400 && answer.fields() == ["page"]);
        }
        assert!(refused >= 2, "{other}: {refused}");
    }
    // Another limit, another order of the filters, or another alias of the path are still the same walk.
    let mine = cursor(&format!("{list}?limit=3&{filter}")).await;
    let account = service.demo.account.id;
    for same in [
        "/api/v0/return-orders?filter=createdAt>=2020-01-01T00:00:00Z&filter=purchaseOrderNumber:1004&limit=2"
            .to_owned(),
        format!("/api/v0/account/{account}/return-order?limit=3&{filter}"),
    ] {
        assert_eq!(get(&format!("{same}&page={mine}")).await.status, 200, "{same}");
    }
    for made_up in [10_001, 12_345, 1_000_000, 4_611_686_018_i64] {
        for path in [format!("{list}?{filter}"), format!("{deliveries}/deliveries?limit=3"), format!("{own}?limit=3")] {
            let answer = get(&format!("{path}&page={made_up}")).await;
            assert_eq!((answer.status, answer.fields()), (400, vec!["page".to_owned()]), "{path} {made_up}");
        }
    }
}

async fn pages_neither_skip_nor_repeat_while_others_write(service: Service) {
    let dora = with_ten_returns(&service).await;
    let before = walk(&service, "/api/v0/return-orders", 100, async || ()).await;
    let purchases = service.purchases(&dora).await;
    let mut more = purchases.iter().skip(20);
    let walked = walk(&service, "/api/v0/return-orders", 3, async || {
        service.create_return(&dora, std::slice::from_ref(more.next().unwrap())).await;
    });
    assert_eq!(walked.await, before);
}

async fn an_empty_list_is_a_list(service: Service) {
    for path in ["/api/v0/return-requests", "/api/v0/return-orders?expand=consumer"] {
        service.get(path, &service.other_key).await.matches_snapshot("empty-list");
    }
}

async fn filters_take_several_values_and_lists_can_be_counted(service: Service) {
    let (of_ada, of_ben) = with_returns(&service).await;
    for (filter, orders) in [
        ("filter=purchaseOrderNumber:1001|1002", vec![&of_ben, &of_ada]),
        ("filter=purchaseOrderNumber:1002|none", vec![&of_ben]),
        (r"filter=purchaseOrderNumber:1001\|1002", vec![]),
        ("filter=status:Requested|AwaitingPayment|Open&filter=purchaseOrderNumber:1001", vec![&of_ada]),
        ("filter=stage:Submitted: Ready|Closed: Expired&filter=source:Api|Merchant", vec![&of_ben, &of_ada]),
        ("filter=gift:true", vec![]),
        ("filter=hasPhotos:false&filter=withdrawn:false&filter=flagged:false", vec![&of_ben, &of_ada]),
        ("filter=country:ZZ", vec![]),
    ] {
        let list = get(&service, &format!("return-orders?{filter}&count=true")).await.json();
        let ids: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|order| &order["id"]).collect();
        assert_eq!(ids, orders.iter().map(|order| &order["id"]).collect::<Vec<_>>(), "{filter}");
        assert_eq!(list["count"], json!({"count": orders.len(), "isCapped": false}), "{filter}");
    }
    assert!(get(&service, "return-orders").await.json().get("count").is_none());
    let waiting = "return-requests?filter=stage:Submitted: Ready&sortBy=stageSince&orderBy=asc";
    assert_eq!(get(&service, waiting).await.json()["data"].as_array().unwrap().len(), 3);
    for (query, field) in [
        ("return-requests?sortBy=stageSince", "sortBy"),
        ("return-requests?sortBy=stageSince&filter=stage:Submitted: Ready&search=ada", "sortBy"),
        ("return-orders?sortBy=stageSince&filter=stage:Submitted: Ready", "sortBy"),
        ("return-requests?filter=stage:Submitted: Ready|nothing", "filter"),
        ("return-requests?filter=queue:Mine", "filter"),
        ("return-requests?filter=purchasePrice>=12.345 EUR", "filter"),
        ("return-requests?filter=createdAt>=2026-01-01T00:00:00Z|2026-01-02T00:00:00Z", "filter"),
        ("return-orders?filter=hasPhotos:yes", "filter"),
        ("return-orders?filter=country:germany", "filter"),
        ("return-orders?count=1", "count"),
    ] {
        let refused = get(&service, query).await;
        assert_eq!((refused.status, refused.fields()), (400, vec![field.to_owned()]), "{query}");
    }
    let too_many = vec!["x"; 21].join("|");
    assert_eq!(get(&service, &format!("return-orders?filter=number:{too_many}")).await.status, 400);
}

async fn queues_and_the_search_lead_to_the_returns(service: Service) {
    let (of_ada, _) = with_returns(&service).await;
    let queues = get(&service, "queues").await.json();
    let names: Vec<String> = queues["data"].as_array().unwrap().iter().map(|queue| text(&queue["queue"])).collect();
    assert_eq!((names.first().map(String::as_str), names.len()), (Some("ToDecide"), 14));
    for queue in queues["data"].as_array().unwrap() {
        let filters = queue["filters"].as_array().unwrap();
        let filters: Vec<String> = filters.iter().map(|filter| format!("filter={}", text(filter))).collect();
        let list = get(&service, &format!("{}?{}", text(&queue["list"]), filters.join("&"))).await;
        assert_eq!(list.status, 200, "{queue}: {}", list.text());
        assert_eq!(queue["count"], list.json()["data"].as_array().unwrap().len(), "{queue}");
    }
    let number = text(&of_ada["number"]);
    let found = get(&service, &format!("find?q={number}")).await.json();
    let found = &found["data"][0];
    assert_eq!(
        (&found["kind"], &found["id"], &found["returnNumber"]),
        (&json!("ReturnOrder"), &of_ada["id"], &json!(number))
    );
    for (query, status) in
        [("find", 400), ("find?q=1&q=2", 400), ("find?q=x", 422), ("find?q=%0Ex", 200), ("find?q=ada&page=2", 400)]
    {
        assert_eq!(get(&service, query).await.status, status, "{query}");
    }
}

async fn a_saved_view_is_kept_shared_and_deleted(service: Service) {
    let new = json!({"list": "return-orders", "name": "Open", "query": "filter=status:Open"});
    let path = "/api/v0/saved-views";
    let made = service.post(path, &service.demo.key, new.clone()).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let one = format!("{path}/{}", text(&made.json()["id"]));
    let shared = service.post(&format!("{one}/share"), &service.demo.key, json!({})).await;
    assert_eq!((shared.status, &shared.json()["isShared"]), (200, &json!(true)));
    let all = service.get(path, &service.demo.key).await.json();
    assert_eq!((&all["data"][0]["name"], all["data"].as_array().unwrap().len()), (&json!("Open"), 1));
    assert_eq!(service.get(path, &service.other_key).await.json()["data"], json!([]));
    assert_eq!(service.delete(&one, &service.other_key).await.status, 404);
    assert_eq!(service.delete(&one, &service.demo.key).await.status, 204);
    assert_eq!(service.delete(&one, &service.demo.key).await.status, 404);
    let refused = service.post(path, &service.demo.key, json!({"list": "users", "name": "", "query": ""})).await;
    assert_eq!((refused.status, refused.fields()), (422, vec!["list".to_owned(), "name".to_owned()]));
}
