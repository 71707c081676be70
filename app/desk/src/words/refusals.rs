//! Why something is refused. In English, the API says it with more detail.

use ui::word_table;

word_table! {
    /// The reasons of refusals.
    Refusals = EN {
        // Values of fields
        not_allowed: "This value is not allowed.",
        out_of_range: "This value is too short, too long, too small or too large.",
        characters: "Use at most {0} characters.",
        characters_between: "Use {0} to {1} characters.",
        at_most: "Enter at most {0}.",
        between: "Enter a value from {0} to {1}.",
        mismatch: "This value does not go with another one.",
        email: "Enter an email address, such as name@example.com.",
        // Rules
        illegal_transition: "This is not possible in the stage that the item is in now.",
        quantity_exceeded: "Fewer units than that are left to return.",
        draft_outdated: "Something has changed since. Check the costs and try again.",
        draft_expired: "This draft can no longer be used. Start again from the order.",
        not_returnable: "A rule of your shop does not allow this return.",
        not_cancellable: "It is too late to cancel this.",
        too_late: "It is too late to change this.",
        shipment_cancelled: "This parcel is cancelled.",
        label_not_ready: "This parcel has no label yet.",
        customs_data: "The shop has not given all customs data of these items.",
        in_use: "Something else still uses this.",
        limit_reached: "There are too many of these. Delete or change one of them.",
        email_taken: "Another user has this email address.",
        last_admin: "This is the last admin. Make somebody else an admin first.",
        revoked: "This key is revoked.",
        disabled: "This webhook is disabled.",
        no_mail_server: "This service cannot send email.",
        no_host_name: "Passkeys need an address with a host name and https, or localhost on your own machine.",
        no_second_factor: "There is no second factor.",
        agent_limit: "This is worth more than your role may decide about. Somebody with the role Finance or Admin decides.",
        agent_limit_of: "Agents decide about at most {0} for each item. Above that, somebody with the role Finance or Admin has to approve.",
        // Others
        shop_away: "The shop does not answer. Try again in a few minutes.",
        search_too_broad: "Too many people match. Enter more of the number, name or email address.",
        other: "This is not possible now.",
    }
}
