//! A resource of the API, and the paths at which it is served.

/// Everything of the API is below one of these paths.
pub(crate) const API_ROOT: &str = "/api";
pub(crate) const AUTH_ROOT: &str = "/auth";
pub(crate) const CONSUMER_ROOT: &str = "/consumer";

/// The version in the paths of the API.
const VERSION: &str = "/api/v0";

/// A resource: where its paths begin, and the heading of its operations in the document.
#[derive(Debug, Clone, Copy)]
pub struct Resource {
    root: Root,
    /// The heading of its operations in the document.
    pub tag: &'static str,
    /// Another plural in its paths, for clients of older systems.
    alias: Option<&'static str>,
}

#[derive(Debug, Clone, Copy)]
enum Root {
    /// `/api/v0/account/<id>/return-requests`, the same in the singular, and both without the account.
    OfAccount { plural: &'static str, singular: &'static str },
    /// `/api/v0/account/<id>`, and `/api/v0/account`.
    Account,
    /// `/consumer/<id>/…`, also under `/api/v0`.
    Consumer,
    /// `/auth/…`, also under `/api/v0`.
    Auth,
    /// `/api/v0/…`.
    Api,
}

impl Resource {
    /// A resource of an account.
    pub const fn of_account(plural: &'static str, singular: &'static str, tag: &'static str) -> Self {
        Self { root: Root::OfAccount { plural, singular }, tag, alias: None }
    }

    /// The account itself.
    pub const fn account(tag: &'static str) -> Self {
        Self { root: Root::Account, tag, alias: None }
    }

    /// The operations of a consumer.
    pub const fn consumer(tag: &'static str) -> Self {
        Self { root: Root::Consumer, tag, alias: None }
    }

    /// Credentials.
    pub const fn auth(tag: &'static str) -> Self {
        Self { root: Root::Auth, tag, alias: None }
    }

    /// A resource that belongs to no account.
    pub const fn api(tag: &'static str) -> Self {
        Self { root: Root::Api, tag, alias: None }
    }

    /// Also serves the resource at paths with this plural. The document does not show these paths.
    #[must_use]
    pub const fn also_called(self, alias: &'static str) -> Self {
        Self { alias: Some(alias), ..self }
    }

    pub(crate) fn is_consumer(self) -> bool {
        matches!(self.root, Root::Consumer)
    }

    /// The documented path of an operation. `rest`: the path below the resource, such as `/{id}`.
    pub(crate) fn path(self, rest: &str) -> String {
        match self.root {
            Root::OfAccount { plural, .. } => format!("{VERSION}/account/{{account_id}}/{plural}{rest}"),
            Root::Account => format!("{VERSION}/account/{{account_id}}{rest}"),
            Root::Consumer => format!("{CONSUMER_ROOT}/{{consumer_id}}{rest}"),
            Root::Auth => format!("{AUTH_ROOT}{rest}"),
            Root::Api => format!("{VERSION}{rest}"),
        }
    }

    /// The path for the account of the credential, if the resource belongs to an account.
    pub(crate) fn path_without_account(self, rest: &str) -> Option<String> {
        match self.root {
            Root::OfAccount { plural, .. } => Some(format!("{VERSION}/{plural}{rest}")),
            Root::Account => Some(format!("{VERSION}/account{rest}")),
            Root::Consumer | Root::Auth | Root::Api => None,
        }
    }

    /// Every path at which an operation is served. The documented one is the first.
    pub(crate) fn paths(self, rest: &str) -> Vec<String> {
        match self.root {
            Root::OfAccount { plural, singular } => {
                // A resource without a plural has one name.
                let other = Some(singular).filter(|singular| *singular != plural);
                let names = [Some(plural), other, self.alias].into_iter().flatten();
                let paths = |name| {
                    [format!("{VERSION}/account/{{account_id}}/{name}{rest}"), format!("{VERSION}/{name}{rest}")]
                };
                names.flat_map(paths).collect()
            }
            Root::Account => [self.path(rest)].into_iter().chain(self.path_without_account(rest)).collect(),
            Root::Consumer | Root::Auth => vec![self.path(rest), format!("{VERSION}{}", self.path(rest))],
            Root::Api => vec![self.path(rest)],
        }
    }
}

/// Whether a path belongs to the API, also if no operation is there.
pub(crate) fn owns(path: &str) -> bool {
    [API_ROOT, AUTH_ROOT, CONSUMER_ROOT]
        .iter()
        .any(|root| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
