//! The pages that the navigation lists. A page that does not exist yet is not in it.

use crate::words::Words;
use returns::Scope;
use ui::components::icons;

/// The part of the desk that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// What waits.
    Today,
    /// The list of returns, and a return.
    Returns,
    /// The search, which is in the head of each page.
    Search,
    /// A return for a customer.
    NewReturn,
    /// The orders of the shop.
    Orders,
    /// Contracts that customers withdrew from.
    Withdrawals,
    /// The systems that the account is connected to.
    Connections,
    /// Scanning parcels.
    Scan,
    /// People and API keys.
    People,
    /// The audit log.
    Audit,
    /// The person's own settings, which the person's menu links to.
    Me,
}

/// A link of the navigation.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    pub section: Section,
    /// The path below the desk's home.
    pub path: &'static str,
    pub icon: &'static str,
    /// The key that opens the page after `g`, if it has one.
    pub key: Option<char>,
    pub text: fn(&Words) -> &'static str,
    /// The person needs one of these scopes. Empty: everybody may open the page.
    pub scopes: &'static [Scope],
    /// Whether it supervises agents, who therefore do not open it.
    pub is_supervision: bool,
}

/// All links, in their order. On a phone, the first four are in the bar at the foot and the others behind "More".
pub const ITEMS: &[Item] = &[
    Item {
        section: Section::Today,
        path: "",
        icon: icons::INBOX,
        key: Some('t'),
        text: |words| words.today.title,
        scopes: &[Scope::Read, Scope::Receive],
        is_supervision: false,
    },
    Item {
        section: Section::Returns,
        path: "returns",
        icon: icons::RETURN,
        key: Some('r'),
        text: |words| words.returns.title,
        scopes: &[Scope::Read, Scope::Receive],
        is_supervision: false,
    },
    Item {
        section: Section::Scan,
        path: "scan",
        icon: icons::SCAN,
        key: Some('s'),
        text: |words| words.scan.nav,
        scopes: &[Scope::Receive],
        is_supervision: false,
    },
    Item {
        section: Section::NewReturn,
        path: "new-return",
        icon: icons::PLUS,
        key: Some('n'),
        text: |words| words.new_return.title,
        scopes: &[Scope::Write],
        is_supervision: false,
    },
    Item {
        section: Section::Orders,
        path: "orders",
        icon: icons::BOX,
        key: Some('o'),
        text: |words| words.orders.title,
        scopes: &[Scope::Read],
        is_supervision: false,
    },
    Item {
        section: Section::Withdrawals,
        path: "withdrawals",
        icon: icons::WITHDRAWN,
        key: Some('w'),
        text: |words| words.withdrawals.title,
        scopes: &[Scope::Read],
        is_supervision: false,
    },
    Item {
        section: Section::Connections,
        path: "connections",
        icon: icons::STORE,
        key: None,
        text: |words| words.connections.title,
        scopes: &[Scope::Read],
        is_supervision: false,
    },
    Item {
        section: Section::People,
        path: "people",
        icon: icons::PEOPLE,
        key: None,
        text: |words| words.people.title,
        scopes: &[Scope::Admin],
        is_supervision: false,
    },
    Item {
        section: Section::Audit,
        path: "audit",
        icon: icons::LOG,
        key: None,
        text: |words| words.audit.title,
        scopes: &[Scope::Admin, Scope::Resolve],
        is_supervision: true,
    },
    Item {
        section: Section::Me,
        path: "me",
        icon: icons::PERSON,
        key: None,
        text: |words| words.common.your_settings,
        scopes: &[],
        is_supervision: false,
    },
];

/// The server function that searches. `None` as long as there is none.
pub const SEARCH: Option<&str> = Some("call/find");

/// How many links the bar of a phone has.
pub const IN_BAR: usize = 4;
