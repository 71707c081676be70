//! Merges identical concurrent database reads into one, without ever answering with a read that began before the
//! request.
//!
//! Each request looks up the holder of its credential, and a merchant's program may have many requests in progress with
//! one key. A request that arrives during a read cannot use that read's result: the key may have been revoked in
//! between. Such requests wait until the read ends, and then share the next one.

use super::error::Result;
use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{runtime::Handle, sync::oneshot};

/// Reads in progress, by key. Cheap to clone.
#[derive(Debug)]
pub(crate) struct Coalesce<K, V> {
    /// For each key, the requests that wait for the next read.
    under_way: Arc<Mutex<HashMap<K, Vec<oneshot::Sender<V>>>>>,
}

impl<K, V> Clone for Coalesce<K, V> {
    fn clone(&self) -> Self {
        Self { under_way: Arc::clone(&self.under_way) }
    }
}

impl<K, V> Default for Coalesce<K, V> {
    fn default() -> Self {
        Self { under_way: Arc::default() }
    }
}

impl<K, V> Coalesce<K, V>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
{
    /// Returns the result of `look`, or of another request's read that began after this call.
    pub(crate) async fn ask<L, F>(&self, key: K, look: L) -> Result<V>
    where
        L: Fn() -> F + Clone + Send + 'static,
        F: Future<Output = Result<V>> + Send + 'static,
    {
        match self.join(&key) {
            // The request that read for all got an error, and errors cannot be cloned.
            Some(answer) => match answer.await {
                Ok(found) => Ok(found),
                Err(_) => look().await,
            },
            None => {
                let _asking = Asking { together: self.clone(), key, look: look.clone() };
                look().await
            }
        }
    }

    /// Waits for the next read if one is in progress; otherwise becomes the reader.
    fn join(&self, key: &K) -> Option<oneshot::Receiver<V>> {
        match self.lock().entry(key.clone()) {
            Entry::Vacant(first) => {
                first.insert(Vec::new());
                None
            }
            Entry::Occupied(mut others) => {
                let (sender, answer) = oneshot::channel();
                others.get_mut().push(sender);
                Some(answer)
            }
        }
    }

    /// The requests that arrived during the read. If there are none, the key is removed.
    fn next(&self, key: &K) -> Vec<oneshot::Sender<V>> {
        let mut under_way = self.lock();
        let waiting = under_way.get_mut(key).map(std::mem::take).unwrap_or_default();
        if waiting.is_empty() {
            under_way.remove(key);
        }
        waiting
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<K, Vec<oneshot::Sender<V>>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A read in progress. However it ends, even by a dropped connection, the requests that wait are served.
struct Asking<K, V, L, F>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
    L: Fn() -> F + Clone + Send + 'static,
    F: Future<Output = Result<V>> + Send + 'static,
{
    together: Coalesce<K, V>,
    key: K,
    look: L,
}

impl<K, V, L, F> Drop for Asking<K, V, L, F>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + 'static,
    L: Fn() -> F + Clone + Send + 'static,
    F: Future<Output = Result<V>> + Send + 'static,
{
    fn drop(&mut self) {
        let waiting = self.together.next(&self.key);
        if waiting.is_empty() {
            return;
        }
        let asking = Self { together: self.together.clone(), key: self.key.clone(), look: self.look.clone() };
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if let Ok(found) = (asking.look)().await {
                    for one in waiting {
                        let _ = one.send(found.clone()); // a request that was dropped needs no result
                    }
                }
                drop(asking);
            });
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::base::error::Error;
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };
    use tokio::{sync::Semaphore, task::yield_now, time::timeout};

    /// Counts reads, and blocks each one until the test lets it finish. A read's result is the number of reads so far.
    #[derive(Clone)]
    struct Counter {
        looked: Arc<AtomicUsize>,
        may_answer: Arc<Semaphore>,
        fails: bool,
    }

    impl Counter {
        fn new(fails: bool) -> Self {
            Self { looked: Arc::default(), may_answer: Arc::new(Semaphore::new(0)), fails }
        }

        async fn look(self) -> Result<usize> {
            let number = self.looked.fetch_add(1, Ordering::SeqCst) + 1;
            self.may_answer.acquire().await.unwrap().forget();
            if self.fails { Err(Error::broken()) } else { Ok(number) }
        }

        fn asked(&self, together: &Coalesce<u8, usize>) -> tokio::task::JoinHandle<Result<usize>> {
            let (together, counter) = (together.clone(), self.clone());
            tokio::spawn(async move { together.ask(1, move || counter.clone().look()).await })
        }

        async fn until_looked(&self, times: usize) {
            let enough = async {
                while self.looked.load(Ordering::SeqCst) < times {
                    yield_now().await;
                }
            };
            timeout(Duration::from_secs(10), enough).await.unwrap();
        }
    }

    /// Long enough for every spawned request to begin waiting.
    async fn settle() {
        for _ in 0..100 {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn those_who_come_while_it_is_asked_share_the_next_answer() {
        let (together, counter) = (Coalesce::default(), Counter::new(false));
        let first = counter.asked(&together);
        counter.until_looked(1).await;
        let others: Vec<_> = (0..5).map(|_| counter.asked(&together)).collect();
        settle().await;
        assert_eq!(counter.looked.load(Ordering::SeqCst), 1, "they wait");
        counter.may_answer.add_permits(1);
        assert_eq!(first.await.unwrap().unwrap(), 1);
        counter.until_looked(2).await;
        counter.may_answer.add_permits(1);
        for other in others {
            assert_eq!(other.await.unwrap().unwrap(), 2, "none has what was read before it asked");
        }
        settle().await;
        assert!(together.lock().is_empty(), "nothing is left behind");
    }

    #[tokio::test]
    async fn whoever_hangs_up_leaves_nobody_waiting() {
        let (together, counter) = (Coalesce::default(), Counter::new(false));
        let first = counter.asked(&together);
        counter.until_looked(1).await;
        let other = counter.asked(&together);
        settle().await;
        first.abort();
        counter.until_looked(2).await;
        counter.may_answer.add_permits(1);
        assert_eq!(other.await.unwrap().unwrap(), 2);
    }

    #[tokio::test]
    async fn an_error_is_everybodys_own() {
        let (together, counter) = (Coalesce::default(), Counter::new(true));
        let all: Vec<_> = (0..3).map(|_| counter.asked(&together)).collect();
        counter.until_looked(1).await;
        settle().await;
        counter.may_answer.add_permits(4); // the first read, one for the others, and one for each request of its own
        for one in all {
            // If an error were shared wrongly, a request would wait here without end.
            assert!(timeout(Duration::from_secs(10), one).await.unwrap().unwrap().is_err());
        }
        assert_eq!(counter.looked.load(Ordering::SeqCst), 4);
    }
}
