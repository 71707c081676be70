//! Parcels without papers.

use crate::support::*;
use domain::{
    FoundParcelId,
    returning::{FoundParcel, FoundParcelStatus},
};
use store::testing::Database;

fn a_found_parcel() -> FoundParcel {
    FoundParcel {
        id: FoundParcelId(id()),
        number: format!("F-{}", next()),
        status: FoundParcelStatus::Open,
        code: "095212340000000013".to_owned(),
        carrier: "Parcel Force".to_owned(),
        contents: "A mug\nand a lid".to_owned(),
        note: String::new(),
        return_order_id: None,
        found_by: Some(id()),
        created_at: NOW,
        updated_at: NOW,
        version: 1,
    }
}

store::on_each_database! {
    async fn a_found_parcel_is_inserted_once_and_found_in_its_own_account_only(database: Database) {
        let (ours, theirs) = two_accounts(&database).await;
        let one = a_found_parcel();
        assert!(keep!(database, found_parcels::insert, ours, &one));
        let same_number = FoundParcel { number: one.number.clone(), ..a_found_parcel() };
        assert!(!keep!(database, found_parcels::insert, ours, &same_number), "its number is taken");
        assert!(keep!(database, found_parcels::insert, theirs, &same_number));
        assert_eq!(look!(database, found_parcels::find, ours, one.id), Some(one.clone()));
        assert_eq!(look!(database, found_parcels::find, theirs, one.id), None);
        for (clause, rows) in [("status:Open", 1), ("status:Closed", 0), ("code:]C100095212340000000013", 1)] {
            let asked = asking(&store::found_parcels::LIST, &[clause]);
            assert_eq!(look!(database, found_parcels::list, ours, &asked).rows.len(), rows, "{clause}");
        }
    }

    async fn an_update_needs_the_latest_version_and_an_erasure_removes_the_texts(database: Database) {
        let (ours, _) = two_accounts(&database).await;
        let order = kept_return_order(&database, ours, "R-1").await;
        let mut one = a_found_parcel();
        assert!(keep!(database, found_parcels::insert, ours, &one));
        (one.status, one.return_order_id) = (FoundParcelStatus::Matched, Some(order.id));
        (one.note, one.updated_at) = ("by its colour".to_owned(), NOW.plus_seconds(5));
        assert!(keep!(database, found_parcels::update, ours, &one));
        assert!(!keep!(database, found_parcels::update, ours, &one), "the version is old");
        one.version = 2;
        assert_eq!(keep!(database, found_parcels::lock, ours, one.id), Some(one.clone()));
        keep!(database, found_parcels::scrub_of_return_order, ours, order.id, NOW.plus_seconds(9));
        let scrubbed = look!(database, found_parcels::find, ours, one.id).unwrap();
        assert_eq!((scrubbed.code.as_str(), scrubbed.contents.as_str(), scrubbed.note.as_str()), ("", "", ""));
        assert_eq!((scrubbed.number, scrubbed.version), (one.number, 3));
    }
}
