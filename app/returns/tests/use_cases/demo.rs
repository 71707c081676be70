//! The demo shop: its people, and returns in every stage.

use crate::shop::{HERE, NOW};
use domain::{
    policy::{Policy, SecondFactorRule},
    stage::StageName,
};
use returns::{Retour, Source, UserCredentials};
use std::collections::{BTreeMap, BTreeSet};
use store::testing::Database;

async fn sign_in(retour: &Retour, email: &str, password: &str) {
    let given = UserCredentials { email: email.to_owned(), password: password.to_owned(), code: None };
    retour.sign_in(given, HERE, "").await.unwrap();
}

store::on_each_database! {
    async fn the_demo_has_a_return_for_each_queue(database: Database) {
        let source = Source::held_at(NOW);
        let retour = Retour::new(database.store.clone(), source);
        let demo = retour.operator().demo(None).await.unwrap();
        let people = retour.operator().demo_people(demo.account.id, |_| None).await.unwrap();
        let made = retour.operator().demo_returns(demo.account.id).await.unwrap();
        assert!((60..=80).contains(&made), "{made}");
        assert_eq!(database.rows("return_orders").await, i64::try_from(made).unwrap());
        assert_eq!(database.rows("withdrawals").await, 2);
        assert_eq!(database.rows("found_parcels").await, 2);
        assert!(database.rows("evidence").await >= 4);
        let stages = database.texts("SELECT DISTINCT stage FROM return_requests").await;
        let stages: BTreeSet<StageName> = stages.iter().filter_map(|name| StageName::parse(name)).collect();
        for stage in [
            StageName::RequestedReview, StageName::RequestedEvidencePending, StageName::RequestedRejected, StageName::SubmittedLabelFailed, StageName::SubmittedReady,
            StageName::ShipmentInTransit, StageName::ShipmentException, StageName::ShipmentDelivered, StageName::ReceivedPartial, StageName::InspectionPending,
            StageName::ResolutionPending, StageName::ResolutionApproved, StageName::ResolutionProcessing, StageName::ResolutionFailed, StageName::ResolutionCompleted,
            StageName::ResolutionDenied, StageName::ClosedCancelled,
        ] {
            assert!(stages.contains(&stage), "{stage:?}");
        }
        // The past is played once, and the shop's own rules hold again.
        assert_eq!(retour.operator().demo_returns(demo.account.id).await.unwrap(), 0);
        let policy = Policy { require_second_factor: SecondFactorRule::Off, ..demo.account.policy.clone() };
        assert_eq!(retour.account("fjord-fern").await.unwrap().policy, policy);
        assert_eq!(database.number("SELECT COUNT(*) FROM return_orders WHERE created_at > 1772366400000000").await, 0);
        for person in &people {
            sign_in(&retour, person.email, &person.password).await;
        }
        let known: BTreeMap<&str, String> = people.iter().map(|one| (one.email, one.password.clone())).collect();
        let again = retour.operator().demo_people(demo.account.id, |email| known.get(email).cloned()).await.unwrap();
        assert!(again.iter().zip(&people).all(|(one, other)| one.password == other.password));
        // A lost file gives new passwords.
        let new = retour.operator().demo_people(demo.account.id, |_| None).await.unwrap();
        assert_ne!(new[0].password, people[0].password);
        sign_in(&retour, new[0].email, &new[0].password).await;
    }
}
