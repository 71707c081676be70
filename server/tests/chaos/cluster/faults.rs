//! The faults that are injected, by a seed: all kinds in turn, in a new random order for each round.

use super::{
    fault_proxy::{FaultProxy, FaultState},
    instances::{Cluster, INSTANCES},
};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// A fault that was injected.
#[derive(Debug, Clone)]
pub struct InjectedFault {
    pub kind: String,
    pub began: Instant,
    pub ended: Instant,
}

/// A connection with a proxy.
#[derive(Debug, Clone, Copy)]
enum ProxiedLink {
    ToOne,
    OneToPostgres,
    AllToPostgres,
    AllToRedis,
    ToReceiver,
}

/// A fault of a connection.
#[derive(Debug, Clone, Copy)]
enum LinkFault {
    /// The proxy is in this state for a while.
    During(FaultState),
    /// Existing connections are abandoned for good.
    Abandoned,
}

#[derive(Debug, Clone, Copy)]
enum Fault {
    Kill,
    Stop,
    Suspend,
    PostgresRestarts(&'static str),
    PostgresKilled,
    PostgresAway,
    RedisAway,
    RedisSuspended,
    DiskSlow,
    DiskFull,
    Link(ProxiedLink, LinkFault),
}

/// The faults of a round.
fn all_kinds() -> Vec<Fault> {
    let mut deck = vec![
        Fault::Kill,
        Fault::Kill,
        Fault::Stop,
        Fault::Stop,
        Fault::Suspend,
        Fault::PostgresRestarts("fast"),
        Fault::PostgresRestarts("immediate"),
        Fault::PostgresKilled,
        Fault::PostgresAway,
        Fault::RedisAway,
        Fault::RedisSuspended,
        Fault::DiskSlow,
        Fault::DiskFull,
    ];
    let slow = |millis| LinkFault::During(FaultState::Slow(Duration::from_millis(millis)));
    let links = [
        ProxiedLink::ToOne,
        ProxiedLink::OneToPostgres,
        ProxiedLink::AllToPostgres,
        ProxiedLink::AllToRedis,
        ProxiedLink::ToReceiver,
    ];
    for link in links {
        let faults = [
            LinkFault::During(FaultState::Cut),
            LinkFault::During(FaultState::Reset),
            LinkFault::During(FaultState::Silent),
            LinkFault::Abandoned,
        ];
        deck.extend(faults.map(|fault| Fault::Link(link, fault)));
        deck.extend([slow(100), slow(500)].map(|fault| Fault::Link(link, fault)));
    }
    deck
}

/// Injects faults.
#[derive(Debug)]
pub struct FaultInjector {
    random: fastrand::Rng,
    kinds: Vec<Fault>,
    deck: Vec<Fault>,
    to_receiver: FaultProxy,
    pub injected: Vec<InjectedFault>,
}

impl FaultInjector {
    /// Injects the faults whose names contain `only`, in an order by the seed.
    pub fn new(seed: u64, only: &str, to_receiver: FaultProxy) -> Self {
        let kinds: Vec<Fault> = all_kinds().into_iter().filter(|fault| name(*fault).contains(only)).collect();
        assert!(!kinds.is_empty(), "RETOUR_CHAOS_ONLY: no name of a fault contains {only}");
        Self { random: fastrand::Rng::with_seed(seed), kinds, deck: Vec::new(), to_receiver, injected: Vec::new() }
    }

    /// Injects the next fault, and waits until it is over.
    pub async fn inject_next(&mut self, cluster: &mut Cluster) {
        if self.deck.is_empty() {
            self.deck.clone_from(&self.kinds);
            self.random.shuffle(&mut self.deck);
        }
        let Some(fault) = self.deck.pop() else { return };
        let kind = name(fault);
        if matches!(fault, Fault::DiskFull) && !cluster.postgres.has_own_disk() {
            println!("skipped: {kind} requires root");
            return sleep(Duration::from_millis(100)).await;
        }
        let began = Instant::now();
        self.inject(fault, cluster).await;
        let ended = Instant::now();
        println!("{:>6.1?} {kind}", ended - began);
        self.injected.push(InjectedFault { kind, began, ended });
        for instance in &mut cluster.instances {
            instance.program(); // no instance has exited by itself
        }
        sleep(Duration::from_millis(self.random.u64(2_000..5_000))).await;
    }

    async fn inject(&mut self, fault: Fault, cluster: &mut Cluster) {
        let who = self.random.usize(0..INSTANCES);
        let a_while = Duration::from_millis(self.random.u64(500..4_000));
        match fault {
            Fault::Kill => {
                cluster.instances[who].program().kill();
                sleep(a_while).await;
                cluster.instances[who].start().await;
            }
            Fault::Stop => {
                cluster.instances[who].program().signal("TERM");
                let mut running = cluster.instances[who].running.take().unwrap();
                let ended_well = tokio::task::spawn_blocking(move || running.wait()).await.unwrap();
                assert!(ended_well, "a stopped instance exits without an error");
                cluster.instances[who].start().await;
            }
            Fault::Suspend => {
                cluster.instances[who].program().signal("STOP");
                // Sometimes longer than its leases.
                sleep(if self.random.bool() { a_while } else { a_while + Duration::from_secs(20) }).await;
                cluster.instances[who].program().signal("CONT");
            }
            Fault::RedisAway => {
                cluster.redis.stop();
                sleep(a_while).await;
                cluster.redis.resume();
            }
            Fault::RedisSuspended => {
                cluster.redis.signal("STOP");
                sleep(a_while).await;
                cluster.redis.signal("CONT");
            }
            Fault::Link(link, link_fault) => {
                self.inject_into_links(&proxies(cluster, link, who, &self.to_receiver), link_fault, a_while).await;
            }
            of_postgres => tokio::task::block_in_place(|| inject_into_postgres(of_postgres, cluster, a_while)),
        }
    }

    async fn inject_into_links(&self, proxies: &[FaultProxy], fault: LinkFault, a_while: Duration) {
        match fault {
            LinkFault::Abandoned => proxies.iter().for_each(FaultProxy::abandon),
            LinkFault::During(state) => {
                for proxy in proxies {
                    proxy.set(state);
                }
                sleep(a_while).await;
                for proxy in proxies {
                    proxy.set(FaultState::Open);
                }
            }
        }
    }
}

fn proxies(cluster: &Cluster, link: ProxiedLink, who: usize, to_receiver: &FaultProxy) -> Vec<FaultProxy> {
    let all = cluster.instances.iter();
    match link {
        ProxiedLink::ToOne => vec![cluster.instances[who].inward.clone()],
        ProxiedLink::OneToPostgres => vec![cluster.instances[who].to_postgres.clone()],
        ProxiedLink::AllToPostgres => all.map(|one| one.to_postgres.clone()).collect(),
        ProxiedLink::AllToRedis => all.map(|one| one.to_redis.clone()).collect(),
        ProxiedLink::ToReceiver => vec![to_receiver.clone()],
    }
}

fn inject_into_postgres(fault: Fault, cluster: &Cluster, a_while: Duration) {
    let (postgres, wait) = (&cluster.postgres, std::thread::sleep);
    match fault {
        Fault::PostgresRestarts(how) => postgres.stop(how),
        Fault::PostgresKilled => postgres.kill(),
        Fault::PostgresAway => {
            postgres.stop("fast");
            wait(a_while);
        }
        Fault::DiskSlow => {
            let mut slowing = postgres.slow_down(Duration::from_millis(50));
            wait(a_while);
            slowing.signal("TERM");
            slowing.wait();
        }
        _ => {
            postgres.fill();
            wait(a_while);
            postgres.empty();
        }
    }
    postgres.resume();
}

fn name(fault: Fault) -> String {
    let text = match fault {
        Fault::Kill => "one instance: killed",
        Fault::Stop => "one instance: stopped",
        Fault::Suspend => "one instance: suspended",
        Fault::PostgresRestarts("fast") => "Postgres: restarted",
        Fault::PostgresRestarts(_) => "Postgres: restarted without a shutdown",
        Fault::PostgresKilled => "Postgres: killed",
        Fault::PostgresAway => "Postgres: away",
        Fault::RedisAway => "Redis: away",
        Fault::RedisSuspended => "Redis: suspended",
        Fault::DiskSlow => "disk: 50 ms for each write",
        Fault::DiskFull => "disk: full",
        Fault::Link(link, fault) => return format!("{}: {}", link_name(link), link_fault_name(fault)),
    };
    text.to_owned()
}

fn link_name(link: ProxiedLink) -> &'static str {
    match link {
        ProxiedLink::ToOne => "balancer to one",
        ProxiedLink::OneToPostgres => "one to Postgres",
        ProxiedLink::AllToPostgres => "all to Postgres",
        ProxiedLink::AllToRedis => "all to Redis",
        ProxiedLink::ToReceiver => "all to the receiver",
    }
}

fn link_fault_name(fault: LinkFault) -> String {
    match fault {
        LinkFault::Abandoned => "abandoned".to_owned(),
        LinkFault::During(FaultState::Slow(by)) => format!("{} ms slower", by.as_millis() * 2),
        LinkFault::During(state) => format!("{state:?}").to_lowercase(),
    }
}
