//! What a scanned code belongs to, and what somebody has counted today.

use super::take_back::WITHOUT_REASON_SECONDS;
use crate::{
    base::{Error, Result},
    merchant::handle::MerchantHandle,
    view,
};
use domain::{
    AccountId, RefusalCode, ReturnOrderId,
    proof::TypedOrderNumber,
    returning::ReturnOrder,
    scanning::{MAX_CODE_CHARS, ScanCommand, ScannedCode},
};
use store::{Reading, accounts, return_orders, return_requests, shipments, warehouse_steps};

impl MerchantHandle<'_> {
    /// What a scanned or typed code belongs to: a command, a parcel, a return or an order. With `open`, the return whose
    /// parcel is on the table, it can also be one of its products.
    pub async fn scan(self, code: &str, open: Option<ReturnOrderId>) -> Result<view::Scan> {
        if !(1..=MAX_CODE_CHARS).contains(&code.chars().count()) {
            let message = format!("expected a code of 1 to {MAX_CODE_CHARS} characters");
            return Err(Error::invalid("code", RefusalCode::OutOfRange, message));
        }
        let Some(read) = ScannedCode::read(code) else {
            return Ok(view::Scan { code: String::new(), command: None, matches: Vec::new() }); // only spaces and control characters
        };
        let account = self.staff.account();
        let mut scan = view::Scan { code: read.as_str().to_owned(), command: None, matches: Vec::new() };
        scan.command = ScanCommand::of_code(read.as_str()).map(|command| command.to_string());
        if scan.command.is_some() {
            return Ok(scan);
        }
        let mut reading = self.retour.store.read().await?;
        if let Some(open) = open {
            scan.matches = products(&mut reading, account, &read, open).await?;
        }
        let found = match parcels(&mut reading, account, &read).await? {
            parcels if parcels.is_empty() => returns(&mut reading, account, &read).await?,
            parcels => parcels,
        };
        scan.matches.extend(found);
        Ok(scan)
    }

    /// What the caller has counted since the day began in the account's time zone, and the last parcel, while it can be
    /// taken back without a reason.
    pub async fn scan_tally(self) -> Result<view::ScanTally> {
        let account = self.staff.account();
        let Some(actor) = self.staff.actor_id() else { return Ok(view::ScanTally::default()) };
        let mut reading = self.retour.store.read().await?;
        let zone = accounts::find(reading.db(), account).await?.ok_or(Error::NotFound)?.time_zone;
        let now = self.retour.now();
        let today = zone.start_of_day(zone.date(now));
        let tally = warehouse_steps::sum_of_actor(reading.db(), account, actor, today).await?;
        let since = now.plus_seconds(-WITHOUT_REASON_SECONDS);
        let last = warehouse_steps::last_parcel_of_actor(reading.db(), account, actor, since).await?;
        let mut shown =
            view::ScanTally { parcels: tally.parcels, units: tally.units, refused: tally.refused, last: None };
        if let Some(last) = last {
            let order = return_orders::find(reading.db(), account, last.return_order_id).await?;
            shown.last = order.map(|order| view::LastReceiving {
                id: last.receiving_id,
                return_order_id: order.id,
                return_order_number: order.number,
                received_at: last.at,
            });
        }
        Ok(shown)
    }
}

/// The parcels whose label or tracking number has this code.
async fn parcels(reading: &mut Reading, account: AccountId, code: &ScannedCode) -> Result<Vec<view::ScanMatch>> {
    let numbers: Vec<String> = code.parcel_numbers().map(str::to_owned).collect();
    let mut found = Vec::new();
    for shipment in shipments::list_by_codes(reading.db(), account, &numbers).await? {
        if let Some(order) = return_orders::find(reading.db(), account, shipment.return_order_id).await? {
            found.push(matched(view::ScanKind::Shipment, order, |shown| shown.shipment_id = Some(shipment.id)));
        }
    }
    Ok(found)
}

/// The return with this number; otherwise the returns of the order with this number.
async fn returns(reading: &mut Reading, account: AccountId, code: &ScannedCode) -> Result<Vec<view::ScanMatch>> {
    let text = code.as_str();
    let orders = return_orders::list_by_numbers(reading.db(), account, &[text.to_owned(), text.to_uppercase()]).await?;
    if !orders.is_empty() {
        return Ok(orders.into_iter().map(|order| matched(view::ScanKind::ReturnOrder, order, |_| ())).collect());
    }
    let typed = TypedOrderNumber::new(text);
    let keys: Vec<String> = typed.iter().flat_map(TypedOrderNumber::candidates).map(str::to_owned).collect();
    let orders = return_orders::list_by_order_numbers(reading.db(), account, &keys).await?;
    Ok(orders.into_iter().map(|order| matched(view::ScanKind::Order, order, |_| ())).collect())
}

/// The items of the open return whose product has this code.
async fn products(
    reading: &mut Reading,
    account: AccountId,
    code: &ScannedCode,
    open: ReturnOrderId,
) -> Result<Vec<view::ScanMatch>> {
    let order = return_orders::find(reading.db(), account, open).await?.ok_or(Error::NotFound)?;
    let requests = return_requests::list_of_return_orders(reading.db(), account, &[open]).await?;
    let of_code = requests.into_iter().filter(|one| code.is_of_product(&one.product.barcode, &one.product.sku));
    Ok(of_code
        .map(|one| matched(view::ScanKind::Product, order.clone(), |shown| shown.return_request_id = Some(one.id)))
        .collect())
}

fn matched(kind: view::ScanKind, order: ReturnOrder, with: impl FnOnce(&mut view::ScanMatch)) -> view::ScanMatch {
    let mut shown = view::ScanMatch {
        kind,
        return_order_id: order.id,
        return_order_number: order.number,
        purchase_order_numbers: order.order_numbers,
        status: order.status,
        created_at: order.created_at,
        shipment_id: None,
        return_request_id: None,
    };
    with(&mut shown);
    shown
}
