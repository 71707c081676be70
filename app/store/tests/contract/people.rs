//! The lock of a person: shared by those who write of them, alone with who erases them.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use store::{people, testing::Database};

store::on_each_database! {
    async fn who_erases_waits_for_those_who_write_and_they_for_the_erasure(database: Database) {
        let under_way = Arc::new(AtomicUsize::new(0));
        let erasing = Arc::new(AtomicUsize::new(0));
        let (zoe, ben) = (vec![7; 32], vec![8; 32]);
        let mut tasks = Vec::new();
        for number in 0..40_usize {
            let (store, under_way, erasing) = (database.store.clone(), under_way.clone(), erasing.clone());
            let (zoe, ben) = (zoe.clone(), ben.clone());
            tasks.push(tokio::spawn(async move {
                let mut writing = store.write().await.unwrap();
                if number % 8 == 0 {
                    people::hold(writing.db(), &zoe).await.unwrap();
                    assert_eq!(erasing.fetch_add(1, Ordering::SeqCst), 0, "alone");
                    assert_eq!(under_way.load(Ordering::SeqCst), 0, "nobody writes of them");
                    tokio::task::yield_now().await;
                    assert_eq!(under_way.load(Ordering::SeqCst), 0, "nobody begins to");
                    erasing.fetch_sub(1, Ordering::SeqCst);
                } else {
                    // In whichever order they are named.
                    let both = if number % 2 == 0 { [zoe, ben] } else { [ben, zoe] };
                    people::share(writing.db(), &both).await.unwrap();
                    under_way.fetch_add(1, Ordering::SeqCst);
                    assert_eq!(erasing.load(Ordering::SeqCst), 0, "nobody erases them");
                    tokio::task::yield_now().await;
                    under_way.fetch_sub(1, Ordering::SeqCst);
                }
                writing.commit().await.unwrap();
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(database.deadlocks().await, 0);
    }

    async fn nobody_waits_for_the_erasure_of_somebody_else(database: Database) {
        if database.store.kind() == store::Kind::Sqlite {
            return; // one writer
        }
        let (mut erasing, mut writing) = (database.store.write().await.unwrap(), database.store.write().await.unwrap());
        people::hold(erasing.db(), &[7; 32]).await.unwrap();
        // These would never come back.
        assert!(people::share(writing.db(), &[vec![8; 32]]).await.unwrap());
        assert!(people::share(writing.db(), &[]).await.unwrap());
        writing.commit().await.unwrap();
        erasing.commit().await.unwrap();
    }
}
