//! How many files the process may hold open, connections among them.

/// What is plenty: the kernel keeps a table of them.
const ENOUGH: u64 = 65_536;

/// Lets the process hold as many open as it may, and tells how many that are. Many systems start programs with 1,024 for
/// the sake of those that use `select`, and let them ask for more.
#[cfg(unix)]
pub fn raise_limit() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = maximum.unwrap_or(ENOUGH).min(ENOUGH);
    let Some(current) = current.filter(|current| *current < wanted) else {
        return current.unwrap_or(ENOUGH).min(ENOUGH);
    };
    match setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }) {
        Ok(()) => wanted,
        Err(_) => current,
    }
}

/// Elsewhere nobody says.
#[cfg(not(unix))]
pub fn raise_limit() -> u64 {
    1_024
}
