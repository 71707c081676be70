//! Extractors of the caller. They refuse a caller unless the operation's [`Access`] allows it.

use super::{access::Access, error::ApiError, path::parameter};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use domain::AccountId;
use returns::{Caller, Error, Origin, Shopper, SignedIn, Staff};

/// The credential in `Authorization: Bearer …`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credential) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}

/// The caller with a valid credential, as the rate limit has looked it up.
fn authenticated(parts: &Parts) -> Result<Caller, ApiError> {
    parts.extensions.get::<Caller>().cloned().ok_or(ApiError::UseCase(Error::Unauthorized))
}

/// Who may call the operation.
fn access(parts: &Parts) -> Result<Access, ApiError> {
    let access = parts.extensions.get::<Access>().copied();
    access.filter(|access| !access.scopes().is_empty()).ok_or(ApiError::UseCase(Error::broken()))
}

/// Where the request comes from, as the rate limit has found out.
fn origin(parts: &Parts) -> Origin {
    parts.extensions.get::<Origin>().copied().unwrap_or_default()
}

/// A user or program with a required scope, of the account in the path or, if the path names none, of any account. Another account is
/// answered like one that does not exist.
pub struct Merchant {
    pub staff: Staff,
    /// The same party, for its idempotency keys.
    pub caller: Caller,
}

impl<S: Send + Sync> FromRequestParts<S> for Merchant {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let caller = authenticated(parts)?;
        if let Some(id) = parameter(parts, state, "account_id").await {
            let is_own = id.parse::<AccountId>().is_ok_and(|account| account == caller.account());
            if !is_own {
                return Err(ApiError::UseCase(Error::NotFound));
            }
        }
        let access = access(parts)?;
        let staff = caller.as_staff_with_any(access.scopes())?.coming_from(origin(parts));
        if matches!(access, Access::StaffButAgents(_)) && staff.is_limited() {
            let message = "users with the role agent cannot do this".to_owned();
            return Err(ApiError::UseCase(Error::Forbidden(message)));
        }
        Ok(Self { staff, caller })
    }
}

/// The consumer in the path. The request comes from the consumer, or from a user or program of the merchant with the required scope.
pub struct Customer {
    pub shopper: Shopper,
    /// The sender of the request, for its idempotency keys.
    pub caller: Caller,
}

impl<S: Send + Sync> FromRequestParts<S> for Customer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let caller = authenticated(parts)?;
        let consumer = parameter(parts, state, "consumer_id").await.and_then(|id| id.parse().ok());
        let consumer = consumer.ok_or(ApiError::UseCase(Error::NotFound))?;
        let shopper = caller.as_consumer(consumer, access(parts)?.scopes())?;
        Ok(Self { shopper, caller })
    }
}

/// A user who has signed in with a password.
pub struct Person {
    pub user: SignedIn,
    /// The token of the request.
    pub token: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Person {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match (authenticated(parts)?, bearer(&parts.headers)) {
            (Caller::User(user), Some(token)) => {
                Ok(Self { user: user.coming_from(origin(parts)), token: token.to_owned() })
            }
            _ => {
                Err(ApiError::UseCase(Error::Forbidden("only the token of a user who signed in opens this".to_owned())))
            }
        }
    }
}
