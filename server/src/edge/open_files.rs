//! The limit of open files of the process. Connections count as files.

/// The limit to ask for: plenty, while the kernel's table of them stays small.
const ENOUGH: u64 = 65_536;

/// Raises the limit as far as the system allows, and returns it. Many systems start programs with a limit of 1,024, for programs that use
/// `select`, and let the others ask for more.
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

/// The limit to assume on systems that have no such call.
#[cfg(not(unix))]
pub fn raise_limit() -> u64 {
    1_024
}
