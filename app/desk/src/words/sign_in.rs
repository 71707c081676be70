//! Texts of signing in.

use ui::word_table;

word_table! {
    /// The texts of signing in.
    SignIn = EN {
        title: "Sign in",
        lede: "For people who work on a shop’s returns.",
        email: "Email address",
        password: "Password",
        submit: "Sign in",
        forgotten: "Forgot your password?",
        wrong: "The email address or the password is wrong.",
        signed_out: "You are signed out.",
        timed_out: "Your session has ended. Sign in to continue.",
        too_many_codes: "Too many wrong codes. Enter your password again.",
        // The second factor
        code_title: "Enter your code",
        code_lede: "Open your authenticator app and enter the six digits that it shows for Retour.",
        code: "Code",
        code_hint: "Lost your phone? Enter one of your recovery codes instead.",
        code_submit: "Continue",
        code_missing: "Enter the code.",
        code_wrong: "This code is wrong, was used before, or has expired. Enter the one that the app shows now.",
        another_person: "Sign in as somebody else",
        // Passkeys
        passkey: "Sign in with a passkey",
        passkey_use: "Use a passkey",
        passkey_wrong: "This passkey was not accepted. Try again, or sign in another way.",
        passkey_stopped: "No passkey was used. Try again, or sign in another way.",
        passkey_lede: "Use a passkey, or enter one of your recovery codes.",
        recovery_code: "Recovery code",
        recovery_code_hint: "One of the codes that you saved when you added your passkey.",
        recovery_code_wrong: "This code is wrong, or was used before.",
        app_or_passkey: "Or add a passkey: your fingerprint, your face or the PIN of your device replaces the password and the code.",
        // A recent proof
        confirm_title: "Confirm that it is you",
        confirm_lede: "This needs a password, a code or a passkey that you used within the last ten minutes. Nothing you entered is lost.",
        confirm_code: "Code of your authenticator app, or a recovery code",
        confirm_password: "Password",
        confirm_either: "Enter your password or a code.",
        confirm_wrong: "The password is wrong.",
        confirm_submit: "Confirm and continue",
        // A forgotten password
        forgotten_title: "Forgot your password?",
        forgotten_lede: "We will send you a link to set a new one. It works for an hour.",
        forgotten_submit: "Send the link",
        forgotten_no_mail: "This service cannot send email. Ask an admin of your account for a new link.",
        sent_title: "Check your email",
        sent: "If there is an account with this address, the link is on its way. It works for an hour.",
        back: "Back to sign in",
        // A new password
        password_title: "Set your password",
        password_lede: "You sign in with it and your email address.",
        new_password: "New password",
        new_password_hint: "At least 12 characters. A few random words work well.",
        password_submit: "Set password",
        password_set: "Your password is set. Sign in with it.",
        link_over_title: "This link does not work any more",
        link_over: "It was used before or has expired. Request a new one, or ask an admin of your account.",
        link_request: "Request a new link",
        // An authenticator app
        app_title: "Set up an authenticator app",
        app_required: "Your account requires a second factor. It takes a minute.",
        app_lede: "The app on your phone shows a new code every 30 seconds. You enter one after your password.",
        app_which: "Any app works, such as Google Authenticator, Microsoft Authenticator, 1Password or Aegis.",
        app_begin: "Set it up",
        app_scan: "Scan this with the app",
        app_qr: "QR code for your authenticator app",
        app_type: "Or type this key into the app",
        app_code: "Code that the app shows now",
        app_submit: "Turn it on",
        // Recovery codes
        codes_title: "Save your recovery codes",
        codes_lede: "If you lose your phone, each of these signs you in once. Keep them where your phone is not. We will not show them again.",
        codes_list: "Recovery codes",
        codes_done: "I have saved them",
    }
}
