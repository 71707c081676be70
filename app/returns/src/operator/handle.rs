//! What the operator of an installation can do.

use crate::base::Retour;

/// The use cases of the operator, who has the command line and the database. Never for a handler of requests.
#[derive(Debug, Clone, Copy)]
pub struct Operator<'a> {
    pub(crate) retour: &'a Retour,
}

impl Retour {
    /// The use cases of the operator.
    pub fn operator(&self) -> Operator<'_> {
        Operator { retour: self }
    }
}
