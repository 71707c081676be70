//! What pages are made of. All of these render on the server.
//!
//! | component | in one line |
//! |---|---|
//! | [`form`] | `form(&visit, "note", view! { … })`: a form that posts to the function `note`, with its hidden fields |
//! | [`hidden_fields`] | `<form …>{hidden_fields(&visit)}…</form>`: the page that the form is on, and its idempotency key |
//! | [`field`] | `field(&visit, Field::text("name", words.name).value(&user.name))`: label, hint, mistake, input |
//! | [`problems`] | `problems(&visit)`: what is wrong with the form, above it |
//! | [`problems_beside_focus`] | the same on a page where a field keeps the focus |
//! | [`table`] | `table(words.caption, vec![Column::new(words.number).ordered(Order::Ascending, href)], rows)`; cards on a phone |
//! | [`tabs`] | `tabs(words.views, vec![Tab { … }])`: views at addresses of their own, with counts |
//! | [`filter_bar`] | `filter_bar(action, hidden, fields, vec![Chip { … }], words)`: a form that reads, and what is set |
//! | [`pager`] | `pager(previous, next, "1–50 of 1,000+", words)` |
//! | [`empty`] | `empty(words.none_title, words.none, Some((href, text)))`: why a list is empty, and what fills it; [`empty_with`] has more below |
//! | [`actions`] | `actions(&visit, "head", vec![Action::call(words.approve, "approve", fields).key("a"), Action::not(words.x, why)])` |
//! | [`confirm`] | `confirm(&visit, text, "cancel", fields, (Weight::Danger, button), back)`: the page before something is done |
//! | [`facts`] | `facts(vec![(words.email.into(), view)])`: a definition list |
//! | [`photo_grid`] | `photo_grid(vec![Photo { … }])` |
//! | [`stage_badge`] | `stage_badge(stage, words)`: word and colour; [`stage_text`] is the word alone |
//! | [`order_text`] | `order_text(status, words)`: the state of a return; its neighbours have payments, mails, audit subjects |
//! | [`condition_text`] | `condition_text(condition, words.scan)`: what an inspection found; [`disposition_text`] is what follows |
//! | [`age`] | `age(at, &visit)`: "3 h" with the date on hover; [`moment`] shows the date |
//! | [`qr_code`] | `qr_code(text, label)` |
//! | [`money`] | `money(amount, words)` |

#![allow(unused_imports, dead_code, reason = "components are offered to all pages")]

mod actions;
mod amounts;
mod facts;
mod fields;
mod findings;
mod forms;
mod lists;
mod moments;
mod names;
mod qr;
mod stage;
mod tables;

pub use actions::{Action, Hold, Weight, actions, confirm};
pub use amounts::money;
pub use facts::{Photo, facts, photo_grid};
pub use fields::{Field, field};
pub use findings::{condition_text, disposition_text};
pub use forms::{form, hidden_fields, problems, problems_beside_focus};
pub use lists::{Chip, Tab, empty, empty_with, filter_bar, pager, tabs};
pub use moments::{age, age_text, moment};
pub use names::{delivery_text, mail_text, order_text, parcel_text, payment_text, subject_text};
pub use qr::qr_code;
pub use stage::{stage_badge, stage_text};
pub use tables::{Column, Order, Row, table};
