//! Every sentence of the desk: one table for each page, and one that all pages share.
//!
//! To add a page: a file with its `word_table!`, and its field in [`Words`]. `{0}` and `{1}` are slots for values,
//! `{0:one=day;other=days}` is a plural form that depends on a value.

mod audit;
mod audit_actions;
mod bulk;
mod common;
mod found;
mod me;
mod new_return;
mod orders;
mod people;
mod queues;
mod return_order;
mod returns;
mod scan;
mod search;
mod sign_in;
mod stages;
mod today;
mod withdrawals;

pub use audit::Audit;
pub use audit_actions::AuditActions;
pub use bulk::Bulk;
pub use common::Common;
pub use found::Found;
pub use me::Me;
pub use new_return::NewReturn;
pub use orders::Orders;
pub use people::People;
pub use queues::Queues;
pub use return_order::ReturnOrder;
pub use returns::Returns;
pub use scan::Scan;
pub use search::Search;
pub use sign_in::SignIn;
pub use stages::Stages;
pub use today::Today;
pub use withdrawals::Withdrawals;

use ui::{
    language::Language,
    words::{NumberWords, PageWords},
};

/// The texts of all pages in one language.
#[derive(Debug)]
pub struct Words {
    /// What all pages share.
    pub common: &'static Common,
    pub stages: &'static Stages,
    pub queues: &'static Queues,
    // One for each page, in alphabetical order.
    pub audit: &'static Audit,
    pub audit_actions: &'static AuditActions,
    pub bulk: &'static Bulk,
    pub found: &'static Found,
    pub me: &'static Me,
    pub new_return: &'static NewReturn,
    pub orders: &'static Orders,
    pub people: &'static People,
    pub return_order: &'static ReturnOrder,
    pub returns: &'static Returns,
    pub search: &'static Search,
    pub scan: &'static Scan,
    pub sign_in: &'static SignIn,
    pub today: &'static Today,
    pub withdrawals: &'static Withdrawals,
}

/// English.
static EN: Words = Words {
    common: &common::EN,
    stages: &stages::EN,
    queues: &queues::EN,
    audit: &audit::EN,
    audit_actions: &audit_actions::EN,
    bulk: &bulk::EN,
    found: &found::EN,
    me: &me::EN,
    new_return: &new_return::EN,
    orders: &orders::EN,
    people: &people::EN,
    return_order: &return_order::EN,
    returns: &returns::EN,
    scan: &scan::EN,
    search: &search::EN,
    sign_in: &sign_in::EN,
    today: &today::EN,
    withdrawals: &withdrawals::EN,
};

impl Words {
    /// The words of a language. English, as long as there are no others.
    pub fn of(_: Language) -> &'static Self {
        &EN
    }

    /// The language of these words.
    pub fn language(&self) -> Language {
        Language::parse(self.common.tag).unwrap_or(Language::En)
    }
}

impl PageWords for Words {
    fn language(&self) -> Language {
        Self::language(self)
    }
    fn at_time(&self) -> &'static str {
        self.common.at_time
    }
    fn problem_title(&self) -> &'static str {
        self.common.problem_title
    }
    fn error_prefix(&self) -> &'static str {
        self.common.error_prefix
    }
}

impl NumberWords for Words {
    fn decimal(&self) -> &str {
        self.common.decimal
    }
    fn group(&self) -> &str {
        self.common.group
    }
    fn least_grouped(&self) -> &str {
        self.common.least_grouped
    }
    fn minus(&self) -> &str {
        self.common.minus
    }
    fn amount(&self) -> &str {
        self.common.amount
    }
}
