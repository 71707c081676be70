//! The lock of a person: writes share it, an erasure has it exclusively.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use store::{person_locks, testing::Database};

store::on_each_database! {
    async fn an_erasure_and_writes_about_the_person_wait_for_each_other(database: Database) {
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
                    person_locks::hold(writing.db(), &zoe).await.unwrap();
                    assert_eq!(erasing.fetch_add(1, Ordering::SeqCst), 0, "one erasure at a time");
                    assert_eq!(under_way.load(Ordering::SeqCst), 0, "no write is running");
                    tokio::task::yield_now().await;
                    assert_eq!(under_way.load(Ordering::SeqCst), 0, "no write starts");
                    erasing.fetch_sub(1, Ordering::SeqCst);
                } else {
                    // In either order of the people.
                    let both = if number % 2 == 0 { [zoe, ben] } else { [ben, zoe] };
                    person_locks::share(writing.db(), &both).await.unwrap();
                    under_way.fetch_add(1, Ordering::SeqCst);
                    assert_eq!(erasing.load(Ordering::SeqCst), 0, "no erasure is running");
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
}

#[test]
fn an_erasure_does_not_block_writes_about_other_people() {
    // SQLite has one writer.
    store::testing::on_postgres(|database| async move {
        let (mut erasing, mut writing) = (database.store.write().await.unwrap(), database.store.write().await.unwrap());
        person_locks::hold(erasing.db(), &[7; 32]).await.unwrap();
        // Each would wait until the time limit otherwise.
        assert!(person_locks::share(writing.db(), &[vec![8; 32]]).await.unwrap());
        assert!(person_locks::share(writing.db(), &[]).await.unwrap());
        writing.commit().await.unwrap();
        erasing.commit().await.unwrap();
    });
}
