//! The rate limit (spec 8): so many requests a minute for each credential, or address where there is none.
//! A fixed window, counted in this process.

use axum::http::HeaderMap;
use domain::Timestamp;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

const WINDOW_SECONDS: i64 = 60;

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Who {
    /// A valid credential, by its id, and its last four characters to name it by.
    Credential(String, String),
    /// An address without a valid credential.
    Address(IpAddr),
}

/// Counts requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct RateLimit {
    /// Requests a window; 0: no limit.
    allowed: u32,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    window: i64,
    by_who: HashMap<Who, u32>,
}

/// What one request found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether the request may go on.
    pub passes: bool,
    limit: u32,
    remaining: u32,
    resets_at: i64,
    now: i64,
}

impl RateLimit {
    /// A limit of so many requests a minute; 0 is none.
    pub fn new(allowed: u32) -> Self {
        Self { allowed, counts: Arc::default() }
    }

    /// Counts a request; `None` when there is no limit.
    pub fn count(&self, who: Who, now: Timestamp) -> Option<Standing> {
        if self.allowed == 0 {
            return None;
        }
        let now = now.seconds();
        let window = now.div_euclid(WINDOW_SECONDS);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.window != window {
            // Memory stays bounded by what one window brings.
            *counts = Counts { window, by_who: HashMap::new() };
        }
        let count = counts.by_who.entry(who).or_insert(0);
        let passes = *count < self.allowed;
        *count = count.saturating_add(1);
        let remaining = self.allowed.saturating_sub(*count);
        Some(Standing { passes, limit: self.allowed, remaining, resets_at: (window + 1) * WINDOW_SECONDS, now })
    }
}

impl Standing {
    /// The three headers of every response, and when to come back for those that were refused.
    pub fn write(&self, headers: &mut HeaderMap) {
        headers.insert("ratelimit-limit", self.limit.into());
        headers.insert("ratelimit-remaining", self.remaining.into());
        headers.insert("ratelimit-reset", self.resets_at.into());
        if !self.passes {
            headers.insert(axum::http::header::RETRY_AFTER, (self.resets_at - self.now).max(1).into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_has_a_window_of_its_own() {
        let limit = RateLimit::new(2);
        let at = Timestamp::from_seconds(61);
        let who = || Who::Address(IpAddr::from([127, 0, 0, 1]));
        let other = Who::Credential("serviceUser:1".into(), "abcd".into());
        assert_eq!(limit.count(who(), at).map(|standing| (standing.passes, standing.remaining)), Some((true, 1)));
        assert_eq!(limit.count(who(), at).map(|standing| (standing.passes, standing.remaining)), Some((true, 0)));
        assert_eq!(limit.count(who(), at).map(|standing| (standing.passes, standing.resets_at)), Some((false, 120)));
        assert!(limit.count(other, at).is_some_and(|standing| standing.passes));
        assert!(limit.count(who(), Timestamp::from_seconds(120)).is_some_and(|standing| standing.passes));
        assert!(RateLimit::new(0).count(who(), at).is_none());
    }
}
