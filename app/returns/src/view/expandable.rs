//! An id, or the object that `expand` puts in its place.

use super::{consumer::Consumer, drafts::Draft};
use domain::{ConsumerId, DraftReturnOrderId};
use schemars::JsonSchema;
use serde::Serialize;

/// The id of an object, or the whole object if it was expanded.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "{T}OrId")]
pub enum Expandable<I, T> {
    /// The id of the object.
    Id(I),
    /// The whole object, if `expand` names it.
    Object(Box<T>),
}

impl Expandable<DraftReturnOrderId, Draft> {
    /// The draft's id, expanded or not.
    pub fn id(&self) -> DraftReturnOrderId {
        match self {
            Self::Id(id) => *id,
            Self::Object(draft) => draft.id,
        }
    }
}

impl Expandable<ConsumerId, Consumer> {
    /// The consumer's id, expanded or not.
    pub fn id(&self) -> ConsumerId {
        match self {
            Self::Id(id) => *id,
            Self::Object(consumer) => consumer.id,
        }
    }
}
