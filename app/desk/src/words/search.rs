//! Texts of the search.

use ui::word_table;

word_table! {
    /// The texts of the search.
    Search = EN {
        title: "Search",
        label: "Number, code, SKU, name or email",
        submit: "Search",
        lede: "Finds returns, parcels, orders and people.",
        too_short: "Enter at least 2 characters.",
        none_title: "Nothing found",
        none: "Nothing has this number or code, and no name or email address begins with it.",
        parcels: "Parcels",
        returns: "Returns",
        withdrawals: "Withdrawals",
        orders: "Orders",
        people: "People",
        products: "Products",
        of_return: "Return {0}",
    }
}
