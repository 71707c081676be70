//! Texts of a person's own settings.

use ui::word_table;

word_table! {
    /// The texts of a person's own settings.
    Me = EN {
        title: "Your settings",
        name: "Name",
        email: "Email address",
        role: "Role",
        appearance: "Appearance",
        density: "Rows",
        density_compact: "Compact",
        density_comfortable: "Comfortable",
        keys: "Keyboard shortcuts",
        keys_on: "On",
        keys_off: "Off",
        this_browser: "These settings are for this browser.",
        saved: "Your settings are saved.",
    }
}
