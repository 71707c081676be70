//! Texts of mails to users.

use ui::word_table;

word_table! {
    /// The texts of mails to users.
    Mail = EN {
        // Shop.
        invitation_title: "Your invitation to the desk of {0}",
        invitation: "The desk is where the shop’s staff work on returns. Set a password to sign in.",
        invitation_button: "Set your password",
        invitation_once: "The link works once, for 7 days.",
        invitation_ignore: "If you do not work for this shop, ignore this email.",
        password_title: "Set a new password for {0}",
        password: "Somebody asked for a new password for this address.",
        password_button: "Set a new password",
        password_once: "The link works once, for one hour.",
        password_ignore: "If that was not you, ignore this email: your password stays as it is.",
        device_title: "New sign-in at {0}",
        device: "You signed in from a device or network that is new to us.",
        failed_title: "Failed sign-ins at {0}",
        failed: "{0} {0:one=sign-in;other=sign-ins} with your email address {0:one=has;other=have} failed since the last one that succeeded.",
        failed_advice: "If that was you, there is nothing to do. If not, make sure that you use this password nowhere else.",
        changed_password: "Your password was changed at {0}",
        changed_app_added: "An authenticator app was set up at {0}",
        changed_app_removed: "Your authenticator app was removed at {0}",
        changed_passkey_added: "A passkey was added at {0}",
        changed_passkey_removed: "A passkey of yours was removed at {0}",
        changed_codes: "You have new recovery codes at {0}",
        changed_reset: "An admin removed your second factor at {0}",
        // Who, return.
        mention_title: "{0} mentions you on return {1}",
        mention: "Read the note in the timeline of the return.",
        mention_button: "Open the return",
        nobody: "A former colleague",
        not_you: "If that was not you, change your password now and end all other sessions. Then tell an admin of your account.",
        security: "Check your sign-ins",
        when: "When",
        device_label: "Device",
        network: "Network",
        // Moment, time zone.
        in_zone: "{0} ({1})",
    }
}
