//! Texts of signing in.

use ui::word_table;

word_table! {
    /// The texts of signing in.
    SignIn = EN {
        title: "Sign in",
        lede: "For the people of a shop that uses Retour.",
        email: "Email address",
        password: "Password",
        submit: "Sign in",
        wrong: "The email address or the password is wrong.",
        too_many: "Too many attempts. Try again {0}.",
        signed_out: "You are signed out.",
        timed_out: "Your session has ended. Sign in to continue.",
    }
}
