//! Every code that an error can have, with its statuses, its meaning and the way out of it. The OpenAPI document and `docs/errors.md` are made of it,
//! and every answer of every API test is held to it.

/// One code.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// As it stands in `error.code`.
    pub code: &'static str,
    /// The HTTP statuses that it comes with.
    pub statuses: &'static [u16],
    /// What it means, a sentence in Markdown.
    pub meaning: &'static str,
    /// What to do about it, in Markdown.
    pub remedy: &'static str,
}

const fn known(code: &'static str, statuses: &'static [u16], meaning: &'static str, remedy: &'static str) -> Known {
    Known { code, statuses, meaning, remedy }
}

/// All codes, by status and name.
pub const ALL: &[Known] = &[
    known(
        "BadRequest",
        &[400],
        "The body is not JSON, or a parameter, filter, expansion, page or header is not allowed.",
        "Correct the request. `details` name the parameter and what is allowed.",
    ),
    known("InvalidCredentials", &[401], "No user has this e-mail address and password.", "Check both."),
    known(
        "InvalidInvitation",
        &[401],
        "The token that sets a password is wrong, used or expired.",
        "Ask an administrator for a new invitation.",
    ),
    known(
        "InvalidOrderCredentials",
        &[401],
        "No order has this number and this e-mail address or postal code.",
        "Ask the shopper to check them.",
    ),
    known(
        "Unauthorized",
        &[401],
        "The credential is missing, wrong, expired or revoked.",
        "Send a valid credential as `Authorization: Bearer …`. If a token has expired, get a new one.",
    ),
    known(
        "Forbidden",
        &[403],
        "The credential is valid, but its scope, role or owner does not allow the operation.",
        "Use another credential ([permissions.md](permissions.md)).",
    ),
    known(
        "NotFound",
        &[404],
        "There is no such path or object, or the object belongs to somebody else.",
        "Check the path and the id.",
    ),
    known("MethodNotAllowed", &[405], "The path does not take this method.", "Use a method that `Allow` lists."),
    known(
        "NotAcceptable",
        &[406],
        "The label comes in one form only, and `Accept` asks for another.",
        "Ask for the form that the message names.",
    ),
    known(
        "RequestTimeout",
        &[408],
        "The body paused for 10 seconds, or arrived at less than 4 KiB a second.",
        "Send the request again.",
    ),
    known(
        "Conflict",
        &[409],
        "The answer of this `Idempotency-Key` holds a secret that belongs to another credential.",
        "Use a new key.",
    ),
    known("Disabled", &[409], "The webhook subscription is disabled.", "Enable the subscription first."),
    known("DraftExpired", &[409], "The draft is older than 24 hours.", "Renew the draft."),
    known(
        "DraftOutdated",
        &[409],
        "A price, reason or option of the draft has changed, or the draft was submitted already.",
        "Show today's figures, which are in `costBreakdown`, and renew the draft.",
    ),
    known("DraftRejected", &[409], "The merchant rejected the draft.", "Create another draft."),
    known("EmailTaken", &[409], "Another user has this e-mail address.", "Use another address."),
    known(
        "IllegalTransition",
        &[409],
        "The return request cannot go from its stage to that one.",
        "Read the request and choose a stage that follows its own.",
    ),
    known(
        "InUse",
        &[409],
        "Another object depends on this one.",
        "Archive it in place of deleting it, or delete the other object first.",
    ),
    known("KnownUnderAnotherId", &[409], "The object is known under another id.", "Use the id that the message names."),
    known(
        "LabelNotReady",
        &[409],
        "The parcel has no label yet.",
        "Try again later, or wait for `shipment.label_created`.",
    ),
    known(
        "LastAdmin",
        &[409],
        "The account would have no administrator left.",
        "Make another user an administrator first.",
    ),
    known("LimitReached", &[409], "The largest number of such objects is reached.", "Delete or change one of them."),
    known(
        "NoSecretKey",
        &[409],
        "The operator has set no `RETOUR_SECRET_KEY`, so no secret can be stored.",
        "Ask the operator to set the key ([settings.md](settings.md)).",
    ),
    known("NotCancellable", &[409], "It is too late to cancel the return.", "Leave the return as it is."),
    known("OtherCurrency", &[409], "The object is known in another currency.", "Send its amounts in that currency."),
    known("OtherOrder", &[409], "The purchase already belongs to another order.", "Send it with that order."),
    known(
        "QuantityExceeded",
        &[409],
        "More units than can still be returned.",
        "Read the purchase's `returnableQuantity` and choose fewer.",
    ),
    known("Revoked", &[409], "The API key was revoked.", "Create another service user."),
    known(
        "ShipmentCancelled",
        &[409],
        "The shipment is cancelled: its label is void.",
        "Use another shipment of the return order.",
    ),
    known(
        "StageConflict",
        &[409],
        "The return request is not in the stage that the operation needs.",
        "Read the request again, then decide.",
    ),
    known(
        "PreconditionFailed",
        &[412],
        "The object is no longer the version that `If-Match` names.",
        "Read the object again, then decide.",
    ),
    known("PayloadTooLarge", &[413], "The body is larger than the operation allows.", "Send less."),
    known(
        "UnsupportedMediaType",
        &[415],
        "The operation does not take a body of this `Content-Type`.",
        "Send one of the types that the message names.",
    ),
    known(
        "IdempotencyKeyReused",
        &[422],
        "The `Idempotency-Key` was used for another request.",
        "Use a new key for each request.",
    ),
    known(
        "ValidationFailed",
        &[422],
        "Some fields have values that are not allowed. A field of the wrong type is reported alone, wrong values together.",
        "Correct the fields that `details` name.",
    ),
    known(
        "TooManyRequests",
        &[429],
        "Too many requests, wrong guesses, or bytes of request bodies at the same time.",
        "Try again after the seconds in `Retry-After`.",
    ),
    known(
        "InternalError",
        &[500],
        "Something broke in the service.",
        "Try again. If the error stays, report the `X-Request-Id`.",
    ),
    known(
        "BridgeUnavailable",
        &[502, 504],
        "The merchant's shop does not answer (502), or not in time (504).",
        "Try again in a few minutes, or after the seconds in `Retry-After` if it is there.",
    ),
    known(
        "PaymentUnavailable",
        &[502],
        "The payment provider does not open a page to pay on.",
        "Try again in a few minutes.",
    ),
    known(
        "ServiceUnavailable",
        &[503],
        "The database is unavailable, or the bodies of all requests together use too much memory.",
        "Try again after the seconds in `Retry-After`.",
    ),
];

/// All names, for the schema of an error.
pub(super) fn names() -> Vec<&'static str> {
    ALL.iter().map(|known| known.code).collect()
}

/// What each means, in the same order.
pub(super) fn meanings() -> Vec<&'static str> {
    ALL.iter().map(|known| known.meaning).collect()
}
