//! The rate limit of several instances: shared in one Redis, or counted by each instance while Redis is lost.

use crate::{
    harness::{Answer, NOW, Service, on_both_databases, open, send},
    limits::rate_limit_headers,
    redis_server::{RedisServer, ask},
};
use domain::AccountId;
use reqwest::Client;
use returns::Scope;
use std::{collections::BTreeMap, time::Duration};
use tokio::{task::JoinSet, time::timeout};

on_both_databases! {
    two_instances_together_allow_exactly_the_limit
    tokens_of_one_consumer_share_a_count_in_redis
    instances_count_by_themselves_while_redis_is_gone
    a_hanging_redis_delays_no_request
    an_instance_starts_without_redis_and_connects_later
    a_lost_script_and_refused_writes_fail_no_request
    a_count_without_expiry_gets_one
    with_the_wrong_password_instances_count_by_themselves
    redis_contains_no_personal_data
}

const PATH: &str = "/api/v0/return-requests?limit=1";
const LIMIT: u32 = 30;

/// Two instances of the same shops that share a limit.
async fn instances(service: &Service, url: &str) -> [String; 2] {
    let instance = async || open(service.instance(LIMIT).sharing_limit_in(url).await.unwrap());
    [instance().await, instance().await]
}

async fn get(instance: &str, key: &str) -> Answer {
    send(Client::new().get(format!("{instance}{PATH}")).bearer_auth(key)).await
}

/// Sends this many concurrent requests, alternating between these instances.
async fn burst(instances: &[&String], key: &str, requests: u32) -> Vec<Answer> {
    let mut under_way = JoinSet::new();
    let client = Client::new(); // one client for each request would slow this program, and Redis has to answer within 100 ms
    for (instance, _) in instances.iter().copied().cycle().zip(0..requests) {
        under_way.spawn(send(client.get(format!("{instance}{PATH}")).bearer_auth(key)));
    }
    timeout(Duration::from_mins(1), under_way.join_all()).await.expect("every request is answered")
}

/// Checks answers against the limit: in each window, the first requests pass, each with a different remaining count, and the others
/// are refused. A window can end between two requests, because Redis's clock runs.
fn assert_exact(answers: &[Answer]) {
    let mut windows = BTreeMap::<_, (Vec<u32>, u32)>::new();
    for answer in answers {
        let (limit, left, resets_at) = rate_limit_headers(answer);
        assert_eq!(limit, Some(LIMIT));
        let (passed, refused) = windows.entry(resets_at.unwrap()).or_default();
        match answer.status {
            200 => passed.push(left.unwrap()),
            429 => *refused += 1,
            other => panic!("{other}: {}", answer.text()),
        }
    }
    for (passed, refused) in windows.values_mut() {
        passed.sort_unstable_by(|one, other| other.cmp(one));
        let requests = u32::try_from(passed.len()).unwrap() + *refused;
        assert_eq!(*passed, (0..LIMIT).rev().take(requests as usize).collect::<Vec<u32>>());
        assert_eq!(*refused, requests.saturating_sub(LIMIT));
    }
}

/// Checks that two instances together allow a new key of this account exactly the limit. If Redis answers late, an instance counts by
/// itself, in the window of this program's clock. That may happen while this machine is busy, and then proves nothing.
async fn assert_exact_together(service: &Service, account: AccountId, instances: [&String; 2]) {
    for _ in 0..10 {
        for instance in instances {
            until_shared(instance).await;
        }
        let key = service.retour.operator().create_service_user(account, "burst", &[Scope::Read]).await.unwrap();
        let answers = burst(&instances, &key, 2 * LIMIT).await;
        if answers.iter().all(|answer| rate_limit_headers(answer).2 != Some(NOW.seconds() + 60)) {
            return assert_exact(&answers);
        }
    }
    panic!("in each of ten bursts, an instance counted by itself");
}

/// Whether the limit is shared, which health and metrics both report.
async fn is_shared(instance: &str) -> bool {
    let get = async |path: &str| send(Client::new().get(format!("{instance}{path}"))).await;
    let ready = get("/health/ready").await;
    assert_eq!(ready.status, 200, "the instance is ready, with or without Redis");
    let is_shared = ready.json()["rateLimitShared"].as_bool().unwrap();
    let metric = get("/metrics").await.text();
    let metric = metric.lines().find_map(|line| line.strip_prefix("retour_rate_limit_shared ")).unwrap().to_owned();
    assert!(["0", "1"].contains(&metric.as_str()), "{metric}");
    is_shared
}

async fn until_shared(instance: &str) {
    let found = async {
        while !is_shared(instance).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_mins(1), found).await.expect("Redis is found again");
}

/// Two answers of one window of Redis. An instance for which Redis answers late counts by itself, in the window of this program's clock.
async fn in_one_window(ask: impl AsyncFn() -> (Answer, Answer)) -> (Answer, Answer) {
    for _ in 0..10 {
        let (first, second) = ask().await;
        let window = rate_limit_headers(&first).2;
        if window == rate_limit_headers(&second).2 && window != Some(NOW.seconds() + 60) {
            return (first, second);
        }
    }
    panic!("Redis does not count");
}

/// Checks that one instance knows what the other one has counted.
async fn assert_shared_count([one, other]: &[String; 2], key: &str) {
    let (first, second) = in_one_window(async || (get(one, key).await, get(other, key).await)).await;
    assert_eq!(rate_limit_headers(&second).1.unwrap() + 1, rate_limit_headers(&first).1.unwrap());
}

/// Checks that each of two instances allows the limit, in the window of this program's clock.
async fn assert_separate_counts(instances: &[String; 2], key: &str) {
    for instance in instances {
        let answers = burst(&[instance], key, LIMIT + 10).await;
        assert!(answers.iter().all(|answer| rate_limit_headers(answer).2 == Some(NOW.seconds() + 60)));
        assert_exact(&answers);
        let noticed = async {
            while is_shared(instance).await {
                get(instance, key).await; // one late answer is no loss
            }
        };
        timeout(Duration::from_mins(1), noticed).await.expect("the loss is noticed");
    }
}

async fn two_instances_together_allow_exactly_the_limit(service: Service) {
    let redis = RedisServer::start(&[]);
    let [one, other] = instances(&service, &redis.url()).await;
    assert_exact_together(&service, service.demo.account.id, [&one, &other]).await;
    // A key of another shop has its own count.
    assert_exact_together(&service, service.other_account.parse().unwrap(), [&one, &other]).await;
}

async fn tokens_of_one_consumer_share_a_count_in_redis(service: Service) {
    let redis = RedisServer::start(&[]);
    let [one, other] = instances(&service, &redis.url()).await;
    let tokens = [service.ada().await.token, service.ada().await.token];
    let (first, second) = in_one_window(async || (get(&one, &tokens[0]).await, get(&other, &tokens[1]).await)).await;
    assert_eq!((first.status, second.status), (403, 403));
    assert_eq!(rate_limit_headers(&second).1.unwrap() + 1, rate_limit_headers(&first).1.unwrap());
    // The devices of an IPv6 network share a count, too.
    let from = async |instance: &str, client: &str| {
        send(Client::new().get(format!("{instance}{PATH}")).header("X-Forwarded-For", client)).await
    };
    let devices = async || (from(&one, "2001:db8:1:2::1").await, from(&other, "2001:db8:1:2::2").await);
    let (first, second) = in_one_window(devices).await;
    assert_eq!(rate_limit_headers(&second).1.unwrap() + 1, rate_limit_headers(&first).1.unwrap());
}

async fn instances_count_by_themselves_while_redis_is_gone(service: Service) {
    let mut redis = RedisServer::start(&[]);
    let instances = instances(&service, &redis.url()).await;
    assert_shared_count(&instances, &service.demo.key).await;
    redis.kill();
    assert_separate_counts(&instances, &service.demo.key).await;
    redis.start_again();
    for instance in &instances {
        until_shared(instance).await;
    }
    assert_shared_count(&instances, &service.demo.key).await;
    assert_exact_together(&service, service.demo.account.id, [&instances[0], &instances[1]]).await;
}

async fn a_hanging_redis_delays_no_request(service: Service) {
    let redis = RedisServer::start(&[]);
    let both = instances(&service, &redis.url()).await;
    redis.hang();
    assert_separate_counts(&both, &service.demo.key).await;
    // An instance that starts now does not wait for Redis either.
    let late = timeout(Duration::from_mins(1), instances(&service, &redis.url())).await.expect("the instances start");
    assert_separate_counts(&late, &service.demo.key).await;
    redis.resume();
    for instance in both.iter().chain(&late) {
        until_shared(instance).await;
    }
    let [one, _] = both;
    let [other, _] = late;
    // With another client, because Redis has counted the requests that timed out.
    assert_shared_count(&[one, other], &service.other_key).await;
}

async fn an_instance_starts_without_redis_and_connects_later(service: Service) {
    let mut redis = RedisServer::start(&[]);
    redis.kill();
    let instances = instances(&service, &redis.url()).await;
    assert_separate_counts(&instances, &service.demo.key).await;
    redis.start_again();
    for instance in &instances {
        until_shared(instance).await;
    }
    assert_shared_count(&instances, &service.demo.key).await;
}

async fn a_lost_script_and_refused_writes_fail_no_request(service: Service) {
    let redis = RedisServer::start(&[]);
    let instances = instances(&service, &redis.url()).await;
    assert_shared_count(&instances, &service.demo.key).await;
    let _: () = ask(&redis.url(), "SCRIPT FLUSH");
    assert_shared_count(&instances, &service.demo.key).await;
    assert!(is_shared(&instances[0]).await && is_shared(&instances[1]).await, "the script is sent again");
    let _: () = ask(&redis.url(), "CONFIG SET maxmemory 1");
    assert_separate_counts(&instances, &service.demo.key).await;
    let _: () = ask(&redis.url(), "CONFIG SET maxmemory 0");
    for instance in &instances {
        until_shared(instance).await;
    }
    assert_shared_count(&instances, &service.demo.key).await;
}

async fn a_count_without_expiry_gets_one(service: Service) {
    let redis = RedisServer::start(&[]);
    let url = redis.url();
    let [instance, _] = instances(&service, &url).await;
    let given = async {
        loop {
            get(&instance, &service.demo.key).await;
            let keys: Vec<String> = ask(&url, "KEYS *");
            let persist = |key: &&String| ask::<i64>(&url, &format!("PERSIST {key}")) == 1;
            let endless: Vec<&String> = keys.iter().filter(persist).collect();
            get(&instance, &service.demo.key).await;
            // If a window has ended since, there are further keys.
            if endless.iter().any(|key| ask::<i64>(&url, &format!("PTTL {key}")) >= 0) {
                return;
            }
        }
    };
    timeout(Duration::from_mins(1), given).await.expect("the client's count has an expiry again");
}

async fn with_the_wrong_password_instances_count_by_themselves(service: Service) {
    let redis = RedisServer::start(&["--requirepass", "p@ssword"]);
    for wrong in ["default:pass", ":pass"] {
        assert_separate_counts(&instances(&service, &redis.url_with(wrong, 0)).await, &service.demo.key).await;
    }
    assert_separate_counts(&instances(&service, &redis.url()).await, &service.demo.key).await;
    let right = redis.url_with("default:p%40ssword", 3);
    assert_shared_count(&instances(&service, &right).await, &service.demo.key).await;
    let (there, elsewhere) = (ask::<u32>(&right, "DBSIZE"), ask::<u32>(&redis.url_with(":p%40ssword", 0), "DBSIZE"));
    assert!(there > 0 && elsewhere == 0, "{there} {elsewhere}");
}

async fn redis_contains_no_personal_data(service: Service) {
    const ADDRESSES: [&str; 3] = ["127.0.0.1", "198.51.100.7", "2001:db8::7"];
    let redis = RedisServer::start(&[]);
    let url = redis.url();
    let [instance, _] = instances(&service, &url).await;
    let ada = service.ada().await;
    loop {
        let began: Vec<i64> = ask(&url, "TIME");
        for address in ADDRESSES {
            let request = Client::new().get(format!("{instance}{PATH}")).header("X-Forwarded-For", address);
            assert_eq!(send(request).await.status, 401);
        }
        get(&instance, &service.demo.key).await;
        get(&instance, &ada.token).await;
        let keys: Vec<String> = ask(&url, "KEYS *");
        let ended: Vec<i64> = ask(&url, "TIME");
        if began[0] / 60 != ended[0] / 60 {
            continue; // keys can have expired with their window
        }
        assert_eq!(keys.len(), ADDRESSES.len() + 2 + 1, "one key for each client, and the key of the probe: {keys:?}");
        for key in keys {
            let name = key.strip_prefix("retour:limit:").unwrap_or_else(|| panic!("not a key of ours: {key}"));
            let is_hash = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_hash || name == "probe", "{name}");
            let left: i64 = ask(&url, &format!("PTTL {key}"));
            assert!((-2..60_000).contains(&left) && left != -1, "the key has an expiry: {left}");
            let value: Option<u32> = ask(&url, &format!("GET {key}"));
            assert!(value.is_none_or(|count| (1..=5).contains(&count)), "{value:?}");
        }
        return;
    }
}
