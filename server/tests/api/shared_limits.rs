//! The rate limit of several instances: counted in one Redis, and by each while that is lost.

use crate::{
    harness::{Answer, NOW, Service, on_both_databases, open, send},
    limits::standing,
    redis_server::{RedisServer, ask},
};
use reqwest::Client;
use std::{collections::BTreeMap, time::Duration};
use tokio::{task::JoinSet, time::timeout};

on_both_databases! {
    of_two_instances_exactly_the_limit_passes
    tokens_of_one_consumer_share_a_count_in_redis
    instances_count_by_themselves_while_redis_is_gone
    a_redis_that_hangs_holds_nobody_up
    an_instance_starts_without_its_redis_and_finds_it_later
    what_redis_forgets_or_refuses_fails_nobody
    a_count_without_an_end_is_given_one
    with_the_wrong_password_instances_count_by_themselves
    nobody_is_known_in_redis
}

const PATH: &str = "/api/v0/return-requests?limit=1";
const LIMIT: u32 = 30;

/// Two doors to the same shops, which share a limit.
async fn doors(service: &Service, url: &str) -> [String; 2] {
    let instance = async || open(service.instance(LIMIT).sharing_limit_in(url).await.unwrap());
    [instance().await, instance().await]
}

async fn get(door: &str, key: &str) -> Answer {
    send(Client::new().get(format!("{door}{PATH}")).bearer_auth(key)).await
}

/// So many requests at once, through these doors by turns.
async fn burst(doors: &[&String], key: &str, requests: u32) -> Vec<Answer> {
    let mut under_way = JoinSet::new();
    let client = Client::new(); // one for each would keep this program from answering, and Redis has 100 ms
    for (door, _) in doors.iter().copied().cycle().zip(0..requests) {
        under_way.spawn(send(client.get(format!("{door}{PATH}")).bearer_auth(key)));
    }
    timeout(Duration::from_mins(1), under_way.join_all()).await.expect("every request is answered")
}

/// Holds answers to the limit: in each window the first pass, each with another number left, and the others do not. (By
/// Redis's clock, which goes on, a window may end between two of them.)
fn assert_exact(answers: &[Answer]) {
    let mut windows = BTreeMap::<_, (Vec<u32>, u32)>::new();
    for answer in answers {
        let (limit, left, resets_at) = standing(answer);
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

/// What health and metrics say, which is the same.
async fn is_shared(door: &str) -> bool {
    let get = async |path: &str| send(Client::new().get(format!("{door}{path}"))).await;
    let ready = get("/health/ready").await;
    assert_eq!(ready.status, 200, "it is ready, with Redis or without");
    let is_shared = ready.json()["rateLimitShared"].as_bool().unwrap();
    let metric = get("/metrics").await.text();
    let metric = metric.lines().find_map(|line| line.strip_prefix("retour_rate_limit_shared ")).unwrap().to_owned();
    assert!(["0", "1"].contains(&metric.as_str()), "{metric}");
    is_shared
}

async fn until_shared(door: &str) {
    let found = async {
        while !is_shared(door).await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_mins(1), found).await.expect("it is found again");
}

/// What one of two instances counted, the other one knows.
async fn assert_together([one, other]: &[String; 2], key: &str) {
    loop {
        let (first, second) = (standing(&get(one, key).await), standing(&get(other, key).await));
        if first.2 == second.2 {
            assert_eq!(second.1.unwrap() + 1, first.1.unwrap());
            return;
        }
    }
}

/// Each of two instances lets the limit through, in the window of this program's clock.
async fn assert_apart(doors: &[String; 2], key: &str) {
    for door in doors {
        let answers = burst(&[door], key, LIMIT + 10).await;
        assert!(answers.iter().all(|answer| standing(answer).2 == Some(NOW.seconds() + 60)));
        assert_exact(&answers);
        let noticed = async {
            while is_shared(door).await {
                get(door, key).await; // one answer that is late is none that is lost
            }
        };
        timeout(Duration::from_mins(1), noticed).await.expect("it is noticed");
    }
}

async fn of_two_instances_exactly_the_limit_passes(service: Service) {
    let redis = RedisServer::start(&[]);
    let [one, other] = doors(&service, &redis.url()).await;
    assert_exact(&burst(&[&one, &other], &service.demo.key, 2 * LIMIT).await);
    // Another key of another shop has a count of its own.
    assert_exact(&burst(&[&one, &other], &service.other_key, 2 * LIMIT).await);
    assert!(is_shared(&one).await && is_shared(&other).await);
}

async fn tokens_of_one_consumer_share_a_count_in_redis(service: Service) {
    let redis = RedisServer::start(&[]);
    let [one, other] = doors(&service, &redis.url()).await;
    let tokens = [service.ada().await.token, service.ada().await.token];
    loop {
        let first = send(Client::new().get(format!("{one}{PATH}")).bearer_auth(&tokens[0])).await;
        let second = send(Client::new().get(format!("{other}{PATH}")).bearer_auth(&tokens[1])).await;
        if standing(&first).2 == standing(&second).2 {
            assert_eq!((first.status, second.status), (403, 403));
            assert_eq!(standing(&second).1.unwrap() + 1, standing(&first).1.unwrap());
            break;
        }
    }
    // So do the devices of an IPv6 network.
    loop {
        let from = async |door: &str, client: &str| {
            send(Client::new().get(format!("{door}{PATH}")).header("X-Forwarded-For", client)).await
        };
        let (first, second) = (from(&one, "2001:db8:1:2::1").await, from(&other, "2001:db8:1:2::2").await);
        if standing(&first).2 == standing(&second).2 {
            assert_eq!(standing(&second).1.unwrap() + 1, standing(&first).1.unwrap());
            return;
        }
    }
}

async fn instances_count_by_themselves_while_redis_is_gone(service: Service) {
    let mut redis = RedisServer::start(&[]);
    let doors = doors(&service, &redis.url()).await;
    assert_together(&doors, &service.demo.key).await;
    redis.kill();
    assert_apart(&doors, &service.demo.key).await;
    redis.start_again();
    for door in &doors {
        until_shared(door).await;
    }
    assert_together(&doors, &service.demo.key).await;
    assert_exact(&burst(&[&doors[0], &doors[1]], &service.other_key, 2 * LIMIT).await);
}

async fn a_redis_that_hangs_holds_nobody_up(service: Service) {
    let redis = RedisServer::start(&[]);
    let both = doors(&service, &redis.url()).await;
    redis.hang();
    assert_apart(&both, &service.demo.key).await;
    // Who starts now does not wait for it either.
    let late = timeout(Duration::from_mins(1), doors(&service, &redis.url())).await.expect("they start");
    assert_apart(&late, &service.demo.key).await;
    redis.go_on();
    for door in both.iter().chain(&late) {
        until_shared(door).await;
    }
    let [one, _] = both;
    let [other, _] = late;
    // Of another caller: what was asked in vain it has counted by now.
    assert_together(&[one, other], &service.other_key).await;
}

async fn an_instance_starts_without_its_redis_and_finds_it_later(service: Service) {
    let mut redis = RedisServer::start(&[]);
    redis.kill();
    let doors = doors(&service, &redis.url()).await;
    assert_apart(&doors, &service.demo.key).await;
    redis.start_again();
    for door in &doors {
        until_shared(door).await;
    }
    assert_together(&doors, &service.demo.key).await;
}

async fn what_redis_forgets_or_refuses_fails_nobody(service: Service) {
    let redis = RedisServer::start(&[]);
    let doors = doors(&service, &redis.url()).await;
    assert_together(&doors, &service.demo.key).await;
    let _: () = ask(&redis.url(), "SCRIPT FLUSH");
    assert_together(&doors, &service.demo.key).await;
    assert!(is_shared(&doors[0]).await && is_shared(&doors[1]).await, "the script is sent once more");
    let _: () = ask(&redis.url(), "CONFIG SET maxmemory 1");
    assert_apart(&doors, &service.demo.key).await;
    let _: () = ask(&redis.url(), "CONFIG SET maxmemory 0");
    for door in &doors {
        until_shared(door).await;
    }
    assert_together(&doors, &service.demo.key).await;
}

async fn a_count_without_an_end_is_given_one(service: Service) {
    let redis = RedisServer::start(&[]);
    let url = redis.url();
    let [door, _] = doors(&service, &url).await;
    let given = async {
        loop {
            get(&door, &service.demo.key).await;
            let keys: Vec<String> = ask(&url, "KEYS *");
            let persist = |key: &&String| ask::<i64>(&url, &format!("PERSIST {key}")) == 1;
            let endless: Vec<&String> = keys.iter().filter(persist).collect();
            get(&door, &service.demo.key).await;
            // Where a minute ended meanwhile, there are others.
            if endless.iter().any(|key| ask::<i64>(&url, &format!("PTTL {key}")) >= 0) {
                return;
            }
        }
    };
    timeout(Duration::from_mins(1), given).await.expect("that of the caller has an end again");
}

async fn with_the_wrong_password_instances_count_by_themselves(service: Service) {
    let redis = RedisServer::start(&["--requirepass", "p@ssword"]);
    for wrong in ["default:pass", ":pass"] {
        assert_apart(&doors(&service, &redis.url_with(wrong, 0)).await, &service.demo.key).await;
    }
    assert_apart(&doors(&service, &redis.url()).await, &service.demo.key).await;
    let right = redis.url_with("default:p%40ssword", 3);
    assert_together(&doors(&service, &right).await, &service.demo.key).await;
    let (there, elsewhere) = (ask::<u32>(&right, "DBSIZE"), ask::<u32>(&redis.url_with(":p%40ssword", 0), "DBSIZE"));
    assert!(there > 0 && elsewhere == 0, "{there} {elsewhere}");
}

async fn nobody_is_known_in_redis(service: Service) {
    const ADDRESSES: [&str; 3] = ["127.0.0.1", "198.51.100.7", "2001:db8::7"];
    let redis = RedisServer::start(&[]);
    let url = redis.url();
    let [door, _] = doors(&service, &url).await;
    let ada = service.ada().await;
    loop {
        let began: Vec<i64> = ask(&url, "TIME");
        for address in ADDRESSES {
            let request = Client::new().get(format!("{door}{PATH}")).header("X-Forwarded-For", address);
            assert_eq!(send(request).await.status, 401);
        }
        get(&door, &service.demo.key).await;
        get(&door, &ada.token).await;
        let keys: Vec<String> = ask(&url, "KEYS *");
        let ended: Vec<i64> = ask(&url, "TIME");
        if began[0] / 60 != ended[0] / 60 {
            continue; // what was there may have gone with its minute
        }
        assert_eq!(keys.len(), ADDRESSES.len() + 2 + 1, "of each one, and the one to try by: {keys:?}");
        for key in keys {
            let name = key.strip_prefix("retour:limit:").unwrap_or_else(|| panic!("not ours: {key}"));
            let is_hash = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_hash || name == "probe", "{name}");
            let left: i64 = ask(&url, &format!("PTTL {key}"));
            assert!((-2..60_000).contains(&left) && left != -1, "it goes by itself: {left}");
            let value: Option<u32> = ask(&url, &format!("GET {key}"));
            assert!(value.is_none_or(|count| (1..=5).contains(&count)), "{value:?}");
        }
        return;
    }
}
