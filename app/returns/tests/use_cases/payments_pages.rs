//! Payments on providers' pages: opened, polled and refunded. Most tests run with Stripe and with Mollie.

use crate::{
    bridges::change_account,
    payments::{minor, statuses, unpaid_return},
    payments_company::{Company, NOTICES, complete_refunds, payment_page, poll_payments},
    shop::{NOW, fields, fresh, refusal},
    webhooks_receiver::Receiver,
};
use domain::{
    payment::{PaymentKind, PaymentState, PaymentStatus},
    returning::ReturnOrderStatus,
    stage::StageName as N,
};
use returns::{ErrorCode, NoticeRefused};
use serde_json::json;
use store::testing::Database;

const KINDS: [PaymentKind; 2] = [PaymentKind::Stripe, PaymentKind::Mollie];
const PRICE: i64 = 495;

store::on_each_database! {
    async fn a_payment_on_the_providers_page_continues_the_return(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (_, order) = unpaid_return(&shop).await;
            let page = payment_page(&shop, order).await.unwrap();
            assert_eq!(payment_page(&shop, order).await.as_ref(), Some(&page), "one page at a time");
            let opened = company.calls("open").await;
            assert_eq!(opened.len(), 1);
            let payment = shop.whole(order).await.payment.unwrap();
            assert!(opened[0]["key"].as_str().unwrap().starts_with(&payment.id.to_string()));
            assert_eq!((payment.checkouts.len(), payment.checkouts[0].status), (1, "Open"));
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            assert_eq!(minor(&shop.whole(order).await), (PaymentState::Pending, PRICE, 0), "nothing is paid yet");
            company.control("pay", &page).await;
            for _ in 0..2 {
                shop.retour.came_back(shop.account.id, order).await.unwrap();
            }
            let paid = shop.whole(order).await;
            assert_eq!(statuses(&paid), (ReturnOrderStatus::Open, PaymentStatus::Paid, vec![N::SubmittedReady]));
            assert_eq!(payment_page(&shop, order).await, None, "nothing is left to pay");
            assert_eq!(company.money().await, [(PRICE, 0)]);
            let tried = &paid.payment.unwrap().checkouts[0];
            assert_eq!((tried.status, tried.settled, tried.refunded.minor), ("Paid", true, 0));
            assert!(page.contains(tried.external_id.as_deref().unwrap()));
        }
    }

    async fn two_tabs_open_one_page(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (_, order) = unpaid_return(&shop).await;
            let (one, other) = tokio::join!(payment_page(&shop, order), payment_page(&shop, order));
            assert!(one.is_some() && one == other);
        }
    }

    async fn a_page_whose_answer_was_lost_is_requested_again_under_its_key(database: Database) {
        let company = Company::start(PaymentKind::Stripe).await;
        let shop = company.shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        company.next("open", "lose", 1).await;
        assert_eq!(refusal(shop.retour.pay(shop.account.id, order, false).await), ErrorCode::PaymentUnavailable);
        assert!(shop.whole(order).await.payment.unwrap().error_message.is_some());
        assert!(payment_page(&shop, order).await.is_some());
        let keys: Vec<_> = company.calls("open").await.into_iter().map(|one| one["key"].clone()).collect();
        assert!(keys.len() >= 2 && keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        assert_eq!(shop.whole(order).await.payment.unwrap().error_message, None);
    }

    async fn a_payment_counts_even_if_the_shopper_closes_the_tab(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (_, order) = unpaid_return(&shop).await;
            company.control("pay", &payment_page(&shop, order).await.unwrap()).await;
            poll_payments(&shop, &database).await;
            assert_eq!(minor(&shop.whole(order).await).0, PaymentState::Pending, "the first poll is not due");
            shop.source.set(NOW.plus_seconds(60));
            poll_payments(&shop, &database).await;
            assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Paid);
            assert_eq!(database.texts("SELECT CAST(COUNT(*) AS TEXT) FROM payment_tasks").await, ["0"], "nothing is left to poll");
        }
    }

    async fn cancelling_refunds_the_fee_once(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (customer, order) = unpaid_return(&shop).await;
            company.control("pay", &payment_page(&shop, order).await.unwrap()).await;
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            fresh(customer.cancel(order).await.unwrap(), 200);
            assert_eq!(minor(&shop.whole(order).await), (PaymentState::Paid, PRICE, 0), "the provider has not refunded it yet");
            company.next("refund", "lose", 2).await;
            poll_payments(&shop, &database).await;
            assert!(shop.whole(order).await.payment.unwrap().error_message.is_some());
            shop.source.set(NOW.plus_seconds(10));
            complete_refunds(&company, &shop, &database).await;
            let over = shop.whole(order).await;
            assert_eq!((over.payment_status, minor(&over)), (PaymentStatus::Refunded, (PaymentState::Paid, PRICE, PRICE)));
            assert_eq!((company.money().await, over.payment.unwrap().error_message), (vec![(PRICE, PRICE)], None));
            assert_eq!(company.calls("refund").await.len(), 2, "the worker checks for an existing refund before it requests another");
        }
    }

    async fn a_refused_refund_is_shown_and_retried_under_another_key(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (customer, order) = unpaid_return(&shop).await;
            company.control("pay", &payment_page(&shop, order).await.unwrap()).await;
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            fresh(customer.cancel(order).await.unwrap(), 200);
            company.next("refund", "refuse", 1).await;
            poll_payments(&shop, &database).await;
            let message = shop.whole(order).await.payment.unwrap().error_message.unwrap();
            assert!(message.contains("refuses this with status 400"), "{message}");
            shop.source.set(NOW.plus_seconds(10));
            complete_refunds(&company, &shop, &database).await;
            assert_eq!((minor(&shop.whole(order).await).2, company.money().await), (PRICE, vec![(PRICE, PRICE)]));
            let asked = company.calls("refund").await;
            assert_ne!(asked[0]["key"], asked[1]["key"]);
        }
    }

    async fn a_cancelled_return_cannot_be_paid(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (customer, order) = unpaid_return(&shop).await;
            let page = payment_page(&shop, order).await.unwrap();
            fresh(customer.cancel(order).await.unwrap(), 200);
            poll_payments(&shop, &database).await;
            if kind == PaymentKind::Mollie {
                // Mollie cannot cancel an open page, but the page expires.
                assert_eq!(shop.whole(order).await.payment.unwrap().checkouts[0].status, "Open");
                shop.source.set(NOW.plus_seconds(3_600));
                company.at(shop.source.now()).await;
                poll_payments(&shop, &database).await;
            }
            company.control("pay", &page).await;
            let over = shop.whole(order).await;
            assert_eq!((company.money().await, minor(&over)), (vec![], (PaymentState::Expired, PRICE, 0)));
            assert_eq!(over.payment.unwrap().checkouts[0].status, "Closed");
        }
    }

    async fn a_payment_on_a_page_that_could_not_be_closed_is_refunded(database: Database) {
        let company = Company::start(PaymentKind::Mollie).await;
        let shop = company.shop(&database).await;
        let (customer, order) = unpaid_return(&shop).await;
        let page = payment_page(&shop, order).await.unwrap();
        fresh(customer.cancel(order).await.unwrap(), 200);
        poll_payments(&shop, &database).await;
        company.control("pay", &page).await;
        shop.source.set(NOW.plus_seconds(600));
        company.at(shop.source.now()).await;
        complete_refunds(&company, &shop, &database).await;
        assert_eq!(company.money().await, [(PRICE, PRICE)]);
        assert_eq!(minor(&shop.whole(order).await).2, PRICE, "refunded");
    }

    async fn a_payment_is_polled_before_its_deadline_ends_the_return(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (_, late) = unpaid_return(&shop).await;
            let in_time = shop.sell("1002", &[(1, 4_000)]).await.send_back(&[(0, 1)]).await.id;
            let (late_page, page) = (payment_page(&shop, late).await.unwrap(), payment_page(&shop, in_time).await.unwrap());
            company.control("pay", &page).await; // the shopper closes the tab
            shop.source.set(NOW.plus_hours(48));
            workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
            assert_eq!(shop.whole(late).await.status, ReturnOrderStatus::AwaitingPayment);
            poll_payments(&shop, &database).await;
            shop.source.set(NOW.plus_hours(48).plus_seconds(60));
            workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
            assert_eq!(shop.whole(in_time).await.payment_status, PaymentStatus::Paid);
            assert_eq!(shop.whole(late).await.status, ReturnOrderStatus::Expired);
            company.control("pay", &late_page).await; // the provider's clock is behind ours
            complete_refunds(&company, &shop, &database).await;
            let over = shop.whole(late).await;
            assert_eq!((over.status, over.payment_status), (ReturnOrderStatus::Expired, PaymentStatus::Refunded));
            assert_eq!(company.money_of(late).await, [(PRICE, PRICE)]);
        }
    }

    async fn an_unresponsive_provider_delays_the_expiry_by_at_most_six_hours(database: Database) {
        let company = Company::start(PaymentKind::Stripe).await;
        let shop = company.shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        payment_page(&shop, order).await.unwrap();
        company.next("look", "fail", 100).await;
        for (hours, status) in [(48, ReturnOrderStatus::AwaitingPayment), (53, ReturnOrderStatus::AwaitingPayment), (54, ReturnOrderStatus::Expired)] {
            shop.source.set(NOW.plus_hours(hours));
            poll_payments(&shop, &database).await;
            workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
            assert_eq!(shop.whole(order).await.status, status, "{hours}");
        }
    }

    async fn a_manual_refund_counts(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (customer, order) = unpaid_return(&shop).await;
            let page = payment_page(&shop, order).await.unwrap();
            company.control("pay", &page).await;
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            company.control("byhand 95", &page).await;
            fresh(customer.cancel(order).await.unwrap(), 200);
            complete_refunds(&company, &shop, &database).await;
            assert_eq!((company.money().await, shop.whole(order).await.payment_status), (vec![(PRICE, PRICE)], PaymentStatus::Refunded));
            assert_eq!(company.calls("refund").await.len(), 1);
        }
    }

    async fn a_refund_that_fails_later_is_shown_and_repeated(database: Database) {
        let company = Company::start(PaymentKind::Mollie).await;
        let shop = company.shop(&database).await;
        let (customer, order) = unpaid_return(&shop).await;
        company.control("pay", &payment_page(&shop, order).await.unwrap()).await;
        shop.retour.came_back(shop.account.id, order).await.unwrap();
        fresh(customer.cancel(order).await.unwrap(), 200);
        poll_payments(&shop, &database).await;
        let waiting = shop.whole(order).await;
        assert_eq!((waiting.payment_status, minor(&waiting).2), (PaymentStatus::Paid, 0), "the refund is on its way");
        assert_eq!(waiting.payment.unwrap().refund_due.minor, PRICE);
        company.refunds("failed").await;
        shop.source.set(NOW.plus_hours(1));
        poll_payments(&shop, &database).await;
        assert!(shop.whole(order).await.payment.unwrap().error_message.is_some());
        shop.source.set(NOW.plus_hours(2));
        complete_refunds(&company, &shop, &database).await;
        let over = shop.whole(order).await;
        assert_eq!((over.payment_status, company.money().await), (PaymentStatus::Refunded, vec![(PRICE, PRICE)]));
        assert_eq!(over.payment.unwrap().error_message, None);
    }

    async fn another_account_at_the_same_provider_gets_its_own_pages(database: Database) {
        let (before, after) = (Company::start(PaymentKind::Stripe).await, Company::start(PaymentKind::Stripe).await);
        let shop = before.shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        let first = payment_page(&shop, order).await.unwrap();
        change_account(&shop, json!({"payment": after.setting()})).await.unwrap();
        let second = payment_page(&shop, order).await.unwrap();
        assert!(first.starts_with(&before.url) && second.starts_with(&after.url));
        before.control("pay", &first).await;
        after.control("pay", &second).await;
        shop.retour.came_back(shop.account.id, order).await.unwrap();
        shop.source.set(NOW.plus_hours(1));
        poll_payments(&shop, &database).await;
        let paid = shop.whole(order).await;
        assert_eq!(paid.payment_status, PaymentStatus::Paid);
        assert!(paid.payment.unwrap().error_message.unwrap().contains("does not know this payment"));
        change_account(&shop, json!({"payment": before.setting()})).await.unwrap();
        shop.source.set(NOW.plus_hours(14));
        poll_payments(&shop, &database).await;
        assert_eq!((before.money().await, after.money().await), (vec![(PRICE, PRICE)], vec![(PRICE, 0)]));
    }

    async fn a_double_payment_is_refunded_once(database: Database) {
        let company = Company::start(PaymentKind::Stripe).await;
        let shop = company.shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        let first = payment_page(&shop, order).await.unwrap();
        // Two open pages are only possible because our clock is slightly ahead of Stripe's.
        shop.source.set(NOW.plus_hours(23));
        company.at(NOW.plus_hours(23).plus_seconds(-30)).await;
        let second = payment_page(&shop, order).await.unwrap();
        assert_ne!(first, second);
        company.control("pay", &first).await;
        company.control("pay", &second).await;
        shop.retour.came_back(shop.account.id, order).await.unwrap();
        poll_payments(&shop, &database).await;
        let paid = shop.whole(order).await;
        assert_eq!((paid.payment_status, minor(&paid)), (PaymentStatus::Paid, (PaymentState::Paid, PRICE, 0)));
        let tries: Vec<_> = paid.payment.unwrap().checkouts.iter().map(|one| (one.settled, one.refunded.minor)).collect();
        assert_eq!(tries, [(true, 0), (false, PRICE)]);
        assert_eq!(company.money().await.iter().map(|(_, refunded)| refunded).sum::<i64>(), PRICE);
    }

    async fn a_payment_that_takes_days_is_waited_for(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (_, order) = unpaid_return(&shop).await;
            let page = payment_page(&shop, order).await.unwrap();
            company.control("pay days", &page).await;
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            assert_eq!(payment_page(&shop, order).await, None, "a second payment is not possible");
            company.control("bounce", &page).await;
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            let other = payment_page(&shop, order).await.unwrap();
            assert_ne!(page, other, "a failed payment can be repeated");
            company.control("pay days", &other).await;
            shop.retour.came_back(shop.account.id, order).await.unwrap();
            assert!(shop.whole(order).await.payment.unwrap().on_its_way);
            shop.source.set(NOW.plus_hours(49));
            workers::Workers::new(&shop.retour).do_what_is_due().await.unwrap();
            assert_eq!(shop.whole(order).await.status, ReturnOrderStatus::AwaitingPayment, "the deadline has passed, but money is on its way");
            company.control("arrive", &other).await;
            shop.source.set(NOW.plus_hours(50));
            poll_payments(&shop, &database).await;
            assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Paid);
        }
    }

    async fn notifications_trigger_a_poll_and_forged_ones_do_not(database: Database) {
        let company = Company::start(PaymentKind::Stripe).await;
        let receiver = Receiver::accepting().await;
        company.sends_notices_to(&receiver.url).await;
        let shop = company.shop(&database).await;
        let id = shop.account.id;
        let (_, order) = unpaid_return(&shop).await;
        let page = payment_page(&shop, order).await.unwrap();
        company.control("pay", &page).await;
        let got = receiver.got().remove(0);
        let (signature, body) = (got.header("stripe-signature"), got.body.as_bytes());
        let tell = async |signature: &str, body: &[u8]| shop.retour.stripe_notice(id, signature, body).await;
        assert!(matches!(tell(signature, body).await, Err(NoticeRefused::NotFound)), "no secret is set yet");
        let mut setting = company.setting();
        setting["webhookSecret"] = json!(NOTICES);
        change_account(&shop, json!({"payment": setting})).await.unwrap();
        let other = [body, b" "].concat();
        for (signature, body) in [("", body), ("t=1", body), ("v1=00", body), (signature, &other[..]), ("t=x,v1=y", body)] {
            assert!(matches!(tell(signature, body).await, Err(NoticeRefused::NotBelieved(_))));
        }
        shop.source.set(NOW.plus_seconds(330));
        assert!(matches!(tell(signature, body).await, Err(NoticeRefused::NotBelieved(_))), "too old");
        shop.source.set(NOW.plus_seconds(5));
        poll_payments(&shop, &database).await;
        assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Pending);
        tell(signature, body).await.unwrap();
        tell(signature, body).await.unwrap();
        poll_payments(&shop, &database).await;
        assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Paid);
        tell(signature, body).await.unwrap();
        assert_eq!(database.texts("SELECT CAST(COUNT(*) AS TEXT) FROM payment_tasks").await, ["0"]);
    }

    async fn a_mollie_notification_triggers_a_poll_only_for_a_known_payment(database: Database) {
        let company = Company::start(PaymentKind::Mollie).await;
        let shop = company.shop(&database).await;
        let (_, order) = unpaid_return(&shop).await;
        let page = payment_page(&shop, order).await.unwrap();
        company.control("pay", &page).await;
        shop.source.set(NOW.plus_seconds(5));
        let tell = async |id: &str| shop.retour.mollie_notice(shop.account.id, order, id).await.unwrap();
        tell("tr_another").await;
        poll_payments(&shop, &database).await;
        assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Pending);
        tell(page.rsplit('/').next().unwrap()).await;
        poll_payments(&shop, &database).await;
        assert_eq!(shop.whole(order).await.payment_status, PaymentStatus::Paid);
    }

    async fn provider_errors_are_shown_to_the_merchant(database: Database) {
        for kind in KINDS {
            let company = Company::start(kind).await;
            let shop = company.shop(&database).await;
            let (customer, order) = unpaid_return(&shop).await;
            let mut setting = company.setting();
            setting["apiKey"] = json!("wrong");
            change_account(&shop, json!({"payment": setting})).await.unwrap();
            assert_eq!(refusal(shop.retour.pay(shop.account.id, order, false).await), ErrorCode::PaymentUnavailable);
            let payment = shop.whole(order).await.payment.unwrap();
            assert!(payment.error_message.unwrap().contains("does not accept the API key"));
            assert_eq!(payment.checkouts.len(), 0, "the provider has surely opened no page");
            let seen = customer.return_orders().await[0].payment.clone().unwrap();
            assert_eq!(seen.error_message, None, "shoppers do not see provider errors");
            change_account(&shop, json!({"payment": {"kind": "none"}})).await.unwrap();
            assert_eq!(refusal(shop.retour.pay(shop.account.id, order, false).await), ErrorCode::PaymentUnavailable);
            change_account(&shop, json!({"payment": company.setting()})).await.unwrap();
            assert!(payment_page(&shop, order).await.is_some());
            assert_eq!(shop.whole(order).await.payment.unwrap().error_message, None);
        }
    }

    async fn provider_settings_are_validated_and_their_secrets_are_write_only(database: Database) {
        let company = Company::start(PaymentKind::Stripe).await;
        let shop = company.shop(&database).await;
        let refused = async |payment: serde_json::Value| fields(change_account(&shop, json!({"payment": payment})).await);
        assert_eq!(refused(json!({"kind": "mollie"})).await, ["payment.apiKey"]);
        assert_eq!(refused(json!({"kind": "mollie", "apiKey": "test_x", "webhookSecret": NOTICES})).await, ["payment.webhookSecret"]);
        assert_eq!(refused(json!({"kind": "stripe", "apiKey": " ", "webhookSecret": "x"})).await, ["payment.apiKey", "payment.webhookSecret"]);
        assert_eq!(refused(json!({"kind": "stripe", "apiKey": "sk", "url": "http://10.0.0.1"})).await, ["payment.url"]);
        assert_eq!(refused(json!({"kind": "none", "apiKey": "sk"})).await, ["payment.apiKey"]);
        assert_eq!(refused(json!({"kind": "stripe", "url": "http://127.0.0.2"})).await, ["payment.apiKey"], "a key is not sent to another URL");
        let kept = change_account(&shop, json!({"payment": {"kind": "stripe", "url": company.url, "webhookSecret": NOTICES}})).await.unwrap();
        let shown = serde_json::to_value(&kept.payment).unwrap();
        assert_eq!(shown["noticesUrl"], json!(format!("/api/v0/payment-notices/stripe/{}", shop.account.id)));
        assert_eq!((&shown["takesNotices"], shown.as_object().unwrap().len()), (&json!(true), 4));
        let rekeyed = change_account(&shop, json!({"payment": company.setting()})).await.unwrap();
        assert_eq!(rekeyed.payment.takes_notices, Some(false), "the old secret belonged to another key");
        let both = json!({"kind": "stripe", "url": company.url, "apiKey": "sk_test_retour", "webhookSecret": NOTICES});
        change_account(&shop, json!({"payment": both})).await.unwrap();
        let stored = database.texts("SELECT payment FROM accounts").await.concat();
        assert!(!stored.contains("sk_test") && !stored.contains("whsec"), "{stored}");
        assert!(shop.retour.operator().can_open_secrets().await.unwrap());
        let other = shop.retour.clone().configured(|config| config.secret_keys = "another key of at least 32 characters".parse().unwrap());
        assert!(!other.operator().can_open_secrets().await.unwrap());
    }
}
