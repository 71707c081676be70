//! A database that cannot be reached: clients get 503 at once, with `Retry-After`.

use crate::harness::Service;
use store::{
    Store,
    testing::{Database, DatabaseProxy},
};

#[test]
fn an_unreachable_database_gives_503_with_retry_after() {
    store::testing::on_postgres(async |database: Database| {
        let mut line = DatabaseProxy::to(&database.url);
        let by_line = Database { store: Store::open(&line.url).await.unwrap(), url: line.url.clone() };
        let service = Service::start(by_line.clone()).await;
        let asked = ["/api/v0/return-orders".to_owned(), "/fjord-fern".to_owned()];
        for path in &asked {
            assert_eq!(service.get(path, &service.demo.key).await.status, 200, "{path}");
        }
        line.cut().await;
        // From now on the service knows, and no request waits.
        store::testing::until_unreachable(&by_line.store).await;
        for path in &asked {
            let answer = service.get(path, &service.demo.key).await;
            assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")), "{path}: {}", answer.text());
        }
        line.restore();
        while by_line.store.read().await.is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        for path in &asked {
            assert_eq!(service.get(path, &service.demo.key).await.status, 200, "{path}");
        }
    });
}
