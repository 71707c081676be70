//! The worker's part of a return that Shopify shows: its row, and what it does with each comparison.

use super::{bought::Bought, bridge::now, shopify::Shop};
use domain::Timestamp;
use outbound::{
    bridge::BridgeError,
    shops::shopify::{
        IN_FLIGHT_LIMIT, MirroredDecision, MirroredItem, MirroredParcel, MirroredReturn, MirroredUnits, NextStep,
        ReturnComparison, ReturnStatus, Shopify, StepResult,
    },
};

/// A row of `shop_returns`, and the clock.
pub struct Mirror {
    pub asked: MirroredReturn,
    pub begun_at: Option<Timestamp>,
    pub now: Timestamp,
    /// Why the shop gets no return, or none yet.
    pub impossible: Option<String>,
    /// What the shop refused.
    pub refusals: Vec<String>,
}

impl Mirror {
    /// A return of units of the order's first line.
    pub fn new(bought: &Bought, number: &str, quantity: u32) -> Self {
        let item = MirroredItem {
            purchase_id: bought.line(0).purchase_id.clone(),
            quantity,
            reason: "Too small".to_owned(),
            exchange_sku: None,
            dropped_exchange_sku: None,
            decision: MirroredDecision::Approved,
            units: MirroredUnits::default(),
            is_over: false,
        };
        let asked = MirroredReturn {
            order_id: bought.order_id.clone(),
            return_order_number: number.to_owned(),
            external_id: None,
            items: vec![item],
            parcels: Vec::new(),
            refused: Vec::new(),
        };
        Self { asked, begun_at: None, now: now(), impossible: None, refusals: Vec::new() }
    }

    pub fn item(&mut self) -> &mut MirroredItem {
        &mut self.asked.items[0]
    }

    pub fn send(&mut self, tracking_number: &str) {
        let tracking_url = format!("https://track.example/{tracking_number}");
        self.asked.parcels.push(MirroredParcel { tracking_number: tracking_number.to_owned(), tracking_url });
    }

    /// Lets all requests end that may be running.
    pub fn wait(&mut self) {
        self.now = self.now.plus_seconds(IN_FLIGHT_LIMIT.as_secs().try_into().unwrap());
    }

    /// One turn of the worker. `true`: nothing is left to do.
    pub async fn turn(&mut self, shopify: &Shopify) -> Result<bool, BridgeError> {
        let compared = shopify.compare_return(&self.asked, self.now).await?;
        let limit = i64::try_from(IN_FLIGHT_LIMIT.as_secs()).unwrap();
        let is_in_flight = self.begun_at.is_some_and(|begun| self.now < begun.plus_seconds(limit));
        self.asked.external_id = compared.external_id;
        match compared.next {
            NextStep::Nothing => {
                let is_known = self.asked.external_id.is_some();
                return Ok(is_known || !is_in_flight);
            }
            _ if is_in_flight => {}
            NextStep::Impossible(reason) | NextStep::Elsewhere(reason) => {
                self.impossible = Some(reason);
                return Ok(true);
            }
            NextStep::Step(step) => {
                self.begun_at = Some(self.now);
                match shopify.change_return(&step, self.now).await {
                    Ok(StepResult::Done { external_id }) => {
                        self.asked.external_id = self.asked.external_id.take().or(external_id);
                        self.begun_at = None;
                    }
                    Ok(StepResult::Refused(reason)) => panic!("{step:?}: {reason}"),
                    Ok(StepResult::RefusedParts(refused)) => {
                        self.asked.refused.extend(refused.names);
                        self.refusals.extend(refused.reason);
                        self.begun_at = None;
                    }
                    Ok(StepResult::Unknown) => {}
                    Err(error) => {
                        self.begun_at = None;
                        return Err(error);
                    }
                }
            }
        }
        Ok(false)
    }

    /// What the shop shows.
    pub async fn compared(&self, shop: &Shop) -> ReturnComparison {
        shop.shopify().compare_return(&self.asked, self.now).await.unwrap()
    }

    /// Turns until nothing is left to do, without failures. Returns the status in the shop.
    pub async fn settle(&mut self, shopify: &Shopify) -> Option<ReturnStatus> {
        for _ in 0..12 {
            if self.turn(shopify).await.unwrap() {
                return shopify.compare_return(&self.asked, self.now).await.unwrap().status;
            }
        }
        panic!("the return has not settled: {:?}", self.asked)
    }
}
