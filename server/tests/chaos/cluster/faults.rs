//! What is done to the stage, by a seed: each kind in turn, in an order that is shuffled anew each time.

use super::{
    stage::{INSTANCES, Stage},
    wire::{State, Wire},
};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// One knock, as it was struck.
#[derive(Debug, Clone)]
pub struct Struck {
    pub kind: String,
    pub began: Instant,
    pub ended: Instant,
}

/// Between whom a line runs.
#[derive(Debug, Clone, Copy)]
enum Line {
    ToOne,
    OneToPostgres,
    AllToPostgres,
    AllToRedis,
    ToReceiver,
}

/// What is done to a line.
#[derive(Debug, Clone, Copy)]
enum Harm {
    Is(State),
    Forgotten,
}

#[derive(Debug, Clone, Copy)]
enum Knock {
    Kill,
    Stop,
    StandStill,
    PostgresRestarts(&'static str),
    PostgresKilled,
    PostgresAway,
    RedisAway,
    RedisStandsStill,
    DiskSlow,
    DiskFull,
    Line(Line, Harm),
}

/// Each as often as it comes in a round.
fn all_kinds() -> Vec<Knock> {
    let mut deck = vec![
        Knock::Kill,
        Knock::Kill,
        Knock::Stop,
        Knock::Stop,
        Knock::StandStill,
        Knock::PostgresRestarts("fast"),
        Knock::PostgresRestarts("immediate"),
        Knock::PostgresKilled,
        Knock::PostgresAway,
        Knock::RedisAway,
        Knock::RedisStandsStill,
        Knock::DiskSlow,
        Knock::DiskFull,
    ];
    let slow = |millis| Harm::Is(State::Slow(Duration::from_millis(millis)));
    let lines = [Line::ToOne, Line::OneToPostgres, Line::AllToPostgres, Line::AllToRedis, Line::ToReceiver];
    for line in lines {
        let harms = [Harm::Is(State::Cut), Harm::Is(State::Reset), Harm::Is(State::Silent), Harm::Forgotten];
        deck.extend(harms.map(|harm| Knock::Line(line, harm)));
        deck.extend([slow(100), slow(500)].map(|harm| Knock::Line(line, harm)));
    }
    deck
}

/// Whoever knocks.
#[derive(Debug)]
pub struct Knocking {
    random: fastrand::Rng,
    kinds: Vec<Knock>,
    deck: Vec<Knock>,
    to_receiver: Wire,
    pub struck: Vec<Struck>,
}

impl Knocking {
    /// By a seed; those kinds whose name has a text in it.
    pub fn new(seed: u64, only: &str, to_receiver: Wire) -> Self {
        let kinds: Vec<Knock> = all_kinds().into_iter().filter(|knock| name(*knock).contains(only)).collect();
        assert!(!kinds.is_empty(), "RETOUR_CHAOS_ONLY: no knock is called {only}");
        Self { random: fastrand::Rng::with_seed(seed), kinds, deck: Vec::new(), to_receiver, struck: Vec::new() }
    }

    /// The next one, from its beginning to its end.
    pub async fn strike(&mut self, stage: &mut Stage) {
        if self.deck.is_empty() {
            self.deck.clone_from(&self.kinds);
            self.random.shuffle(&mut self.deck);
        }
        let Some(knock) = self.deck.pop() else { return };
        let kind = name(knock);
        if matches!(knock, Knock::DiskFull) && !stage.postgres.has_own_disk() {
            println!("left out: {kind}, which only root can do");
            return sleep(Duration::from_millis(100)).await;
        }
        let began = Instant::now();
        self.carry_out(knock, stage).await;
        let ended = Instant::now();
        println!("{:>6.1?} {kind}", ended - began);
        self.struck.push(Struck { kind, began, ended });
        for instance in &mut stage.instances {
            instance.program(); // none has ended by itself
        }
        sleep(Duration::from_millis(self.random.u64(2_000..5_000))).await;
    }

    async fn carry_out(&mut self, knock: Knock, stage: &mut Stage) {
        let who = self.random.usize(0..INSTANCES);
        let a_while = Duration::from_millis(self.random.u64(500..4_000));
        match knock {
            Knock::Kill => {
                stage.instances[who].program().kill();
                sleep(a_while).await;
                stage.instances[who].start().await;
            }
            Knock::Stop => {
                stage.instances[who].program().signal("TERM");
                let mut running = stage.instances[who].running.take().unwrap();
                let ended_well = tokio::task::spawn_blocking(move || running.wait()).await.unwrap();
                assert!(ended_well, "who is asked to end, ends well");
                stage.instances[who].start().await;
            }
            Knock::StandStill => {
                stage.instances[who].program().signal("STOP");
                // Sometimes longer than its claims last.
                sleep(if self.random.bool() { a_while } else { a_while + Duration::from_secs(20) }).await;
                stage.instances[who].program().signal("CONT");
            }
            Knock::RedisAway => {
                stage.redis.stop();
                sleep(a_while).await;
                stage.redis.go_on();
            }
            Knock::RedisStandsStill => {
                stage.redis.signal("STOP");
                sleep(a_while).await;
                stage.redis.signal("CONT");
            }
            Knock::Line(line, harm) => {
                self.harm(&stage_wires(stage, line, who, &self.to_receiver), harm, a_while).await;
            }
            of_postgres => tokio::task::block_in_place(|| knock_postgres(of_postgres, stage, a_while)),
        }
    }

    async fn harm(&self, wires: &[Wire], harm: Harm, a_while: Duration) {
        match harm {
            Harm::Forgotten => wires.iter().for_each(Wire::forget),
            Harm::Is(state) => {
                for wire in wires {
                    wire.set(state);
                }
                sleep(a_while).await;
                for wire in wires {
                    wire.set(State::Open);
                }
            }
        }
    }
}

fn stage_wires(stage: &Stage, line: Line, who: usize, to_receiver: &Wire) -> Vec<Wire> {
    let all = stage.instances.iter();
    match line {
        Line::ToOne => vec![stage.instances[who].inward.clone()],
        Line::OneToPostgres => vec![stage.instances[who].to_postgres.clone()],
        Line::AllToPostgres => all.map(|one| one.to_postgres.clone()).collect(),
        Line::AllToRedis => all.map(|one| one.to_redis.clone()).collect(),
        Line::ToReceiver => vec![to_receiver.clone()],
    }
}

fn knock_postgres(knock: Knock, stage: &Stage, a_while: Duration) {
    let (postgres, wait) = (&stage.postgres, std::thread::sleep);
    match knock {
        Knock::PostgresRestarts(how) => postgres.stop(how),
        Knock::PostgresKilled => postgres.kill(),
        Knock::PostgresAway => {
            postgres.stop("fast");
            wait(a_while);
        }
        Knock::DiskSlow => {
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
    postgres.go_on();
}

fn name(knock: Knock) -> String {
    let text = match knock {
        Knock::Kill => "one instance: killed",
        Knock::Stop => "one instance: asked to end",
        Knock::StandStill => "one instance: stands still",
        Knock::PostgresRestarts("fast") => "Postgres: restarted",
        Knock::PostgresRestarts(_) => "Postgres: restarted without an end",
        Knock::PostgresKilled => "Postgres: killed",
        Knock::PostgresAway => "Postgres: away",
        Knock::RedisAway => "Redis: away",
        Knock::RedisStandsStill => "Redis: stands still",
        Knock::DiskSlow => "disk: 50 ms for each write",
        Knock::DiskFull => "disk: full",
        Knock::Line(line, harm) => return format!("{}: {}", line_name(line), harm_name(harm)),
    };
    text.to_owned()
}

fn line_name(line: Line) -> &'static str {
    match line {
        Line::ToOne => "balancer to one",
        Line::OneToPostgres => "one to Postgres",
        Line::AllToPostgres => "all to Postgres",
        Line::AllToRedis => "all to Redis",
        Line::ToReceiver => "all to the receiver",
    }
}

fn harm_name(harm: Harm) -> String {
    match harm {
        Harm::Forgotten => "forgotten".to_owned(),
        Harm::Is(State::Slow(by)) => format!("{} ms slower", by.as_millis() * 2),
        Harm::Is(state) => format!("{state:?}").to_lowercase(),
    }
}
