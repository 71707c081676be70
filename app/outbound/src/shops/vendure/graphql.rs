//! The GraphQL documents that we send.

/// Checks that the shop is reachable and that the key may read orders.
pub(super) const HEALTH: &str = "query Health {
  globalSettings { serverConfig { moneyStrategyPrecision } }
  orders(options: { take: 1 }) { totalItems }
}";

/// An order as the shopper sees it, by the spellings of its code. The list must not be empty: an empty filter finds every order.
pub(super) const LOOK_UP: &str = r#"query LookUp($codes: [String!]!) {
  globalSettings { serverConfig { moneyStrategyPrecision } }
  orders(options: { filter: { code: { in: $codes } }, take: 3 }) {
    items {
      id code state active orderPlacedAt currencyCode shippingWithTax
      customer { emailAddress firstName lastName }
      shippingAddress { fullName company streetLine1 streetLine2 city province postalCode countryCode }
      billingAddress { fullName company streetLine1 streetLine2 city province postalCode countryCode }
      surcharges { priceWithTax }
      lines {
        id createdAt quantity orderPlacedQuantity
        unitPrice unitPriceWithTax linePriceWithTax proratedLinePrice proratedLinePriceWithTax
        featuredAsset { preview }
        productVariant {
          sku product { id name } options { name group { name } } featuredAsset { preview }
        }
      }
      fulfillments { id state updatedAt lines { orderLineId quantity } }
      payments { state amount refunds { state total lines { orderLineId quantity } } }
      history(options: { filter: { type: { eq: "ORDER_FULFILLMENT_TRANSITION" } }, sort: { createdAt: DESC }, take: 100 }) {
        items { type data createdAt }
      }
    }
  }
}"#;

/// The payments, refunds and history of an order.
pub(super) const STATE: &str = r#"query State($id: ID!) {
  globalSettings { serverConfig { moneyStrategyPrecision } }
  order(id: $id) {
    id currencyCode
    lines { id quantity orderPlacedQuantity }
    payments { id createdAt state amount refunds { id state total reason } }
    history(options: { filter: { type: { in: ["ORDER_CANCELLATION", "ORDER_NOTE"] } }, sort: { createdAt: DESC }, take: 500 }) {
      items { type data createdAt }
    }
  }
}"#;

/// Refunds money.
pub(super) const REFUND: &str = "mutation Refund($input: RefundOrderInput!) {
  done: refundOrder(input: $input) { ... on Refund { id state } ... on ErrorResult { errorCode } }
}";

/// Confirms a pending refund, for payment methods that do not report it.
pub(super) const SETTLE: &str = "mutation Settle($input: SettleRefundInput!) {
  done: settleRefund(input: $input) { ... on Refund { id state } ... on ErrorResult { errorCode } }
}";

/// Cancels units of an order, which puts them back into stock.
pub(super) const CANCEL: &str = "mutation Cancel($input: CancelOrderInput!) {
  done: cancelOrder(input: $input) { ... on Order { id state } ... on ErrorResult { errorCode } }
}";

/// Writes a note for the merchant's staff.
pub(super) const NOTE: &str = "mutation Note($input: AddNoteToOrderInput!) {
  done: addNoteToOrder(input: $input) { id state }
}";
