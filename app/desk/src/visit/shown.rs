//! What a page is shown with once, in the answer to a form: no later request can read it.

/// A secret that only the person at the form sees.
#[derive(Debug, Clone)]
pub enum Shown {
    /// A new API key, or the link of a new invitation.
    Secret(String),
    /// An authenticator app that a first code has to confirm.
    App {
        /// The secret, to type into the app.
        secret: String,
        /// The same for a QR code.
        uri: String,
    },
    /// What a form would change in money, in a sentence. The form is shown with what was typed.
    Effect(String),
    /// New recovery codes.
    RecoveryCodes(Vec<String>),
}

/// A form that was sent but needs a recent proof first.
#[derive(Debug, Clone)]
pub struct Begun {
    /// The name of its function.
    pub function: String,
    /// Its fields, encoded.
    pub fields: String,
}

/// The token of a session that the request itself has renewed.
#[derive(Debug, Clone)]
pub struct NewToken(pub String);
