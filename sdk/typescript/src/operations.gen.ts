// Generated from the OpenAPI document by .ci/sdk. Do not edit.

import { Client, pages, segment, type FileOptions, type KeyedOptions, type Options, type UploadOptions, type VersionedOptions } from "./client.js";
import type * as types from "./types.gen.js";

/** The parameters of `createOwnEvidence`. */
export interface CreateOwnEvidenceQuery {
  /** The return request that the evidence belongs to. It is one of this return order. */
  returnRequestId: string;
}

/** The parameters of `find`. */
export interface FindQuery {
  /** What to find: 2 to 320 characters. */
  q: string;
}

/** The parameters of `getOwnReturnOrder`. */
export interface GetOwnReturnOrderQuery {
  /** Objects to return in place of their ids, or to add to the answer; may repeat. */
  expand?: ("consumer" | "shipments" | "returnRequests")[];
}

/** The parameters of `getReturnOrder`. */
export interface GetReturnOrderQuery {
  /** Objects to return in place of their ids, or to add to the answer; may repeat. */
  expand?: ("consumer" | "shipments" | "returnRequests" | "draftReturnOrder")[];
}

/** The parameters of `getReturnRequest`. */
export interface GetReturnRequestQuery {
  /** Objects to return in place of their ids, or to add to the answer; may repeat. */
  expand?: ("consumer")[];
}

/** The parameters of `importPurchases`. */
export interface ImportPurchasesQuery {
  /** The layout of a CSV file. */
  format?: "retour" | "shopify";
  /** `true`: only returns the report, and writes nothing. */
  dryRun?: boolean;
}

/** The parameters of `listAuditEntries`. */
export interface ListAuditEntriesQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `actorId`: an id
   * - `action`: `account.created`, `account.updated`, `preview.created`, `return_location.created`, `return_location.updated`, `return_location.deleted`, `return_reason.created`, `return_reason.updated`, `return_reason.deleted`, `shipping_option.created`, `shipping_option.updated`, `shipping_option.deleted`, `user.signed_in`, `user.sign_in_failed`, `user.signed_out`, `user.password_set`, `user.signed_in_with_passkey`, `user.passkey_refused`, `user.passkey_added`, `user.passkey_renamed`, `user.passkey_removed`, `user.second_factor_added`, `user.second_factor_removed`, `user.recovery_codes_renewed`, `user.factors_reset`, `user.sessions_ended`, `user.invited`, `user.invited_again`, `user.updated`, `user.deleted`, `service_user.created`, `service_user.updated`, `service_user.rotated`, `service_user.revoked`, `orders.imported`, `purchase.deleted`, `return_request.adjusted`, `return_request.proposal_made`, `return_request.proposal_approved`, `return_request.proposal_refused`, `return_request.amended`, `evidence.added`, `evidence.deleted`, `shipment.added`, `return_order.shipping_changed`, `shipment.sender_corrected`, `shipment.cancelled`, `consumer.created`, `draft_return_order.rules_overridden`, `draft_return_order.mailed`, `draft_return_order.rejected`, `return_order.updated`, `bulk_run.created`, `withdrawal.created`, `withdrawal.updated`, `found_parcel.created`, `found_parcel.updated`, `personal_data.exported`, `personal_data.erased`, `personal_data.requested`, `webhook_subscription.created`, `webhook_subscription.updated`, `webhook_subscription.deleted`, `webhook_subscription.secret_rotated`, `events.redelivered`
   * - `topic`: `Money`, `Settings`, `Team`, `Data`, `Webhooks`
   * - `subject`: `Account`, `User`, `ServiceUser`, `ReturnLocation`, `ReturnReason`, `ShippingOption`, `WebhookSubscription`, `Event`, `WebhookDelivery`, `Purchase`, `Consumer`, `DraftReturnOrder`, `ReturnOrder`, `ReturnRequest`, `Shipment`, `Evidence`, `BulkRun`, `Withdrawal`, `FoundParcel`
   * - `subjectId`: a text, as it is
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
}

/** The parameters of `listConsumers`. */
export interface ListConsumersQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `email`: an e-mail address, without regard to case
   * - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
  /** Text that order numbers, names or e-mail addresses equal or begin with. */
  search?: string;
}

/** The parameters of `listDraftReturnOrders`. */
export interface ListDraftReturnOrdersQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `consumerId`: an id
   * - `status`: `Open`, `Accepted`, `Rejected`, `Expired`
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
  /** Text that order numbers, names or e-mail addresses equal or begin with. */
  search?: string;
}

/** The parameters of `listEvents`. */
export interface ListEventsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `type`: `return_request.stage_changed`, `return_order.created`, `return_order.confirmed`, `return_order.completed`, `return_order.cancelled`, `return_order.note_added`, `return_order.assigned`, `shipment.label_created`, `shipment.received_tracking_updates`, `shipment.delivered`, `withdrawal.received`, `consumer.erased`, `webhook_subscription.disabled`, `test.ping`
   * - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
   * - `returnOrderId`: an id
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
}

/** The parameters of `listFoundParcels`. */
export interface ListFoundParcelsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `status`: `Open`, `Matched`, `Closed`
   * - `code`: what a scanner reads; of GS1-128 the SSCC will do
   * - `number`: a text, as it is
   * - `returnOrderId`: an id
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
}

/** The parameters of `listMails`. */
export interface ListMailsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `returnOrderId`: an id
   * - `status`: `Sent`, `Failed`
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
}

/** The parameters of `listOwnPurchases`. */
export interface ListOwnPurchasesQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
}

/** The parameters of `listOwnReturnOrders`. */
export interface ListOwnReturnOrdersQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** Objects to return in place of their ids, or to add to the answer; may repeat. */
  expand?: ("consumer" | "shipments" | "returnRequests")[];
}

/** The parameters of `listPurchases`. */
export interface ListPurchasesQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `orderNumber`: an order number, without regard to `#`, spaces and case
   * - `orderId`: an id
   * - `externalId`: a text, as it is
   */
  filter?: string[];
  /** Text that order numbers, names or e-mail addresses equal or begin with. */
  search?: string;
}

/** The parameters of `listReturnLocations`. */
export interface ListReturnLocationsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `archived`: `true`, `false`
   */
  filter?: string[];
}

/** The parameters of `listReturnOrders`. */
export interface ListReturnOrdersQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt" | "updatedAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `number`: a text, as it is
   * - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
   * - `consumerId`: an id
   * - `status`: `Requested`, `AwaitingPayment`, `Open`, `Completed`, `Cancelled`, `Expired`, `Rejected`
   * - `assigneeId`: an id
   * - `flag`: a text, as it is
   * - `flagged`: `true` or `false`
   * - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
   * - `returnReasonId`: an id
   * - `requestedResolution`: `Refund`, `Exchange`, `StoreCredit`
   * - `sku`: a text, as it is
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   * - `updatedAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   * - `carrier`: a text, as it is
   * - `country`: a country, two letters of ISO 3166-1
   * - `shippingOptionId`: an id
   * - `source`: `Portal`, `Api`, `Merchant`
   * - `gift`: `true` or `false`
   * - `withdrawn`: `true` or `false`
   * - `hasPhotos`: `true` or `false`
   */
  filter?: string[];
  /** Text that order numbers, names or e-mail addresses equal or begin with. */
  search?: string;
  /** Objects to return in place of their ids, or to add to the answer; may repeat. */
  expand?: ("consumer" | "shipments" | "returnRequests" | "draftReturnOrder")[];
  /** Whether the answer also has the number of results on all pages, in `count`. */
  count?: boolean;
}

/** The parameters of `listReturnReasons`. */
export interface ListReturnReasonsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `archived`: `true`, `false`
   * - `parentId`: an id
   */
  filter?: string[];
}

/** The parameters of `listReturnRequests`. */
export interface ListReturnRequestsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. `stageSince` is the time at which requests entered their stage, and needs a filter by `stage` or `queue`. */
  sortBy?: "createdAt" | "updatedAt" | "stageSince";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
   * - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
   * - `status`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
   * - `queue`: a queue as `GET /queues` names it: `ToDecide`, `WaitingForCustomer`, `LabelTrouble`, `LateOnTheWay`, `ArrivedNotCounted`, `ToInspect`, `ToSettle`, `ToPay`, `PaymentFailed`
   * - `returnOrderId`: an id
   * - `consumerId`: an id
   * - `returnReasonId`: an id
   * - `requestedResolution`: `Refund`, `Exchange`, `StoreCredit`
   * - `proposal`: `Adjustment`, `Resolution`, `Override`
   * - `sku`: a text, as it is
   * - `purchasePrice`: an amount and its currency, such as `12.50 EUR`, also with `<`, `<=`, `>`, `>=`
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   * - `updatedAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   * - `stageSince`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   * - `carrier`: a text, as it is
   * - `country`: a country, two letters of ISO 3166-1
   * - `shippingOptionId`: an id
   * - `source`: `Portal`, `Api`, `Merchant`
   * - `gift`: `true` or `false`
   * - `withdrawn`: `true` or `false`
   * - `hasPhotos`: `true` or `false`
   */
  filter?: string[];
  /** Text that order numbers, names or e-mail addresses equal or begin with. */
  search?: string;
  /** Objects to return in place of their ids, or to add to the answer; may repeat. */
  expand?: ("consumer")[];
  /** Whether the answer also has the number of results on all pages, in `count`. */
  count?: boolean;
}

/** The parameters of `listServiceUsers`. */
export interface ListServiceUsersQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
}

/** The parameters of `listShipments`. */
export interface ListShipmentsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `returnOrderId`: an id
   * - `status`: `New`, `LabelFailed`, `LabelCreated`, `InTransit`, `Exception`, `Delivered`, `Cancelled`
   * - `labelBarcode`: what a scanner reads; of GS1-128 the SSCC will do
   * - `errorCode`: a text, as it is
   * - `trackingNumber`: a text, as it is
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
}

/** The parameters of `listShippingOptions`. */
export interface ListShippingOptionsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `archived`: `true`, `false`
   * - `method`: `Label`, `Paperless`, `DropOff`, `PickUp`, `InStore`, `OwnCarrier`
   */
  filter?: string[];
}

/** The parameters of `listUsers`. */
export interface ListUsersQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `email`: an e-mail address, without regard to case
   * - `role`: `admin`, `agent`, `finance`, `warehouse`, `viewer`
   */
  filter?: string[];
}

/** The parameters of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `subscriptionId`: an id
   * - `eventId`: an id
   * - `status`: `Pending`, `Delivered`, `Failed`
   */
  filter?: string[];
}

/** The parameters of `listWebhookSubscriptions`. */
export interface ListWebhookSubscriptionsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `enabled`: `true`, `false`
   */
  filter?: string[];
}

/** The parameters of `listWithdrawals`. */
export interface ListWithdrawalsQuery {
  /** The number of results per page. */
  limit?: number;
  /** The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out. */
  page?: number;
  /** The time to sort by. */
  sortBy?: "createdAt";
  /** The direction: `desc` is newest first. */
  orderBy?: "asc" | "desc";
  /**
   * Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\|` is a vertical bar. Fields:
   * - `number`: a text, as it is
   * - `status`: `Received`, `OrderFound`, `Returned`, `Closed`
   * - `email`: an e-mail address, without regard to case
   * - `returnOrderId`: an id
   * - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
   */
  filter?: string[];
}

/** The parameters of `scanCode`. */
export interface ScanCodeQuery {
  /** The code as the scanner read it, or as somebody typed it: 1 to 200 characters. */
  code: string;
  /** The return order whose parcel is open. The code can then be that of one of its products. */
  returnOrder?: string;
}

/** A client of one Retour: one method for each operation of the API. */
export class Retour extends Client {
  /**
   * Accept a draft return order.
   *
   * Submits the draft for its consumer, without a review. A repeated request answers 200 with the same return order.
   *
   * For users and API keys with the scope `write`.
   *
   * `PUT /api/v0/draft-return-orders/{id}/accept`
   */
  acceptDraftReturnOrder(id: string, options: Options = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "PUT", path: `/api/v0/draft-return-orders/${segment(id)}/accept` }, options);
  }

  /**
   * Add a passkey.
   *
   * Adds the passkey that the browser has made. It counts as a second factor: from now on, your password alone does not sign you in. If it is your first second factor, the answer has ten recovery codes. Your other sessions end. A user has at most 20 passkeys.
   *
   * For users who signed in.
   *
   * `POST /auth/user/passkeys`
   */
  addOwnPasskey(body: types.MadePasskey, options: Options = {}): Promise<types.NewPasskey> {
    return this.call({ method: "POST", path: "/auth/user/passkeys", body }, options);
  }

  /**
   * Add a shipment to a return order.
   *
   * Adds a shipment to a return that does not fit into one parcel. It gets a label in the same way as the first shipment. The return is delivered once each of its shipments is; receipts count the units that arrive, in any of the shipments.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-orders/{id}/shipments`
   */
  addShipment(id: string, body: types.NewShipment, options: KeyedOptions = {}): Promise<types.Shipment> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/shipments`, body, keyed: true }, options);
  }

  /**
   * Approve a proposal.
   *
   * Carries out what somebody else proposed: the adjustment, the approval of the resolution, or that of a return that overrides a rule, which needs the scope `override`. Users with the role `agent` do not decide about proposals, and nobody approves their own.
   *
   * For users and API keys with one of the scopes `resolve`, `override`, except agents.
   *
   * `POST /api/v0/return-requests/{id}/proposals/{proposal_id}/approve`
   */
  approveProposal(id: string, proposalId: string, options: VersionedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/proposals/${segment(proposalId)}/approve`, keyed: true }, options);
  }

  /**
   * Begin to add a passkey.
   *
   * Answers with what a browser makes a passkey from (WebAuthn): `PublicKeyCredential.parseCreationOptionsFromJSON(…)` reads it. The challenge works once, within five minutes, for your session alone. It needs a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`.
   *
   * For users who signed in.
   *
   * `POST /auth/user/passkeys/options`
   */
  beginOwnPasskey(options: Options = {}): Promise<types.PasskeyCreationOptions> {
    return this.call({ method: "POST", path: "/auth/user/passkeys/options" }, options);
  }

  /**
   * Begin to set up an authenticator app.
   *
   * Creates a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Show `uri` as a QR code, or type `secret` into the app. `POST /auth/user/totp/confirm` with a code of the app completes it. Until then, an earlier app stays valid. It needs a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`.
   *
   * For users who signed in.
   *
   * `POST /auth/user/totp`
   */
  beginOwnTotp(options: Options = {}): Promise<types.NewTotp> {
    return this.call({ method: "POST", path: "/auth/user/totp" }, options);
  }

  /**
   * Begin a sign-in with a passkey.
   *
   * Answers with what a browser asks for a passkey with (WebAuthn): `PublicKeyCredential.parseRequestOptionsFromJSON(…)` reads it. It names no passkeys. The challenge works once, within five minutes, in pages of the host `rpId`.
   *
   * Needs no credential.
   *
   * `POST /auth/passkey/options`
   */
  beginPasskeySignIn(options: Options = {}): Promise<types.PasskeyRequestOptions> {
    return this.call({ method: "POST", path: "/auth/passkey/options" }, options);
  }

  /**
   * Cancel a return order of the consumer.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `POST /consumer/{consumer_id}/return-order/{id}/cancel`
   */
  cancelOwnReturnOrder(consumerId: string, id: string, options: KeyedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "POST", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/cancel`, keyed: true }, options);
  }

  /**
   * Cancel a return order.
   *
   * Cancels the whole return: its units can be returned again, and its label is void. A repeated request changes nothing.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-orders/{id}/cancel`
   */
  cancelReturnOrder(id: string, options: KeyedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/cancel`, keyed: true }, options);
  }

  /**
   * Cancel a shipment.
   *
   * Cancels one of several shipments before the carrier scans it. The label is void, also at the carrier if the carrier supports that. The return is delivered once the other shipments are. A repeated request changes nothing. To cancel the only shipment, cancel its return order.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/shipments/{id}/cancel`
   */
  cancelShipment(id: string, options: KeyedOptions = {}): Promise<types.Shipment> {
    return this.call({ method: "POST", path: `/api/v0/shipments/${segment(id)}/cancel`, keyed: true }, options);
  }

  /**
   * Change your password.
   *
   * Replaces your password. All your sessions and tokens end, also the token of this request: sign in with the new password.
   *
   * For users who signed in.
   *
   * `POST /auth/user/password`
   */
  changeOwnPassword(body: types.PasswordChange, options: Options = {}): Promise<void> {
    return this.call({ method: "POST", path: "/auth/user/password", body }, options);
  }

  /**
   * Choose another way of sending.
   *
   * Replaces the shipping option of a return order, before the carrier has its parcel and before anything of it has arrived. Its shipments are cancelled and their labels are void. A new shipment gets its label as the first one did, if the option has one, and the consumer gets the mail again. The costs are calculated again with today's fees, and never exceed what was paid. What the consumer pays for the return is not raised once the return is approved. The same option changes nothing.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-orders/{id}/shipping-option`
   */
  changeShippingOption(id: string, body: types.ShippingChange, options: VersionedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/shipping-option`, body, keyed: true }, options);
  }

  /**
   * Confirm an authenticator app.
   *
   * Completes the set-up of an authenticator app with its first code. From now on, each sign-in needs a code. Answers with ten recovery codes, each of which replaces a code once. Your other sessions end.
   *
   * For users who signed in.
   *
   * `POST /auth/user/totp/confirm`
   */
  confirmOwnTotp(body: types.TotpCode, options: Options = {}): Promise<types.NewRecoveryCodes> {
    return this.call({ method: "POST", path: "/auth/user/totp/confirm", body }, options);
  }

  /**
   * Continue a bulk run.
   *
   * Continues a run that stopped, because the service ended. Each return request is changed once. While the service works on the run, nothing happens.
   *
   * For users and API keys with one of the scopes `write`, `resolve`, `receive`.
   *
   * `POST /api/v0/bulk-runs/{id}/continue`
   */
  continueBulkRun(id: string, options: Options = {}): Promise<types.BulkRun> {
    return this.call({ method: "POST", path: `/api/v0/bulk-runs/${segment(id)}/continue` }, options);
  }

  /**
   * Change the sender of a shipment.
   *
   * Corrects the address that the parcel comes from, if its label failed, or if Retour draws the label itself and the parcel is not sent. Request a failed label again afterwards. A known country stays.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/shipments/{id}/sender`
   */
  correctSender(id: string, body: types.SenderInput, options: KeyedOptions = {}): Promise<types.Shipment> {
    return this.call({ method: "POST", path: `/api/v0/shipments/${segment(id)}/sender`, body, keyed: true }, options);
  }

  /**
   * Adjust the value of a return request.
   *
   * Adds an amount to the value of the return request, or takes it off, until its resolution is approved. The value stays between zero and what was paid for the units and is left of the order: fees can be given back, nothing more. The consumer sees the amount as the line `Adjustment` of the costs. Users with the role `agent` adjust return requests up to the policy's `agentLimit`.
   *
   * For users and API keys with the scope `resolve`.
   *
   * `POST /api/v0/return-requests/{id}/adjustments`
   */
  createAdjustment(id: string, body: types.AdjustmentInput, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/adjustments`, body, keyed: true }, options);
  }

  /**
   * Change what a return request asks for.
   *
   * Changes the reason, the requested resolution or the number of units, before anything of the return request has arrived. The stage stays. The costs are calculated again with today's fees, and never exceed what was paid. A change of what the consumer has to pay for the return is refused.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-requests/{id}/amendments`
   */
  createAmendment(id: string, body: types.AmendmentInput, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/amendments`, body, keyed: true }, options);
  }

  /**
   * Create a bulk run.
   *
   * Changes up to 1,000 return requests, each by itself and by the same rules as the operation for one: one that fails does not stop the others. The answer is the run as it begins. The first 100 return requests have their results when the answer arrives; the others follow in the background. Get the run to see its results. More than 100 return requests need a sign-in of the last ten minutes from a user: an older one gives 403 `ConfirmationRequired`.
   *
   * For users and API keys with one of the scopes `write`, `resolve`, `receive`.
   *
   * `POST /api/v0/bulk-runs`
   */
  createBulkRun(body: types.NewBulkRun, options: KeyedOptions = {}): Promise<types.BulkRun> {
    return this.call({ method: "POST", path: "/api/v0/bulk-runs", body, keyed: true }, options);
  }

  /**
   * Prove an order.
   *
   * Checks an order number against its e-mail address or postal code, depending on the account's `lookUpBy`, and answers with a consumer and a token that is valid for 24 hours. The same credentials always give the same consumer. With `giftRecipientEmail`, a gift recipient proves the order by the postal code, if the account's policy has `giftReturns`: they are a separate consumer, whose answers contain no amounts and who chooses store credit or an exchange. A wrong order and a wrong proof give the same 401, after one second. Too many failed attempts of one client, or with one postal code, give 429 until midnight UTC. If the shop sends sign-in links, `message` names the page that requests one. See "Guessing" in docs/api.md.
   *
   * Needs no credential.
   *
   * `POST /auth/consumer`
   */
  createConsumer(body: types.OrderCredentials, options: Options = {}): Promise<types.IdentifiedConsumer> {
    return this.call({ method: "POST", path: "/auth/consumer", body }, options);
  }

  /**
   * Create a draft return order.
   *
   * A draft reserves no units; its submission does. Its amounts are valid for 24 hours. `overrides` names rules of the account that do not apply to the draft, also if the consumer submits it.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/draft-return-orders`
   */
  createDraftReturnOrder(body: types.NewReturn, options: KeyedOptions = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "POST", path: "/api/v0/draft-return-orders", body, keyed: true }, options);
  }

  /**
   * Add evidence to a return request.
   *
   * Send the file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`; or send `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per return request. It removes place, time and all other camera data from photos, and stores a PDF unchanged. The same file again is the same evidence and answers 200. Evidence moves a return request from `Requested: Evidence Pending` to `Requested: Review`.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/return-requests/{id}/evidence`
   */
  createEvidence(id: string, file: Blob, options: UploadOptions = {}): Promise<types.EvidenceFile> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/evidence`, body: file, keyed: true }, options);
  }

  /**
   * Create a found parcel.
   *
   * Records a parcel without papers. Write the number of the answer on the parcel.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/found-parcels`
   */
  createFoundParcel(body: types.NewFoundParcel, options: KeyedOptions = {}): Promise<types.FoundParcel> {
    return this.call({ method: "POST", path: "/api/v0/found-parcels", body, keyed: true }, options);
  }

  /**
   * Create an inspection.
   *
   * Records the inspection, which decides about the refund if the policy's `resolveOn` is `inspection`. A new inspection replaces the previous one. An approved resolution does not change.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/return-requests/{id}/inspection`
   */
  createInspection(id: string, body: types.NewInspection, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/inspection`, body, keyed: true }, options);
  }

  /**
   * Create a note.
   *
   * Adds a note to the return order. Only staff see it: it is in no answer and no mail to consumers.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-orders/{id}/notes`
   */
  createNote(id: string, body: types.NoteInput, options: KeyedOptions = {}): Promise<types.Note> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/notes`, body, keyed: true }, options);
  }

  /**
   * Create a draft return order as the consumer.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `POST /consumer/{consumer_id}/draft-return-order`
   */
  createOwnDraftReturnOrder(consumerId: string, body: types.NewDraftReturnOrder, options: KeyedOptions = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "POST", path: `/consumer/${segment(consumerId)}/draft-return-order`, body, keyed: true }, options);
  }

  /**
   * Add evidence to a return request of the consumer.
   *
   * Send the file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`; or send `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per return request. It removes place, time and all other camera data from photos, and stores a PDF unchanged. The same file again is the same evidence and answers 200. Evidence moves a return request from `Requested: Evidence Pending` to `Requested: Review`.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `POST /consumer/{consumer_id}/return-order/{id}/evidence`
   */
  createOwnEvidence(consumerId: string, id: string, file: Blob, query: CreateOwnEvidenceQuery, options: UploadOptions = {}): Promise<types.EvidenceFile> {
    return this.call({ method: "POST", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/evidence`, query: { ...query }, body: file, keyed: true }, options);
  }

  /**
   * Add pending evidence to a purchase.
   *
   * Uploads a photo or document before the consumer submits the return. The submission turns the pending evidence of its purchases into `evidence` of the return requests, with the same ids, if their reasons require or accept evidence; with other reasons, Retour deletes it. A return request whose reason requires evidence then begins with `Requested: Review`. Retour deletes pending evidence after 48 hours. Send the file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`; or send `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per purchase. It removes the camera data from photos. The same file again answers 200 with the existing file.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `POST /consumer/{consumer_id}/purchase/{id}/evidence`
   */
  createOwnPendingEvidence(consumerId: string, id: string, file: Blob, options: UploadOptions = {}): Promise<types.PendingEvidence> {
    return this.call({ method: "POST", path: `/consumer/${segment(consumerId)}/purchase/${segment(id)}/evidence`, body: file, keyed: true }, options);
  }

  /**
   * Submit a draft return order.
   *
   * Submits the draft, and starts the payment and the label. A repeated submission of the same draft answers 200 with the same return order, regardless of `shippingOptionId`.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `POST /consumer/{consumer_id}/return-order`
   */
  createOwnReturnOrder(consumerId: string, body: types.NewReturnOrder, options: KeyedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "POST", path: `/consumer/${segment(consumerId)}/return-order`, body, keyed: true }, options);
  }

  /**
   * Create a preview.
   *
   * Creates a preview of this branding: for a day, the URL in the answer shows the portal with it to everybody who has the URL. The live portal does not change. To publish the branding, send the same body to `PATCH` the account.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/account/previews`
   */
  createPreview(body: types.NewPreview, options: KeyedOptions = {}): Promise<types.Preview> {
    return this.call({ method: "POST", path: "/api/v0/account/previews", body, keyed: true }, options);
  }

  /**
   * Propose a decision about a return request.
   *
   * Asks others to approve what is above the policy's `agentLimit`: an adjustment of the value, or the resolution. The stage stays. The return request has the `proposal` until somebody decides. A new proposal replaces it. The filter `proposal` of the return requests finds what waits.
   *
   * For users and API keys with the scope `resolve`.
   *
   * `POST /api/v0/return-requests/{id}/proposals`
   */
  createProposal(id: string, body: types.ProposalInput, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/proposals`, body, keyed: true }, options);
  }

  /**
   * Create a receipt.
   *
   * Adds received units to the return request. Each `externalReference` counts once.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/return-requests/{id}/receipts`
   */
  createReceipt(id: string, body: types.NewReceipt, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/receipts`, body, keyed: true }, options);
  }

  /**
   * Receive a parcel.
   *
   * Counts a whole parcel at once: the receipts and inspections of all its items, or nothing. An inspection that is sent here decides about the refund under every `resolveOn`. Each `externalReference` counts once: a repeated request answers 200 and changes nothing.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/return-orders/{id}/receivings`
   */
  createReceiving(id: string, body: types.NewReceiving, options: KeyedOptions = {}): Promise<types.Receiving> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/receivings`, body, keyed: true }, options);
  }

  /**
   * Create a return location.
   *
   * Creates a return location. Shipments go to the location that their shipping option names, else to the default location, else to the policy's `returnAddress`. An account has at most 200 locations, including archived ones.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/return-locations`
   */
  createReturnLocation(body: types.NewReturnLocation, options: KeyedOptions = {}): Promise<types.ReturnLocation> {
    return this.call({ method: "POST", path: "/api/v0/return-locations", body, keyed: true }, options);
  }

  /**
   * Create a return order.
   *
   * Creates a draft and submits it in one step, without a review, photos or answers to questions. The rules of the account apply: an item whose return window has ended, or whose sale was final, is refused with `NotReturnable`, unless `overrides` names the rule with a reason. Only staff see the overrides, in the timelines of the return requests.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-orders`
   */
  createReturnOrder(body: types.NewReturn, options: KeyedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "POST", path: "/api/v0/return-orders", body, keyed: true }, options);
  }

  /**
   * Create a return reason.
   *
   * Creates a return reason. An account has at most 200 reasons, including archived ones. A sub-reason names its parent in `parentId`, one level deep.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/return-reasons`
   */
  createReturnReason(body: types.NewReturnReason, options: KeyedOptions = {}): Promise<types.ReturnReason> {
    return this.call({ method: "POST", path: "/api/v0/return-reasons", body, keyed: true }, options);
  }

  /**
   * Create a saved view.
   *
   * Saves the filters of a list under a name, for the caller alone.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `POST /api/v0/saved-views`
   */
  createSavedView(body: types.NewSavedView, options: KeyedOptions = {}): Promise<types.SavedView> {
    return this.call({ method: "POST", path: "/api/v0/saved-views", body, keyed: true }, options);
  }

  /**
   * Create a service user.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `POST /api/v0/service-users`
   */
  createServiceUser(body: types.NewServiceUser, options: KeyedOptions = {}): Promise<types.ServiceUserWithKey> {
    return this.call({ method: "POST", path: "/api/v0/service-users", body, keyed: true }, options);
  }

  /**
   * Create a shipping option.
   *
   * Creates a shipping option. An account has at most 200 options, including archived ones.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/shipping-options`
   */
  createShippingOption(body: types.NewShippingOption, options: KeyedOptions = {}): Promise<types.ShippingOption> {
    return this.call({ method: "POST", path: "/api/v0/shipping-options", body, keyed: true }, options);
  }

  /**
   * Create a tracking update.
   *
   * Records a carrier's report and moves the shipment and its return requests, in the order of the carrier's time. The status never goes back: a report that arrives after a later one is stored and moves nothing. Reports after the delivery move nothing either. The same report counts once.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/shipments/{id}/tracking-updates`
   */
  createTrackingUpdate(id: string, body: types.NewTrackingUpdate, options: KeyedOptions = {}): Promise<types.Shipment> {
    return this.call({ method: "POST", path: `/api/v0/shipments/${segment(id)}/tracking-updates`, body, keyed: true }, options);
  }

  /**
   * Say that you look at a return order.
   *
   * Shows your colleagues that you look at the return order. The answer lists who else looked at it in the last five minutes. Repeat the request while you look.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `POST /api/v0/return-orders/{id}/visits`
   */
  createVisit(id: string, body?: types.VisitInput, options: Options = {}): Promise<types.VisitList> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/visits`, body }, options);
  }

  /**
   * Create a webhook subscription.
   *
   * Creates a subscription: Retour sends each new event that matches the filter to the URL, at least once. Read the secret next, and verify the signature of each delivery. An account has at most 50 subscriptions.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/webhook-subscriptions`
   */
  createWebhookSubscription(body: types.NewWebhookSubscription, options: KeyedOptions = {}): Promise<types.WebhookSubscription> {
    return this.call({ method: "POST", path: "/api/v0/webhook-subscriptions", body, keyed: true }, options);
  }

  /**
   * Create a withdrawal.
   *
   * Records a withdrawal, for a portal of your own. Call it once the consumer has confirmed the statement, and show them the number and `createdAt` of the answer. The answer does not reveal whether the order is known.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/withdrawals`
   */
  createWithdrawal(body: types.WithdrawalInput, options: KeyedOptions = {}): Promise<types.Withdrawal> {
    return this.call({ method: "POST", path: "/api/v0/withdrawals", body, keyed: true }, options);
  }

  /**
   * Delete evidence.
   *
   * The return request stays in its stage.
   *
   * For users and API keys with the scope `write`.
   *
   * `DELETE /api/v0/return-requests/{id}/evidence/{evidence_id}`
   */
  deleteEvidence(id: string, evidenceId: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/return-requests/${segment(id)}/evidence/${segment(evidenceId)}` }, options);
  }

  /**
   * Delete an inspection.
   *
   * Takes the inspection back: the return request waits for another one. It is a conflict once the resolution has begun. Ten minutes after the inspection, it needs the scope `resolve`.
   *
   * For users and API keys with the scope `receive`.
   *
   * `DELETE /api/v0/return-requests/{id}/inspection`
   */
  deleteInspection(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/return-requests/${segment(id)}/inspection` }, options);
  }

  /**
   * Delete pending evidence.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `DELETE /consumer/{consumer_id}/purchase/{id}/evidence/{evidence_id}`
   */
  deleteOwnPendingEvidence(consumerId: string, id: string, evidenceId: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/consumer/${segment(consumerId)}/purchase/${segment(id)}/evidence/${segment(evidenceId)}` }, options);
  }

  /**
   * Delete a purchase.
   *
   * Deletes a purchase of which no unit was ever returned. The last purchase of an order takes the order with it. The path contains the shop's own id, or the id that Retour gave.
   *
   * For users and API keys with the scope `write`.
   *
   * `DELETE /api/v0/purchases/{external_id}`
   */
  deletePurchase(externalId: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/purchases/${segment(externalId)}` }, options);
  }

  /**
   * Delete or archive a return location.
   *
   * Deletes the location if no shipping option names it. Otherwise archives it: then no shipment goes there, and it is not the default.
   *
   * For users and API keys with the scope `admin`.
   *
   * `DELETE /api/v0/return-locations/{id}`
   */
  deleteReturnLocation(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/return-locations/${segment(id)}` }, options);
  }

  /**
   * Delete or archive a return reason.
   *
   * Deletes the reason if no return request names it and it has no sub-reasons. Otherwise archives it: then neither the reason nor its sub-reasons are offered.
   *
   * For users and API keys with the scope `admin`.
   *
   * `DELETE /api/v0/return-reasons/{id}`
   */
  deleteReturnReason(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/return-reasons/${segment(id)}` }, options);
  }

  /**
   * Delete a saved view.
   *
   * Deletes a view that the caller saved.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `DELETE /api/v0/saved-views/{id}`
   */
  deleteSavedView(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/saved-views/${segment(id)}` }, options);
  }

  /**
   * Delete or archive a shipping option.
   *
   * Deletes the option if no draft and no return order names it. Otherwise archives it: then it is no longer offered, and a draft that names it needs another option.
   *
   * For users and API keys with the scope `admin`.
   *
   * `DELETE /api/v0/shipping-options/{id}`
   */
  deleteShippingOption(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/shipping-options/${segment(id)}` }, options);
  }

  /**
   * Delete a user.
   *
   * Deletes the user. The user's tokens end at once, and the e-mail address is available again. Their changes stay under the user's id.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `DELETE /api/v0/users/{id}`
   */
  deleteUser(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/users/${segment(id)}` }, options);
  }

  /**
   * Delete a webhook subscription.
   *
   * Deletes the subscription with its deliveries. Events stay.
   *
   * For users and API keys with the scope `admin`.
   *
   * `DELETE /api/v0/webhook-subscriptions/{id}`
   */
  deleteWebhookSubscription(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/webhook-subscriptions/${segment(id)}` }, options);
  }

  /**
   * End your other sessions.
   *
   * Ends all your sessions but the one of the request.
   *
   * For users who signed in.
   *
   * `DELETE /auth/user/sessions`
   */
  endOtherSessions(options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: "/auth/user/sessions" }, options);
  }

  /**
   * End one of your sessions.
   *
   * For users who signed in.
   *
   * `DELETE /auth/user/sessions/{id}`
   */
  endOwnSession(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/auth/user/sessions/${segment(id)}` }, options);
  }

  /**
   * End a session of a user.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `DELETE /api/v0/users/{id}/sessions/{session_id}`
   */
  endUserSession(id: string, sessionId: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/users/${segment(id)}/sessions/${segment(sessionId)}` }, options);
  }

  /**
   * End all sessions of a user.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `DELETE /api/v0/users/{id}/sessions`
   */
  endUserSessions(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/users/${segment(id)}/sessions` }, options);
  }

  /**
   * Erase a consumer's personal data.
   *
   * Erases the data of every consumer with the same e-mail address: Retour clears names, addresses, comments, evidence, stored answers and events, and keeps amounts and stages. While the person has an open return, the erasure waits for its end (202). A later import does not bring the person back, except with an order that was placed after this request.
   *
   * For users and API keys with the scope `admin`.
   *
   * `DELETE /api/v0/consumers/{id}`
   */
  eraseConsumer(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/consumers/${segment(id)}` }, options);
  }

  /**
   * Erase personal data by e-mail address.
   *
   * Works like `DELETE /consumers/{id}`, also for people who bought something and never looked it up. Retour remembers an unknown e-mail address, so that a later import of older orders does not store the person's data.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/consumers/erasure`
   */
  erasePerson(body: types.OfEmail, options: Options = {}): Promise<void> {
    return this.call({ method: "POST", path: "/api/v0/consumers/erasure", body }, options);
  }

  /**
   * Find anything.
   *
   * Finds objects by the code of a label, a tracking number, the number of a return, of a withdrawal or of a sales order. If nothing has that number or code, it finds consumers whose e-mail address or name begins with it, and return requests of products with this SKU. Shows at most ten objects of each kind.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/find`
   */
  find(query: FindQuery, options: Options = {}): Promise<types.FoundList> {
    return this.call({ method: "GET", path: "/api/v0/find", query: { ...query } }, options);
  }

  /**
   * Retrieve the account.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/account`
   */
  getAccount(options: Options = {}): Promise<types.Account> {
    return this.call({ method: "GET", path: "/api/v0/account" }, options);
  }

  /**
   * Retrieve a bulk run.
   *
   * Retrieves a run that the caller started, with its results.
   *
   * For users and API keys with one of the scopes `write`, `resolve`, `receive`.
   *
   * `GET /api/v0/bulk-runs/{id}`
   */
  getBulkRun(id: string, options: Options = {}): Promise<types.BulkRun> {
    return this.call({ method: "GET", path: `/api/v0/bulk-runs/${segment(id)}` }, options);
  }

  /**
   * Retrieve the command sheet.
   *
   * A page to print, with a barcode for each command: for people who hold a scanner and no mouse.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/scans/sheet`
   */
  getCommandSheet(options: FileOptions<"application/pdf"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: "/api/v0/scans/sheet", answersFile: true }, options);
  }

  /**
   * Retrieve a consumer.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/consumers/{id}`
   */
  getConsumer(id: string, options: Options = {}): Promise<types.Consumer> {
    return this.call({ method: "GET", path: `/api/v0/consumers/${segment(id)}` }, options);
  }

  /**
   * Export a consumer's personal data.
   *
   * Exports the data of every consumer with the same e-mail address.
   *
   * For users and API keys with the scope `personal`.
   *
   * `GET /api/v0/consumers/{id}/data`
   */
  getConsumerData(id: string, options: Options = {}): Promise<types.PersonalData> {
    return this.call({ method: "GET", path: `/api/v0/consumers/${segment(id)}/data` }, options);
  }

  /**
   * Retrieve a draft return order.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/draft-return-orders/{id}`
   */
  getDraftReturnOrder(id: string, options: Options = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "GET", path: `/api/v0/draft-return-orders/${segment(id)}` }, options);
  }

  /**
   * Retrieve an event.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/events/{id}`
   */
  getEvent(id: string, options: Options = {}): Promise<types.Event> {
    return this.call({ method: "GET", path: `/api/v0/events/${segment(id)}` }, options);
  }

  /**
   * Download evidence.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests/{id}/evidence/{evidence_id}`
   */
  getEvidence(id: string, evidenceId: string, options: FileOptions<"application/pdf" | "image/heic" | "image/jpeg" | "image/png" | "image/webp"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: `/api/v0/return-requests/${segment(id)}/evidence/${segment(evidenceId)}`, answersFile: true }, options);
  }

  /**
   * Retrieve the figures of the last 28 days.
   *
   * The units that arrived, what was refunded and kept, and the median time to completion: of the last 28 days, today included, and of the 28 days before. Days are those of the account's time zone.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/figures/summary`
   */
  getFiguresSummary(options: Options = {}): Promise<types.FiguresSummary> {
    return this.call({ method: "GET", path: "/api/v0/figures/summary" }, options);
  }

  /**
   * Retrieve a found parcel.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/found-parcels/{id}`
   */
  getFoundParcel(id: string, options: Options = {}): Promise<types.FoundParcel> {
    return this.call({ method: "GET", path: `/api/v0/found-parcels/${segment(id)}` }, options);
  }

  /**
   * Retrieve an inspection.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests/{id}/inspection`
   */
  getInspection(id: string, options: Options = {}): Promise<types.Inspection> {
    return this.call({ method: "GET", path: `/api/v0/return-requests/${segment(id)}/inspection` }, options);
  }

  /**
   * Download a shipment's label.
   *
   * Returns the label as PDF, PNG (12 dots per millimetre) or ZPL II (203 dpi), depending on `Accept`; as PDF by default. `application/x-zpl`, `x-application/zpl` and `text/zpl` mean ZPL, too. Retour does not change labels that a carrier made.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/shipments/{id}/label`
   */
  getLabel(id: string, options: FileOptions<"application/pdf" | "application/zpl" | "image/png"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: `/api/v0/shipments/${segment(id)}/label`, answersFile: true }, options);
  }

  /**
   * Retrieve a draft return order of the consumer.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/draft-return-order/{id}`
   */
  getOwnDraftReturnOrder(consumerId: string, id: string, options: Options = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/draft-return-order/${segment(id)}` }, options);
  }

  /**
   * Download evidence of the consumer.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-order/{id}/evidence/{evidence_id}`
   */
  getOwnEvidence(consumerId: string, id: string, evidenceId: string, options: FileOptions<"application/pdf" | "image/heic" | "image/jpeg" | "image/png" | "image/webp"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/evidence/${segment(evidenceId)}`, answersFile: true }, options);
  }

  /**
   * Download the label of a return order.
   *
   * Returns the label as PDF, PNG (to show on a phone) or ZPL, depending on `Accept`; as PDF by default.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-order/{id}/label`
   */
  getOwnLabel(consumerId: string, id: string, options: FileOptions<"application/pdf" | "application/zpl" | "image/png"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/label`, answersFile: true }, options);
  }

  /**
   * Download pending evidence.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/purchase/{id}/evidence/{evidence_id}`
   */
  getOwnPendingEvidence(consumerId: string, id: string, evidenceId: string, options: FileOptions<"application/pdf" | "image/heic" | "image/jpeg" | "image/png" | "image/webp"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/purchase/${segment(id)}/evidence/${segment(evidenceId)}`, answersFile: true }, options);
  }

  /**
   * Retrieve the address to send a return order to.
   *
   * Returns the address for the shipping method `OwnCarrier`, which has no shipment. In all other cases, the answer is 404: with another method, before the return is approved, after it has ended, and while the merchant has set no address. The other methods have the address in `receiver` of their shipment.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-order/{id}/return-address`
   */
  getOwnReturnAddress(consumerId: string, id: string, options: Options = {}): Promise<types.Address> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/return-address` }, options);
  }

  /**
   * Retrieve a return order of the consumer.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-order/{id}`
   */
  getOwnReturnOrder(consumerId: string, id: string, query: GetOwnReturnOrderQuery = {}, options: Options = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}`, query: { ...query } }, options);
  }

  /**
   * Retrieve your second factor.
   *
   * For users who signed in.
   *
   * `GET /auth/user/second-factor`
   */
  getOwnSecondFactor(options: Options = {}): Promise<types.SecondFactor> {
    return this.call({ method: "GET", path: "/auth/user/second-factor" }, options);
  }

  /**
   * Download the label of a shipment.
   *
   * Offers the same file types as the label of the return order, which is the label of the first shipment.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-order/{id}/shipments/{shipment_id}/label`
   */
  getOwnShipmentLabel(consumerId: string, id: string, shipmentId: string, options: FileOptions<"application/pdf" | "application/zpl" | "image/png"> = {}): Promise<Blob> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/shipments/${segment(shipmentId)}/label`, answersFile: true }, options);
  }

  /**
   * Export personal data.
   *
   * Exports all data that Retour stores about the person with this e-mail address, even if the person bought something and never looked it up. The e-mail address is in the body, so that it appears in no URL.
   *
   * For users and API keys with the scope `personal`.
   *
   * `POST /api/v0/consumers/data`
   */
  getPersonalData(body: types.OfEmail, options: Options = {}): Promise<types.PersonalData> {
    return this.call({ method: "POST", path: "/api/v0/consumers/data", body }, options);
  }

  /**
   * Retrieve a purchase.
   *
   * The path contains the shop's own id, percent-encoded (`/` is `%2F`), or the id that Retour gave.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/purchases/{external_id}`
   */
  getPurchase(externalId: string, options: Options = {}): Promise<types.Purchase> {
    return this.call({ method: "GET", path: `/api/v0/purchases/${segment(externalId)}` }, options);
  }

  /**
   * Retrieve a return location.
   *
   * Returns archived objects, too.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/return-locations/{id}`
   */
  getReturnLocation(id: string, options: Options = {}): Promise<types.ReturnLocation> {
    return this.call({ method: "GET", path: `/api/v0/return-locations/${segment(id)}` }, options);
  }

  /**
   * Retrieve a return order.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-orders/{id}`
   */
  getReturnOrder(id: string, query: GetReturnOrderQuery = {}, options: Options = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "GET", path: `/api/v0/return-orders/${segment(id)}`, query: { ...query } }, options);
  }

  /**
   * Retrieve a return reason.
   *
   * Returns archived objects, too.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/return-reasons/{id}`
   */
  getReturnReason(id: string, options: Options = {}): Promise<types.ReturnReason> {
    return this.call({ method: "GET", path: `/api/v0/return-reasons/${segment(id)}` }, options);
  }

  /**
   * Retrieve a return request.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests/{id}`
   */
  getReturnRequest(id: string, query: GetReturnRequestQuery = {}, options: Options = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "GET", path: `/api/v0/return-requests/${segment(id)}`, query: { ...query } }, options);
  }

  /**
   * Retrieve the caller's tally of today.
   *
   * Counts what the caller has received since the day began in the account's time zone.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/scans/tally`
   */
  getScanTally(options: Options = {}): Promise<types.ScanTally> {
    return this.call({ method: "GET", path: "/api/v0/scans/tally" }, options);
  }

  /**
   * Retrieve a service user.
   *
   * For users and API keys with the scope `admin`.
   *
   * `GET /api/v0/service-users/{id}`
   */
  getServiceUser(id: string, options: Options = {}): Promise<types.ServiceUser> {
    return this.call({ method: "GET", path: `/api/v0/service-users/${segment(id)}` }, options);
  }

  /**
   * Retrieve a shipment.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/shipments/{id}`
   */
  getShipment(id: string, options: Options = {}): Promise<types.Shipment> {
    return this.call({ method: "GET", path: `/api/v0/shipments/${segment(id)}` }, options);
  }

  /**
   * Retrieve a shipping option.
   *
   * Returns archived objects, too.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/shipping-options/{id}`
   */
  getShippingOption(id: string, options: Options = {}): Promise<types.ShippingOption> {
    return this.call({ method: "GET", path: `/api/v0/shipping-options/${segment(id)}` }, options);
  }

  /**
   * Retrieve the signed-in user.
   *
   * For users who signed in.
   *
   * `GET /auth/user`
   */
  getSignedInUser(options: Options = {}): Promise<types.User> {
    return this.call({ method: "GET", path: "/auth/user" }, options);
  }

  /**
   * Retrieve a user.
   *
   * For users and API keys with the scope `admin`.
   *
   * `GET /api/v0/users/{id}`
   */
  getUser(id: string, options: Options = {}): Promise<types.User> {
    return this.call({ method: "GET", path: `/api/v0/users/${segment(id)}` }, options);
  }

  /**
   * Retrieve a webhook delivery.
   *
   * Returns the request that Retour sends, and the time, the duration and the receiver's answer of each attempt.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/deliveries/{id}`
   */
  getWebhookDelivery(id: string, options: Options = {}): Promise<types.WebhookDeliveryDetails> {
    return this.call({ method: "GET", path: `/api/v0/deliveries/${segment(id)}` }, options);
  }

  /**
   * Retrieve a subscription's secret.
   *
   * For users and API keys with the scope `admin`.
   *
   * `GET /api/v0/webhook-subscriptions/{id}/secret`
   */
  getWebhookSecret(id: string, options: Options = {}): Promise<types.WebhookSecret> {
    return this.call({ method: "GET", path: `/api/v0/webhook-subscriptions/${segment(id)}/secret` }, options);
  }

  /**
   * Retrieve a webhook subscription.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/webhook-subscriptions/{id}`
   */
  getWebhookSubscription(id: string, options: Options = {}): Promise<types.WebhookSubscription> {
    return this.call({ method: "GET", path: `/api/v0/webhook-subscriptions/${segment(id)}` }, options);
  }

  /**
   * List a subscription's timeline.
   *
   * Newest first, the last 500 entries: also why and when it was disabled.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/webhook-subscriptions/{id}/timeline`
   */
  getWebhookSubscriptionTimeline(id: string, options: Options = {}): Promise<types.WebhookTimelineEntryList> {
    return this.call({ method: "GET", path: `/api/v0/webhook-subscriptions/${segment(id)}/timeline` }, options);
  }

  /**
   * Retrieve a withdrawal.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/withdrawals/{id}`
   */
  getWithdrawal(id: string, options: Options = {}): Promise<types.Withdrawal> {
    return this.call({ method: "GET", path: `/api/v0/withdrawals/${segment(id)}` }, options);
  }

  /**
   * Import orders.
   *
   * Imports orders from JSON, or from a file in Retour's own layout or that of Shopify's order export: CSV, also gzipped or in a ZIP archive. Known orders are updated, as with a single purchase; a line that belongs to another order does not change.
   *
   * **JSON** has at most 1 MiB. Retour imports all orders at once, or refuses all of them if any field is invalid.
   *
   * **A file** has at most 1 GiB unpacked and 2,000,000 orders. Retour reads it as it arrives, and commits it in batches of about 10,000 lines. It skips and reports rows that it cannot use. It refuses a file without orders (a workbook, an export of customers) as a whole. If the file ends early or cannot be read further, the error's message says how many orders were imported before; they stay. Sending the file again is safe, because equal orders do not change.
   *
   * `Idempotency-Key`: Retour stores the key and the answer in the same transaction as the last batch of a file. The same file with the same key gets that answer again, without effect. If the first request breaks off, its key is not stored. `dryRun=true` stores no key.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/purchases/import`
   */
  importPurchases(file: types.OrdersInput | Blob, query: ImportPurchasesQuery = {}, options: KeyedOptions = {}): Promise<types.ImportReport> {
    return this.call({ method: "POST", path: "/api/v0/purchases/import", query: { ...query }, body: file, keyed: true }, options);
  }

  /**
   * Invite a user.
   *
   * Creates a user with an invitation. If the installation sends mail, the user gets a link. Otherwise, give the invitation's token to the owner of the e-mail address, who sets a password with it (`POST /auth/password`) within 7 days.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `POST /api/v0/users`
   */
  inviteUser(body: types.Invitation, options: KeyedOptions = {}): Promise<types.InvitedUser> {
    return this.call({ method: "POST", path: "/api/v0/users", body, keyed: true }, options);
  }

  /**
   * Renew a user's invitation.
   *
   * Creates a new invitation for a user whose invitation has expired or who has forgotten the password. Earlier invitations end. A password stays valid until the user sets another one.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `POST /api/v0/users/{id}/invitation`
   */
  inviteUserAgain(id: string, options: KeyedOptions = {}): Promise<types.InvitedUser> {
    return this.call({ method: "POST", path: `/api/v0/users/${segment(id)}/invitation`, keyed: true }, options);
  }

  /**
   * List what happened to a return order.
   *
   * One list of stages, changes of value, receipts, tracking updates, mails, notes, payments and webhook deliveries, with the people and programs who acted.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-orders/{id}/activity`
   */
  listActivity(id: string, options: Options = {}): Promise<types.ActivityEntryList> {
    return this.call({ method: "GET", path: `/api/v0/return-orders/${segment(id)}/activity` }, options);
  }

  /**
   * List who can have a return order.
   *
   * The account's users by name, for `assigneeId`.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/assignees`
   */
  listAssignees(options: Options = {}): Promise<types.AssigneeList> {
    return this.call({ method: "GET", path: "/api/v0/assignees" }, options);
  }

  /**
   * List audit entries.
   *
   * Lists what users, programs and the operator changed, newest first: users, API keys, settings, webhooks, imports, exports and erasures of personal data, and exceptions. The moves of returns are in their timelines. Entries are kept for two years. Without the scope `admin`, only entries with the topic `Money` are listed; users with the role `agent` see none.
   *
   * For users and API keys with one of the scopes `admin`, `resolve`, except agents.
   *
   * `GET /api/v0/audit-entries`
   */
  listAuditEntries(query: ListAuditEntriesQuery = {}, options: Options = {}): Promise<types.AuditEntryList> {
    return this.call({ method: "GET", path: "/api/v0/audit-entries", query: { ...query } }, options);
  }

  /** Every result of `listAuditEntries`: fetches the next page when the results of the last one are used up. */
  iterateAuditEntries(query: Omit<ListAuditEntriesQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.AuditEntry, void, void> {
    return pages((page) => this.listAuditEntries({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List bulk runs.
   *
   * Lists the newest 20 runs that the caller started, the newest first, without their results.
   *
   * For users and API keys with one of the scopes `write`, `resolve`, `receive`.
   *
   * `GET /api/v0/bulk-runs`
   */
  listBulkRuns(options: Options = {}): Promise<types.BulkRunList> {
    return this.call({ method: "GET", path: "/api/v0/bulk-runs" }, options);
  }

  /**
   * List consumers.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/consumers`
   */
  listConsumers(query: ListConsumersQuery = {}, options: Options = {}): Promise<types.ConsumerList> {
    return this.call({ method: "GET", path: "/api/v0/consumers", query: { ...query } }, options);
  }

  /** Every result of `listConsumers`: fetches the next page when the results of the last one are used up. */
  iterateConsumers(query: Omit<ListConsumersQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.Consumer, void, void> {
    return pages((page) => this.listConsumers({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List draft return orders.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/draft-return-orders`
   */
  listDraftReturnOrders(query: ListDraftReturnOrdersQuery = {}, options: Options = {}): Promise<types.DraftReturnOrderList> {
    return this.call({ method: "GET", path: "/api/v0/draft-return-orders", query: { ...query } }, options);
  }

  /** Every result of `listDraftReturnOrders`: fetches the next page when the results of the last one are used up. */
  iterateDraftReturnOrders(query: Omit<ListDraftReturnOrdersQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.DraftReturnOrder, void, void> {
    return pages((page) => this.listDraftReturnOrders({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List events.
   *
   * Lists the events of the last 30 days, as subscribers get them. To follow new events, page in ascending order, remember the last `timestamp`, request the events since one minute before it, and skip the ids that you know: changes that are written at the same time may appear in another order.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/events`
   */
  listEvents(query: ListEventsQuery = {}, options: Options = {}): Promise<types.EventList> {
    return this.call({ method: "GET", path: "/api/v0/events", query: { ...query } }, options);
  }

  /** Every result of `listEvents`: fetches the next page when the results of the last one are used up. */
  iterateEvents(query: Omit<ListEventsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.Event, void, void> {
    return pages((page) => this.listEvents({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List a return request's evidence.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests/{id}/evidence`
   */
  listEvidence(id: string, options: Options = {}): Promise<types.EvidenceFileList> {
    return this.call({ method: "GET", path: `/api/v0/return-requests/${segment(id)}/evidence` }, options);
  }

  /**
   * List found parcels.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/found-parcels`
   */
  listFoundParcels(query: ListFoundParcelsQuery = {}, options: Options = {}): Promise<types.FoundParcelList> {
    return this.call({ method: "GET", path: "/api/v0/found-parcels", query: { ...query } }, options);
  }

  /** Every result of `listFoundParcels`: fetches the next page when the results of the last one are used up. */
  iterateFoundParcels(query: Omit<ListFoundParcelsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.FoundParcel, void, void> {
    return pages((page) => this.listFoundParcels({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List the account's integrations.
   *
   * Lists the shop, carrier and payment provider that the account is connected to, and whether calls to them succeed. Receivers of webhooks are not in the list: subscriptions have their own deliveries.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/account/integrations`
   */
  listIntegrations(options: Options = {}): Promise<types.IntegrationList> {
    return this.call({ method: "GET", path: "/api/v0/account/integrations" }, options);
  }

  /**
   * List mails.
   *
   * Lists the mails that the operator's mail server accepted, and those that failed for good: Retour tries each mail for a day. The list covers 180 days and contains no recipients.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/mails`
   */
  listMails(query: ListMailsQuery = {}, options: Options = {}): Promise<types.MailList> {
    return this.call({ method: "GET", path: "/api/v0/mails", query: { ...query } }, options);
  }

  /** Every result of `listMails`: fetches the next page when the results of the last one are used up. */
  iterateMails(query: Omit<ListMailsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.Mail, void, void> {
    return pages((page) => this.listMails({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List a return order's notes.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/return-orders/{id}/notes`
   */
  listNotes(id: string, options: Options = {}): Promise<types.NoteList> {
    return this.call({ method: "GET", path: `/api/v0/return-orders/${segment(id)}/notes` }, options);
  }

  /**
   * List the evidence of a return order.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-order/{id}/evidence`
   */
  listOwnEvidence(consumerId: string, id: string, options: Options = {}): Promise<types.EvidenceFileList> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-order/${segment(id)}/evidence` }, options);
  }

  /**
   * List your passkeys.
   *
   * For users who signed in.
   *
   * `GET /auth/user/passkeys`
   */
  listOwnPasskeys(options: Options = {}): Promise<types.Passkeys> {
    return this.call({ method: "GET", path: "/auth/user/passkeys" }, options);
  }

  /**
   * List a purchase's pending evidence.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/purchase/{id}/evidence`
   */
  listOwnPendingEvidence(consumerId: string, id: string, options: Options = {}): Promise<types.PendingEvidenceList> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/purchase/${segment(id)}/evidence` }, options);
  }

  /**
   * List the consumer's purchases.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/purchases`
   */
  listOwnPurchases(consumerId: string, query: ListOwnPurchasesQuery = {}, options: Options = {}): Promise<types.ConsumerPurchaseList> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/purchases`, query: { ...query } }, options);
  }

  /** Every result of `listOwnPurchases`: fetches the next page when the results of the last one are used up. */
  iterateOwnPurchases(consumerId: string, query: Omit<ListOwnPurchasesQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ConsumerPurchase, void, void> {
    return pages((page) => this.listOwnPurchases(consumerId, { limit: 100, ...query, ...page }, options));
  }

  /**
   * List the consumer's return orders.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `read`.
   *
   * `GET /consumer/{consumer_id}/return-orders`
   */
  listOwnReturnOrders(consumerId: string, query: ListOwnReturnOrdersQuery = {}, options: Options = {}): Promise<types.ReturnOrderList> {
    return this.call({ method: "GET", path: `/consumer/${segment(consumerId)}/return-orders`, query: { ...query } }, options);
  }

  /** Every result of `listOwnReturnOrders`: fetches the next page when the results of the last one are used up. */
  iterateOwnReturnOrders(consumerId: string, query: Omit<ListOwnReturnOrdersQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ReturnOrder, void, void> {
    return pages((page) => this.listOwnReturnOrders(consumerId, { limit: 100, ...query, ...page }, options));
  }

  /**
   * List your sessions.
   *
   * Lists where you are signed in: at the desk, and with tokens of the API. At most the newest 100.
   *
   * For users who signed in.
   *
   * `GET /auth/user/sessions`
   */
  listOwnSessions(options: Options = {}): Promise<types.UserSessions> {
    return this.call({ method: "GET", path: "/auth/user/sessions" }, options);
  }

  /**
   * List purchases.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/purchases`
   */
  listPurchases(query: ListPurchasesQuery = {}, options: Options = {}): Promise<types.PurchaseList> {
    return this.call({ method: "GET", path: "/api/v0/purchases", query: { ...query } }, options);
  }

  /** Every result of `listPurchases`: fetches the next page when the results of the last one are used up. */
  iteratePurchases(query: Omit<ListPurchasesQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.Purchase, void, void> {
    return pages((page) => this.listPurchases({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List queues.
   *
   * Lists what waits for the merchant's staff: the number of rows of each queue, since when the oldest waits, how many wait longer than `policy.queueTargets` allows, and which list with which filters has the rows. To read the requests of a queue, the longest waiting first, list return requests with `filter=queue:<queue>&sortBy=stageSince&orderBy=asc`.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/queues`
   */
  listQueues(options: Options = {}): Promise<types.QueueCountList> {
    return this.call({ method: "GET", path: "/api/v0/queues" }, options);
  }

  /**
   * List a return request's receipts.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests/{id}/receipts`
   */
  listReceipts(id: string, options: Options = {}): Promise<types.ReceiptList> {
    return this.call({ method: "GET", path: `/api/v0/return-requests/${segment(id)}/receipts` }, options);
  }

  /**
   * List the return orders that you worked on last.
   *
   * Lists the 10 return orders that the user changed last, the last first. For a service user, the list is empty.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-orders/recent`
   */
  listRecentReturnOrders(options: Options = {}): Promise<types.ReturnOrderList> {
    return this.call({ method: "GET", path: "/api/v0/return-orders/recent" }, options);
  }

  /**
   * List return locations.
   *
   * Omits archived locations; `filter=archived:true` lists them.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/return-locations`
   */
  listReturnLocations(query: ListReturnLocationsQuery = {}, options: Options = {}): Promise<types.ReturnLocationList> {
    return this.call({ method: "GET", path: "/api/v0/return-locations", query: { ...query } }, options);
  }

  /** Every result of `listReturnLocations`: fetches the next page when the results of the last one are used up. */
  iterateReturnLocations(query: Omit<ListReturnLocationsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ReturnLocation, void, void> {
    return pages((page) => this.listReturnLocations({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List return orders.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-orders`
   */
  listReturnOrders(query: ListReturnOrdersQuery = {}, options: Options = {}): Promise<types.ReturnOrderList> {
    return this.call({ method: "GET", path: "/api/v0/return-orders", query: { ...query } }, options);
  }

  /** Every result of `listReturnOrders`: fetches the next page when the results of the last one are used up. */
  iterateReturnOrders(query: Omit<ListReturnOrdersQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ReturnOrder, void, void> {
    return pages((page) => this.listReturnOrders({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List return reasons.
   *
   * Omits archived reasons; `filter=archived:true` lists them. Consumers see the reasons in the order of `position`.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/return-reasons`
   */
  listReturnReasons(query: ListReturnReasonsQuery = {}, options: Options = {}): Promise<types.ReturnReasonList> {
    return this.call({ method: "GET", path: "/api/v0/return-reasons", query: { ...query } }, options);
  }

  /** Every result of `listReturnReasons`: fetches the next page when the results of the last one are used up. */
  iterateReturnReasons(query: Omit<ListReturnReasonsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ReturnReason, void, void> {
    return pages((page) => this.listReturnReasons({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List return requests.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests`
   */
  listReturnRequests(query: ListReturnRequestsQuery = {}, options: Options = {}): Promise<types.ReturnRequestList> {
    return this.call({ method: "GET", path: "/api/v0/return-requests", query: { ...query } }, options);
  }

  /** Every result of `listReturnRequests`: fetches the next page when the results of the last one are used up. */
  iterateReturnRequests(query: Omit<ListReturnRequestsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ReturnRequest, void, void> {
    return pages((page) => this.listReturnRequests({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List saved views.
   *
   * Lists the views that the caller saved, then those that others share.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/saved-views`
   */
  listSavedViews(options: Options = {}): Promise<types.SavedViewList> {
    return this.call({ method: "GET", path: "/api/v0/saved-views" }, options);
  }

  /**
   * List service users.
   *
   * Includes service users whose keys were revoked.
   *
   * For users and API keys with the scope `admin`.
   *
   * `GET /api/v0/service-users`
   */
  listServiceUsers(query: ListServiceUsersQuery = {}, options: Options = {}): Promise<types.ServiceUserList> {
    return this.call({ method: "GET", path: "/api/v0/service-users", query: { ...query } }, options);
  }

  /** Every result of `listServiceUsers`: fetches the next page when the results of the last one are used up. */
  iterateServiceUsers(query: Omit<ListServiceUsersQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ServiceUser, void, void> {
    return pages((page) => this.listServiceUsers({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List shipments.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/shipments`
   */
  listShipments(query: ListShipmentsQuery = {}, options: Options = {}): Promise<types.ShipmentList> {
    return this.call({ method: "GET", path: "/api/v0/shipments", query: { ...query } }, options);
  }

  /** Every result of `listShipments`: fetches the next page when the results of the last one are used up. */
  iterateShipments(query: Omit<ListShipmentsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.Shipment, void, void> {
    return pages((page) => this.listShipments({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List shipping options.
   *
   * Omits archived options; `filter=archived:true` lists them. Consumers see the options in the order of `position`.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/shipping-options`
   */
  listShippingOptions(query: ListShippingOptionsQuery = {}, options: Options = {}): Promise<types.ShippingOptionList> {
    return this.call({ method: "GET", path: "/api/v0/shipping-options", query: { ...query } }, options);
  }

  /** Every result of `listShippingOptions`: fetches the next page when the results of the last one are used up. */
  iterateShippingOptions(query: Omit<ListShippingOptionsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.ShippingOption, void, void> {
    return pages((page) => this.listShippingOptions({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List a return request's timeline.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/return-requests/{id}/timeline`
   */
  listTimelineEntries(id: string, options: Options = {}): Promise<types.TimelineEntryList> {
    return this.call({ method: "GET", path: `/api/v0/return-requests/${segment(id)}/timeline` }, options);
  }

  /**
   * List a user's sessions.
   *
   * For users and API keys with the scope `admin`.
   *
   * `GET /api/v0/users/{id}/sessions`
   */
  listUserSessions(id: string, options: Options = {}): Promise<types.UserSessions> {
    return this.call({ method: "GET", path: `/api/v0/users/${segment(id)}/sessions` }, options);
  }

  /**
   * List users.
   *
   * For users and API keys with the scope `admin`.
   *
   * `GET /api/v0/users`
   */
  listUsers(query: ListUsersQuery = {}, options: Options = {}): Promise<types.UserList> {
    return this.call({ method: "GET", path: "/api/v0/users", query: { ...query } }, options);
  }

  /** Every result of `listUsers`: fetches the next page when the results of the last one are used up. */
  iterateUsers(query: Omit<ListUsersQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.User, void, void> {
    return pages((page) => this.listUsers({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List a subscription's deliveries.
   *
   * For 30 days. `filter=status:Failed` lists what can be delivered again.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/webhook-subscriptions/{id}/deliveries`
   */
  listWebhookDeliveries(id: string, query: ListWebhookDeliveriesQuery = {}, options: Options = {}): Promise<types.WebhookDeliveryList> {
    return this.call({ method: "GET", path: `/api/v0/webhook-subscriptions/${segment(id)}/deliveries`, query: { ...query } }, options);
  }

  /** Every result of `listWebhookDeliveries`: fetches the next page when the results of the last one are used up. */
  iterateWebhookDeliveries(id: string, query: Omit<ListWebhookDeliveriesQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.WebhookDelivery, void, void> {
    return pages((page) => this.listWebhookDeliveries(id, { limit: 100, ...query, ...page }, options));
  }

  /**
   * List webhook subscriptions.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/webhook-subscriptions`
   */
  listWebhookSubscriptions(query: ListWebhookSubscriptionsQuery = {}, options: Options = {}): Promise<types.WebhookSubscriptionList> {
    return this.call({ method: "GET", path: "/api/v0/webhook-subscriptions", query: { ...query } }, options);
  }

  /** Every result of `listWebhookSubscriptions`: fetches the next page when the results of the last one are used up. */
  iterateWebhookSubscriptions(query: Omit<ListWebhookSubscriptionsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.WebhookSubscription, void, void> {
    return pages((page) => this.listWebhookSubscriptions({ limit: 100, ...query, ...page }, options));
  }

  /**
   * List withdrawals.
   *
   * For users and API keys with the scope `read`.
   *
   * `GET /api/v0/withdrawals`
   */
  listWithdrawals(query: ListWithdrawalsQuery = {}, options: Options = {}): Promise<types.WithdrawalList> {
    return this.call({ method: "GET", path: "/api/v0/withdrawals", query: { ...query } }, options);
  }

  /** Every result of `listWithdrawals`: fetches the next page when the results of the last one are used up. */
  iterateWithdrawals(query: Omit<ListWithdrawalsQuery, "page"> = {}, options: Options = {}): AsyncGenerator<types.Withdrawal, void, void> {
    return pages((page) => this.listWithdrawals({ limit: 100, ...query, ...page }, options));
  }

  /**
   * Look up a consumer by order.
   *
   * Returns the buyer of an order, so that staff can make a return for them: the consumer who proved the order, or a new one. If the account is connected to a shop, Retour asks the shop for the order first; for an order that is not stored yet, the shop needs `email` or `postalCode` besides the number. A repeated request gives the same consumer.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/consumers`
   */
  lookUpConsumer(body: types.OrderOfConsumer, options: Options = {}): Promise<types.Consumer> {
    return this.call({ method: "POST", path: "/api/v0/consumers", body }, options);
  }

  /**
   * Mail a draft return order to its consumer.
   *
   * Mails the consumer a link that opens the draft in the portal, where they choose the shipping option and submit it. Keeps the draft, with its amounts, for 7 days. A repeated request sends the link again.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/draft-return-orders/{id}/mail`
   */
  mailDraftReturnOrder(id: string, options: KeyedOptions = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "POST", path: `/api/v0/draft-return-orders/${segment(id)}/mail`, keyed: true }, options);
  }

  /**
   * Plan a bulk run.
   *
   * Says which return requests an action can change now, and why not the others. Nothing changes.
   *
   * For users and API keys with one of the scopes `write`, `resolve`, `receive`.
   *
   * `POST /api/v0/bulk-runs/plan`
   */
  planBulkRun(body: types.BulkQuestion, options: Options = {}): Promise<types.BulkPlanItemList> {
    return this.call({ method: "POST", path: "/api/v0/bulk-runs/plan", body }, options);
  }

  /**
   * Preview a change of a return request.
   *
   * Answers with the costs of the return order now, and as `createAmendment` with the same body would make them. Nothing changes.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-requests/{id}/amendments/preview`
   */
  previewAmendment(id: string, body: types.AmendmentInput, options: Options = {}): Promise<types.AmendmentPreview> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/amendments/preview`, body }, options);
  }

  /**
   * Preview another way of sending.
   *
   * Answers with the costs of the return order now, and as `changeShippingOption` with the same body would make them. Nothing changes.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/return-orders/{id}/shipping-option/preview`
   */
  previewShippingOption(id: string, body: types.ShippingChange, options: Options = {}): Promise<types.AmendmentPreview> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/shipping-option/preview`, body }, options);
  }

  /**
   * Create or update a purchase.
   *
   * The path contains the shop's own id, percent-encoded (`/` is `%2F`); for a known purchase, the id that Retour gave works, too. The fields of the order replace those of the whole stored order, except currency and `orderedAt`. While units of the purchase are in returns, `quantity` and price do not change, because the amounts of the returns depend on them: a quantity below these units is `InUse`. A line of another order is `OtherOrder`, and so is an order with the id of a stored one that has another number, and another buyer or another date. An order that is stored in another currency is `OtherCurrency`, and an order with the same number, e-mail address and postal code under another `externalId` is `KnownUnderAnotherId`.
   *
   * For users and API keys with the scope `write`.
   *
   * `PUT /api/v0/purchases/{external_id}`
   */
  putPurchase(externalId: string, body: types.PurchaseInput, options: Options = {}): Promise<types.Purchase> {
    return this.call({ method: "PUT", path: `/api/v0/purchases/${segment(externalId)}`, body }, options);
  }

  /**
   * Repeat the deliveries of an event.
   *
   * Delivers the event again: to one subscription, or to all enabled subscriptions whose filter matches the event or that received it. The `webhook-id` stays the same, and a new series of attempts begins.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/events/{id}/redeliver`
   */
  redeliverEvent(id: string, body?: types.EventRedelivery, options: KeyedOptions = {}): Promise<types.WebhookDeliveryList> {
    return this.call({ method: "POST", path: `/api/v0/events/${segment(id)}/redeliver`, body, keyed: true }, options);
  }

  /**
   * Repeat past events.
   *
   * Delivers events since the given time again: those that failed or were never sent, for example while the subscription was disabled; with `"which": "All"` also delivered ones. Retour collects them in the background, while `catchingUp` is true. Until it is false, a further request needs the same `which`, and a `since` before the end of the events that are being collected; otherwise it is 409 `LimitReached`.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/webhook-subscriptions/{id}/redeliver`
   */
  redeliverSince(id: string, body: types.Redelivery, options: KeyedOptions = {}): Promise<types.WebhookSubscription> {
    return this.call({ method: "POST", path: `/api/v0/webhook-subscriptions/${segment(id)}/redeliver`, body, keyed: true }, options);
  }

  /**
   * Repeat a webhook delivery.
   *
   * Sends the event again at once, under the same `webhook-id`, with a new series of attempts.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/deliveries/{id}/redeliver`
   */
  redeliverWebhookDelivery(id: string, options: KeyedOptions = {}): Promise<types.WebhookDelivery> {
    return this.call({ method: "POST", path: `/api/v0/deliveries/${segment(id)}/redeliver`, keyed: true }, options);
  }

  /**
   * Refuse a proposal.
   *
   * Ends the proposal with a comment. The return request stays as it is, except for a return that overrides a rule: its return request is rejected, and the consumer reads the comment. The person who proposed it can take it back in this way.
   *
   * For users and API keys with one of the scopes `resolve`, `override`.
   *
   * `POST /api/v0/return-requests/{id}/proposals/{proposal_id}/refuse`
   */
  refuseProposal(id: string, proposalId: string, body: types.ProposalRefusal, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/proposals/${segment(proposalId)}/refuse`, body, keyed: true }, options);
  }

  /**
   * Reject a draft return order.
   *
   * Rejects the draft, so that it can no longer be submitted. A repeated request changes nothing.
   *
   * For users and API keys with the scope `write`.
   *
   * `PUT /api/v0/draft-return-orders/{id}/reject`
   */
  rejectDraftReturnOrder(id: string, options: Options = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "PUT", path: `/api/v0/draft-return-orders/${segment(id)}/reject` }, options);
  }

  /**
   * Remove a passkey.
   *
   * Removes one of your passkeys. Your other sessions end. With your last second factor, the recovery codes end, too. It needs a sign-in of the last ten minutes.
   *
   * For users who signed in.
   *
   * `DELETE /auth/user/passkeys/{id}`
   */
  removeOwnPasskey(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/auth/user/passkeys/${segment(id)}` }, options);
  }

  /**
   * Remove your authenticator app.
   *
   * Removes the authenticator app, and the recovery codes if you have no passkey. Your other sessions end. If the account requires a second factor of you, your next sign-in asks to set one up. It needs a sign-in of the last ten minutes.
   *
   * For users who signed in.
   *
   * `DELETE /auth/user/totp`
   */
  removeOwnTotp(options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: "/auth/user/totp" }, options);
  }

  /**
   * Rename a passkey.
   *
   * Changes the name by which you know one of your passkeys.
   *
   * For users who signed in.
   *
   * `PATCH /auth/user/passkeys/{id}`
   */
  renameOwnPasskey(id: string, body: types.PasskeyName, options: Options = {}): Promise<types.Passkey> {
    return this.call({ method: "PATCH", path: `/auth/user/passkeys/${segment(id)}`, body }, options);
  }

  /**
   * Renew a draft return order of the consumer.
   *
   * Creates a new draft with the selections of an outdated or expired one. The new draft omits answers to questions that the shop no longer asks, and a shipping option that the shop no longer offers: choose another option. Errors name the selections of the older draft, which does not change.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `POST /consumer/{consumer_id}/draft-return-order/{id}/renew`
   */
  renewOwnDraftReturnOrder(consumerId: string, id: string, options: KeyedOptions = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "POST", path: `/consumer/${segment(consumerId)}/draft-return-order/${segment(id)}/renew`, keyed: true }, options);
  }

  /**
   * Renew your recovery codes.
   *
   * Replaces your recovery codes. It needs a sign-in of the last ten minutes.
   *
   * For users who signed in.
   *
   * `POST /auth/user/recovery-codes`
   */
  renewOwnRecoveryCodes(options: Options = {}): Promise<types.NewRecoveryCodes> {
    return this.call({ method: "POST", path: "/auth/user/recovery-codes" }, options);
  }

  /**
   * Request a mail that sets a forgotten password.
   *
   * Mails a link that sets another password, once and within an hour, if a user has this address. The answer is the same if nobody has it, or if there were too many requests today.
   *
   * Needs no credential.
   *
   * `POST /auth/password/reset`
   */
  requestPasswordReset(body: types.PasswordReset, options: Options = {}): Promise<void> {
    return this.call({ method: "POST", path: "/auth/password/reset", body }, options);
  }

  /**
   * Send a mail again.
   *
   * Sends the mail about a return again, as the return is now. Consumers who declined optional mails get only those that they need.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/mails/{id}/resend`
   */
  resendMail(id: string, options: KeyedOptions = {}): Promise<types.Mail> {
    return this.call({ method: "POST", path: `/api/v0/mails/${segment(id)}/resend`, keyed: true }, options);
  }

  /**
   * Reset a user's second factor.
   *
   * Removes the authenticator app and the recovery codes of a user who has lost them. All sessions of the user end. If the account requires a second factor of the user, the next sign-in asks to set one up.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `POST /api/v0/users/{id}/reset-factors`
   */
  resetUserFactors(id: string, options: KeyedOptions = {}): Promise<types.User> {
    return this.call({ method: "POST", path: `/api/v0/users/${segment(id)}/reset-factors`, keyed: true }, options);
  }

  /**
   * Request a shipment's label again.
   *
   * Requests the label of a shipment in `LabelFailed` again. Fix the cause in `errorMessage` first. The return requests go back to `Submitted: Label Pending`. If the account's `carrier` is now `own`, Retour creates the label. While a request for the label is in progress, nothing happens.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/shipments/{id}/label`
   */
  retryLabel(id: string, options: KeyedOptions = {}): Promise<types.Shipment> {
    return this.call({ method: "POST", path: `/api/v0/shipments/${segment(id)}/label`, keyed: true }, options);
  }

  /**
   * Take a receipt back.
   *
   * Takes a receipt back, with the inspection that was recorded with it: units, costs and stage are as before. It is a conflict once the resolution has begun, or after something that depends on the receipt. Ten minutes after the receipt, it needs a reason and the scope `resolve`.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/return-requests/{id}/receipts/{receipt_id}/reverse`
   */
  reverseReceipt(id: string, receiptId: string, body?: types.TakeBack, options: KeyedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "POST", path: `/api/v0/return-requests/${segment(id)}/receipts/${segment(receiptId)}/reverse`, body, keyed: true }, options);
  }

  /**
   * Take a parcel back.
   *
   * Takes everything back that was recorded with the parcel: units, costs and stages are as before. It is a conflict once a resolution has begun, or after something that depends on the parcel. Ten minutes after the parcel was counted, it needs a reason and the scope `resolve`.
   *
   * For users and API keys with the scope `receive`.
   *
   * `POST /api/v0/return-orders/{id}/receivings/{receiving_id}/reverse`
   */
  reverseReceiving(id: string, receivingId: string, body?: types.TakeBack, options: KeyedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "POST", path: `/api/v0/return-orders/${segment(id)}/receivings/${segment(receivingId)}/reverse`, body, keyed: true }, options);
  }

  /**
   * Revoke a service user's key.
   *
   * Revokes the key at once and for good; the service user stays in the list. A repeated request changes nothing.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `DELETE /api/v0/service-users/{id}`
   */
  revokeServiceUser(id: string, options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/api/v0/service-users/${segment(id)}` }, options);
  }

  /**
   * Rotate a service user's key.
   *
   * The previous key stops working at once.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `POST /api/v0/service-users/{id}/rotate`
   */
  rotateServiceUser(id: string, options: KeyedOptions = {}): Promise<types.ServiceUserWithKey> {
    return this.call({ method: "POST", path: `/api/v0/service-users/${segment(id)}/rotate`, keyed: true }, options);
  }

  /**
   * Rotate a subscription's secret.
   *
   * Creates a new secret. The new and the previous secret both sign for `overlapHours`, 24 by default: each delivery has two signatures, and one valid signature is enough. 0 ends the previous secret at once.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/webhook-subscriptions/{id}/rotate-secret`
   */
  rotateWebhookSecret(id: string, body?: types.SecretRotation, options: KeyedOptions = {}): Promise<types.WebhookSecret> {
    return this.call({ method: "POST", path: `/api/v0/webhook-subscriptions/${segment(id)}/rotate-secret`, body, keyed: true }, options);
  }

  /**
   * Look up a scanned code.
   *
   * Finds what a scanned code belongs to, in this order: a command of the command sheet; a parcel, by its barcode or tracking number; a return order, by its number; the returns of a sales order. Retour removes what scanners and carriers add to a number, such as the identifier `]C1`, the `00` before an SSCC, and the ZIP code of USPS. Several matches mean that a person has to choose.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `GET /api/v0/scans`
   */
  scanCode(query: ScanCodeQuery, options: Options = {}): Promise<types.Scan2> {
    return this.call({ method: "GET", path: "/api/v0/scans", query: { ...query } }, options);
  }

  /**
   * Choose a shipping option for a draft.
   *
   * For the consumer who owns the object, and for users and API keys with the scope `write`.
   *
   * `PATCH /consumer/{consumer_id}/draft-return-order/{id}/shipping-option`
   */
  setOwnShippingOption(consumerId: string, id: string, body: types.ShippingOptionChoice, options: KeyedOptions = {}): Promise<types.DraftReturnOrder> {
    return this.call({ method: "PATCH", path: `/consumer/${segment(consumerId)}/draft-return-order/${segment(id)}/shipping-option`, body, keyed: true }, options);
  }

  /**
   * Set a password.
   *
   * Sets the password with the token of an invitation or of a mail, which then becomes invalid. All tokens of the user end. A wrong, used or expired invitation gives 401 `InvalidInvitation`.
   *
   * Needs no credential.
   *
   * `POST /auth/password`
   */
  setPassword(body: types.NewPassword, options: Options = {}): Promise<void> {
    return this.call({ method: "POST", path: "/auth/password", body }, options);
  }

  /**
   * Share a saved view.
   *
   * Shows a view that the caller saved to all staff of the account.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/saved-views/{id}/share`
   */
  shareSavedView(id: string, options: KeyedOptions = {}): Promise<types.SavedView> {
    return this.call({ method: "POST", path: `/api/v0/saved-views/${segment(id)}/share`, keyed: true }, options);
  }

  /**
   * Sign in a user.
   *
   * Answers with a token that is valid for an hour. An unknown e-mail address and a wrong password give the same 401 `InvalidCredentials`, after one second. After ten failed attempts with one e-mail address on one day, the answer is 429. A client that has signed in with the address before has ten attempts of its own. A user with a second factor sends `code`, too: without it, the answer is 401 `SecondFactorRequired`, and with a wrong one 401 `WrongCode`. A code works once, and 20 wrong ones a day are evaluated. A user whose second factor is a passkey signs in with `POST /auth/passkey`, or sends a recovery code.
   *
   * Needs no credential.
   *
   * `POST /auth/user`
   */
  signIn(body: types.UserCredentials, options: Options = {}): Promise<types.SignedIn> {
    return this.call({ method: "POST", path: "/auth/user", body }, options);
  }

  /**
   * Sign in a user with a passkey.
   *
   * Answers with a token that is valid for an hour. A passkey needs no password and no code, because the authenticator has verified the person. A passkey that is not accepted gives 401 `WrongPasskey`, after one second.
   *
   * Needs no credential.
   *
   * `POST /auth/passkey`
   */
  signInWithPasskey(body: types.PasskeyProof, options: Options = {}): Promise<types.SignedIn> {
    return this.call({ method: "POST", path: "/auth/passkey", body }, options);
  }

  /**
   * Sign out a user.
   *
   * For users who signed in.
   *
   * `DELETE /auth/user`
   */
  signOut(options: Options = {}): Promise<void> {
    return this.call({ method: "DELETE", path: "/auth/user" }, options);
  }

  /**
   * Test a webhook subscription.
   *
   * Sends `test.ping` now, also if the subscription is disabled, and answers with the delivery. Retour does not try it again.
   *
   * For users and API keys with the scope `write`.
   *
   * `POST /api/v0/webhook-subscriptions/{id}/test`
   */
  testWebhookSubscription(id: string, options: KeyedOptions = {}): Promise<types.WebhookDeliveryDetails> {
    return this.call({ method: "POST", path: `/api/v0/webhook-subscriptions/${segment(id)}/test`, keyed: true }, options);
  }

  /**
   * Stop sharing a saved view.
   *
   * Shows a shared view to the person who saved it alone.
   *
   * For users and API keys with the scope `admin`.
   *
   * `POST /api/v0/saved-views/{id}/unshare`
   */
  unshareSavedView(id: string, options: KeyedOptions = {}): Promise<types.SavedView> {
    return this.call({ method: "POST", path: `/api/v0/saved-views/${segment(id)}/unshare`, keyed: true }, options);
  }

  /**
   * Update the account.
   *
   * Changes the given fields. The others stay, also within `policy` and `branding`. `bridge`, `carrier` and `payment` are replaced as a whole, except for secrets that are left out. Slug and currency never change.
   *
   * For users and API keys with the scope `admin`.
   *
   * `PATCH /api/v0/account`
   */
  updateAccount(body: types.AccountChange, options: VersionedOptions = {}): Promise<types.Account> {
    return this.call({ method: "PATCH", path: "/api/v0/account", body, keyed: true }, options);
  }

  /**
   * Update a found parcel.
   *
   * Changes the given fields only. `returnOrderId` says which return the parcel belongs to; receive its units there. `{"status": "Closed"}` means that nothing remains to be done: without a return, the note says why.
   *
   * For users and API keys with the scope `receive`.
   *
   * `PATCH /api/v0/found-parcels/{id}`
   */
  updateFoundParcel(id: string, body: types.FoundParcelChange, options: VersionedOptions = {}): Promise<types.FoundParcel> {
    return this.call({ method: "PATCH", path: `/api/v0/found-parcels/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a note.
   *
   * Changes the text of a note. Only its author may, for ten minutes.
   *
   * For users and API keys with the scope `write`.
   *
   * `PATCH /api/v0/return-orders/{id}/notes/{note_id}`
   */
  updateNote(id: string, noteId: string, body: types.NoteInput, options: VersionedOptions = {}): Promise<types.Note> {
    return this.call({ method: "PATCH", path: `/api/v0/return-orders/${segment(id)}/notes/${segment(noteId)}`, body, keyed: true }, options);
  }

  /**
   * Update a return location.
   *
   * Changes the given fields only. `{"archived": false}` restores an archived object.
   *
   * For users and API keys with the scope `admin`.
   *
   * `PATCH /api/v0/return-locations/{id}`
   */
  updateReturnLocation(id: string, body: types.ReturnLocationChange, options: VersionedOptions = {}): Promise<types.ReturnLocation> {
    return this.call({ method: "PATCH", path: `/api/v0/return-locations/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a return order.
   *
   * Changes who has the return order, its flags, and whether changes of many return requests leave it out. Return requests move by themselves: see `updateReturnRequest`.
   *
   * For users and API keys with the scope `write`.
   *
   * `PATCH /api/v0/return-orders/{id}`
   */
  updateReturnOrder(id: string, body: types.ReturnOrderChange, options: VersionedOptions = {}): Promise<types.ReturnOrder> {
    return this.call({ method: "PATCH", path: `/api/v0/return-orders/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a return reason.
   *
   * Changes the given fields only. `{"archived": false}` restores an archived object.
   *
   * For users and API keys with the scope `admin`.
   *
   * `PATCH /api/v0/return-reasons/{id}`
   */
  updateReturnReason(id: string, body: types.ReturnReasonChange, options: VersionedOptions = {}): Promise<types.ReturnReason> {
    return this.call({ method: "PATCH", path: `/api/v0/return-reasons/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a return request.
   *
   * Moves the return request to a stage. With `fromStage`, any other current stage is a conflict, so that only one of two concurrent workers succeeds. Without `fromStage`, a repeated move changes nothing and answers 200. The stages of `Resolution` need the scope `resolve`, all others `write`. Users with the role `agent` decide about resolutions up to the policy's `agentLimit`.
   *
   * For users and API keys with one of the scopes `write`, `resolve`.
   *
   * `PATCH /api/v0/return-requests/{id}`
   */
  updateReturnRequest(id: string, body: types.ReturnRequestChange, options: VersionedOptions = {}): Promise<types.ReturnRequest> {
    return this.call({ method: "PATCH", path: `/api/v0/return-requests/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update many return requests.
   *
   * Moves up to 100 return requests, each by itself and by the same rules as `updateReturnRequest`: one that fails does not stop the others. The answer has a result for each. A repeated request with the same `Idempotency-Key` makes each move once, even if the first one ended half-way.
   *
   * For users and API keys with one of the scopes `write`, `resolve`.
   *
   * `POST /api/v0/return-requests/batch`
   */
  updateReturnRequests(body: types.ReturnRequestBatch, options: KeyedOptions = {}): Promise<types.BatchResults> {
    return this.call({ method: "POST", path: "/api/v0/return-requests/batch", body, keyed: true }, options);
  }

  /**
   * Update a saved view.
   *
   * Changes the given fields of a view that the caller saved.
   *
   * For users and API keys with one of the scopes `read`, `receive`.
   *
   * `PATCH /api/v0/saved-views/{id}`
   */
  updateSavedView(id: string, body: types.SavedViewChange, options: VersionedOptions = {}): Promise<types.SavedView> {
    return this.call({ method: "PATCH", path: `/api/v0/saved-views/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a service user.
   *
   * New scopes apply from the next request on.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `PATCH /api/v0/service-users/{id}`
   */
  updateServiceUser(id: string, body: types.ServiceUserChange, options: VersionedOptions = {}): Promise<types.ServiceUser> {
    return this.call({ method: "PATCH", path: `/api/v0/service-users/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a shipping option.
   *
   * Changes the given fields only. `{"archived": false}` restores an archived object.
   *
   * For users and API keys with the scope `admin`.
   *
   * `PATCH /api/v0/shipping-options/{id}`
   */
  updateShippingOption(id: string, body: types.ShippingOptionChange, options: VersionedOptions = {}): Promise<types.ShippingOption> {
    return this.call({ method: "PATCH", path: `/api/v0/shipping-options/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update the signed-in user.
   *
   * Changes your name. Only an administrator changes roles.
   *
   * For users who signed in.
   *
   * `PATCH /auth/user`
   */
  updateSignedInUser(body: types.SignedInUserChange, options: VersionedOptions = {}): Promise<types.User> {
    return this.call({ method: "PATCH", path: "/auth/user", body, keyed: true }, options);
  }

  /**
   * Update a user.
   *
   * A new role ends all sessions and tokens of the user, who signs in again.
   *
   * For users and API keys with the scope `admin`.
   *
   * Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.
   *
   * `PATCH /api/v0/users/{id}`
   */
  updateUser(id: string, body: types.UserChange, options: VersionedOptions = {}): Promise<types.User> {
    return this.call({ method: "PATCH", path: `/api/v0/users/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a webhook subscription.
   *
   * Changes the given fields only. `{"enabled": false}` disables the subscription: Retour marks waiting deliveries as failed within seconds. `{"enabled": true}` enables it again and continues with deliveries that are not marked yet; `redeliver` delivers the events in between.
   *
   * For users and API keys with the scope `admin`.
   *
   * `PATCH /api/v0/webhook-subscriptions/{id}`
   */
  updateWebhookSubscription(id: string, body: types.WebhookSubscriptionChange, options: VersionedOptions = {}): Promise<types.WebhookSubscription> {
    return this.call({ method: "PATCH", path: `/api/v0/webhook-subscriptions/${segment(id)}`, body, keyed: true }, options);
  }

  /**
   * Update a withdrawal.
   *
   * Changes the given fields only. The consumer's statement never changes. `returnOrderId` links the withdrawal to a return if Retour did not. `{"status": "Closed"}` means that nothing remains to be done.
   *
   * For users and API keys with the scope `write`.
   *
   * `PATCH /api/v0/withdrawals/{id}`
   */
  updateWithdrawal(id: string, body: types.WithdrawalChange, options: VersionedOptions = {}): Promise<types.Withdrawal> {
    return this.call({ method: "PATCH", path: `/api/v0/withdrawals/${segment(id)}`, body, keyed: true }, options);
  }
}
