//! An upgrade under load: the tables are migrated to the next version while four instances serve. Then one instance after the other is
//! replaced, so both versions serve side by side for a while. No request fails, and nothing is lost.
//!
//! `RETOUR_NEXT` is the program of the next version, and `RETOUR_BIN` that of the version before: `make upgrade` builds both. Without them, a
//! version is replaced by itself, as after a change of settings.

use super::{Scenario, on_threads};
use crate::support::process::{binary, command_of};
use std::{env, path::PathBuf, time::Duration};
use tokio::time::sleep;

/// Longer than the load balancer needs to notice that an instance is not ready (`deploy/proxy/haproxy.cfg`).
const DRAIN_SECONDS: u64 = 5;
/// How long both versions serve side by side after each step.
const SIDE_BY_SIDE: Duration = Duration::from_secs(5);

#[test]
#[ignore = "a minute, haproxy and redis-server: make upgrade, make chaos"]
fn no_request_fails_during_an_upgrade() {
    on_threads(async {
        let next = env::var_os("RETOUR_NEXT").map_or_else(binary, PathBuf::from);
        let mut scenario = Scenario::begin(&[("RETOUR_DRAIN_SECONDS", DRAIN_SECONDS.to_string())]).await;
        sleep(SIDE_BY_SIDE).await;
        let migrated = command_of(&next, &scenario.cluster.database).arg("migrate").status().unwrap();
        assert!(migrated.success());
        sleep(SIDE_BY_SIDE).await;
        for instance in &mut scenario.cluster.instances {
            instance.program().signal("TERM");
            let mut running = instance.running.take().unwrap();
            assert!(
                tokio::task::spawn_blocking(move || running.wait()).await.unwrap(),
                "the instance stops without an error"
            );
            instance.executable = next.clone();
            instance.start().await;
            sleep(SIDE_BY_SIDE).await;
        }
        let (returns, tries) = scenario.end().await;
        tries.print_availability();
        assert!(returns > 0, "the load was too small");
        assert_eq!(tries.failed(), [""; 0], "no request failed");
    });
}
