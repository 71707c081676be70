//! The figures of the last 28 days, and the returns that a person worked on last.

use crate::{
    handling::agent,
    progress::{returned, to},
    shop::{NOW, Shop, sent},
};
use domain::{policy::Policy, stage::StageName as N};
use returns::{NoteInput, view::PeriodFigures};
use serde_json::json;
use store::testing::Database;

const DAY: i64 = 86_400;

/// Units, requests, amounts that were refunded and kept with the share in percent, and seconds.
type Sums = (i64, i64, Vec<(i64, i64, Option<i64>)>, Option<i64>);

/// What was received, completed, refunded and kept, the share that was kept, and the median time.
fn sums(period: &PeriodFigures) -> Sums {
    let amounts = period.amounts.iter();
    let amounts = amounts.map(|part| (part.refunded.minor, part.kept.minor, part.kept_percent)).collect();
    (period.received_units, period.completed, amounts, period.median_total_seconds)
}

store::on_each_database! {
    async fn the_last_28_days_stand_beside_those_before(database: Database) {
        let free = Policy { store_credit_bonus_percent: sent(json!(10)), ..Policy::default() };
        let shop = Shop::open_with(&database, "fjord-fern", "EUR", free).await;
        let customer = shop.sell("1001", &[(1, 1_000), (1, 3_000), (2, 2_000)]).await;
        let (_, ids) = returned(&shop, &customer, &[(0, 1), (1, 1), (2, 2)]).await;
        // One is completed a day later, one after three days, and one in the following period.
        for (id, units, days) in [(ids[0], 1, 1), (ids[1], 1, 3), (ids[2], 2, 40)] {
            shop.source.set(NOW.plus_seconds(days * DAY));
            shop.try_receive(id, units, None).await.unwrap();
            shop.advance(id, to(N::ResolutionCompleted)).await;
        }
        let summary = shop.retour.merchant(&shop.staff).figures_summary().await.unwrap();
        assert_eq!(summary.time_zone, "UTC");
        let (received, completed, amounts, median) = sums(&summary.previous);
        assert_eq!((received, completed, median), (2, 2, Some(2 * DAY)), "of two, the mean is the median");
        let of_list = |period: &PeriodFigures| period.amounts.iter().map(|part| part.refunded.minor).sum::<i64>();
        let worth = |index: usize| shop.retour.merchant(&shop.staff).return_request(ids[index], &[]);
        let (first, second) = (worth(0).await.unwrap(), worth(1).await.unwrap());
        let refunded = first.resolution.value.unwrap().minor + second.resolution.value.unwrap().minor;
        assert_eq!(amounts, [(refunded, 0, Some(0))]);
        let (received, completed, _, median) = sums(&summary.current);
        assert_eq!((received, completed, median), (2, 1, Some(40 * DAY)));
        assert_eq!(of_list(&summary.current), worth(2).await.unwrap().resolution.value.unwrap().minor);
        // The filters find the same rows.
        let conditions = summary.current.completed_filters.iter();
        let conditions = conditions.map(|clause| returns::lists::RETURN_REQUESTS.condition(clause).unwrap()).collect();
        let listing = returns::Listing { conditions, ..returns::Listing::newest(crate::shop::ALL) };
        let listed = shop.retour.merchant(&shop.staff).return_requests(&listing, &[]).await.unwrap().data;
        assert_eq!(listed.iter().map(|request| request.id).collect::<Vec<_>>(), [ids[2]]);
        // A day begins at midnight in the zone of the account.
        let other = Shop::open_with(&database, "other", "EUR", Policy::default()).await;
        let none = other.retour.merchant(&other.staff).figures_summary().await.unwrap();
        assert_eq!(sums(&none.current), (0, 0, Vec::new(), None));
        assert_eq!(none.current.from.to_string(), "2026-02-02T00:00:00Z", "28 days with today, the 1st of March");
        assert_eq!((none.previous.to, none.current.to.to_string()), (none.current.from, "2026-03-02T00:00:00Z".to_owned()));
    }

    async fn a_person_finds_the_returns_that_they_worked_on_last(database: Database) {
        let shop = Shop::open(&database).await;
        let ((_, ada), (_, grace)) = (agent(&shop, "ada@shop.example").await, agent(&shop, "grace@shop.example").await);
        let customer = shop.sell("1001", &[(1, 1_000); 12]).await;
        let mut orders = Vec::new();
        for place in 0..12 {
            shop.source.set(NOW.plus_seconds(i64::try_from(place).unwrap()));
            let (order, ids) = returned(&shop, &customer, &[(place, 1)]).await;
            shop.retour.merchant(&ada).update_status(ids[0], to(N::ShipmentInTransit), None).await.unwrap();
            orders.push(order);
        }
        let recent = async |staff| {
            let list = shop.retour.merchant(staff).worked_return_orders().await.unwrap().data;
            list.into_iter().map(|order| order.id).collect::<Vec<_>>()
        };
        let last_ten: Vec<_> = orders.iter().rev().take(10).copied().collect();
        assert_eq!(recent(&ada).await, last_ten);
        assert_eq!(recent(&grace).await, []);
        assert_eq!(recent(&shop.staff).await, [], "a program has no such list");
        shop.source.set(NOW.plus_seconds(60));
        let note = NoteInput { text: "Called".to_owned() };
        shop.retour.merchant(&ada).add_note(orders[0], note, None).await.unwrap();
        assert_eq!(recent(&ada).await[..2], [orders[0], orders[11]]);
        shop.source.set(NOW.plus_days(91));
        shop.retour.operator().prune().await.unwrap();
        assert_eq!(recent(&ada).await, []);
    }
}
