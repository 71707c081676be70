//! Those who ask the database the same at the same time share an answer, and never one that was read before they asked.
//!
//! Each request asks who holds its credential, and a busy program of a merchant's has many requests under way with one key.
//! Whoever comes while that is being asked may not have that answer: the key may have been revoked in between. They wait
//! until it is there, and are all served by the next one.

use super::error::Result;
use std::{
    collections::{HashMap, hash_map::Entry},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{runtime::Handle, sync::oneshot};

/// Questions that are being asked, by what they are about. Cheap to clone.
#[derive(Debug)]
pub(crate) struct Coalesce<K, V> {
    /// With those who wait for the next answer.
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
    /// The answer of `look`, which is not called before this is.
    pub(crate) async fn ask<L, F>(&self, key: K, look: L) -> Result<V>
    where
        L: Fn() -> F + Clone + Send + 'static,
        F: Future<Output = Result<V>> + Send + 'static,
    {
        match self.join(&key) {
            // Whoever asked for all was given an error, which cannot be handed to many.
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

    /// Waits for the next answer where one is being asked for already; begins to ask where not.
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

    /// Who came while an answer was being read; nobody: then nothing is asked any more.
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

/// Somebody is asking. However that ends, also by hanging up, those who came meanwhile are seen to.
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
                        let _ = one.send(found.clone()); // who hung up needs none
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

    /// Counts who looks, and lets each go on when it is told to. What it answers is how many had looked by then.
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

    /// Long enough for whoever was told to ask to be waiting.
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
        counter.may_answer.add_permits(4); // the first, one for the others, and each of these
        for one in all {
            // Who shares an error too many leaves somebody waiting.
            assert!(timeout(Duration::from_secs(10), one).await.unwrap().unwrap().is_err());
        }
        assert_eq!(counter.looked.load(Ordering::SeqCst), 4);
    }
}
