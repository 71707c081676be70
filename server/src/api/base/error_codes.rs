//! Every code of an error, with its statuses, its meaning and its remedy. The OpenAPI document and `docs/errors.md` are generated from this table, and
//! every answer in the API tests is checked against it.

/// A code of an error.
#[derive(Debug, Clone, Copy)]
pub struct ErrorCodeEntry {
    /// The value of `error.code`.
    pub code: &'static str,
    /// The HTTP statuses with this code.
    pub statuses: &'static [u16],
    /// Its meaning: a sentence in Markdown.
    pub meaning: &'static str,
    /// What to do: a sentence in Markdown.
    pub remedy: &'static str,
}

const fn entry(
    code: &'static str,
    statuses: &'static [u16],
    meaning: &'static str,
    remedy: &'static str,
) -> ErrorCodeEntry {
    ErrorCodeEntry { code, statuses, meaning, remedy }
}

/// All codes, by status and name.
pub const ALL: &[ErrorCodeEntry] = &[
    entry(
        "BadRequest",
        &[400],
        "The body is not JSON, or a parameter, filter, expansion, page or header is not allowed.",
        "Correct the request. `details` name the parameter and what is allowed.",
    ),
    entry("InvalidCredentials", &[401], "No user has this e-mail address and password.", "Check both."),
    entry(
        "InvalidInvitation",
        &[401],
        "The token that sets a password is wrong, used or expired.",
        "Request another mail, or ask an administrator for a new invitation.",
    ),
    entry(
        "InvalidOrderCredentials",
        &[401],
        "No order has this number and this e-mail address or postal code.",
        "Ask the shopper to check them.",
    ),
    entry(
        "SecondFactorRequired",
        &[401],
        "The password is right, and the user has a second factor.",
        "Send `code`: what the authenticator app shows now, or a recovery code.",
    ),
    entry(
        "Unauthorized",
        &[401],
        "The credential is missing, wrong, expired or revoked.",
        "Send a valid credential as `Authorization: Bearer …`. If a token has expired, get a new one.",
    ),
    entry(
        "WrongCode",
        &[401],
        "The code of the second factor is wrong, was used before, or has expired.",
        "Send the code that the authenticator app shows now, or another recovery code.",
    ),
    entry(
        "WrongPasskey",
        &[401],
        "The passkey is unknown, its answer is wrong, or its challenge was used before or has expired.",
        "Begin again: `POST /auth/passkey/options`.",
    ),
    entry(
        "ConfirmationRequired",
        &[403],
        "The operation needs a sign-in of the last ten minutes.",
        "Sign in again, and send the new token.",
    ),
    entry(
        "Forbidden",
        &[403],
        "The credential is valid, but its scope, role or owner does not allow the operation.",
        "Use another credential ([permissions.md](permissions.md)).",
    ),
    entry(
        "NotFound",
        &[404],
        "The path or the object does not exist, or the object belongs to another party.",
        "Check the path and the id.",
    ),
    entry("MethodNotAllowed", &[405], "The path does not support this method.", "Use a method that `Allow` lists."),
    entry(
        "NotAcceptable",
        &[406],
        "The label is not available in any format that `Accept` allows.",
        "Accept a format that the message names.",
    ),
    entry(
        "RequestTimeout",
        &[408],
        "The body paused for 10 seconds, or arrived at less than 4 KiB a second.",
        "Send the request again.",
    ),
    entry(
        "AgentLimitExceeded",
        &[409],
        "The decision is about more than the policy's `agentLimit` allows to users with the role `agent`.",
        "Propose it (`POST …/return-requests/<id>/proposals`). A user with the role `finance` or `admin` approves it.",
    ),
    entry(
        "Conflict",
        &[409],
        "The answer of this `Idempotency-Key` contains a secret that belongs to another credential.",
        "Use a new key.",
    ),
    entry("Disabled", &[409], "The webhook subscription is disabled.", "Enable the subscription first."),
    entry("DraftExpired", &[409], "The draft is older than 24 hours.", "Renew the draft."),
    entry(
        "DraftOutdated",
        &[409],
        "A price, reason or option of the draft has changed, or the draft has already been submitted.",
        "Show the current costs, which are in `costBreakdown`, and renew the draft.",
    ),
    entry("DraftRejected", &[409], "The merchant rejected the draft.", "Create another draft."),
    entry("EmailTaken", &[409], "Another user has this e-mail address.", "Use another address."),
    entry(
        "IllegalTransition",
        &[409],
        "The return request cannot go from its stage to that one.",
        "Read the request and choose a stage that follows its own.",
    ),
    entry(
        "InUse",
        &[409],
        "Another object depends on this one.",
        "Archive the object instead, or delete the other object first.",
    ),
    entry("KnownUnderAnotherId", &[409], "The order is stored under another id.", "Use the id that the message names."),
    entry(
        "LabelNotReady",
        &[409],
        "The shipment has no label yet.",
        "Try again later, or wait for `shipment.label_created`.",
    ),
    entry(
        "LastAdmin",
        &[409],
        "The account would have no administrator left.",
        "Make another user an administrator first.",
    ),
    entry("LimitReached", &[409], "The maximum number of such objects is reached.", "Delete or change one of them."),
    entry(
        "NoHostName",
        &[409],
        "Browsers offer no passkeys at the address of this service: it has no host name, or no https.",
        "Ask the operator to set `RETOUR_PUBLIC_URL` or `RETOUR_DESK_HOST` ([settings.md](settings.md)).",
    ),
    entry(
        "NoMailServer",
        &[409],
        "The operator has set no mail server, so nothing can be mailed.",
        "Ask the operator to set `SMTP_URL` ([settings.md](settings.md)).",
    ),
    entry(
        "NoSecondFactor",
        &[409],
        "The user has no second factor, or none is being set up.",
        "Begin to set one up: `POST /auth/user/totp`, or `POST /auth/user/passkeys/options`.",
    ),
    entry(
        "NoSecretKey",
        &[409],
        "The operator has set no `RETOUR_SECRET_KEY`, so no secret can be stored.",
        "Ask the operator to set the key ([settings.md](settings.md)).",
    ),
    entry("NotCancellable", &[409], "It is too late to cancel the return.", "Leave the return as it is."),
    entry("OtherCurrency", &[409], "The order is stored in another currency.", "Send its amounts in that currency."),
    entry(
        "OtherOrder",
        &[409],
        "The purchase belongs to another order, or another order of another buyer or another date has the order's id or number.",
        "Send the purchase with its order, and each order with an id of its own.",
    ),
    entry(
        "QuantityExceeded",
        &[409],
        "The quantity is larger than the number of units that can be returned.",
        "Read the purchase's `returnableQuantity` and choose fewer.",
    ),
    entry("Revoked", &[409], "The API key was revoked.", "Create another service user."),
    entry(
        "ShipmentCancelled",
        &[409],
        "The shipment is cancelled: its label is void.",
        "Use another shipment of the return order.",
    ),
    entry(
        "StageConflict",
        &[409],
        "The return request is not in the stage that the operation needs.",
        "Read the request again, then decide.",
    ),
    entry(
        "TooLate",
        &[409],
        "The time in which the object can change is over.",
        "Leave it as it is; add another one if you can.",
    ),
    entry(
        "PreconditionFailed",
        &[412],
        "The object is no longer the version that `If-Match` names.",
        "Read the object again, then decide.",
    ),
    entry("PayloadTooLarge", &[413], "The body is larger than the operation allows.", "Send less."),
    entry(
        "UnsupportedMediaType",
        &[415],
        "The operation does not accept a body of this `Content-Type`.",
        "Send one of the types that the message names.",
    ),
    entry(
        "IdempotencyKeyReused",
        &[422],
        "The `Idempotency-Key` was used for another request.",
        "Use a new key for each request.",
    ),
    entry(
        "ValidationFailed",
        &[422],
        "Some fields have values that are not allowed. A field of the wrong type is reported alone, wrong values together.",
        "Correct the fields that `details` name.",
    ),
    entry(
        "TooManyRequests",
        &[429],
        "Too many requests, wrong guesses, or bytes of request bodies at the same time.",
        "Try again after the seconds in `Retry-After`.",
    ),
    entry(
        "InternalError",
        &[500],
        "An internal error occurred.",
        "Try again. If the error stays, report the `X-Request-Id`.",
    ),
    entry(
        "BridgeUnavailable",
        &[502, 504],
        "The merchant's shop does not answer (502), or not in time (504).",
        "Try again in a few minutes, or after the seconds in `Retry-After` if it is there.",
    ),
    entry(
        "PaymentUnavailable",
        &[502],
        "The payment provider cannot open a payment page.",
        "Try again in a few minutes.",
    ),
    entry(
        "ServiceUnavailable",
        &[503],
        "The database is unavailable, or the bodies of all requests together use too much memory.",
        "Try again after the seconds in `Retry-After`.",
    ),
];

/// The codes, for the schema of an error.
pub(crate) fn names() -> Vec<&'static str> {
    ALL.iter().map(|entry| entry.code).collect()
}

/// The meaning of each code, in the order of [`names`].
pub(crate) fn meanings() -> Vec<&'static str> {
    ALL.iter().map(|entry| entry.meaning).collect()
}
