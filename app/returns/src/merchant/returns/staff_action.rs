//! The actions of staff on a return request, with the limits of their texts and numbers.

use crate::{
    base::{Error, FieldError, Result},
    returning::warehouse::Recorded,
};
use domain::{
    Problems, RefusalCode,
    order::MAX_EXCHANGE_CHARS,
    policy::Resolution,
    returning::WarehouseStepKind,
    stage::{Inspection, StageName},
};

/// The longest comment, in characters.
const MAX_TEXT_CHARS: usize = 2_000;
const MAX_REFERENCE_CHARS: usize = 200;

/// The most units in one receipt. Units beyond the requested quantity are surplus.
const MAX_RECEIPT_UNITS: u32 = 1_000_000;

/// A change of a request's stage.
#[derive(Debug, Clone)]
pub struct StatusUpdate {
    /// The target stage.
    pub stage: StageName,
    /// The stage that the caller expects the request to be in; another one is a conflict.
    pub from_stage: Option<StageName>,
    /// The reason of a rejection, a denial or a failure, or any other comment.
    pub comment: String,
    /// The id of the resolution in the system that carried it out.
    pub external_reference: Option<String>,
    /// A different resolution, in place of the requested one that failed.
    pub instead: Option<Instead>,
    /// The version that the caller has seen (`If-Match`). Another one is refused.
    pub version: Option<i64>,
}

/// A resolution other than the requested one.
#[derive(Debug, Clone)]
pub struct Instead {
    /// The new resolution.
    pub resolution: Resolution,
    /// For an exchange: the SKU to send, if the shop sends it.
    pub exchange_for: Option<String>,
}

/// Units that arrived.
#[derive(Debug, Clone)]
pub struct Receipt {
    /// The number of units, at least 1.
    pub quantity: u32,
    /// The warehouse's reference of this delivery. Each reference counts once.
    pub external_reference: Option<String>,
}

impl Instead {
    fn problems(&self) -> Problems {
        let mut problems = Problems::default();
        if let Some(sku) = &self.exchange_for {
            problems.check_text("exchangeFor.sku", sku, 1..=MAX_EXCHANGE_CHARS);
            if self.resolution != Resolution::Exchange {
                let message = "expected only with the requestedResolution Exchange";
                problems.add("exchangeFor", RefusalCode::NotAllowed, message);
            }
        }
        problems
    }
}

impl Receipt {
    /// The reference; the use case makes one if the report has none.
    pub(crate) fn reference(&self) -> &str {
        self.external_reference.as_deref().unwrap_or_default()
    }
}

/// An action of staff on a request.
#[derive(Debug, Clone)]
pub(crate) enum StaffAction {
    Update(StatusUpdate),
    Receive {
        receipt: Receipt,
        /// The version of the request that the caller has seen. Another one is refused.
        version: Option<i64>,
    },
    Inspect(Inspection),
}

impl StaffAction {
    pub(crate) fn seen_version(&self) -> Option<i64> {
        match self {
            Self::Update(update) => update.version,
            Self::Receive { version, .. } => *version,
            Self::Inspect(_) => None,
        }
    }

    /// What the warehouse records with it, so that it can be taken back.
    pub(crate) fn recorded(&self) -> Option<Recorded<'_>> {
        let (kind, external_reference, units, refused) = match self {
            Self::Update(_) => return None,
            Self::Receive { receipt, .. } => (WarehouseStepKind::Receipt, receipt.reference(), receipt.quantity, 0),
            Self::Inspect(inspection) => (WarehouseStepKind::Inspection, "", 0, inspection.refused),
        };
        Some(Recorded { kind, external_reference, units, refused, receiving_id: None })
    }

    /// Refuses texts and numbers out of range.
    pub(crate) fn check_texts(&self) -> Result<()> {
        let texts = match self {
            Self::Update(update) => vec![
                ("comment", Some(&update.comment), MAX_TEXT_CHARS),
                ("externalReference", update.external_reference.as_ref(), MAX_REFERENCE_CHARS),
            ],
            Self::Receive { receipt, .. } => {
                vec![("externalReference", receipt.external_reference.as_ref(), MAX_REFERENCE_CHARS)]
            }
            Self::Inspect(inspection) => vec![("note", inspection.note.as_ref(), MAX_TEXT_CHARS)],
        };
        let too_long = |&(field, text, most): &(&str, Option<&String>, usize)| {
            text.is_some_and(|text| text.chars().count() > most || text.contains('\0')).then(|| {
                FieldError::new(
                    field,
                    RefusalCode::OutOfRange,
                    format!("expected at most {most} characters, none of them NUL"),
                )
            })
        };
        let mut errors: Vec<FieldError> = texts.iter().filter_map(too_long).collect();
        if let Self::Update(StatusUpdate { instead: Some(instead), .. }) = self {
            errors.extend(
                instead.problems().0.into_iter().map(|(field, no)| FieldError::new(field, no.code, no.message)),
            );
        }
        let reference = match self {
            Self::Receive { receipt: Receipt { external_reference, .. }, .. }
            | Self::Update(StatusUpdate { external_reference, .. }) => external_reference.as_deref(),
            Self::Inspect(_) => None,
        };
        if reference.is_some_and(|reference| reference.trim().is_empty()) {
            let allowed = "expected 1 to 200 characters; leave it out if there is none";
            errors.push(FieldError::new("externalReference", RefusalCode::OutOfRange, allowed));
        }
        if let Self::Receive { receipt, .. } = self
            && !(1..=MAX_RECEIPT_UNITS).contains(&receipt.quantity)
        {
            let allowed = format!("expected a whole number from 1 to {MAX_RECEIPT_UNITS}");
            errors.push(FieldError::new("quantity", RefusalCode::OutOfRange, allowed));
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::Invalid(errors)) }
    }
}
