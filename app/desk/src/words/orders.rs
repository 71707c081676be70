//! Texts of the look-up of orders.

use ui::word_table;

word_table! {
    /// The texts of the look-up of orders.
    Orders = EN {
        title: "Orders",
        lede: "Find an order by its number, or by the customer’s email address or name.",
        field: "Order number, email or name",
        shop_field: "Email or postal code of the order",
        shop_hint: "Only for an order that is not found: the shop is asked for it.",
        find: "Find",
        none: "No order found. Check the spelling, or search for the beginning of a name or email address.",
        none_at_shop: "No order found here. Add the email or postal code of the order, so that the shop can be asked.",
        too_many: "Too many orders found. Enter more of the number, email address or name.",
        first_title: "No orders yet",
        first: "Import orders, or connect your shop. Then you can find them here.",
        caption: "Items of order {0}",
        item: "Item",
        units: "Units",
        price: "Paid",
        can_return: "Can it be returned?",
        ordered: "Ordered on {0}",
        returns: "Returns of this order",
        no_returns: "Nothing from this order has been returned.",
        return_items: "Return items",
        more_found: "Only the first {0} orders are shown. Enter more to find others.",
        // Whether an item can be returned.
        until: "Yes, until {0}",
        yes: "Yes",
        yes_units: "{0} of {1} units",
        final_sale: "No: sold as final sale",
        window_ended: "No: the return window ended on {0}",
        window_over: "No: the return window has ended",
        not_sent: "No: not sent yet",
        all_returned: "No: all units are returned or on their way",
        shop_refuses: "No: the shop does not take it back",
        no_way: "No: no way of sending is set up for this order",
        no_reason: "No: no return reason is set up",
        elsewhere: "No: the same order is being returned under another number",
        not_in_order: "No: the shop’s order no longer has it",
        not_shippable: "No: it is not sent in a parcel",
    }
}
