//! Figures of the process, under the names that Prometheus's own libraries give them. Where there is no `/proc`, there are none.

use super::head;
use std::{fmt::Write, fs};

/// What the kernel tells of this process.
struct Process {
    cpu_seconds: f64,
    resident_bytes: u64,
    open_files: usize,
    most_files: Option<u64>,
    threads: u64,
}

pub(super) fn write(text: &mut String) -> std::fmt::Result {
    let Some(process) = read() else { return Ok(()) };
    head(text, "process_cpu_seconds_total", "counter", "Time that processors spent on this program.")?;
    writeln!(text, "process_cpu_seconds_total {}", process.cpu_seconds)?;
    head(text, "process_resident_memory_bytes", "gauge", "What it holds in memory.")?;
    writeln!(text, "process_resident_memory_bytes {}", process.resident_bytes)?;
    head(text, "process_open_fds", "gauge", "Files and connections that it has open.")?;
    writeln!(text, "process_open_fds {}", process.open_files)?;
    if let Some(most) = process.most_files {
        head(text, "process_max_fds", "gauge", "How many it may have open.")?;
        writeln!(text, "process_max_fds {most}")?;
    }
    head(text, "process_threads", "gauge", "Threads that it has.")?;
    writeln!(text, "process_threads {}", process.threads)
}

#[cfg(target_os = "linux")]
fn read() -> Option<Process> {
    use rustix::{param, process};
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // What stands in brackets is the program's name, and may hold anything.
    let stat: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |at: usize| stat.get(at)?.parse::<u64>().ok();
    let (in_user_mode, in_kernel_mode, threads) = (number(11)?, number(12)?, number(17)?);
    let millis = (in_user_mode + in_kernel_mode).saturating_mul(1_000) / param::clock_ticks_per_second().max(1);
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(Process {
        cpu_seconds: std::time::Duration::from_millis(millis).as_secs_f64(),
        resident_bytes: pages.saturating_mul(u64::try_from(param::page_size()).ok()?),
        open_files: fs::read_dir("/proc/self/fd").ok()?.count(),
        most_files: process::getrlimit(process::Resource::Nofile).current,
        threads,
    })
}

#[cfg(not(target_os = "linux"))]
fn read() -> Option<Process> {
    None
}
