//! Return requests: purchases within return orders.

use crate::{
    engine::{
        Db, Result,
        batches::{in_few_sizes, without_values},
        stored::{count, from_json, named, to_json},
    },
    lists::{self, Counted, Field, FieldKind, List, Listing, SequenceColumn, page::Rows},
    tables::returning::{
        evidence,
        related::{self, resolutions, stages},
    },
};
use domain::{
    AccountId, ConsumerId, Currency, Money, PurchaseId, ReturnOrderId, ReturnReasonId, ReturnRequestId, Timestamp,
    policy::Resolution,
    proof::order_number::compared,
    returning::{EvidenceFile, Proposal, ProposalKind, ReturnRequest},
    stage::RequestState,
};
use sqlx::QueryBuilder;
use std::collections::HashMap;
use uuid::Uuid;

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT seq, changed, id, return_order_id, consumer_id, purchase_id, purchase_external_id, purchase_order_number, \
             return_reason_id, return_reason_comment, answers, requested_resolution, exchange_for, quantity, value, resolution_value, refund_limit, adjustment, currency, \
             product, state, proposal, stage_since, staged, \
             created_at, updated_at, version, COALESCE(return_number, (SELECT o.number FROM return_orders o \
             WHERE o.account_id = return_requests.account_id AND o.id = return_requests.return_order_id)) AS return_number \
             FROM return_requests ",
            $rest
        )
    };
}

statements! {
    in return_requests;
    INSERT = "INSERT INTO return_requests
        (account_id, id, return_order_id, consumer_id, purchase_id, purchase_external_id, purchase_order_number,
         purchase_order_number_key, return_reason_id, return_reason_comment, requested_resolution, quantity, value,
         currency, product, kept, stage, state, created_at, updated_at, version, resolution_value, refund_limit, exchange_for,
         due_at, answers, stage_since, sku, return_number, proposal, proposal_kind, proposed_at, changed, staged)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
         $27, $28, $29, $30, $31, $32, (SELECT number FROM next_change), (SELECT number FROM next_change))";
    FIND = select!("WHERE account_id = $1 AND id = $2");
    LIST_OF_IDS = select!("WHERE account_id = $1 AND id IN ($2)");
    LIST_OF_RETURN_ORDERS = select!("WHERE account_id = $1 AND return_order_id IN ($2) ORDER BY seq");
    /// Only if the version is still the one that was read. Rows of the previous version get their missing age.
    UPDATE = "UPDATE return_requests SET stage = $3, state = $4, updated_at = $5, resolution_value = $7,
        requested_resolution = $8, exchange_for = $9, due_at = $10, refund_limit = $11, adjustment = $12, version = version + 1, changed = (SELECT number FROM next_change),
        stage_since = $13, proposal = $14, proposal_kind = $15, proposed_at = $16, staged = CASE WHEN stage = $3 THEN COALESCE(staged, changed) ELSE (SELECT number FROM next_change) END
        WHERE account_id = $1 AND id = $2 AND version = $6";
    /// What a request asks for. Whatever changes with it is in `UPDATE`.
    AMEND = "UPDATE return_requests SET return_reason_id = $3, return_reason_comment = $4, answers = $5, quantity = $6, value = $7
        WHERE account_id = $1 AND id = $2";
    /// Removes what people wrote, and changes nothing else.
    SCRUB = "UPDATE return_requests SET return_reason_comment = '', answers = '[]', state = $3, proposal = NULL,
        proposal_kind = NULL, proposed_at = NULL WHERE account_id = $1 AND id = $2";
    WORKER_OVERDUE = "SELECT account_id, return_order_id FROM return_requests WHERE due_at <= $1 ORDER BY due_at LIMIT $2";
    SET_DUE = "UPDATE return_requests SET due_at = $3 WHERE account_id = $1 AND id = $2";
    PUT_OFF = "UPDATE return_requests SET due_at = $4 WHERE account_id = $1 AND return_order_id = $2 AND due_at <= $3";
    /// The value that the consumer keeps of an order, in returns that still count. `CROSS JOIN` makes SQLite read the
    /// tables in this order; otherwise it would read all requests of the account.
    SUM_KEPT = "SELECT CAST(COALESCE(SUM(r.value), 0) AS BIGINT)
        FROM purchases p CROSS JOIN return_requests r CROSS JOIN return_orders o
        WHERE p.account_id = $1 AND p.order_id = $2 AND r.account_id = p.account_id AND r.purchase_id = p.id
        AND o.account_id = r.account_id AND o.id = r.return_order_id AND o.shipping_option IS NULL
        AND r.stage NOT LIKE 'Closed: %' AND r.stage <> 'Requested: Rejected'";
}

#[derive(sqlx::FromRow)]
struct ReturnRequestRow {
    seq: i64,
    changed: i64,
    id: Uuid,
    return_order_id: Uuid,
    return_number: String,
    consumer_id: Uuid,
    purchase_id: Uuid,
    purchase_external_id: String,
    purchase_order_number: String,
    return_reason_id: Uuid,
    return_reason_comment: String,
    answers: String,
    requested_resolution: String,
    exchange_for: Option<String>,
    quantity: i64,
    value: i64,
    resolution_value: i64,
    refund_limit: i64,
    adjustment: i64,
    currency: String,
    product: String,
    state: String,
    proposal: Option<String>,
    created_at: i64,
    updated_at: i64,
    version: i64,
    stage_since: Option<i64>,
    staged: Option<i64>,
}

impl ReturnRequestRow {
    fn return_request(self) -> Result<ReturnRequest> {
        let currency = named("return_requests.currency", Currency::from_code(&self.currency))?;
        let resolution = Resolution::from_name(&self.requested_resolution);
        let exchange_for = self.exchange_for.as_deref();
        let state: RequestState = from_json("return_requests.state", &self.state)?;
        let proposal: Option<Proposal> =
            self.proposal.as_deref().map(|text| from_json("return_requests.proposal", text)).transpose()?;
        // The previous version moves a request on without its proposal.
        let proposal = proposal.filter(|proposal| proposal.stands_in(state.stage.name()));
        Ok(ReturnRequest {
            id: ReturnRequestId(self.id),
            return_order_id: ReturnOrderId(self.return_order_id),
            return_number: self.return_number,
            consumer_id: ConsumerId(self.consumer_id),
            purchase_id: PurchaseId(self.purchase_id),
            purchase_external_id: self.purchase_external_id,
            purchase_order_number: self.purchase_order_number,
            return_reason_id: ReturnReasonId(self.return_reason_id),
            return_reason_comment: self.return_reason_comment,
            answers: from_json("return_requests.answers", &self.answers)?,
            requested_resolution: named("return_requests.requested_resolution", resolution)?,
            exchange_for: exchange_for.map(|text| from_json("return_requests.exchange_for", text)).transpose()?,
            quantity: count("return_requests.quantity", self.quantity)?,
            purchase_price: Money::new(self.value, currency),
            resolution_value: self.resolution_value,
            refund_limit: self.refund_limit,
            adjustment: self.adjustment,
            product: from_json("return_requests.product", &self.product)?,
            proposal,
            state,
            evidence: Vec::new(),
            created_at: Timestamp::from_micros(self.created_at),
            stage_since: Timestamp::from_micros(self.stage_since.unwrap_or(self.updated_at)),
            updated_at: Timestamp::from_micros(self.updated_at),
            version: self.version,
        })
    }
}

/// Inserts return requests in their order.
pub async fn insert(mut db: Db<'_>, account: AccountId, requests: &[ReturnRequest]) -> Result<()> {
    let step = db.change_number_step();
    for part in in_few_sizes(requests) {
        on!(&mut db, c => {
            let mut query = QueryBuilder::new(without_values(INSERT));
            let mut ahead = 0;
            query.push_values(part, |mut row, request| {
                row.push_bind(account.0)
                    .push_bind(request.id.0)
                    .push_bind(request.return_order_id.0)
                    .push_bind(request.consumer_id.0)
                    .push_bind(request.purchase_id.0)
                    .push_bind(request.purchase_external_id.as_str())
                    .push_bind(request.purchase_order_number.as_str())
                    .push_bind(compared(&request.purchase_order_number))
                    .push_bind(request.return_reason_id.0)
                    .push_bind(request.return_reason_comment.as_str())
                    .push_bind(request.requested_resolution.name())
                    .push_bind(i64::from(request.quantity))
                    .push_bind(request.purchase_price.minor)
                    .push_bind(request.purchase_price.currency.code().to_owned())
                    .push_bind(to_json(&request.product))
                    .push_bind(request.state.kept)
                    .push_bind(request.state.stage.name().as_str())
                    .push_bind(to_json(&request.state))
                    .push_bind(request.created_at.micros())
                    .push_bind(request.updated_at.micros())
                    .push_bind(request.version)
                    .push_bind(request.resolution_value)
                    .push_bind(request.refund_limit)
                    .push_bind(request.exchange_for.as_ref().map(to_json))
                    .push_bind(due_at(request))
                    .push_bind(to_json(&request.answers))
                    .push_bind(request.stage_since.micros())
                    .push_bind(request.product.sku.as_str())
                    .push_bind(request.return_number.as_str())
                    .push_bind(request.proposal.as_ref().map(to_json))
                    .push_bind(request.proposal.as_ref().map(|proposal| proposal.kind.name()))
                    .push_bind(request.proposal.as_ref().map(|proposal| proposal.created_at.micros()))
                    .push("(SELECT number FROM next_change) + ")
                    .push_bind_unseparated(ahead)
                    .push("(SELECT number FROM next_change) + ")
                    .push_bind_unseparated(ahead);
                ahead += step;
            });
            query.build().execute(&mut **c).await?;
        });
    }
    Ok(())
}

/// The return request of that id.
pub async fn find(mut db: Db<'_>, account: AccountId, id: ReturnRequestId) -> Result<Option<ReturnRequest>> {
    let row: Option<ReturnRequestRow> =
        on!(&mut db, c => sqlx::query_as(FIND).bind(account.0).bind(id.0).fetch_optional(&mut **c).await?);
    let mut found: Vec<ReturnRequest> = row.map(ReturnRequestRow::return_request).transpose()?.into_iter().collect();
    add_evidence(db, account, &mut found).await?;
    Ok(found.pop())
}

/// The list of return requests.
pub static LIST: List = List {
    name: "return-requests",
    select: select!(""),
    table: "return_requests",
    alias: "",
    key: "id",
    fields: &FIELDS,
    sorts_by_update: true,
    search: Some(lists::BY_CONSUMER),
};

const FIELDS: [Field; 21] = {
    let [carrier, country, shipping_option, source, gift, withdrawn, photos] = related::OF_REQUESTS;
    [
        Field { name: "purchaseOrderNumber", kind: FieldKind::OrderNumber, column: "purchase_order_number_key" },
        Field { name: "stage", kind: FieldKind::OneOf(stages), column: "stage" },
        Field { name: "status", kind: FieldKind::OneOf(stages), column: "stage" },
        Field { name: "queue", kind: FieldKind::Queue, column: "stage" },
        Field { name: "returnOrderId", kind: FieldKind::Id, column: "return_order_id" },
        Field { name: "consumerId", kind: FieldKind::Id, column: "consumer_id" },
        Field { name: "returnReasonId", kind: FieldKind::SharedId, column: "return_reason_id" },
        Field { name: "requestedResolution", kind: FieldKind::OneOf(resolutions), column: "requested_resolution" },
        Field { name: "proposal", kind: FieldKind::OneOf(proposals), column: "proposal_kind" },
        Field { name: "sku", kind: FieldKind::SharedText, column: "sku" },
        Field { name: "purchasePrice", kind: FieldKind::Amount, column: "value" },
        Field { name: "createdAt", kind: FieldKind::Time(SequenceColumn::Seq), column: "created_at" },
        Field { name: "updatedAt", kind: FieldKind::Time(SequenceColumn::Changed), column: "updated_at" },
        Field { name: "stageSince", kind: FieldKind::Moment, column: "stage_since" },
        carrier,
        country,
        shipping_option,
        source,
        gift,
        withdrawn,
        photos,
    ]
};

fn proposals() -> Vec<&'static str> {
    ProposalKind::all().iter().map(|kind| kind.name()).collect()
}

/// The return requests of an account.
pub async fn list(mut db: Db<'_>, account: AccountId, listing: &Listing) -> Result<Rows<ReturnRequest>> {
    let key = |row: &ReturnRequestRow| listing.cursor_by_stage(row.seq, row.changed, row.staged.unwrap_or(0));
    let mut page = lists::fetch(db.reborrow(), &LIST, account, listing, key, ReturnRequestRow::return_request).await?;
    add_evidence(db, account, &mut page.rows).await?;
    Ok(page)
}

/// The number of an account's return requests, up to `most`.
pub async fn count_listed(db: Db<'_>, account: AccountId, listing: &Listing, most: i64) -> Result<Counted> {
    lists::count(db, &LIST, account, listing, most).await
}

/// The requests of return orders, in the order in which they were inserted.
pub async fn list_of_return_orders(
    mut db: Db<'_>,
    account: AccountId,
    orders: &[ReturnOrderId],
) -> Result<Vec<ReturnRequest>> {
    let rows: Vec<ReturnRequestRow> = select_of!(&mut db, LIST_OF_RETURN_ORDERS, account, orders);
    let mut requests = rows.into_iter().map(ReturnRequestRow::return_request).collect::<Result<Vec<_>>>()?;
    add_evidence(db, account, &mut requests).await?;
    Ok(requests)
}

/// The requests of these ids, without their evidence, in any order.
pub async fn list_of_ids(mut db: Db<'_>, account: AccountId, ids: &[ReturnRequestId]) -> Result<Vec<ReturnRequest>> {
    let rows: Vec<ReturnRequestRow> = select_of!(&mut db, LIST_OF_IDS, account, ids);
    rows.into_iter().map(ReturnRequestRow::return_request).collect()
}

/// Adds the evidence, with one statement for all requests.
async fn add_evidence(db: Db<'_>, account: AccountId, requests: &mut [ReturnRequest]) -> Result<()> {
    let ids: Vec<ReturnRequestId> = requests.iter().map(|request| request.id).collect();
    let mut files: HashMap<ReturnRequestId, Vec<EvidenceFile>> = HashMap::new();
    for file in evidence::list_of_return_requests(db, account, &ids).await? {
        files.entry(file.return_request_id).or_default().push(file);
    }
    for request in requests {
        request.evidence = files.remove(&request.id).unwrap_or_default();
    }
    Ok(())
}

/// Updates a request; `false` if it was changed since it was read.
pub async fn update(mut db: Db<'_>, account: AccountId, request: &ReturnRequest) -> Result<bool> {
    let rows = execute!(
        db,
        sqlx::query(UPDATE)
            .bind(account.0)
            .bind(request.id.0)
            .bind(request.state.stage.name().as_str())
            .bind(to_json(&request.state))
            .bind(request.updated_at.micros())
            .bind(request.version)
            .bind(request.resolution_value)
            .bind(request.requested_resolution.name())
            .bind(request.exchange_for.as_ref().map(to_json))
            .bind(due_at(request))
            .bind(request.refund_limit)
            .bind(request.adjustment)
            .bind(request.stage_since.micros())
            .bind(request.proposal.as_ref().map(to_json))
            .bind(request.proposal.as_ref().map(|proposal| proposal.kind.name()))
            .bind(request.proposal.as_ref().map(|proposal| proposal.created_at.micros()))
    );
    Ok(rows == 1)
}

/// Updates what a request asks for: its reason, units and price. [`update`] writes the rest.
pub async fn amend(mut db: Db<'_>, account: AccountId, request: &ReturnRequest) -> Result<()> {
    execute!(
        db,
        sqlx::query(AMEND)
            .bind(account.0)
            .bind(request.id.0)
            .bind(request.return_reason_id.0)
            .bind(&request.return_reason_comment)
            .bind(to_json(&request.answers))
            .bind(i64::from(request.quantity))
            .bind(request.purchase_price.minor)
    );
    Ok(())
}

fn due_at(request: &ReturnRequest) -> Option<i64> {
    request.state.stage.deadline().map(|(at, _)| at.micros())
}

/// Return orders of every account with a request whose deadline has passed, the longest overdue first. Reads at most
/// `most` requests.
pub async fn overdue(mut db: Db<'_>, now: Timestamp, most: u32) -> Result<Vec<(AccountId, ReturnOrderId)>> {
    let rows: Vec<(Uuid, Uuid)> = on!(&mut db, c => sqlx::query_as(WORKER_OVERDUE)
        .bind(now.micros())
        .bind(i64::from(most))
        .fetch_all(&mut **c).await?);
    let mut orders: Vec<_> = rows.into_iter().map(|(account, id)| (AccountId(account), ReturnOrderId(id))).collect();
    orders.dedup();
    Ok(orders)
}

/// Sets the time at which a request is due to the deadline of its stage, and changes nothing else.
pub async fn set_due(mut db: Db<'_>, account: AccountId, request: &ReturnRequest) -> Result<()> {
    execute!(db, sqlx::query(SET_DUE).bind(account.0).bind(request.id.0).bind(due_at(request)));
    Ok(())
}

/// Postpones the overdue requests of a return order. Their deadlines stay.
pub async fn put_off(
    mut db: Db<'_>,
    account: AccountId,
    order: ReturnOrderId,
    now: Timestamp,
    until: Timestamp,
) -> Result<()> {
    let (now, until) = (now.micros(), until.micros());
    execute!(db, sqlx::query(PUT_OFF).bind(account.0).bind(order.0).bind(now).bind(until));
    Ok(())
}

/// Removes what people wrote about a request.
pub async fn scrub(mut db: Db<'_>, account: AccountId, request: &ReturnRequest) -> Result<()> {
    let state = to_json(&request.state.clone().redacted());
    execute!(db, sqlx::query(SCRUB).bind(account.0).bind(request.id.0).bind(state));
    Ok(())
}

/// The value that the consumer keeps of a sales order in returns that still count, in minor units.
pub async fn sum_kept(mut db: Db<'_>, account: AccountId, order: domain::OrderId) -> Result<i64> {
    Ok(on!(&mut db, c => sqlx::query_scalar(SUM_KEPT).bind(account.0).bind(order.0).fetch_one(&mut **c).await?))
}
