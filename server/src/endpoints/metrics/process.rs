//! Metrics of the process, under the names of Prometheus's own client libraries. Without `/proc` there are none.

use crate::edge::prometheus::write_value;
use std::fs;

struct ProcessStats {
    cpu_seconds: f64,
    resident_bytes: u64,
    open_files: usize,
    max_files: Option<u64>,
    threads: u64,
}

pub(super) fn write(text: &mut String) -> std::fmt::Result {
    let Some(stats) = read() else { return Ok(()) };
    let help = "User and system CPU time of this process.";
    write_value(text, "process_cpu_seconds_total", "counter", help, stats.cpu_seconds)?;
    write_value(text, "process_resident_memory_bytes", "gauge", "Resident memory.", stats.resident_bytes)?;
    write_value(text, "process_open_fds", "gauge", "Open files and connections.", stats.open_files)?;
    if let Some(max) = stats.max_files {
        write_value(text, "process_max_fds", "gauge", "The limit of open files and connections.", max)?;
    }
    write_value(text, "process_threads", "gauge", "Threads of this process.", stats.threads)
}

#[cfg(target_os = "linux")]
fn read() -> Option<ProcessStats> {
    use rustix::{param, process};
    // The places of these fields after the name (proc_pid_stat(5) counts from the start, and from 1).
    const UTIME: usize = 11;
    const STIME: usize = 12;
    const NUM_THREADS: usize = 17;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in brackets and can contain spaces.
    let stat: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| stat.get(at)?.parse::<u64>().ok();
    let (in_user_mode, in_kernel_mode, threads) = (number(UTIME)?, number(STIME)?, number(NUM_THREADS)?);
    let millis = (in_user_mode + in_kernel_mode).saturating_mul(1_000) / param::clock_ticks_per_second().max(1);
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(ProcessStats {
        cpu_seconds: std::time::Duration::from_millis(millis).as_secs_f64(),
        resident_bytes: pages.saturating_mul(u64::try_from(param::page_size()).ok()?),
        open_files: fs::read_dir("/proc/self/fd").ok()?.count(),
        max_files: process::getrlimit(process::Resource::Nofile).current,
        threads,
    })
}

#[cfg(not(target_os = "linux"))]
fn read() -> Option<ProcessStats> {
    None
}
