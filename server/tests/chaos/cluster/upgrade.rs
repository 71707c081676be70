//! An upgrade under load: the tables are brought to the next version while four programs serve, then one program after the other
//! is replaced, and for a while both versions serve side by side. No request fails, and nothing is lost.
//!
//! `RETOUR_NEXT` is the next version's program, `RETOUR_BIN` that of the version before: `make upgrade` builds both. Without
//! them a version is replaced by itself, as after a change of settings.

use super::{Play, on_threads};
use crate::support::process::{binary, command_of};
use std::{env, path::PathBuf, time::Duration};
use tokio::time::sleep;

/// Longer than the balancer needs to notice (`deploy/proxy/haproxy.cfg`).
const DRAIN_SECONDS: u64 = 5;
/// How long both versions serve side by side after each step.
const SIDE_BY_SIDE: Duration = Duration::from_secs(5);

#[test]
#[ignore = "a minute, haproxy and redis-server: make upgrade, make chaos"]
fn an_upgrade_costs_nobody_a_request() {
    on_threads(async {
        let next = env::var_os("RETOUR_NEXT").map_or_else(binary, PathBuf::from);
        let mut play = Play::begin(&[("RETOUR_DRAIN_SECONDS", DRAIN_SECONDS.to_string())]).await;
        sleep(SIDE_BY_SIDE).await;
        let migrated = command_of(&next, &play.stage.database).arg("migrate").status().unwrap();
        assert!(migrated.success());
        sleep(SIDE_BY_SIDE).await;
        for instance in &mut play.stage.instances {
            instance.program().signal("TERM");
            let mut running = instance.running.take().unwrap();
            assert!(tokio::task::spawn_blocking(move || running.wait()).await.unwrap(), "it ends well");
            instance.executable = next.clone();
            instance.start().await;
            sleep(SIDE_BY_SIDE).await;
        }
        let (returns, tries) = play.end().await;
        tries.print_availability();
        assert!(returns > 0, "hardly any load");
        assert_eq!(tries.failed(), [""; 0], "requests that were not answered");
    });
}
