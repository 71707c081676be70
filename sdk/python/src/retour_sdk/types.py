"""Generated from the OpenAPI document by .ci/sdk. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

ApiOrigin: TypeAlias = str


ActivityType: TypeAlias = Literal['Stage', 'FailedAttempt', 'Correction', 'Receipt', 'Inspection', 'TrackingUpdate', 'Mail', 'Note', 'Payment', 'WebhookDelivery']
"""
What an entry of the activity is about.

- `Stage`: A return request entered a stage.
- `FailedAttempt`: A call to the shop, the carrier or the payment provider failed. The return request stayed in its stage.
- `Correction`: Staff changed something of a return request within its stage: its value, a rule that they overrode, or what the
warehouse recorded and took back. `text` says what or why.
- `Receipt`: Units arrived.
- `Inspection`: Units were inspected. Inspections of the last months only.
- `TrackingUpdate`: A carrier reported where a shipment is.
- `Mail`: A mail to the consumer was sent or failed.
- `Note`: Staff wrote a note.
- `Payment`: A payment was requested, or the consumer began to pay.
- `WebhookDelivery`: An event was delivered to a webhook subscription, or waits to be.
"""


Actor: TypeAlias = Literal['Consumer', 'Merchant', 'System']
"""
The party that made a change.

- `Consumer`: The consumer who made the return.
- `Merchant`: The merchant: a user or a program with an API key.
- `System`: Retour itself: a rule or a background job.
"""


class Address(TypedDict):
    """
    A postal address as it stands on a label.
    """

    additional: str
    """
    Building, floor, company or "c/o"; may be empty. Written below the street, or below the name if it begins with "c/o".
    """
    city: str
    """
    The city or town of the address.
    """
    country: str
    """
    The country's two letters (ISO 3166-1 alpha-2).
    """
    name: str
    """
    The person or company at the address.
    """
    postalCode: str
    """
    The postal code, as the country writes it.
    """
    province: str
    """
    State, county or prefecture; may be empty.
    """
    street: str
    """
    Street and house number.
    """


class AddressInput(TypedDict):
    """
    A postal address as it stands on a label.
    """

    additional: NotRequired[str | None]
    """
    Building, floor, company or "c/o"; may be empty. Written below the street, or below the name if it begins with "c/o".
    """
    city: NotRequired[str | None]
    """
    The city or town of the address.
    """
    country: NotRequired[str | None]
    """
    The country's two letters (ISO 3166-1 alpha-2).
    """
    name: NotRequired[str | None]
    """
    The person or company at the address.
    """
    postalCode: NotRequired[str | None]
    """
    The postal code, as the country writes it.
    """
    province: NotRequired[str | None]
    """
    State, county or prefecture; may be empty.
    """
    street: NotRequired[str | None]
    """
    Street and house number.
    """


class Assignee(TypedDict):
    """
    A user who can have a return order.
    """

    id: str
    """
    The id of the user.
    """
    name: str
    """
    The user's name; the e-mail address of a user without a name.
    """


AuditAction: TypeAlias = Literal['account.created', 'account.updated', 'preview.created', 'return_location.created', 'return_location.updated', 'return_location.deleted', 'return_reason.created', 'return_reason.updated', 'return_reason.deleted', 'shipping_option.created', 'shipping_option.updated', 'shipping_option.deleted', 'user.signed_in', 'user.sign_in_failed', 'user.signed_out', 'user.password_set', 'user.signed_in_with_passkey', 'user.passkey_refused', 'user.passkey_added', 'user.passkey_renamed', 'user.passkey_removed', 'user.second_factor_added', 'user.second_factor_removed', 'user.recovery_codes_renewed', 'user.factors_reset', 'user.sessions_ended', 'user.invited', 'user.invited_again', 'user.updated', 'user.deleted', 'service_user.created', 'service_user.updated', 'service_user.rotated', 'service_user.revoked', 'orders.imported', 'purchase.deleted', 'return_request.adjusted', 'return_request.proposal_made', 'return_request.proposal_approved', 'return_request.proposal_refused', 'return_request.amended', 'evidence.added', 'evidence.deleted', 'shipment.added', 'return_order.shipping_changed', 'shipment.sender_corrected', 'shipment.cancelled', 'consumer.created', 'draft_return_order.rules_overridden', 'draft_return_order.mailed', 'draft_return_order.rejected', 'return_order.updated', 'bulk_run.created', 'withdrawal.created', 'withdrawal.updated', 'found_parcel.created', 'found_parcel.updated', 'personal_data.exported', 'personal_data.erased', 'personal_data.requested', 'webhook_subscription.created', 'webhook_subscription.updated', 'webhook_subscription.deleted', 'webhook_subscription.secret_rotated', 'events.redelivered']
"""
The kinds of entries in the audit log.

- `account.created`: The account was created.
- `account.updated`: Settings of the account changed: its policy, branding, carrier, payments or shop connection.
- `preview.created`: A link to a preview of the portal was created.
- `return_location.created`: A return location was created.
- `return_location.updated`: A return location changed.
- `return_location.deleted`: A return location was deleted or archived.
- `return_reason.created`: A return reason was created.
- `return_reason.updated`: A return reason changed.
- `return_reason.deleted`: A return reason was deleted or archived.
- `shipping_option.created`: A shipping option was created.
- `shipping_option.updated`: A shipping option changed.
- `shipping_option.deleted`: A shipping option was deleted or archived.
- `user.signed_in`: A user signed in.
- `user.sign_in_failed`: Somebody tried to sign in as a user, with a wrong password or code.
- `user.signed_out`: A user signed out.
- `user.password_set`: A user set a password.
- `user.signed_in_with_passkey`: A user signed in with a passkey.
- `user.passkey_refused`: A passkey of a user was refused: its signature or its counter is wrong.
- `user.passkey_added`: A user added a passkey.
- `user.passkey_renamed`: A user renamed a passkey.
- `user.passkey_removed`: A user removed a passkey.
- `user.second_factor_added`: A user set up an authenticator app.
- `user.second_factor_removed`: A user removed the authenticator app.
- `user.recovery_codes_renewed`: A user got new recovery codes.
- `user.factors_reset`: An administrator or the operator removed a user's second factor.
- `user.sessions_ended`: Sessions of a user were ended.
- `user.invited`: A user was invited, or created at the command line.
- `user.invited_again`: A user got a new invitation.
- `user.updated`: A user's name or role changed.
- `user.deleted`: A user was deleted.
- `service_user.created`: A service user was created.
- `service_user.updated`: A service user's name or scopes changed.
- `service_user.rotated`: A service user's API key was replaced.
- `service_user.revoked`: A service user's API key was revoked.
- `orders.imported`: Orders were imported.
- `purchase.deleted`: A purchase was deleted.
- `return_request.adjusted`: The value of a return request was adjusted.
- `return_request.proposal_made`: An agent proposed a decision above the agent's limit.
- `return_request.proposal_approved`: Somebody approved what an agent proposed.
- `return_request.proposal_refused`: Somebody refused what an agent proposed.
- `return_request.amended`: Staff changed what a return request asks for.
- `evidence.added`: Evidence was added.
- `evidence.deleted`: Evidence was deleted.
- `shipment.added`: A shipment was added to a return order.
- `return_order.shipping_changed`: Staff chose another way of sending for a return order.
- `shipment.sender_corrected`: The sender of a shipment was corrected.
- `shipment.cancelled`: A shipment was cancelled.
- `consumer.created`: Staff looked up the buyer of an order, who became a consumer.
- `draft_return_order.rules_overridden`: Rules were overridden for a draft return order.
- `draft_return_order.mailed`: A draft return order was mailed to its consumer.
- `draft_return_order.rejected`: A draft return order was rejected.
- `return_order.updated`: Who has a return order, its flags, or whether changes of many leave it out changed.
- `bulk_run.created`: A change of many return requests was started.
- `withdrawal.created`: A withdrawal was recorded.
- `withdrawal.updated`: A withdrawal changed.
- `found_parcel.created`: A parcel without papers was recorded.
- `found_parcel.updated`: A parcel without papers was matched, closed or described anew.
- `personal_data.exported`: Personal data of a person were exported.
- `personal_data.erased`: The erasure of a person's data was requested.
- `personal_data.requested`: A customer has asked the shop for their data: staff have to export and send it.
- `webhook_subscription.created`: A webhook subscription was created.
- `webhook_subscription.updated`: A webhook subscription changed.
- `webhook_subscription.deleted`: A webhook subscription was deleted.
- `webhook_subscription.secret_rotated`: A webhook subscription's secret was replaced.
- `events.redelivered`: Past events were sent again.
"""


AuditActorKind: TypeAlias = Literal['User', 'ServiceUser', 'Operator', 'Nobody', 'Shop']
"""
The kind of party that acted.

- `User`: A user, who signed in.
- `ServiceUser`: A service user: a program with an API key.
- `Operator`: The operator, at the command line.
- `Nobody`: Somebody unknown, such as a person with a wrong password.
- `Shop`: The shop system that the account is connected to.
"""


AuditSubjectKind: TypeAlias = Literal['Account', 'User', 'ServiceUser', 'ReturnLocation', 'ReturnReason', 'ShippingOption', 'WebhookSubscription', 'Event', 'WebhookDelivery', 'Purchase', 'Consumer', 'DraftReturnOrder', 'ReturnOrder', 'ReturnRequest', 'Shipment', 'Evidence', 'BulkRun', 'Withdrawal', 'FoundParcel']
"""
The kind of object that an audit entry is about.

- `Account`: The account itself.
- `User`: A user.
- `ServiceUser`: A service user.
- `ReturnLocation`: A return location.
- `ReturnReason`: A return reason.
- `ShippingOption`: A shipping option.
- `WebhookSubscription`: A webhook subscription.
- `Event`: An event.
- `WebhookDelivery`: A webhook delivery.
- `Purchase`: A purchase. Its id is the shop's own.
- `Consumer`: A consumer.
- `DraftReturnOrder`: A draft return order.
- `ReturnOrder`: A return order.
- `ReturnRequest`: A return request.
- `Shipment`: A shipment.
- `Evidence`: A photo or document of a return request.
- `BulkRun`: A change of many return requests.
- `Withdrawal`: A withdrawal.
- `FoundParcel`: A parcel without papers.
"""


AuditTopic: TypeAlias = Literal['Money', 'Settings', 'Team', 'Data', 'Webhooks']
"""
What an audit entry is about.

- `Money`: Exceptions and adjustments that cost or save money.
- `Settings`: Settings of the account.
- `Team`: People, API keys and sign-ins.
- `Data`: Orders, withdrawals and personal data.
- `Webhooks`: Webhook subscriptions and deliveries.
"""


BatchOutcome: TypeAlias = Literal['Done', 'Conflict', 'Refused', 'LeftOut', 'Invalid', 'Forbidden', 'NotFound', 'Failed']
"""
Whether a change of one of many return requests was made.

- `Done`: The change was made.
- `Conflict`: The return request is in another stage than the caller expected.
- `Refused`: A rule does not allow the change.
- `LeftOut`: Its return order is left out of such changes (`leaveOutOfBulk`).
- `Invalid`: A field has a value that is not allowed.
- `Forbidden`: The caller may not make the change.
- `NotFound`: The account has no such return request.
- `Failed`: The service could not make the change. Send it again; in a batch, with the same key.
"""


EmbedOrigin: TypeAlias = str


BridgeKind: TypeAlias = Literal['catalog', 'http', 'vendure', 'medusa', 'shopify']
"""
The kinds of shop that Retour can read orders from.

- `catalog`: Retour stores the orders, which arrive by the API or by import.
- `http`: A component that the merchant runs, which implements Retour's own protocol.
- `vendure`: A Vendure shop, which Retour calls directly.
- `medusa`: A Medusa shop, which Retour calls directly.
- `shopify`: A Shopify shop, which Retour calls directly.
"""


BulkAction: TypeAlias = Literal['Approve', 'Reject', 'Complete', 'ReportDelivered', 'CountAll', 'Assign', 'Flag', 'Note']
"""
What is done to each of many return requests.

- `Approve`: Approves a request that waits for a decision, or a resolution that waits for one.
- `Reject`: Rejects a request that waits for a decision, or denies a resolution that waits for one.
- `Complete`: Marks an approved resolution as carried out.
- `ReportDelivered`: Reports the parcels of the return order as delivered.
- `CountAll`: Counts all units that have not arrived yet as arrived.
- `Assign`: Changes who has the return order.
- `Flag`: Adds a flag to the return order.
- `Note`: Adds a note to the return order.
"""


BulkObstacle: TypeAlias = Literal['Stage', 'LeftOut', 'Forbidden', 'AgentLimit', 'AllCounted']
"""
Why a bulk run cannot change a return request.

- `Stage`: Its stage does not allow the action.
- `LeftOut`: Its return order is left out of such changes (`leaveOutOfBulk`).
- `Forbidden`: The caller lacks the scope for it.
- `AgentLimit`: Its value is above the policy's `agentLimit`.
- `AllCounted`: All of its units are counted.
"""


ReturnRequestId: TypeAlias = str
"""
A return request: one purchase within a return order.
"""


class BulkQuestion(TypedDict):
    """
    A question about a change of many return requests.
    """

    action: BulkAction
    """
    What would be done to each of them.
    """
    returnRequestIds: list[ReturnRequestId]
    """
    1 to 1,000 return requests. Unknown ones are left out of the answer.
    """


CarrierKind: TypeAlias = Literal['own', 'simulated', 'bridge', 'karrio']
"""
The kinds of carrier that can make labels.

- `own`: Retour creates the label with an SSCC. The merchant has their own carrier contract.
- `simulated`: Retour creates a specimen of a label, and the parcel moves automatically within a minute. For accounts with
`test`.
- `bridge`: The merchant's component creates the label, by `/get-label`: for a `bridge` of the kind `http`.
- `karrio`: The merchant's karrio server creates the label.
"""


class CarrierSettings(TypedDict):
    """
    The carrier that makes the labels of an account. Its key is not shown.
    """

    kind: CarrierKind
    """
    The kind of carrier that makes the labels.
    """
    noticesUrl: str | None
    """
    The path of this server that karrio sends its webhooks to; `null` for other kinds.
    """
    url: str | None
    """
    The URL of karrio; `null` for other kinds.
    """


ClosedFoundParcel: TypeAlias = Literal['Closed']
"""
The only status that can be set by hand.

- `Closed`: Nothing remains to be done.
"""


ClosedWithdrawal: TypeAlias = Literal['Closed']
"""
The only status that can be set by hand.

- `Closed`: The merchant has dealt with it.
"""


Condition: TypeAlias = Literal['New', 'Opened', 'Used', 'Damaged', 'Incomplete', 'WrongItem']
"""
The condition of returned items.

- `New`: Unopened, as it was sold.
- `Opened`: Unpacked but not used.
- `Used`: Shows signs of use.
- `Damaged`: Broken or damaged.
- `Incomplete`: Parts or accessories are missing.
- `WrongItem`: Another item than the one that was bought.
"""


ConsumerId: TypeAlias = str
"""
A consumer: one proven pair of order number and e-mail address or postal code.
"""


class ConsumerErasedEventData(TypedDict):
    """
    The consumers whose personal data were erased.
    """

    consumerIds: list[ConsumerId]
    """
    The ids of all consumers with the e-mail address of the erased person.
    """


Corners: TypeAlias = Literal['Square', 'Soft', 'Round']
"""
The rounding of buttons, fields and cards.

- `Square`: Corners are not rounded.
- `Soft`: Corners are slightly rounded.
- `Round`: Buttons end in half circles.
"""


class Count(TypedDict):
    """
    The number of rows of a list.
    """

    count: int
    """
    The number of rows that were counted.
    """
    isCapped: bool
    """
    Whether there may be more: counting ends at 1,000 rows. Of several filters, it also ends after 1,000 rows were
    compared.
    """


Currency: TypeAlias = Literal['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV', 'XAF', 'XOF', 'XPF', 'AED', 'AFN', 'ALL', 'AMD', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BGN', 'BMD', 'BND', 'BOB', 'BOV', 'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHE', 'CHF', 'CHW', 'CNY', 'COP', 'COU', 'CRC', 'CUP', 'CVE', 'CZK', 'DKK', 'DOP', 'DZD', 'EGP', 'ERN', 'ETB', 'EUR', 'FJD', 'FKP', 'GBP', 'GEL', 'GHS', 'GIP', 'GMD', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IRR', 'JMD', 'KES', 'KGS', 'KHR', 'KPW', 'KYD', 'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MUR', 'MVR', 'MWK', 'MXN', 'MXV', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR', 'PLN', 'QAR', 'RON', 'RSD', 'RUB', 'SAR', 'SBD', 'SCR', 'SDG', 'SEK', 'SGD', 'SHP', 'SLE', 'SOS', 'SRD', 'SSP', 'STN', 'SVC', 'SYP', 'SZL', 'THB', 'TJS', 'TMT', 'TOP', 'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'USD', 'USN', 'UYU', 'UZS', 'VED', 'VES', 'WST', 'XCD', 'XCG', 'YER', 'ZAR', 'ZMW', 'ZWG', 'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND', 'CLF', 'UYW']
"""
A currency's alphabetic code (ISO 4217).
"""


DeliveryStatus: TypeAlias = Literal['Pending', 'Delivered', 'Failed']
"""
The state of a webhook delivery.

- `Pending`: The event still has to be sent.
- `Delivered`: The receiver answered with a 2xx status.
- `Failed`: All attempts failed, and Retour retries only on request.
"""


DisabledBecause: TypeAlias = Literal['ByMerchant', 'Gone', 'Failing']
"""
The reason why a webhook subscription is disabled.

- `ByMerchant`: The merchant disabled it.
- `Gone`: The receiver answered 410 Gone.
- `Failing`: The receiver failed for five days.
"""


Disposition: TypeAlias = Literal['Restock', 'Refurbish', 'Outlet', 'Donate', 'Dispose', 'ReturnToConsumer']
"""
What the warehouse does with returned items.

- `Restock`: Sold again as new.
- `Refurbish`: Repaired and sold again.
- `Outlet`: Sold at a lower price.
- `Donate`: Given to a charity.
- `Dispose`: Thrown away or recycled.
- `ReturnToConsumer`: Sent back to the consumer.
"""


Domain: TypeAlias = str
"""
A host name in lower case, without a port: `returns.shop.example`. Never an IP address.
"""


DraftStatus: TypeAlias = Literal['Open', 'Accepted', 'Rejected', 'Expired']
"""
The states of a draft return order.

- `Open`: The draft can be submitted.
- `Accepted`: The draft was submitted and is now a return order.
- `Rejected`: The merchant rejected the draft.
- `Expired`: The draft is older than 24 hours.
"""


ErrorCode: TypeAlias = Literal['BadRequest', 'InvalidCredentials', 'InvalidInvitation', 'InvalidOrderCredentials', 'SecondFactorRequired', 'Unauthorized', 'WrongCode', 'WrongPasskey', 'ConfirmationRequired', 'Forbidden', 'NotFound', 'MethodNotAllowed', 'NotAcceptable', 'RequestTimeout', 'AgentLimitExceeded', 'Conflict', 'Disabled', 'DraftExpired', 'DraftOutdated', 'DraftRejected', 'EmailTaken', 'IllegalTransition', 'InUse', 'KnownUnderAnotherId', 'LabelNotReady', 'LastAdmin', 'LimitReached', 'NoHostName', 'NoMailServer', 'NoSecondFactor', 'NoSecretKey', 'NotCancellable', 'OtherCurrency', 'OtherOrder', 'QuantityExceeded', 'Revoked', 'ShipmentCancelled', 'StageConflict', 'TooLate', 'PreconditionFailed', 'PayloadTooLarge', 'UnsupportedMediaType', 'IdempotencyKeyReused', 'ValidationFailed', 'TooManyRequests', 'InternalError', 'BridgeUnavailable', 'PaymentUnavailable', 'ServiceUnavailable']
"""
For programs: what went wrong. Later versions may add codes: treat one that you do not know by its status.
"""


class EventRedelivery(TypedDict):
    """
    The subscriptions to send an event to again.
    """

    subscriptionId: NotRequired[str | None]
    """
    Sends to this subscription alone, whether it covers the event or not. If left out, to all that cover the event
    or received it.
    """


EventType: TypeAlias = Literal['return_request.stage_changed', 'return_order.created', 'return_order.confirmed', 'return_order.completed', 'return_order.cancelled', 'return_order.note_added', 'return_order.assigned', 'shipment.label_created', 'shipment.received_tracking_updates', 'shipment.delivered', 'withdrawal.received', 'consumer.erased', 'webhook_subscription.disabled', 'test.ping']
"""
The types of events.

- `return_request.stage_changed`: A return request entered a stage.
- `return_order.created`: A return order was submitted.
- `return_order.confirmed`: None of its requests is undecided and no payment is due: it can be sent.
- `return_order.completed`: All of its requests have ended, and at least one was settled or denied.
- `return_order.cancelled`: All of its requests have ended, and none was settled or denied.
- `return_order.note_added`: Staff added a note to a return order. Consumers never see it.
- `return_order.assigned`: A return order was given to a user, or taken from one.
- `shipment.label_created`: A parcel got its label: a warehouse can expect it.
- `shipment.received_tracking_updates`: A carrier reported where a parcel is.
- `shipment.delivered`: A carrier delivered a parcel.
- `withdrawal.received`: A consumer withdrew from a contract.
- `consumer.erased`: A consumer's personal data were erased: erase them in your systems, too.
- `webhook_subscription.disabled`: A subscription was disabled because its receiver failed or is gone.
- `test.ping`: A test of the receiver: nothing happened.
"""


EvidenceRule: TypeAlias = Literal['none', 'optional', 'required']
"""
Whether photos are asked for with a reason.

- `none`: Photos are not asked for.
- `optional`: Photos may be added.
- `required`: The return request waits until a photo is added.
"""


class ExchangeFor(TypedDict):
    """
    The item that the consumer wants in exchange.
    """

    sku: str
    """
    The stock-keeping unit of the wanted item.
    """


class ExchangeOption(TypedDict):
    """
    An item that can be sent in exchange.
    """

    name: str
    """
    The name for people; may be empty if a program of the merchant set the option.
    """
    sku: str
    """
    The shop's stock-keeping unit.
    """


class ExchangeOptionInput(TypedDict):
    """
    An item that can be sent in exchange.
    """

    name: NotRequired[str | None]
    """
    The name for people; may be empty if a program of the merchant set the option.
    """
    sku: str
    """
    The shop's stock-keeping unit.
    """


Fault: TypeAlias = Literal['merchant', 'consumer']
"""
Whose fault a return is. When it is the merchant's, sending back is free.

- `merchant`: The merchant's fault: broken, wrong or late.
- `consumer`: The consumer's decision: changed mind, wrong size.
"""


FeeCollection: TypeAlias = Literal['deduct', 'prepay']
"""
How fees of a return are collected.

- `deduct`: Fees are taken off the refund.
- `prepay`: The consumer pays fees before anything is sent.
"""


Font: TypeAlias = Literal['System', 'Grotesque', 'Humanist', 'Geometric', 'Rounded', 'Serif', 'Slab']
"""
Kinds of typefaces that devices have installed.

- `System`: The device's own typeface.
- `Grotesque`: Even and plain, such as Helvetica.
- `Humanist`: Shaped as with a pen, such as Gill Sans.
- `Geometric`: Made of circles and straight lines, such as Avenir.
- `Rounded`: With rounded ends of strokes.
- `Serif`: With serifs, as in books.
- `Slab`: With heavy serifs, such as Rockwell.
"""


FoundKind: TypeAlias = Literal['Shipment', 'ReturnOrder', 'Withdrawal', 'Order', 'Consumer', 'ReturnRequest']
"""
The kind of object that a search found.

- `Shipment`: A shipment, by the code of its label or its tracking number.
- `ReturnOrder`: A return order, by its number or by the number of the sales order.
- `Withdrawal`: A withdrawal, by its number.
- `Order`: A sales order, by its number. `GET /purchases?filter=orderId:<id>` has its lines.
- `Consumer`: A consumer, by e-mail address or name.
- `ReturnRequest`: A return request, by the SKU of its product.
"""


class FoundParcelChange(TypedDict):
    """
    Changes to a found parcel. Fields that are left out stay as they are.
    """

    carrier: NotRequired[str]
    """
    The carrier's name.
    """
    contents: NotRequired[str]
    """
    The contents of the parcel, in the words of the person who opened it.
    """
    note: NotRequired[str]
    """
    A note for the merchant's staff.
    """
    returnOrderId: NotRequired[str]
    """
    The return that it belongs to: one of the account's.
    """
    status: NotRequired[ClosedFoundParcel]
    """
    `Closed`: nothing remains to be done. The note says why.
    """


FoundParcelStatus: TypeAlias = Literal['Open', 'Matched', 'Closed']
"""
The states of a found parcel.

- `Open`: Its return is unknown.
- `Matched`: It belongs to a return.
- `Closed`: Nothing remains to be done, although no return was found.
"""


class GiftCosts(TypedDict):
    """
    The costs of a return for a gift recipient, who sees no amounts and pays nothing.
    """

    chargesTakenOff: bool
    """
    Whether the shop's fees for the return are deducted from that credit.
    """
    storeCredit: bool
    """
    Whether the recipient gets store credit.
    """


IneligibleCode: TypeAlias = Literal['FinalSale', 'ReturnWindowExpired', 'NotFulfilled', 'AlreadyReturned', 'NotReturnable', 'NoShippingOption', 'NoReturnReason', 'ReturnedElsewhere', 'NotInOrder', 'NotShippable']
"""
The reasons why a purchase cannot be returned.

- `FinalSale`: It was sold as not returnable.
- `ReturnWindowExpired`: Its return window is over.
- `NotFulfilled`: It has not been sent yet.
- `AlreadyReturned`: All of it is already on its way back, returned or refunded.
- `NotReturnable`: The shop itself says that it cannot be returned.
- `NoShippingOption`: No shipping option has a price in the order's currency and serves the buyer's country.
- `NoReturnReason`: No return reason offers a resolution for it.
- `ReturnedElsewhere`: The same order is stored under another id, and its units are being returned.
- `NotInOrder`: The shop's order no longer contains it.
- `NotShippable`: It needs no parcel: a gift card, a download, a service, a tip or a fee.
"""


class Inspection(TypedDict):
    """
    The result of an inspection in the warehouse.
    """

    accepted: int
    """
    The number of units that are refunded.
    """
    condition: Condition | None
    """
    The condition that the units are in.
    """
    disposition: Disposition | None
    """
    What the warehouse does with the units.
    """
    note: str | None
    """
    A note for the merchant's people.
    """
    refused: int
    """
    The number of units that are not refunded.
    """


IntegrationKind: TypeAlias = Literal['http', 'vendure', 'medusa', 'shopify', 'bridge', 'karrio', 'stripe', 'mollie']
"""
The kinds of systems that an account can be connected to.

- `http`: The merchant's own component as the shop.
- `vendure`: A Vendure shop.
- `medusa`: A Medusa shop.
- `shopify`: A Shopify shop.
- `bridge`: The merchant's own component as the carrier.
- `karrio`: A karrio server.
- `stripe`: Stripe.
- `mollie`: Mollie.
"""


IntegrationOperation: TypeAlias = Literal['LookUp', 'Resolution', 'Return', 'Label', 'Tracking', 'Voiding', 'Checkout', 'PaymentStatus', 'Refund']
"""
An operation that Retour calls at another system.

- `LookUp`: The shop finds an order.
- `Resolution`: The shop carries out a resolution.
- `Return`: The shop makes or changes its own return.
- `Label`: The carrier makes a label.
- `Tracking`: The carrier reports where a parcel is.
- `Voiding`: The carrier voids a label.
- `Checkout`: The payment provider creates a payment page.
- `PaymentStatus`: The payment provider reports the state of a payment.
- `Refund`: The payment provider pays back.
"""


IntegrationRole: TypeAlias = Literal['Shop', 'Carrier', 'PaymentProvider']
"""
The part that another system plays for an account.

- `Shop`: The shop, which knows orders and carries out resolutions.
- `Carrier`: The carrier, which makes labels and reports where parcels are.
- `PaymentProvider`: The payment provider, which takes fees and pays them back.
"""


Key: TypeAlias = str
"""
The identifier of a question or an offered answer: `zip`, `too-small`. 1 to 40 characters of `a-z`, `0-9`, `-` and
`_`.
"""


LabelFormat: TypeAlias = Literal['application/pdf', 'image/png', 'application/zpl']
"""
The file formats that labels can have.

- `application/pdf`: A page to print.
- `image/png`: A picture for a screen.
- `application/zpl`: Commands for a label printer.
"""


LineKind: TypeAlias = Literal['ItemRefund', 'OutboundShippingRefund', 'ReturnShipping', 'RestockingFee', 'RequestFee', 'StoreCreditBonus', 'ExchangeValue', 'FeeWaiver', 'RefundLimit', 'Adjustment']
"""
What an amount of a breakdown is for.

- `ItemRefund`: The price of the returned items.
- `OutboundShippingRefund`: The price of the delivery to the consumer.
- `ReturnShipping`: The price of sending the items back.
- `RestockingFee`: The part of the price that the shop keeps.
- `RequestFee`: The shop's fee for a return.
- `StoreCreditBonus`: The bonus for choosing store credit.
- `ExchangeValue`: The value that is exchanged for other items.
- `FeeWaiver`: The part of the fees that is waived.
- `RefundLimit`: The part that is not refunded because no more is left of the payment for the order.
- `Adjustment`: What staff added, or took off.
"""


class Link(TypedDict):
    """
    A link to a page of the shop.
    """

    text: dict[str, str]
    """
    The text of the link by language: up to 40 characters each.
    """
    url: str
    """
    The URL of the page.
    """


Locale: TypeAlias = str
"""
A language tag (BCP 47).
"""


LookUpBy: TypeAlias = Literal['email', 'postalCode']
"""
What proves an order in addition to its number.

- `email`: The e-mail address of the order.
- `postalCode`: The postal code that the order was delivered to.
"""


class MadePasskey(TypedDict):
    """
    What a browser answers after it has made a passkey, and a name. The values are in Base64 for URLs, as in
    `PublicKeyCredential.toJSON()`.
    """

    attestationObject: str
    """
    The field `response.attestationObject` of the answer.
    """
    clientDataJson: str
    """
    The field `response.clientDataJSON` of the answer.
    """
    name: NotRequired[str | None]
    """
    The name by which you will know the passkey. Without one, it gets the name of your browser.
    """


MailStatus: TypeAlias = Literal['Sent', 'Failed']
"""
The states of a mail.

- `Sent`: The mail server accepted it.
- `Failed`: The server rejected it, or could not be reached for a day.
"""


class Money(TypedDict):
    """
    An amount, exact to the currency's minor unit.
    """

    currency: Currency
    """
    The currency of the amount (ISO 4217).
    """
    value: str
    """
    A decimal with a point and all of the currency's decimals; negative for what is taken off.
    """


Number: TypeAlias = str


class NamedOrders(TypedDict):
    """
    Orders of one kind, counted and named.
    """

    count: int
    """
    The number of these orders.
    """
    numbers: list[Number]
    """
    The numbers of the first 20 of them.
    """


class NewFoundParcel(TypedDict):
    """
    A parcel that no paper and no number connects with a return.
    """

    carrier: NotRequired[str | None]
    """
    The carrier's name.
    """
    code: NotRequired[str | None]
    """
    The code on it, as it was scanned or typed.
    """
    contents: NotRequired[str | None]
    """
    The contents of the parcel, in the words of the person who opened it.
    """
    note: NotRequired[str | None]
    """
    A note for the merchant's staff.
    """


class NewInspection(TypedDict):
    """
    The result of the warehouse's inspection.
    """

    accepted: int
    """
    The number of units that are refunded.
    """
    condition: NotRequired[Condition | None]
    """
    The condition that the units are in.
    """
    disposition: NotRequired[Disposition | None]
    """
    What the warehouse does with the units.
    """
    note: NotRequired[str | None]
    """
    A note for the merchant's staff.
    """
    refused: int
    """
    The number of units that are not refunded. Both numbers together are the received units.
    """


RecoveryCode: TypeAlias = str


class NewPassword(TypedDict):
    """
    A new password, with the invitation that allows it.
    """

    password: str
    """
    12 to 200 characters of any kind; neither the e-mail address nor a very common password.
    """
    token: str
    """
    The token of the user's invitation.
    """


class NewReceipt(TypedDict):
    """
    Units that arrived at the warehouse.
    """

    externalReference: NotRequired[str | None]
    """
    The warehouse's own id of this delivery. Each id counts once.
    """
    quantity: int
    """
    The number of units that arrived, at least 1.
    """


class NewRecoveryCodes(TypedDict):
    """
    New recovery codes. Each replaces the second factor once. Only this response has them: Retour stores their hashes.
    """

    recoveryCodes: list[RecoveryCode]
    """
    Ten codes, each of which replaces a code of the app once.
    """


class NewReturnLocation(TypedDict):
    """
    A return location to create.
    """

    address: AddressInput
    """
    The address on labels. Street, city and country are required; up to 200 characters in each line.
    """
    isDefault: NotRequired[bool | None]
    """
    Whether shipments go there unless their shipping option names another location. There is one default location:
    the previous one loses the mark.
    """
    name: str
    """
    The merchant's name for the location: 1 to 200 characters.
    """


class NewReturnOrder(TypedDict):
    """
    The draft to turn into a return order.
    """

    draftReturnOrderId: str
    """
    The draft to submit.
    """
    shippingOptionId: NotRequired[str | None]
    """
    The shipping option, in place of the draft's `shippingOptionId`; without it, the draft's option applies.
    """


class NewSavedView(TypedDict):
    """
    The filters, order and columns of a list, to save under a name.
    """

    list: str
    """
    The list that it filters: `return-orders` or `return-requests`.
    """
    name: str
    """
    The name that staff read: 1 to 100 characters.
    """
    query: str
    """
    The query string of the list, without `?` and `page`: up to 4,000 characters.
    """


Country: TypeAlias = str


class NewTotp(TypedDict):
    """
    A new authenticator app, which a first code has to confirm.
    """

    secret: str
    """
    The secret, to type into the app. Only this response has it.
    """
    uri: str
    """
    The same as a URI (`otpauth://`), for a QR code.
    """


class NoteInput(TypedDict):
    """
    A note about a return order.
    """

    text: str
    """
    The text: 1 to 4,000 characters; several lines are allowed.
    """


class OfEmail(TypedDict):
    """
    The e-mail address of the person.
    """

    email: str
    """
    The e-mail address; case does not matter.
    """


class OfferedAnswer(TypedDict):
    """
    An answer that a question offers.
    """

    id: Key
    """
    The id to send as the answer's `value`.
    """
    text: str
    """
    The text of the answer, as the consumer reads it.
    """


class OfferedQuestion(TypedDict):
    """
    A question that a return reason asks about the item.
    """

    id: Key
    """
    The id to send as the answer's `questionId`.
    """
    options: list[OfferedAnswer]
    """
    The answers to choose from; empty: the consumer answers in their own words.
    """
    required: bool
    """
    Whether a consumer's draft needs an answer. A draft that the merchant makes needs none.
    """
    text: str
    """
    The text of the question, as the consumer reads it.
    """


class OfferedWeightPrice(TypedDict):
    """
    The price of shipping from a weight on, in the order's currency.
    """

    above: int
    """
    The weight in grams above which the price applies.
    """
    price: Money | None
    """
    The price from this weight on; `null`: the option is not offered at this weight.
    """


class OrderCredentialsByEmail(TypedDict):
    """
    An order number with its e-mail address, for shops that look up by e-mail address.
    """

    account: NotRequired[str | None]
    """
    The shop's id or slug; optional with an API key of the shop.
    """
    email: str
    """
    The order's e-mail address.
    """
    orderNumber: str
    """
    The order number as the shopper types it: `#`, spaces and case do not matter.
    """


class OrderCredentialsByPostalCode(TypedDict):
    """
    An order number with its postal code, for shops that look up by postal code or accept gift returns.
    """

    account: NotRequired[str | None]
    """
    The shop's id or slug; optional with an API key of the shop.
    """
    giftRecipientEmail: NotRequired[str | None]
    """
    The gift recipient's own e-mail address, to return a gift. It proves nothing; Retour sends mails to it.
    """
    orderNumber: str
    """
    The order number as the shopper types it: `#`, spaces and case do not matter.
    """
    postalCode: str
    """
    The postal code that the order was sent to.
    """


Tag: TypeAlias = str


class OrderOfConsumer(TypedDict):
    """
    The order of a consumer: its number or its id.
    """

    email: NotRequired[str | None]
    """
    The e-mail address of the order, if several orders have the number, or if the shop has to be asked for the order.
    """
    orderId: NotRequired[str | None]
    """
    The id of an order that Retour knows: `order.id` of a purchase. Expected without `orderNumber`.
    """
    orderNumber: NotRequired[str | None]
    """
    The order number: `#`, spaces and case do not matter. Expected without `orderId`.
    """
    postalCode: NotRequired[str | None]
    """
    The postal code of the order, in place of the e-mail address.
    """


Outcome: TypeAlias = Literal['Delivered', 'Refused', 'Gone', 'AddressNotAllowed', 'PlainHttpNotAllowed', 'UnknownHost', 'NotConnected', 'TlsFailed', 'TimedOut', 'BrokenOff', 'NotSent']
"""
The result of an attempt to deliver an event.

- `Delivered`: The receiver accepted it (2xx).
- `Refused`: It answered with another status. Redirects (3xx) are not followed.
- `Gone`: It answered 410: it wants no more events.
- `AddressNotAllowed`: Its address is not on the public internet, and the operator has not allowed it.
- `PlainHttpNotAllowed`: The address is plain `http` on the public internet.
- `UnknownHost`: The host name of the receiver has no address.
- `NotConnected`: The receiver does not accept connections.
- `TlsFailed`: Its certificate was not accepted, or it speaks no TLS.
- `TimedOut`: The exchange took longer than 15 seconds.
- `BrokenOff`: The connection ended early, or what came is not HTTP.
- `NotSent`: The request could not be made: an error of Retour.
"""


OverriddenRule: TypeAlias = Literal['ReturnWindow', 'FinalSale', 'Fees', 'CustomsData', 'SendingBack']
"""
A rule that staff can override when they make a return for a consumer.

- `ReturnWindow`: The return window: an item comes back although its window has ended.
- `FinalSale`: The final sale: an item comes back although its sale was final.
- `Fees`: The fees: return shipping, restocking and the request fee are waived.
- `CustomsData`: The customs data: a parcel passes customs although the shop has not given the data of its products. The carrier may
refuse the label.
- `SendingBack`: The return itself: the consumer keeps the items, and nothing is sent.
"""


class Override(TypedDict):
    """
    A rule that staff have overridden, and why.
    """

    by: NotRequired[str | None]
    """
    The user or service user who overrode the rule; absent for the operator.
    """
    byAgent: bool
    """
    Whether an agent overrode the rule, so that the policy's `agentLimit` applies to the return.
    """
    needsApproval: bool
    """
    Whether somebody else of the staff has to approve the return first: together with what agents gave before for the
    same order by overriding rules, it gives more than an agent decides about.
    """
    reason: str
    """
    The reason in the words of the staff; empty after an erasure.
    """
    rule: OverriddenRule
    """
    The rule that does not apply.
    """


class OverrideInput(TypedDict):
    """
    A rule to override, and why.
    """

    reason: str
    """
    The reason in your own words. Only staff see it.
    """
    rule: OverriddenRule
    """
    The rule to override.
    """


class ParcelContent(TypedDict):
    """
    Units of a return request in a parcel.
    """

    quantity: int
    """
    How many of its units; at least 1.
    """
    returnRequestId: str
    """
    The return request whose units are in the parcel.
    """


class PasskeyAlgorithm(TypedDict):
    """
    A kind of key that is accepted.
    """

    alg: int
    """
    The number of the algorithm: -7 (`ES256`), -8 (`EdDSA`) or -257 (`RS256`).
    """
    type: str
    """
    Always `public-key`.
    """


class PasskeyName(TypedDict):
    """
    Another name of a passkey.
    """

    name: str
    """
    The name by which you know the passkey: 1 to 100 characters in one line.
    """


class PasskeyProof(TypedDict):
    """
    What a browser answers after its user has used a passkey. All values are in Base64 for URLs, as in
    `PublicKeyCredential.toJSON()`.
    """

    authenticatorData: str
    """
    The field `response.authenticatorData` of the answer.
    """
    clientDataJson: str
    """
    The field `response.clientDataJSON` of the answer.
    """
    credentialId: str
    """
    The field `id` of the answer.
    """
    signature: str
    """
    The field `response.signature` of the answer.
    """
    userHandle: str
    """
    The field `response.userHandle` of the answer.
    """


class PasskeyReference(TypedDict):
    """
    A passkey, as browsers know it.
    """

    id: str
    """
    The authenticator's own id. Base64 for URLs.
    """
    type: str
    """
    Always `public-key`.
    """


class PasskeyRequestOptions(TypedDict):
    """
    What a browser asks for a passkey with: `PublicKeyCredential.parseRequestOptionsFromJSON(…)` reads it.
    """

    challenge: str
    """
    The random value to sign, once and within five minutes. Base64 for URLs.
    """
    rpId: str
    """
    The name of the site's host.
    """
    timeout: int
    """
    How long the browser waits for the user, milliseconds.
    """
    userVerification: str
    """
    Always `required`: by a fingerprint, a face or a PIN.
    """


class PasskeySelection(TypedDict):
    """
    What an authenticator has to do.
    """

    requireResidentKey: bool
    """
    Always true; it says the same to older authenticators.
    """
    residentKey: str
    """
    Always `required`: the authenticator keeps the passkey, so that nobody has to enter a name.
    """
    userVerification: str
    """
    Always `required`: by a fingerprint, a face or a PIN.
    """


class PasskeySite(TypedDict):
    """
    The site of a passkey.
    """

    id: str
    """
    The name of its host.
    """
    name: str
    """
    The name of the shop.
    """


class PasskeyUser(TypedDict):
    """
    The user of a passkey, as authenticators show them.
    """

    displayName: str
    """
    The name; the e-mail address of a user without a name.
    """
    id: str
    """
    The account and the user. Base64 for URLs.
    """
    name: str
    """
    The e-mail address.
    """


class PasswordChange(TypedDict):
    """
    A change of the user's own password.
    """

    currentPassword: str
    """
    The password that you sign in with now.
    """
    password: str
    """
    12 to 200 characters of any kind; neither the e-mail address nor a very common password.
    """


class PasswordReset(TypedDict):
    """
    A user who has forgotten the password.
    """

    email: str
    """
    The e-mail address that the user signs in with.
    """


PaymentKind: TypeAlias = Literal['none', 'simulated', 'stripe', 'mollie']
"""
The providers that can take payments.

- `none`: No provider: amounts that would have to be paid are waived.
- `simulated`: A page of ours that moves no money, to try things out.
- `stripe`: Stripe's hosted checkout.
- `mollie`: Mollie's hosted checkout.
"""


class PaymentSettings(TypedDict):
    """
    The provider that takes an account's payments. Its secrets are not shown.
    """

    kind: PaymentKind
    """
    The provider that takes payments.
    """
    noticesUrl: str | None
    """
    The path of this server that Stripe sends its notices to; `null` for other kinds. Mollie gets the path with each
    payment.
    """
    takesNotices: bool | None
    """
    Whether there is a secret that verifies Stripe's notices; `null` for other kinds.
    """
    url: str | None
    """
    The URL of the provider; `null` for `none` and `simulated`.
    """


PaymentState: TypeAlias = Literal['Pending', 'Paid', 'Expired']
"""
The states of a payment.

- `Pending`: The payment has not arrived yet.
- `Paid`: The payment has arrived.
- `Expired`: The payment did not arrive in time.
"""


PaymentStatus: TypeAlias = Literal['NotRequired', 'Pending', 'Paid', 'Expired', 'Refunded']
"""
The states of a return order's payment.

- `NotRequired`: The return has nothing to pay.
- `Pending`: The payment has not arrived yet.
- `Paid`: The payment has arrived.
- `Expired`: The payment did not arrive in time.
- `Refunded`: The payment was paid back.
"""


Percent: TypeAlias = float
"""
A percentage with at most two decimals.
"""


CompletedFilter: TypeAlias = str


FinalSaleItem: TypeAlias = str


Prices: TypeAlias = list[Money]
"""
One amount a currency, none below 0. Where a currency has none, the fee is not charged and the option is not offered: nothing is converted.
"""


ImageUrl: TypeAlias = str


class Product(TypedDict):
    """
    A product as the shop describes it. All texts may be empty.
    """

    attributes: dict[str, str]
    """
    The attributes of the variant, such as colour and size.
    """
    barcode: str
    """
    The GTIN or another bar code.
    """
    exchangeOptions: NotRequired[list[ExchangeOption]]
    """
    The items that it can be exchanged for, at the same price. Omitted if there are none: consumers then cannot ask
    for an exchange.
    """
    hsCode: NotRequired[str]
    """
    For customs: the code in the Harmonized System, 6 to 12 digits, optionally in groups (`6109.10`). Omitted if
    unknown.
    """
    imageUrls: list[ImageUrl]
    """
    URLs of pictures, the best first.
    """
    name: str
    """
    The product's name, as the shop calls it.
    """
    originCountry: NotRequired[str]
    """
    For customs: the country of origin, two letters of ISO 3166-1. Omitted if unknown.
    """
    sku: str
    """
    The shop's stock-keeping unit.
    """
    weight: NotRequired[int | None]
    """
    The weight of one unit, grams: 1 to 1,000,000. Omitted if unknown; the policy's `defaultWeight` then applies.
    """


class ProductInput(TypedDict):
    """
    A product as the shop describes it. All texts may be empty.
    """

    attributes: NotRequired[dict[str, Any] | None]
    """
    The attributes of the variant, such as colour and size.
    """
    barcode: NotRequired[str | None]
    """
    The GTIN or another bar code.
    """
    exchangeOptions: NotRequired[list[ExchangeOptionInput] | None]
    """
    The items that it can be exchanged for, at the same price. Omitted if there are none: consumers then cannot ask
    for an exchange.
    """
    hsCode: NotRequired[str | None]
    """
    For customs: the code in the Harmonized System, 6 to 12 digits, optionally in groups (`6109.10`). Omitted if
    unknown.
    """
    imageUrls: NotRequired[list[ImageUrl] | None]
    """
    URLs of pictures, the best first.
    """
    name: NotRequired[str | None]
    """
    The product's name, as the shop calls it.
    """
    originCountry: NotRequired[str | None]
    """
    For customs: the country of origin, two letters of ISO 3166-1. Omitted if unknown.
    """
    sku: NotRequired[str | None]
    """
    The shop's stock-keeping unit.
    """
    weight: NotRequired[int | None]
    """
    The weight of one unit, grams: 1 to 1,000,000. Omitted if unknown; the policy's `defaultWeight` then applies.
    """


ProposalKind: TypeAlias = Literal['Adjustment', 'Resolution', 'Override']
"""
What a proposal asks for.

- `Adjustment`: A change of the value of the return request.
- `Resolution`: The approval of its resolution.
- `Override`: The approval of a return that staff made although a rule stands in its way.
"""


class ProposalRefusal(TypedDict):
    """
    Why a proposal is refused.
    """

    comment: str
    """
    The reason: 3 to 500 characters. If the return overrides a rule, the consumer reads it.
    """


Proposed: TypeAlias = Literal['Adjustment', 'Resolution']
"""
What can be proposed.

- `Adjustment`: A change of the value of the return request.
- `Resolution`: The approval of its resolution.
"""


Queue: TypeAlias = Literal['ToDecide', 'WaitingForCustomer', 'LabelTrouble', 'LateOnTheWay', 'ArrivedNotCounted', 'ToInspect', 'ToApprove', 'ToSettle', 'ToPay', 'PaymentFailed', 'Withdrawn', 'WithoutPapers', 'Mine', 'Flagged']
"""
A queue, in the order in which staff see them.

- `ToDecide`: A person has to decide about the request.
- `WaitingForCustomer`: The customer has to add photos or to pay.
- `LabelTrouble`: The carrier made no label, or has not answered for a quarter of an hour.
- `LateOnTheWay`: No news of the parcel for ten days, or the carrier reports a problem.
- `ArrivedNotCounted`: The parcel was delivered, and its items are not all counted.
- `ToInspect`: The items wait for their inspection.
- `ToApprove`: An agent asks others to approve something.
- `ToSettle`: The resolution waits for its approval.
- `ToPay`: The resolution is approved and not carried out.
- `PaymentFailed`: The resolution could not be carried out, or has not ended for a day.
- `Withdrawn`: Withdrawals that nobody has dealt with.
- `WithoutPapers`: Parcels that arrived without papers and belong to no return yet.
- `Mine`: Returns in progress that the member of the staff has.
- `Flagged`: Returns in progress that staff flagged.
"""


Filter: TypeAlias = str


class QueueTargets(TypedDict):
    """
    The target of each queue, in working hours: the hours of Monday to Friday in the account's time zone, so 24 hours are
    one working day. `null`: no target.
    """

    arrivedNotCounted: int | None
    """
    Parcels that have arrived and are not counted.
    """
    labelTrouble: int | None
    """
    Labels that the carrier did not make.
    """
    lateOnTheWay: int | None
    """
    Parcels that are late or in trouble.
    """
    paymentFailed: int | None
    """
    Resolutions that could not be carried out.
    """
    toDecide: int | None
    """
    Requests that wait for a decision.
    """
    toInspect: int | None
    """
    Received items that wait for their inspection.
    """
    toPay: int | None
    """
    Approved resolutions that are not carried out.
    """
    toSettle: int | None
    """
    Resolutions that wait for their approval.
    """
    waitingForCustomer: int | None
    """
    Requests that wait for the customer.
    """
    withdrawn: int | None
    """
    Withdrawals that nobody has dealt with.
    """
    withoutPapers: int | None
    """
    Parcels without papers that belong to no return yet.
    """


class QueueTargetsInput(TypedDict):
    """
    The target of each queue, in working hours: the hours of Monday to Friday in the account's time zone, so 24 hours are
    one working day. `null`: no target.
    """

    arrivedNotCounted: NotRequired[int | None]
    """
    Parcels that have arrived and are not counted.
    """
    labelTrouble: NotRequired[int | None]
    """
    Labels that the carrier did not make.
    """
    lateOnTheWay: NotRequired[int | None]
    """
    Parcels that are late or in trouble.
    """
    paymentFailed: NotRequired[int | None]
    """
    Resolutions that could not be carried out.
    """
    toDecide: NotRequired[int | None]
    """
    Requests that wait for a decision.
    """
    toInspect: NotRequired[int | None]
    """
    Received items that wait for their inspection.
    """
    toPay: NotRequired[int | None]
    """
    Approved resolutions that are not carried out.
    """
    toSettle: NotRequired[int | None]
    """
    Resolutions that wait for their approval.
    """
    waitingForCustomer: NotRequired[int | None]
    """
    Requests that wait for the customer.
    """
    withdrawn: NotRequired[int | None]
    """
    Withdrawals that nobody has dealt with.
    """
    withoutPapers: NotRequired[int | None]
    """
    Parcels without papers that belong to no return yet.
    """


class ReceivedInspection(TypedDict):
    """
    The inspection of units in a parcel.
    """

    condition: NotRequired[Condition | None]
    """
    The condition that the units are in.
    """
    disposition: NotRequired[Disposition | None]
    """
    What the warehouse does with the units.
    """
    note: NotRequired[str | None]
    """
    Why units are refused, or another note for the merchant's staff. Required if units are refused.
    """
    refused: NotRequired[int | None]
    """
    The number of units that are not refunded. The `note` says why.
    """


class ReceivedItem(TypedDict):
    """
    The units of one return request in a parcel.
    """

    fromArrivedQuantity: NotRequired[int | None]
    """
    The number of units that had arrived when you read the return request: its `receivedQuantity` and `surplusQuantity`
    together. If another number has arrived since, nothing is counted, and the answer is 409 `StageConflict`. Without it,
    the parcel is counted in addition to whatever has arrived.
    """
    inspection: NotRequired[ReceivedInspection | None]
    """
    The inspection of all units that count, if they were inspected. It decides about the refund under every
    `resolveOn`. The units that are not refused are accepted.
    """
    isLast: NotRequired[bool | None]
    """
    Whether no more units are to come: missing units are given up, and can be returned again.
    """
    quantity: int
    """
    The number of units that arrived, at least 1. Units beyond those that were requested are surplus.
    """
    returnRequestId: str
    """
    The return request, one of the return order.
    """


Redelivered: TypeAlias = Literal['Undelivered', 'All']
"""
The choice of events to deliver again.

- `Undelivered`: Failed deliveries, and events that were never sent, such as while the subscription was disabled.
- `All`: All events, including those that were delivered.
"""


RefusalCode: TypeAlias = Literal['IllegalTransition', 'StageConflict', 'QuantityExceeded', 'DraftOutdated', 'DraftExpired', 'DraftRejected', 'NotReturnable', 'NotAllowed', 'Required', 'OutOfRange', 'Mismatch', 'Overflow', 'NotCancellable', 'TooLate', 'ShipmentCancelled', 'LabelNotReady', 'CustomsDataMissing', 'InUse', 'OtherCurrency', 'OtherOrder', 'KnownUnderAnotherId', 'LimitReached', 'EmailTaken', 'LastAdmin', 'Revoked', 'Disabled', 'NoSecretKey', 'NoMailServer', 'NoSecondFactor', 'NoHostName', 'AgentLimitExceeded']
"""
Why a rule refuses, as a word that programs can compare. API answers contain the same word.

- `IllegalTransition`: The return request cannot go from its stage to that one.
- `StageConflict`: The request is not in the stage that the caller expected.
- `QuantityExceeded`: The quantity is larger than the number of units that can be returned.
- `DraftOutdated`: A price, reason or option of the draft has changed, or the draft has been submitted already.
- `DraftExpired`: The draft is older than 24 hours.
- `DraftRejected`: The merchant rejected the draft.
- `NotReturnable`: The purchase cannot be returned; the message says why.
- `NotAllowed`: A field's value is not among those allowed.
- `Required`: A required value is missing.
- `OutOfRange`: A number, text or list is out of its bounds.
- `Mismatch`: Two values that must agree differ.
- `Overflow`: An amount is too large to calculate with.
- `NotCancellable`: It is too late to cancel the return.
- `TooLate`: The time in which this can change is over.
- `ShipmentCancelled`: The shipment is cancelled: its label is void, and it accepts no tracking.
- `LabelNotReady`: The shipment has no label yet.
- `CustomsDataMissing`: The parcel crosses a customs border, and the shop has not given all data for the declaration.
- `InUse`: Another object depends on it.
- `OtherCurrency`: The object exists with amounts in another currency.
- `OtherOrder`: The purchase already belongs to another order.
- `KnownUnderAnotherId`: The same object exists under another id.
- `LimitReached`: The maximum number of such objects is reached.
- `EmailTaken`: Another user already has the e-mail address.
- `LastAdmin`: The account would have no user left who can administer it.
- `Revoked`: The API key was revoked.
- `Disabled`: The webhook subscription is disabled.
- `NoSecretKey`: The operator has set no key to encrypt secrets with.
- `NoMailServer`: The operator has set no mail server.
- `NoSecondFactor`: The user has no second factor.
- `NoHostName`: The installation's address has no host name, or no protected connection.
- `AgentLimitExceeded`: The decision is about more than agents may decide about; another role decides.
"""


class RefusedOrder(TypedDict):
    """
    An order that the import refused.
    """

    number: str
    """
    The number of the order.
    """
    reason: RefusalCode
    """
    `KnownUnderAnotherId`, `OtherCurrency`, or `OtherOrder`: the file gives no id, and an order of another person or
    another day has this number. Or such an order has this id, with another number.
    """


ResolutionType: TypeAlias = Literal['Refund', 'Exchange', 'StoreCredit']
"""
A resolution that a consumer can get for a return.

- `Refund`: Money back, the way it was paid.
- `Exchange`: Another item of the same price.
- `StoreCredit`: Money to spend in the shop.
"""


ResolveOn: TypeAlias = Literal['submission', 'firstScan', 'delivery', 'receipt', 'inspection']
"""
When a request may enter `Resolution: Pending`.

- `submission`: As soon as the return is submitted.
- `firstScan`: When a carrier first sees the parcel.
- `delivery`: When the carrier has delivered it.
- `receipt`: When the warehouse has received it.
- `inspection`: When the warehouse has inspected it.
"""


Resolver: TypeAlias = Literal['bridge', 'external']
"""
The party that carries out resolutions.

- `bridge`: Retour, through the shop's bridge.
- `external`: Another system, which reports the result by the API.
"""


class ReturnLocationChange(TypedDict):
    """
    Changes to a location. Fields that are left out stay as they are.
    """

    address: NotRequired[AddressInput]
    """
    The address that labels show. Replaces the whole address.
    """
    archived: NotRequired[bool]
    """
    `true` archives the location, which then is no longer the default; `false` restores it.
    """
    isDefault: NotRequired[bool]
    """
    Whether shipments go there unless their shipping option names another location.
    """
    name: NotRequired[str]
    """
    The merchant's name for the location.
    """


Flag: TypeAlias = str


PurchaseOrderNumber: TypeAlias = str


class ReturnOrderChange(TypedDict):
    """
    Changes to how staff handle a return order. Fields that are left out stay as they are.
    """

    assigneeId: NotRequired[str | None]
    """
    The user who has the return order: one of the account's; `null`: nobody.
    """
    flags: NotRequired[list[Flag]]
    """
    Words of your own, such as `fraud` or `VIP`, to find the return order by: at most 5, each of 1 to 40
    characters. They replace the flags before.
    """
    leaveOutOfBulk: NotRequired[bool]
    """
    Whether changes of many return requests at once leave the return order out.
    """


ReturnOrderStatus: TypeAlias = Literal['Requested', 'AwaitingPayment', 'Open', 'Completed', 'Cancelled', 'Expired', 'Rejected']
"""
The status of a return order, which follows from its requests.

- `Requested`: At least one request is undecided.
- `AwaitingPayment`: The consumer has to pay first.
- `Open`: The return is under way.
- `Completed`: All requests have ended; at least one was settled or denied.
- `Cancelled`: The return was cancelled.
- `Expired`: The return ended because nothing happened in time.
- `Rejected`: The merchant rejected the return.
"""


ReturnSource: TypeAlias = Literal['Portal', 'Api', 'Merchant']
"""
The way in which a return order was created.

- `Portal`: By the consumer in the portal.
- `Api`: By the consumer's operations of the API.
- `Merchant`: By the merchant for the consumer.
"""


ReviewReason: TypeAlias = Literal['RefundLimit', 'SumsDiffer', 'RefundedByShop']
"""
The reason why a person decides about a return request, whatever the policy says.

- `RefundLimit`: Less is left of the payment for its order than the request is worth.
- `SumsDiffer`: The sums of its order do not add up.
- `RefundedByShop`: The shop has refunded something of its order, or of these units, since the return was made: it may be the same
money.
"""


Role: TypeAlias = Literal['admin', 'agent', 'finance', 'warehouse', 'viewer']
"""
What a user may do.

- `admin`: May do everything, including settings and users.
- `agent`: May read everything and work on returns. Above the policy's `agentLimit`, somebody else decides about money.
- `finance`: May read everything, decide about money and make exceptions.
- `warehouse`: May receive and inspect returns. Sees no amounts, e-mail addresses or streets.
- `viewer`: May read everything and change nothing.
"""


class SavedViewChange(TypedDict):
    """
    Changes to a saved view. Fields that are left out stay as they are.
    """

    name: NotRequired[str]
    """
    The name that staff read: 1 to 100 characters.
    """
    query: NotRequired[str]
    """
    The query string of the list, without `?` and `page`: up to 4,000 characters.
    """


Scan: TypeAlias = Literal['InTransit', 'Exception', 'Delivered']
"""
A carrier's report. Of two reports with the same time, the later variant counts.

- `InTransit`: The carrier has the parcel.
- `Exception`: The carrier reports a problem. This alone does not prove that the parcel is on its way.
- `Delivered`: The carrier delivered the parcel.
"""


ScanKind: TypeAlias = Literal['Shipment', 'ReturnOrder', 'Order', 'Product']
"""
What a scanned code is.

- `Shipment`: The barcode or tracking number of a parcel.
- `ReturnOrder`: The number of a return order.
- `Order`: The number of a sales order.
- `Product`: The barcode or stock-keeping unit of a product in the open return.
"""


Scope: TypeAlias = Literal['read', 'write', 'admin', 'receive', 'resolve', 'override', 'personal']
"""
What a merchant's credential may do. For API keys, `admin` includes all others, `write` includes `receive`,
`resolve` and `override`, and `read` includes `personal`.

- `read`: Read what belongs to the account.
- `write`: Create and change returns.
- `admin`: Change settings, keys and users.
- `receive`: Receive and inspect returns. Reads them without amounts, e-mail addresses and streets.
- `resolve`: Decide what the consumer gets for a return: approve, deny, pay, reopen.
- `override`: Make exceptions from the policy.
- `personal`: Export personal data.
"""


SecondFactorRule: TypeAlias = Literal['off', 'admins', 'everybody']
"""
The users who need a second factor to sign in.

- `off`: Nobody. Each user may still set one up.
- `admins`: Users with the role `admin`.
- `everybody`: All users.
"""


class SecretRotation(TypedDict):
    """
    How a new secret replaces the current one.
    """

    overlapHours: NotRequired[int | None]
    """
    Hours during which the previous secret stays valid, 0 to 168; 24, if left out. With 0 it ends at once: for a
    secret that has leaked.
    """


class SenderInput(TypedDict):
    """
    The address that a parcel comes from, as staff correct it.
    """

    address: AddressInput
    """
    The whole address. A known country stays: another one has other ways of sending.
    """
    reason: str
    """
    The reason: 3 to 500 characters. Only staff see it.
    """


class ServiceUserChange(TypedDict):
    """
    The fields of a service user to change.
    """

    name: NotRequired[str]
    """
    The name of the program, 1 to 100 characters.
    """
    scopes: NotRequired[list[Scope]]
    """
    The scopes of the key, at least one.
    """


ShipmentReason: TypeAlias = Literal['Return']
"""
Why a shipment is sent.

- `Return`: The consumer sends items back.
"""


ShipmentStatus: TypeAlias = Literal['New', 'LabelFailed', 'LabelCreated', 'InTransit', 'Exception', 'Delivered', 'Cancelled']
"""
The states of a parcel.

- `New`: The shipment has no label yet.
- `LabelFailed`: The carrier refused to make a label.
- `LabelCreated`: The parcel has a label and can be sent.
- `InTransit`: The parcel is on its way.
- `Exception`: The carrier reports a problem.
- `Delivered`: The carrier delivered the parcel.
- `Cancelled`: The parcel will not be sent.
"""


class ShippingChange(TypedDict):
    """
    Another way of sending a return order.
    """

    reason: str
    """
    The reason: 3 to 500 characters. Only staff see it.
    """
    shippingOptionId: str
    """
    The shipping option: one of those that are offered for the items, in the consumer's country.
    """


ShippingMethod: TypeAlias = Literal['Label', 'Paperless', 'DropOff', 'PickUp', 'InStore', 'OwnCarrier']
"""
How the carrier gets a parcel.

- `Label`: The consumer prints the label and hands the parcel in.
- `Paperless`: The consumer shows a code; the label is printed at the counter.
- `DropOff`: The consumer brings the items to a drop-off point and shows a code; they are packed and labelled there.
- `PickUp`: The consumer prints the label; the carrier fetches the parcel.
- `InStore`: The consumer brings the items to a shop of the merchant; no parcel.
- `OwnCarrier`: The consumer sends the items by a carrier of their own.
"""


class ShippingOptionChoice(TypedDict):
    """
    The shipping option that the consumer chooses.
    """

    shippingOptionId: str
    """
    The chosen option: one of the purchases' `shippingOptions`.
    """


ShopifyDuties: TypeAlias = Literal['keep', 'refund']
"""
Whether the duties that a shopper paid come back with units. A change applies to orders that are read from then on.

- `keep`: They stay with the shop.
- `refund`: Units that come back give their share of the duties.
"""


ShopifyReturns: TypeAlias = Literal['refunds', 'mirror']
"""
What Shopify's admin shows of returns. A change applies to returns that are submitted from then on.

- `refunds`: Their refunds only.
- `mirror`: The returns themselves, through which Retour refunds.
"""


ShopifyVersion: TypeAlias = Literal['2026-07', '2026-10']
"""
A version of Shopify's Admin API that Retour knows. Shopify supports each version for at least a year.

- `2026-07`: July 2026.
- `2026-10`: October 2026.
"""


SignInStep: TypeAlias = Literal['SecondFactor', 'Enrol', 'Complete']
"""
What a session still needs. Only a complete session acts for the account.

- `SecondFactor`: The user has to enter a code of their second factor.
- `Enrol`: The user has to set up a second factor. Until then, the session opens only the user's own security.
- `Complete`: Nothing.
"""


class SignedInUserChange(TypedDict):
    """
    The fields of the signed-in user to change.
    """

    language: NotRequired[Locale | None]
    """
    The language of the desk and of mails to the user (BCP 47).
    """
    name: NotRequired[str]
    """
    The user's name, at most 100 characters.
    """


class SkippedRow(TypedDict):
    """
    A row of the file that the import skipped.
    """

    line: int
    """
    The line in the file at which the row starts, from 1.
    """
    reason: str
    """
    What is wrong and what is expected.
    """


Stage: TypeAlias = Literal['Requested: Evidence Pending', 'Requested: Review', 'Requested: Approved', 'Requested: Rejected', 'Submitted: Payment Pending', 'Submitted: Label Pending', 'Submitted: Label Failed', 'Submitted: Ready', 'Shipment: In Transit', 'Shipment: Exception', 'Shipment: Delivered', 'Received: Partial', 'Received: Complete', 'Inspection: Pending', 'Resolution: Pending', 'Resolution: Approved', 'Resolution: Processing', 'Resolution: Completed', 'Resolution: Failed', 'Resolution: Denied', 'Closed: Cancelled', 'Closed: Expired']
"""
The stage of a return request: `Group: Status`.
"""


class TakeBack(TypedDict):
    """
    Why something is taken back.
    """

    reason: NotRequired[str | None]
    """
    The reason, for the timeline. Required ten minutes after the receipt.
    """


TimeZone: TypeAlias = str
"""
A name of the IANA time zone database.
"""


Timestamp: TypeAlias = str
"""
A moment in UTC, to the microsecond (RFC 3339).
"""


class TotpCode(TypedDict):
    """
    A code of an authenticator app.
    """

    code: str
    """
    The six digits that the app shows now.
    """


class TrackingUpdate(TypedDict):
    """
    A carrier's report about a shipment.
    """

    explanation: str
    """
    The carrier's own words; may be empty.
    """
    happenedAt: Timestamp
    """
    When it happened, by the carrier's clock.
    """
    status: Scan
    """
    The status that the carrier reports.
    """


Translated: TypeAlias = dict[str, str]
"""
A text in several languages: language tag → text.
"""


class UserChange(TypedDict):
    """
    The fields of a user to change.
    """

    language: NotRequired[Locale | None]
    """
    The language of the desk and of mails to the user (BCP 47).
    """
    name: NotRequired[str]
    """
    The user's name, at most 100 characters.
    """
    role: NotRequired[Role]
    """
    The role, which decides what the user may do.
    """


class UserCredentials(TypedDict):
    """
    The credentials that a user signs in with.
    """

    code: NotRequired[str | None]
    """
    The six digits that the user's authenticator app shows now, or a recovery code. Only users with a second factor
    need it.
    """
    email: str
    """
    The user's e-mail address; case does not matter.
    """
    password: str
    """
    The user's password.
    """


UserSessionKind: TypeAlias = Literal['Api', 'Desk']
"""
What a session is for.

- `Api`: A token of the API.
- `Desk`: A browser at the desk.
"""


UserStatus: TypeAlias = Literal['Invited', 'Active']
"""
Whether a user can sign in.

- `Invited`: The user has not set a password yet.
- `Active`: The user has set a password and can sign in.
"""


class Visit(TypedDict):
    """
    A member of the staff who looked at a return order in the last minutes.
    """

    isWriting: bool
    """
    Whether they wrote something about it at that time.
    """
    seenAt: Timestamp
    """
    When they last looked at the return order.
    """
    visitorId: str
    """
    The user or service user.
    """
    visitorName: str | None
    """
    The name of the user or service user; `null`: they were deleted.
    """


class VisitInput(TypedDict):
    """
    What a visitor of a return order does.
    """

    isWriting: NotRequired[bool | None]
    """
    Whether you write something about the return order, such as a note or the reason of a decision.
    """


class VisitList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Visit]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class WebhookAttempt(TypedDict):
    """
    One attempt to deliver an event to a receiver.
    """

    answer: str
    """
    The first 1,024 bytes of the receiver's response.
    """
    at: Timestamp
    """
    When the attempt began; the `webhook-timestamp`, in seconds.
    """
    durationMs: int
    """
    The duration of the attempt in milliseconds.
    """
    error: str | None
    """
    The error as a sentence for people; `null` if the attempt succeeded.
    """
    number: int
    """
    The number of the attempt, from 1.
    """
    outcome: Outcome
    """
    The result of the attempt.
    """
    statusCode: int | None
    """
    The HTTP status of the response; `null` if there was none.
    """


class WebhookDelivery(TypedDict):
    """
    The delivery of an event to a subscription.
    """

    attemptCount: int
    """
    The number of attempts so far.
    """
    createdAt: Timestamp
    """
    When the event happened.
    """
    eventId: str
    """
    The event that is delivered.
    """
    eventType: EventType
    """
    The type of the event.
    """
    id: str
    """
    Unique identifier of the delivery.
    """
    nextAttemptAt: Timestamp | None
    """
    When the next attempt is made, if the receiver accepts the earlier events of the same return; `null` if none is
    planned.
    """
    status: DeliveryStatus
    """
    The state of the delivery.
    """
    subscriptionId: str
    """
    The subscription that the event is delivered to.
    """


class WebhookDeliveryList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[WebhookDelivery]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class WebhookSecret(TypedDict):
    """
    The secret that signs a subscription's deliveries.
    """

    previousSecret: str | None
    """
    The previous secret, while it still signs deliveries as well.
    """
    previousSecretExpiresAt: Timestamp | None
    """
    When the previous secret stops signing deliveries.
    """
    secret: str
    """
    `whsec_` and 32 bytes in Base64, in the format of the Standard Webhooks libraries.
    """


class WebhookSubscription(TypedDict):
    """
    A webhook subscription: a URL, and the events to send to it.
    """

    catchingUp: bool
    """
    Whether Retour is still collecting past events to deliver them again.
    """
    createdAt: Timestamp
    """
    When the subscription was created.
    """
    description: str
    """
    What the subscription is for; may be empty.
    """
    disabledAt: Timestamp | None
    """
    When the subscription was disabled; `null` while it is enabled.
    """
    disabledReason: DisabledBecause | None
    """
    The reason why the subscription is disabled; `null` while it is enabled.
    """
    enabled: bool
    """
    Whether events are sent to the URL.
    """
    eventTypes: list[EventType]
    """
    The types of events to send; empty: all, including types that are added later.
    """
    failingSince: Timestamp | None
    """
    The time since which every attempt has failed; `null` if the last attempt succeeded.
    """
    id: str
    """
    Unique identifier of the subscription.
    """
    previousSecretExpiresAt: Timestamp | None
    """
    When the previous secret stops signing deliveries; `null`: there is none.
    """
    stages: list[Stage]
    """
    For `return_request.stage_changed`: send only events that enter these stages; empty: all stages.
    """
    updatedAt: Timestamp
    """
    When the subscription last changed.
    """
    url: str
    """
    The URL that events are sent to.
    """
    version: int
    """
    The version of the subscription: it grows with each change and is the `ETag`.
    """


class WebhookSubscriptionChange(TypedDict):
    """
    Changes to a subscription. Fields that are left out stay as they are.
    """

    description: NotRequired[str]
    """
    What the subscription is for, in your words.
    """
    enabled: NotRequired[bool]
    """
    `false` disables it: waiting deliveries are marked as failed within seconds. `true` enables it again; deliveries
    that are not marked yet are sent.
    """
    eventName: NotRequired[EventType]
    """
    A single type, in place of `eventTypes`.
    """
    eventTypes: NotRequired[list[EventType]]
    """
    The types of events to send. Replaces all of them.
    """
    stages: NotRequired[list[Stage]]
    """
    The stages to send events of. Replaces all of them.
    """
    url: NotRequired[str]
    """
    The URL that events are sent to.
    """


class WebhookSubscriptionList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[WebhookSubscription]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class WebhookTimelineEntry(TypedDict):
    """
    A change of a webhook subscription.
    """

    actor: Actor
    """
    The party that changed the subscription.
    """
    actorId: str | None
    """
    The user or service user who made the change, if staff did.
    """
    at: Timestamp
    """
    When the subscription changed.
    """
    change: str
    """
    The kind of change: `Created`, `Changed`, `SecretRotated`, `Enabled`, `CatchUpAsked`, `Disabled: ByMerchant`,
    `Disabled: Gone`, `Disabled: Failing`.
    """


class WebhookTimelineEntryList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[WebhookTimelineEntry]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class WeightPrice(TypedDict):
    """
    The price of sending above a weight.
    """

    above: int
    """
    Parcels heavier than this, grams.
    """
    prices: Prices
    """
    The prices; in other currencies the option is not offered at such a weight.
    """


WindowStart: TypeAlias = Literal['fulfilled', 'ordered', 'delivered']
"""
Where the return window starts.

- `fulfilled`: The day on which the item was sent.
- `ordered`: The day on which the order was placed.
- `delivered`: The day on which the item arrived; while that is unknown, the day on which it was sent.
"""


class WithdrawalChange(TypedDict):
    """
    Changes to a withdrawal. Fields that are left out stay as they are.
    """

    note: NotRequired[str]
    """
    A note by the merchant's staff.
    """
    returnOrderId: NotRequired[str]
    """
    The return order that results from it: one of the account's.
    """
    status: NotRequired[ClosedWithdrawal]
    """
    `Closed`: the merchant has dealt with it.
    """


class WithdrawalInput(TypedDict):
    """
    A withdrawal that a consumer has stated and confirmed in the merchant's own portal.
    """

    contract: str
    """
    The contract to withdraw from: an order number, or a description of the order; several lines are allowed.
    """
    email: str
    """
    The address for the acknowledgement.
    """
    language: NotRequired[Locale | None]
    """
    The language of the statement (BCP 47); the account's `branding.locale`, if left out.
    """
    name: str
    """
    The name of the person who withdraws: 1 to 200 characters.
    """


WithdrawalStatus: TypeAlias = Literal['Received', 'OrderFound', 'Returned', 'Closed']
"""
The states of a withdrawal.

- `Received`: Received; the order that it means is not known.
- `OrderFound`: It names an order of the same e-mail address.
- `Returned`: Items of the order are on their way back.
- `Closed`: The merchant has dealt with it.
"""


Wording: TypeAlias = dict[str, Translated]
"""
Texts of the portal and its mail that replace the standard ones: key → language tag → text. `docs/wording.md` lists the
keys. Texts keep the placeholders of the standard text. What is left out keeps its standard text.
"""


class ActivityEntry(TypedDict):
    """
    One thing that happened to a return order: what, when, who and why.
    """

    about: str | None
    """
    The kind of mail, or the type of the delivered event.
    """
    actor: Actor | None
    """
    The party that did it; `null`: another system, such as the carrier.
    """
    actorId: str | None
    """
    The user or service user who did it, if staff did.
    """
    actorName: str | None
    """
    The name of that user or service user.
    """
    at: Timestamp
    """
    When it happened.
    """
    fromStage: Stage | None
    """
    The stage before.
    """
    mailId: str | None
    """
    The id of the mail that was sent.
    """
    noteId: str | None
    """
    The id of the note that was written.
    """
    paymentId: str | None
    """
    The id of the payment that was requested or made.
    """
    quantity: int | None
    """
    The number of units of a receipt.
    """
    receiptId: str | None
    """
    The receipt, as long as it can be taken back.
    """
    returnRequestId: str | None
    """
    The return request that it is about; `null`: the whole return order.
    """
    shipmentId: str | None
    """
    The shipment of a tracking update.
    """
    status: str | None
    """
    The state of the mail, the payment or the delivery, or what the carrier reports.
    """
    text: str
    """
    The reason, the note, or the other system's own words; may be empty.
    """
    toStage: Stage | None
    """
    The stage that the return request entered, or was in.
    """
    type: ActivityType
    """
    The kind of event that the entry is about.
    """
    webhookDeliveryId: str | None
    """
    The delivery to a webhook subscription.
    """


class ActivityEntryList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ActivityEntry]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class AdjustmentInput(TypedDict):
    """
    A change of the value of a request.
    """

    amount: Money
    """
    The amount to add to the value of the return request, in its currency; negative: to take off.
    """
    fromStage: NotRequired[Stage | None]
    """
    The current stage as you know it: any other stage is a conflict.
    """
    reason: str
    """
    The reason: 3 to 500 characters. Only staff see it.
    """


class AmendmentInput(TypedDict):
    """
    What a return request asks for instead. Fields that are left out stay.
    """

    exchangeFor: NotRequired[ExchangeFor | None]
    """
    For an exchange: the wanted item. Without it, staff decide what is sent.
    """
    fromStage: NotRequired[Stage | None]
    """
    The current stage as you know it: any other stage is a conflict.
    """
    quantity: NotRequired[int | None]
    """
    The number of units, at most as many as before. The others can be returned again.
    """
    reason: str
    """
    Why: 3 to 500 characters. Only staff see it.
    """
    requestedResolution: NotRequired[ResolutionType | None]
    """
    The requested resolution.
    """
    returnReasonComment: NotRequired[str | None]
    """
    The comment in the consumer's words, at most 2,000 characters.
    """
    returnReasonId: NotRequired[str | None]
    """
    The return reason. The answers to the questions of the earlier reason are removed.
    """


class Answer(TypedDict):
    """
    An answer with its question. Both keep the texts of the time when the answer was given.
    """

    question: Translated
    """
    The question's text by language, as it was asked.
    """
    questionId: Key
    """
    The id of the question within its return reason.
    """
    text: Translated | None
    """
    What the chosen option says, by language; `null`: `value` is the consumer's own words.
    """
    value: str
    """
    The `id` of the option that was chosen, or the consumer's own words.
    """


class AnswerInput(TypedDict):
    """
    An answer as a caller sends it.
    """

    questionId: Key
    """
    The id of the question that is answered.
    """
    value: str
    """
    The `id` of one of its options, or, where it has none, the consumer's own words: at most 500 characters. Empty: no
    answer.
    """


class AnswerOption(TypedDict):
    """
    One of the answers that a question offers.
    """

    id: Key
    """
    Its identifier, unique among the options of its question.
    """
    text: dict[str, str]
    """
    What the consumer reads, by language: 1 to 300 characters in each.
    """


class AssigneeList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Assignee]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class AuditEntry(TypedDict):
    """
    An entry of the audit log: something that a user, a program or the operator changed. The moves of returns are in
    their timelines.
    """

    action: AuditAction
    """
    What the actor did: a kind of object and a verb.
    """
    actor: AuditActorKind
    """
    The kind of party that acted.
    """
    actorId: str | None
    """
    The user or service user who acted; `null` for the operator and for unknown persons.
    """
    after: dict[str, Any] | None
    """
    The same fields, as they are since; `null` if nothing is to be shown, such as for a deleted object. A new secret
    is shown as `changed`.
    """
    before: dict[str, Any] | None
    """
    The fields that changed, as they were before; `null` if nothing is to be shown, such as for a new object.
    """
    createdAt: Timestamp
    """
    When it happened.
    """
    network: str | None
    """
    The network that the request came from: /24 of IPv4, /56 of IPv6. `null`: at the command line.
    """
    requestId: str | None
    """
    The `X-Request-Id` of the request; `null` if there was none.
    """
    sessionId: str | None
    """
    The session at the desk; `null` if the request came from elsewhere.
    """
    subject: AuditSubjectKind
    """
    The kind of object that changed.
    """
    subjectId: str
    """
    The id of the object. Of a purchase, it is the shop's own.
    """
    topic: AuditTopic
    """
    What the action is about.
    """


class AuditEntryList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[AuditEntry]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class Bridge(TypedDict):
    """
    The shop that purchases come from and that carries out resolutions. Its secrets are not shown.
    """

    clientId: NotRequired[str | None]
    """
    For `shopify` with an app of the developer dashboard: its client id. Otherwise there is no such field.
    """
    duties: NotRequired[ShopifyDuties | None]
    """
    For `shopify`: whether units that come back give their share of the duties. Other kinds have no such field.
    """
    kind: BridgeKind
    """
    The kind of shop, which decides the protocol.
    """
    noticesUrl: NotRequired[str | None]
    """
    For `shopify`: the path of this server that Shopify sends its webhooks to. Set the privacy topics to it in the app's settings.
    Other kinds have no such field.
    """
    previousSecretEndsAt: NotRequired[Timestamp | None]
    """
    For `shopify`, after the secret was replaced: when the previous secret stops to count. It stops before if a webhook has the new
    secret. Otherwise there is no such field.
    """
    returns: NotRequired[ShopifyReturns | None]
    """
    For `shopify`: what its admin shows of returns. Other kinds have no such field.
    """
    url: str | None
    """
    The URL of the shop's interface; `null` for `catalog`.
    """
    version: NotRequired[ShopifyVersion | None]
    """
    For `shopify`: the version of the Admin API that Retour calls. Other kinds have no such field.
    """


class BridgeInput(TypedDict):
    """
    The shop that purchases come from and that carries out resolutions. Replaces the whole setting.
    """

    accessToken: NotRequired[str | None]
    """
    For `shopify`: the Admin API access token of a custom app that was created in the shop's admin.
    """
    clientId: NotRequired[str | None]
    """
    For `shopify`: the client id of an app of Shopify's developer dashboard. A new connection needs this or `accessToken`.
    """
    duties: NotRequired[ShopifyDuties | None]
    """
    For `shopify`: whether units that come back give their share of the duties that the shopper paid. `keep`: no. `refund`: yes, for
    orders that Retour reads from then on. If you leave it out, it stays; a new connection has `keep`.
    """
    kind: BridgeKind
    """
    `catalog`: Retour holds the orders. `http`: Retour calls the merchant's component. `vendure`, `medusa`, `shopify`:
    Retour calls such a shop.
    """
    returns: NotRequired[ShopifyReturns | None]
    """
    For `shopify`: what its admin shows of returns. `refunds`: their refunds only. `mirror`: the returns themselves, which
    needs the scope `write_returns`. If you leave it out, it stays; a new connection has `refunds`.
    """
    secret: NotRequired[str | None]
    """
    The secret that signs the calls: `whsec_…`, 24 to 64 bytes in Base64; for `vendure` and `medusa` an API key; for
    `shopify` the app's client secret, or with `accessToken` its API secret key. May be left out if kind, URL and
    `clientId` stay. With `http`, the previous secret signs too for 24 hours. Shopify signs its webhooks with the previous secret
    until you revoke it, so Retour accepts it until a webhook has the new one, for 30 days at most.
    """
    url: NotRequired[str | None]
    """
    The base URL of the calls: `https://…`, without `/get-purchases`, `/admin-api` or `/admin`. For `shopify` the shop's
    domain at Shopify, such as `x.myshopify.com`. Required for every kind but `catalog`.
    """
    version: NotRequired[ShopifyVersion | None]
    """
    For `shopify`: the version of the Admin API. If you leave it out, it stays; a new connection has the newest version
    that Retour knows.
    """


class BulkItem(TypedDict):
    """
    A return request to change, and its stage as the caller knows it.
    """

    fromStage: Stage
    """
    The current stage as you know it. For actions about stages and units, any other stage is a conflict.
    """
    returnRequestId: str
    """
    The return request.
    """


class BulkPlanItem(TypedDict):
    """
    What a bulk run would do to one return request.
    """

    obstacle: BulkObstacle | None
    """
    Why the action cannot change it now; `null`: it can.
    """
    productName: str
    """
    The name of the product; its SKU, if it has no name.
    """
    returnNumber: str
    """
    The number of the return order.
    """
    returnOrderId: str
    """
    Its return order.
    """
    returnRequestId: str
    """
    The return request.
    """
    stage: Stage
    """
    The stage that the return request is in.
    """
    value: NotRequired[Money | None]
    """
    The value of its resolution. Absent for staff who see no amounts.
    """


class BulkPlanItemList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[BulkPlanItem]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class BulkRunResult(TypedDict):
    """
    The result of a bulk run for one return request.
    """

    code: RefusalCode | None
    """
    Why a rule refused the change, for programs; `null`: no rule did.
    """
    message: str | None
    """
    Why it was not changed, as a sentence for people; `null`: it was, or `outcome` says all.
    """
    outcome: BatchOutcome
    """
    Whether it was changed.
    """
    returnRequestId: str
    """
    The return request.
    """


class CarrierInput(TypedDict):
    """
    The carrier that creates labels. Replaces the whole setting.
    """

    apiKey: NotRequired[str | None]
    """
    The merchant's key for the karrio server. May be left out if the URL stays.
    """
    kind: CarrierKind
    """
    `own`: Retour draws the labels. `simulated`: Retour draws specimens and moves the shipments, for accounts with
    `test`. `bridge`: the merchant's component. `karrio`: the merchant's karrio server.
    """
    url: NotRequired[str | None]
    """
    The URL of the karrio server, without `/v1`.
    """


class Consumer(TypedDict):
    """
    A consumer: one pair of order credentials.
    """

    address: Address
    """
    The order's address; its fields may be empty.
    """
    createdAt: Timestamp
    """
    When the order was looked up for the first time.
    """
    email: str
    """
    The order's e-mail address, which may be empty; for a gift recipient, the recipient's own.
    """
    giftRecipient: bool
    """
    Whether the consumer is a gift recipient. Do not send them amounts, and do not write to the buyer.
    """
    id: str
    """
    Unique identifier of the consumer.
    """


class ConsumerErasedEvent(TypedDict):
    """
    An event of the type `consumer.erased`. A consumer's personal data were erased: erase them in your systems, too.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ConsumerErasedEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['consumer.erased']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['consumer.erased']
    """
    The type of the event, which decides what `data` holds.
    """


class ConsumerList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Consumer]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


ConsumerOrId: TypeAlias = str | Consumer
"""
The id of an object, or the whole object if it was expanded.
"""


class CostLine(TypedDict):
    """
    One amount of one request. Positive amounts go to the consumer.
    """

    amount: Money
    """
    The amount. Positive amounts go to the consumer.
    """
    kind: LineKind
    """
    What the amount is for.
    """
    purchaseId: str
    """
    The purchase that the amount belongs to.
    """
    quantity: NotRequired[int | None]
    """
    The number of units that the amount covers, where units count.
    """
    shippingOptionId: NotRequired[str | None]
    """
    The shipping option that the amount is for, where it is for one.
    """


class Eligibility(TypedDict):
    """
    Whether a purchase can be returned, and the reason if not.
    """

    code: IneligibleCode | None
    """
    The reason why it cannot be returned, for programs.
    """
    message: str | None
    """
    The same reason as a sentence for people.
    """
    returnBy: Timestamp | None
    """
    The last second in which the purchase can be returned; `null`: no limit, or the window has not started.
    """
    returnByDate: str | None
    """
    The same as a day in the shop's time zone. The whole day counts.
    """
    returnable: bool
    """
    Whether at least one unit can be returned.
    """


class Event(TypedDict):
    """
    An event. Pollers and subscribers get the same object.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: dict[str, Any]
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: EventType
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: EventType
    """
    The type of the event, which decides what `data` holds.
    """


class EventList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Event]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class EvidenceFile(TypedDict):
    """
    A photo or document that was added to a return request.
    """

    addedBy: Actor
    """
    The party that added the file.
    """
    bytes: int
    """
    The size of the file in bytes.
    """
    createdAt: Timestamp
    """
    When the file was added.
    """
    id: str
    """
    Unique identifier of the file.
    """
    mediaType: str
    """
    The media type of the file, such as `image/jpeg`.
    """
    name: str
    """
    The file's name on the sender's device.
    """
    returnRequestId: str
    """
    The return request that the file belongs to.
    """
    url: str
    """
    The path in this API that returns the file's bytes.
    """


class EvidenceFileList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[EvidenceFile]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class FieldError(TypedDict):
    """
    A field with an invalid value: its path, the reason and what is allowed.
    """

    code: RefusalCode
    """
    The reason, as a code for programs.
    """
    field: str
    """
    Path in the body: `selectedPurchases[0].quantity`.
    """
    message: str
    """
    The reason as a sentence for people. May change.
    """


class FigureAmounts(TypedDict):
    """
    What completed return requests gave in one currency.
    """

    currency: Currency
    """
    The currency of the amounts.
    """
    kept: Money
    """
    What the shop kept: store credit without its bonus, and what exchanged units had cost.
    """
    keptPercent: int | None
    """
    The share of `kept` in both, in whole percent; `null`: nothing was given.
    """
    refunded: Money
    """
    What was refunded in money.
    """


class Found(TypedDict):
    """
    An object that a search found.
    """

    createdAt: Timestamp
    """
    When it was created.
    """
    detail: str
    """
    What distinguishes it from others with this title; may be empty.
    """
    id: str
    """
    The id of the object.
    """
    kind: FoundKind
    """
    The kind of object.
    """
    returnNumber: str | None
    """
    The number of that return order.
    """
    returnOrderId: str | None
    """
    The return order that it belongs to; `null` if it belongs to none.
    """
    title: str
    """
    What people know it by: its number, its name or its code.
    """


class FoundList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Found]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class FoundParcel(TypedDict):
    """
    A parcel that arrived without papers.
    """

    carrier: str
    """
    The carrier's name; may be empty.
    """
    code: str
    """
    The code on it; may be empty.
    """
    contents: str
    """
    What is in it; may be empty.
    """
    createdAt: Timestamp
    """
    When the parcel was found.
    """
    foundBy: str | None
    """
    The user or service user who found it; `null` for the operator.
    """
    id: str
    """
    Unique identifier of the found parcel.
    """
    note: str
    """
    The merchant's note; may be empty.
    """
    number: str
    """
    A short number to write on the parcel.
    """
    returnOrderId: str | None
    """
    The return order that it belongs to; `null` if nobody has found out.
    """
    status: FoundParcelStatus
    """
    The state of the found parcel.
    """
    updatedAt: Timestamp
    """
    When the found parcel last changed.
    """
    version: int
    """
    The version of the found parcel: it grows with each change and is the `ETag`.
    """


class FoundParcelList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[FoundParcel]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class IdentifiedConsumer(TypedDict):
    """
    The consumer who proved the order, with a token.
    """

    accessToken: str
    """
    The credential for the consumer's operations. Only this response contains it.
    """
    consumer: Consumer
    """
    The consumer. E-mail address and postal address are shown only as far as the consumer proved them.
    """
    expiresAt: Timestamp
    """
    When the token stops working.
    """
    tokenType: str
    """
    The scheme of the `Authorization` header: always `Bearer`.
    """


class ImportReport(TypedDict):
    """
    The result of an import of orders.
    """

    changed: int
    """
    The number of lines that were new or changed.
    """
    dryRun: bool
    """
    Whether this was a dry run (`dryRun`), which writes nothing.
    """
    inReview: NamedOrders
    """
    Orders whose returns wait for a person, because their sums do not add up or do not show what was paid.
    """
    lines: int
    """
    The number of lines in those orders.
    """
    orders: int
    """
    The number of orders that were read.
    """
    refused: list[RefusedOrder]
    """
    The orders that the import refused: the first 1,000.
    """
    refusedCount: int
    """
    The number of all refused orders.
    """
    roundedIds: NamedOrders
    """
    Orders whose id was rounded by a spreadsheet: they are identified by their number.
    """
    skipped: list[SkippedRow]
    """
    Rows of a CSV file that were skipped because they could not be used: the first 1,000.
    """
    skippedCount: int
    """
    The number of all skipped rows.
    """
    tookNothing: bool
    """
    Whether the file had rows or orders, and none of them was imported.
    """
    unpaid: NamedOrders
    """
    The orders for which nothing was paid.
    """
    unprovable: NamedOrders
    """
    Orders that shoppers cannot look up: they have none of the fields that the account's `lookUpBy` names.
    """
    withoutShippingOption: NamedOrders
    """
    Orders that cannot be returned yet: no shipping option has a price in their currency.
    """


class Invitation(TypedDict):
    """
    A person to invite as a user.
    """

    email: str
    """
    The e-mail address to sign in with, at most 254 characters. An address can have one user in the whole installation.
    """
    language: NotRequired[Locale | None]
    """
    The language of the desk and of mails to the user (BCP 47), such as the mail with the invitation. Without one: as
    the browser and the account's `branding.locale` say.
    """
    name: NotRequired[str | None]
    """
    The person's name, at most 100 characters.
    """
    role: Role
    """
    The user's role: an `admin` may do everything, an `agent` works on returns, a `viewer` only reads.
    """


class InvitedUser(TypedDict):
    """
    A user with a new invitation.
    """

    createdAt: Timestamp
    """
    When the user was invited.
    """
    email: str
    """
    The e-mail address that the user signs in with.
    """
    hasSecondFactor: bool
    """
    Whether the user has a second factor: an authenticator app or a passkey.
    """
    id: str
    """
    Unique identifier of the user.
    """
    invitationExpiresAt: Timestamp
    """
    When the invitation stops working.
    """
    invitationToken: str
    """
    The token for `POST /auth/password`, which works once. Only this response has it: Retour stores only its hash.
    """
    language: Locale | None
    """
    The language of the desk and of mails to the user (BCP 47); `null`: as the browser and the account say.
    """
    lastSignedInAt: Timestamp | None
    """
    When the user last signed in; `null`: never.
    """
    name: str
    """
    The user's name; may be empty.
    """
    role: Role
    """
    The user's role: an `admin` may do everything, an `agent` works on returns, `finance` decides about money, a
    `warehouse` user receives returns, and a `viewer` only reads.
    """
    status: UserStatus
    """
    Whether the user can sign in.
    """
    updatedAt: Timestamp
    """
    When the user's name, role, language or password last changed.
    """
    version: int
    """
    The version of the user: it grows with each change and is the `ETag`.
    """


class LastReceiving(TypedDict):
    """
    The parcel that the caller counted last.
    """

    id: str
    """
    Identifies the count to take it back.
    """
    receivedAt: Timestamp
    """
    When the parcel was counted.
    """
    returnOrderId: str
    """
    The return order that the parcel belongs to.
    """
    returnOrderNumber: str
    """
    The number of the return order.
    """


class Mail(TypedDict):
    """
    A mail to a shopper. The recipient's address is not stored with it.
    """

    about: str
    """
    The kind of mail, in a word: the state of a return, such as `Ready` or `Done`, `HandInReminder` or
    `PaymentReminder`, `SignIn` for a link that a shopper requested, `Draft` for a link to a draft that staff prepared, or
    `Withdrawal` for the acknowledgement of a withdrawal.
    """
    attempts: int
    """
    The number of attempts to send it.
    """
    createdAt: Timestamp
    """
    When the mail was sent or given up.
    """
    errorCode: int | None
    """
    The reply code of the mail server that refused the mail (SMTP, RFC 5321).
    """
    id: str
    """
    Unique identifier of the mail.
    """
    language: str | None
    """
    The language of the mail (BCP 47); `null`: the account's.
    """
    returnOrderId: str | None
    """
    The return order that the mail is about; `null`: none.
    """
    status: MailStatus
    """
    Whether the mail was sent.
    """


class MailList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Mail]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class NewBulkRun(TypedDict):
    """
    A change of many return requests.
    """

    action: BulkAction
    """
    What to do to each of them.
    """
    assigneeId: NotRequired[str | None]
    """
    For `Assign`: the user who gets the return orders; `null`: nobody.
    """
    comment: NotRequired[str | None]
    """
    For `Approve`, `Reject` and `Complete`: the reason. `Reject` needs it, and the consumer reads it.
    """
    flag: NotRequired[str | None]
    """
    For `Flag`: the flag to add, 1 to 40 characters.
    """
    items: list[BulkItem]
    """
    1 to 1,000 return requests, each once. An action about return orders changes each return order once.
    """
    note: NotRequired[str | None]
    """
    For `Note`: the text of the note, 1 to 4,000 characters.
    """


class NewReceiving(TypedDict):
    """
    A parcel that the warehouse has counted.
    """

    externalReference: NotRequired[str | None]
    """
    The warehouse's own id of this parcel. Each id counts once for a return request.
    """
    items: list[ReceivedItem]
    """
    What is in the parcel: each return request at most once.
    """


class NewServiceUser(TypedDict):
    """
    A service user to create.
    """

    name: str
    """
    The name of the program, 1 to 100 characters.
    """
    scopes: list[Scope]
    """
    The scopes of the key, at least one: `read`, `write` (returns and purchases), `admin` (everything).
    """


class NewShipment(TypedDict):
    """
    An additional shipment of a return order.
    """

    contents: NotRequired[list[ParcelContent] | None]
    """
    Its contents, each return request once: they determine the weight and value that the carrier gets. All units to
    send, if left out.
    """


class NewShippingOption(TypedDict):
    """
    A shipping option to create.
    """

    carrierService: NotRequired[str | None]
    """
    The name of the service at the account's carrier, up to 100 characters: a `service` of karrio. If left out, the
    carrier's cheapest service.
    """
    countries: NotRequired[list[Country] | None]
    """
    The countries where it is offered: ISO 3166-1 codes of two letters, at most 250; everywhere, if left out.
    """
    description: NotRequired[Translated | None]
    """
    How sending works, by language: up to 2,000 characters each; may be left out.
    """
    freeFrom: NotRequired[Prices | None]
    """
    The value of the return from which shipping is free, by currency; never free, if left out.
    """
    maxWeight: NotRequired[int | None]
    """
    The maximum weight of the shipment in grams, 1 to 1,000,000; no limit, if left out.
    """
    method: ShippingMethod
    """
    What the consumer has to do to send the parcel.
    """
    name: dict[str, str]
    """
    The name that consumers read, by language: 1 to 200 characters each.
    """
    position: NotRequired[int | None]
    """
    The position in the list of options, 0 to 1,000,000; after the last one, if left out.
    """
    prices: Prices
    """
    The prices by currency, at least one. The option is offered in these currencies only.
    """
    returnLocationId: NotRequired[str | None]
    """
    The location that its shipments go to, if not the default one.
    """
    weightPrices: NotRequired[list[WeightPrice] | None]
    """
    Prices by weight, in place of `prices`, lightest first, at most 100. If left out, the price is the same for
    every weight.
    """


class NewTrackingUpdate(TypedDict):
    """
    A carrier's report about a parcel.
    """

    carrier: NotRequired[str | None]
    """
    The carrier's name; at most 100 characters.
    """
    explanation: NotRequired[str | None]
    """
    The carrier's own words; at most 500 characters.
    """
    happenedAt: NotRequired[Timestamp | None]
    """
    The time of the report by the carrier's clock, not in the future. If it is absent, it is now.
    """
    status: Scan
    """
    The status that the carrier reports.
    """
    trackingNumber: NotRequired[str | None]
    """
    The carrier's number of the parcel; at most 100 characters.
    """
    trackingUrl: NotRequired[str | None]
    """
    The carrier's tracking page: a URL that begins with `https://` or `http://`, at most 2,000 characters.
    """


class NewWebhookSubscription(TypedDict):
    """
    An address and the events to send to it.
    """

    description: NotRequired[str | None]
    """
    What the subscription is for; at most 500 characters.
    """
    enabled: NotRequired[bool | None]
    """
    Whether events are sent from now on; `true`, if left out.
    """
    eventName: NotRequired[EventType | None]
    """
    A single type, in place of `eventTypes`: for clients of older systems, whose
    `shipment.received_tracking_updates.delivered` means `shipment.delivered`.
    """
    eventTypes: NotRequired[list[EventType] | None]
    """
    The types of events to send; all, if left out or empty.
    """
    stages: NotRequired[list[Stage] | None]
    """
    The stages for which `return_request.stage_changed` is sent; all, if left out or empty.
    """
    url: str
    """
    The URL to send events to: `https://…`, up to 2,048 bytes, without user name and fragment. `http://` only for
    networks that the operator has allowed.
    """


class Note(TypedDict):
    """
    A note of staff about a return order. Consumers never see it.
    """

    authorId: str | None
    """
    The user or service user who wrote the note; `null`: the operator.
    """
    createdAt: Timestamp
    """
    When the note was written.
    """
    id: str
    """
    Unique identifier of the note.
    """
    returnOrderId: str
    """
    The return order that the note is about.
    """
    text: str
    """
    The text of the note; may have several lines; empty after the consumer's data were erased.
    """
    updatedAt: Timestamp
    """
    When the note last changed.
    """
    version: int
    """
    The version of the note, from 1: it grows with each change and is the `ETag`.
    """


class NoteEventData(TypedDict):
    """
    The note that staff added, for systems in which staff also work. Consumers must not see it.
    """

    authorId: str | None
    """
    The user or service user who wrote the note; `null`: the operator.
    """
    createdAt: Timestamp
    """
    When the note was written.
    """
    id: str
    """
    Unique identifier of the note.
    """
    returnOrderId: str
    """
    The return order that the note is about.
    """
    returnOrderNumber: str
    """
    The number of the return order that the note is about.
    """
    text: str
    """
    The text of the note; may have several lines; empty after the consumer's data were erased.
    """
    updatedAt: Timestamp
    """
    When the note last changed.
    """
    version: int
    """
    The version of the note, from 1: it grows with each change and is the `ETag`.
    """


class NoteList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Note]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class OfferedReturnReason(TypedDict):
    """
    A return reason that the consumer can choose.
    """

    description: str
    """
    The text of the reason, as the consumer reads it.
    """
    evidence: EvidenceRule
    """
    Whether photos are requested with the reason.
    """
    fault: Fault
    """
    Whose fault it is: returns that are the merchant's fault ship for free.
    """
    id: str
    """
    The id to send as `returnReasonId`.
    """
    parentId: str | None
    """
    The more general reason that this one refines.
    """
    questions: list[OfferedQuestion]
    """
    The questions to answer with the reason.
    """
    resolutions: list[ResolutionType]
    """
    The resolutions that the consumer may request with this reason.
    """
    restockingFeePercent: NotRequired[Percent | None]
    """
    The part of the price that the shop keeps, in percent. Absent for gifts.
    """


class OfferedShippingOption(TypedDict):
    """
    A shipping option, with its price in the order's currency.
    """

    description: str
    """
    How sending works, in a sentence.
    """
    freeFrom: NotRequired[Money | None]
    """
    Return value from which shipping is free; `null`: it is never free. Absent for gifts.
    """
    id: str
    """
    The id to send as `shippingOptionId`.
    """
    maxWeight: int | None
    """
    The maximum weight in grams; `null`: no limit.
    """
    method: ShippingMethod
    """
    What the consumer has to do to send the parcel.
    """
    name: str
    """
    The option's name, as the consumer reads it.
    """
    needsPrinter: bool
    """
    Whether the consumer needs a printer for it.
    """
    price: NotRequired[Money]
    """
    The price of sending. Absent for gifts.
    """
    weightPrices: NotRequired[list[OfferedWeightPrice]]
    """
    Prices by weight, replacing `price`, the lightest first. Absent for gifts.
    """


class OperationHealth(TypedDict):
    """
    The results of calls of one kind.
    """

    errorMessage: str | None
    """
    Why that call failed, in a sentence of at most 500 characters, without personal data; `null`: none has failed.
    """
    failedAttempts: int
    """
    The number of calls that have failed since the last usable response; 0: the system works.
    """
    lastErrorAt: Timestamp | None
    """
    When a call last failed; `null`: none has failed.
    """
    lastSuccessAt: Timestamp | None
    """
    When the system last gave a usable response, to within a minute; `null`: never since it was connected.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour repeats the call that failed last; `null`: nothing fails, or Retour calls only when somebody needs
    the result.
    """
    operation: IntegrationOperation
    """
    The operation that Retour calls.
    """


OrderCredentials: TypeAlias = OrderCredentialsByEmail | OrderCredentialsByPostalCode
"""
The proof of an order: its number, with its e-mail address or its postal code.
"""


class OrderInput(TypedDict):
    """
    A sales order of the shop.
    """

    address: NotRequired[AddressInput | None]
    """
    The delivery address.
    """
    billingPostalCode: NotRequired[str | None]
    """
    The postal code of the billing address, up to 200 characters. It proves the order if the delivery address has no
    postal code, as with pickups and downloads. It is never printed.
    """
    currency: Currency
    """
    The currency of all prices of the order. Never changes.
    """
    email: NotRequired[str | None]
    """
    The buyer's e-mail address, up to 320 characters. Either this, the address's `postalCode` or `billingPostalCode`
    is required: shoppers prove the order with one of them.
    """
    externalId: NotRequired[str | None]
    """
    The shop's own id, 1 to 500 characters; the number, if left out.
    """
    number: str
    """
    The order number that people know: 1 to 500 characters.
    """
    orderedAt: Timestamp
    """
    When the order was placed. Never changes.
    """
    shippingPaid: NotRequired[Money | None]
    """
    The amount that was paid for delivery; 0, if left out.
    """
    tags: NotRequired[list[Tag] | None]
    """
    The shop's tags: up to 250, up to 500 characters each.
    """
    totalPaid: NotRequired[Money | None]
    """
    The amount paid for the order: its total, less what is outstanding. Returns of the order never give back more
    than this, less `totalRefunded`. If left out, there is no limit, or the known one stays.
    """
    totalRefunded: NotRequired[Money | None]
    """
    The amount of money that the shop has given back so far, including refunds of returns. If left out, it is 0
    beside `totalPaid`; if both are left out, the known amount stays. If `totalPaid` is unknown, a person decides
    about the returns of an order of which the shop has refunded something on its own.
    """


class OrderLine(TypedDict):
    """
    One line of a sales order.
    """

    id: str
    """
    Unique identifier of the purchase.
    """
    product: Product
    """
    The product that was bought.
    """
    quantity: int
    """
    The number of units bought.
    """
    totalPrice: Money
    """
    The price of all units of the line together.
    """


class Passkey(TypedDict):
    """
    A passkey of a user.
    """

    createdAt: Timestamp
    """
    When it was added.
    """
    id: str
    """
    Unique identifier of the passkey.
    """
    isSynced: bool
    """
    Whether it may be on several devices of the user.
    """
    lastUsedAt: Timestamp | None
    """
    When it was last used; `null`: never.
    """
    name: str
    """
    The name by which the user knows it.
    """


class PasskeyCreationOptions(TypedDict):
    """
    What a browser makes a passkey from: `PublicKeyCredential.parseCreationOptionsFromJSON(…)` reads it.
    """

    attestation: str
    """
    Always `none`: the model of the authenticator is not asked for.
    """
    authenticatorSelection: PasskeySelection
    """
    What the authenticator has to do.
    """
    challenge: str
    """
    The random value that the answer contains, once and within five minutes. Base64 for URLs.
    """
    excludeCredentials: list[PasskeyReference]
    """
    The passkeys that the user has already.
    """
    pubKeyCredParams: list[PasskeyAlgorithm]
    """
    The kinds of keys that are accepted, the preferred one first.
    """
    rp: PasskeySite
    """
    The site that the passkey is for.
    """
    timeout: int
    """
    How long the browser waits for the user, milliseconds.
    """
    user: PasskeyUser
    """
    The user who gets the passkey.
    """


class Passkeys(TypedDict):
    """
    The passkeys of a user.
    """

    data: list[Passkey]
    """
    The passkeys, the oldest first; at most 20.
    """
    host: str | None
    """
    The host that the passkeys belong to; `null`: browsers offer none at the address of this service.
    """


class PaymentCheckout(TypedDict):
    """
    An attempt to pay on a provider's page. One checkout settles the payment; money from any other is refunded.
    """

    createdAt: Timestamp
    """
    When the checkout was opened.
    """
    externalId: str | None
    """
    The provider's id of the checkout, to find it on the provider's pages. Only for staff. `null` if there is none
    yet.
    """
    refunded: Money
    """
    The part of the amount that was refunded.
    """
    settled: bool
    """
    Whether this checkout paid the amount.
    """
    status: str
    """
    The state of the checkout: `Begun`, `Open`, `Processing`, `Paid` or `Closed`.
    """


class PaymentInput(TypedDict):
    """
    The provider that takes payments. Replaces the whole setting.
    """

    apiKey: NotRequired[str | None]
    """
    The merchant's key at the provider: Stripe's `sk_…` or `rk_…`, Mollie's `live_…` or `test_…`. May be left out if
    kind and URL stay.
    """
    kind: PaymentKind
    """
    `none`: no provider; amounts that a consumer would have to pay are waived. `simulated`: a page of Retour that
    moves no money. `stripe`, `mollie`: those companies.
    """
    url: NotRequired[str | None]
    """
    The base URL of the provider's API, if it is not the usual one.
    """
    webhookSecret: NotRequired[str | None]
    """
    The secret that signs Stripe's webhooks: `whsec_…`. Without it, Retour queries Stripe for the status of a
    payment, which takes up to a minute. May be left out if kind, URL and key stay.
    """


class PendingEvidence(TypedDict):
    """
    A photo or document of a purchase, which becomes evidence of its return request.
    """

    bytes: int
    """
    The size of the file in bytes.
    """
    createdAt: Timestamp
    """
    When the file was added.
    """
    id: str
    """
    Unique identifier of the file. The evidence that it becomes keeps the id.
    """
    mediaType: str
    """
    The media type of the file, such as `image/jpeg`.
    """
    name: str
    """
    The file's name on the sender's device.
    """
    purchaseId: str
    """
    The purchase that the file belongs to.
    """
    url: str
    """
    The path in this API that returns the file's bytes, until the return is submitted.
    """


class PendingEvidenceList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[PendingEvidence]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


PeriodFigures = TypedDict(
    'PeriodFigures',
    {
        'amounts': list[FigureAmounts],
        'completed': int,
        'completedFilters': list[CompletedFilter],
        'from': Timestamp,
        'medianTotalSeconds': int | None,
        'receivedUnits': int,
        'to': Timestamp,
    },
)


class PingEventData(TypedDict):
    """
    The subscription that is tested.
    """

    webhookSubscription: WebhookSubscription
    """
    The subscription.
    """


class Policy(TypedDict):
    """
    A merchant's rules. Every field has a default, so that an empty object is a working policy.
    """

    agentLimit: Prices
    """
    The most that users with the role `agent` may decide about, for each return request: above it, a user with the
    role `finance` or `admin` decides. Without an amount in a currency, agents have no limit in it.
    """
    autoApprove: bool
    """
    Whether returns need no person's approval.
    """
    autoResolve: bool
    """
    Whether a pending resolution is approved without a person.
    """
    defaultWeight: int
    """
    Weight of a unit without a `weight` of its product, grams: 1 to 1,000,000. Prices by weight and carriers use it.
    """
    evidenceDays: int
    """
    Days a consumer has to add required evidence.
    """
    feeCollection: FeeCollection
    """
    How fees of a return are collected.
    """
    finalSale: list[FinalSaleItem]
    """
    SKUs and tags of products that cannot be returned.
    """
    giftReturns: bool
    """
    Whether the recipient of a gift can return it, for store credit or an exchange. They prove the order by the
    postal code that it was sent to, whatever `lookUpBy` says, and see no amounts.
    """
    graceDays: int
    """
    Days that are accepted beyond the window but not shown.
    """
    gs1CompanyPrefix: str
    """
    The GS1 company prefix (7 to 10 digits) of parcel numbers. The default is from GS1's range for examples (952):
    use your own for parcels that other companies scan.
    """
    keepItemBelow: Prices
    """
    The consumer keeps items and is still refunded while the kept items of an order cost less than this.
    """
    labelExpiresDays: int
    """
    Days until an unused label expires: at least 1.
    """
    lookUpBy: list[LookUpBy]
    """
    What proves an order, in addition to its number: each once.
    """
    mail: bool
    """
    Whether shoppers get mail about their returns, if the operator has set a mail server.
    """
    paymentHours: int
    """
    Hours a consumer has to pay what is due.
    """
    queueTargets: QueueTargets
    """
    The working hours after which rows of the staff's queues are over their target. Replaced as a whole.
    """
    refundDays: int | None
    """
    Days from the event of `resolveOn` until shoppers usually have their refund: 1 to 60. `null`: nothing is
    promised.
    """
    requestFee: Prices
    """
    The fee for each return, whatever it contains.
    """
    requireSecondFactor: SecondFactorRule
    """
    The users who need a second factor to sign in. A user without one has 7 days from the first sign-in that needs
    it. The rule has no effect while the installation cannot store secrets.
    """
    resolutions: list[ResolutionType]
    """
    The resolutions that consumers may ask for, each once.
    """
    resolveOn: ResolveOn
    """
    What must have happened before a return is resolved.
    """
    resolver: Resolver
    """
    The party that carries out approved resolutions.
    """
    returnAddress: Address | None
    """
    The address that parcels are sent to.
    """
    returnWindowDays: int | None
    """
    The number of days to return something; `null`: no limit.
    """
    returnWithoutShipping: bool
    """
    Whether items that need no parcel can be returned, too: gift cards, downloads and services. Tips and fees never
    can.
    """
    reviewDays: int | None
    """
    Days in which a return is usually reviewed, and in which received items are usually checked: 1 to 60. `null`:
    nothing is promised.
    """
    storeCreditBonusPercent: Percent
    """
    The bonus on store credit.
    """
    transitDays: int | None
    """
    Days that a parcel usually travels: 1 to 60. `null`: nothing is promised.
    """
    windowStartsOn: WindowStart
    """
    The day on which the return window starts.
    """
    withdrawalFunction: bool
    """
    Whether the portal has the function by which consumers withdraw from a contract, as article 11a of Directive
    2011/83/EU requires of shops that sell to consumers in the EU.
    """


class PolicyInput(TypedDict):
    """
    A merchant's rules. Every field has a default, so that an empty object is a working policy.
    """

    agentLimit: NotRequired[Prices]
    """
    The most that users with the role `agent` may decide about, for each return request: above it, a user with the
    role `finance` or `admin` decides. Without an amount in a currency, agents have no limit in it.
    """
    autoApprove: NotRequired[bool]
    """
    Whether returns need no person's approval.
    """
    autoResolve: NotRequired[bool]
    """
    Whether a pending resolution is approved without a person.
    """
    defaultWeight: NotRequired[int]
    """
    Weight of a unit without a `weight` of its product, grams: 1 to 1,000,000. Prices by weight and carriers use it.
    """
    evidenceDays: NotRequired[int]
    """
    Days a consumer has to add required evidence.
    """
    feeCollection: NotRequired[FeeCollection]
    """
    How fees of a return are collected.
    """
    finalSale: NotRequired[list[FinalSaleItem]]
    """
    SKUs and tags of products that cannot be returned.
    """
    giftReturns: NotRequired[bool]
    """
    Whether the recipient of a gift can return it, for store credit or an exchange. They prove the order by the
    postal code that it was sent to, whatever `lookUpBy` says, and see no amounts.
    """
    graceDays: NotRequired[int]
    """
    Days that are accepted beyond the window but not shown.
    """
    gs1CompanyPrefix: NotRequired[str]
    """
    The GS1 company prefix (7 to 10 digits) of parcel numbers. The default is from GS1's range for examples (952):
    use your own for parcels that other companies scan.
    """
    keepItemBelow: NotRequired[Prices]
    """
    The consumer keeps items and is still refunded while the kept items of an order cost less than this.
    """
    labelExpiresDays: NotRequired[int]
    """
    Days until an unused label expires: at least 1.
    """
    lookUpBy: NotRequired[list[LookUpBy]]
    """
    What proves an order, in addition to its number: each once.
    """
    mail: NotRequired[bool]
    """
    Whether shoppers get mail about their returns, if the operator has set a mail server.
    """
    paymentHours: NotRequired[int]
    """
    Hours a consumer has to pay what is due.
    """
    queueTargets: NotRequired[QueueTargetsInput]
    """
    The working hours after which rows of the staff's queues are over their target. Replaced as a whole.
    """
    refundDays: NotRequired[int | None]
    """
    Days from the event of `resolveOn` until shoppers usually have their refund: 1 to 60. `null`: nothing is
    promised.
    """
    requestFee: NotRequired[Prices]
    """
    The fee for each return, whatever it contains.
    """
    requireSecondFactor: NotRequired[SecondFactorRule]
    """
    The users who need a second factor to sign in. A user without one has 7 days from the first sign-in that needs
    it. The rule has no effect while the installation cannot store secrets.
    """
    resolutions: NotRequired[list[ResolutionType]]
    """
    The resolutions that consumers may ask for, each once.
    """
    resolveOn: NotRequired[ResolveOn]
    """
    What must have happened before a return is resolved.
    """
    resolver: NotRequired[Resolver]
    """
    The party that carries out approved resolutions.
    """
    returnAddress: NotRequired[AddressInput | None]
    """
    The address that parcels are sent to.
    """
    returnWindowDays: NotRequired[int | None]
    """
    The number of days to return something; `null`: no limit.
    """
    returnWithoutShipping: NotRequired[bool]
    """
    Whether items that need no parcel can be returned, too: gift cards, downloads and services. Tips and fees never
    can.
    """
    reviewDays: NotRequired[int | None]
    """
    Days in which a return is usually reviewed, and in which received items are usually checked: 1 to 60. `null`:
    nothing is promised.
    """
    storeCreditBonusPercent: NotRequired[Percent]
    """
    The bonus on store credit.
    """
    transitDays: NotRequired[int | None]
    """
    Days that a parcel usually travels: 1 to 60. `null`: nothing is promised.
    """
    windowStartsOn: NotRequired[WindowStart]
    """
    The day on which the return window starts.
    """
    withdrawalFunction: NotRequired[bool]
    """
    Whether the portal has the function by which consumers withdraw from a contract, as article 11a of Directive
    2011/83/EU requires of shops that sell to consumers in the EU.
    """


class Proposal(TypedDict):
    """
    What an agent asks others to approve about a return request. A request has one at most, until somebody decides.
    """

    amount: Money | None
    """
    The amount to add to the value of the return request; negative: to take off. `null`: it is no adjustment.
    """
    comment: str
    """
    The reason in the words of the person who proposes.
    """
    createdAt: Timestamp
    """
    When it was proposed.
    """
    id: str
    """
    Unique identifier of the proposal.
    """
    kind: ProposalKind
    """
    What it asks for.
    """
    proposedBy: str | None
    """
    The user who proposes; `null`: the operator.
    """


class ProposalInput(TypedDict):
    """
    What an agent asks others to approve about a return request.
    """

    amount: NotRequired[Money | None]
    """
    Of an adjustment: the amount to add to the value of the return request, in its currency; negative: to take off.
    """
    comment: str
    """
    The reason: 3 to 500 characters. Only staff see it.
    """
    fromStage: NotRequired[Stage | None]
    """
    The current stage as you know it: any other stage is a conflict.
    """
    kind: Proposed
    """
    What it asks for.
    """


class PurchaseInput(TypedDict):
    """
    One line of a sales order. It replaces the known line: fields that are left out are cleared.
    """

    deliveredAt: NotRequired[Timestamp | None]
    """
    When the units arrived.
    """
    discount: NotRequired[Money | None]
    """
    The discount that the total already contains; 0, if left out.
    """
    externalId: NotRequired[str | None]
    """
    The shop's own id of the line, 1 to 1,000 characters. May be left out if the path contains it.
    """
    finalSale: NotRequired[bool | None]
    """
    Whether the line was sold as not returnable; `false`, if left out.
    """
    fulfilledAt: NotRequired[Timestamp | None]
    """
    When the units were sent.
    """
    fulfilledQuantity: NotRequired[int | None]
    """
    Units sent; all that were not removed, if left out.
    """
    order: NotRequired[OrderInput | None]
    """
    The order. Required with a single purchase, not allowed within an order's `purchases`.
    """
    product: ProductInput
    """
    The product that was bought. Its name is required.
    """
    quantity: int
    """
    Units bought, 1 to 1,000,000. Cannot change while some of them are in returns.
    """
    refundedQuantity: NotRequired[int | None]
    """
    Units sent that the shop knows to be refunded, including those that it refunded for Retour; 0, if left out. Units
    beyond those that Retour has settled cannot be returned.
    """
    removedQuantity: NotRequired[int | None]
    """
    Units that were removed from the order before they were sent. The order's shipping does not wait for them. If
    left out, it is 0; a single purchase keeps the known number.
    """
    requiresShipping: NotRequired[bool | None]
    """
    Whether the product is sent in a parcel, unlike gift cards, downloads and services. If left out, it is `true`,
    except for a line without a SKU whose name is that of a tip, a fee, a duty, postage or a voucher. The first four
    can then never be returned.
    """
    tax: NotRequired[Money | None]
    """
    The tax contained in the total; 0, if left out.
    """
    totalPrice: NotRequired[Money | None]
    """
    The price paid for all units: after discount, tax included. Cannot change while some of them are in returns.
    """
    unitPrice: NotRequired[Money | None]
    """
    The price paid for each unit, in place of `totalPrice`.
    """


class Question(TypedDict):
    """
    A question that the consumer sees after choosing a reason.
    """

    id: Key
    """
    Its identifier, unique among the questions of its reason.
    """
    options: list[AnswerOption]
    """
    The answers to choose from, 2 to 20 options; empty: the consumer answers in their own words.
    """
    required: bool
    """
    Whether a consumer's draft needs an answer. A draft that the merchant makes needs none.
    """
    text: dict[str, str]
    """
    What the consumer reads, by language: 1 to 300 characters in each.
    """


class QuestionInput(TypedDict):
    """
    A question that the consumer sees after choosing a reason.
    """

    id: Key
    """
    Its identifier, unique among the questions of its reason.
    """
    options: NotRequired[list[AnswerOption] | None]
    """
    The answers to choose from, 2 to 20 options; empty: the consumer answers in their own words.
    """
    required: NotRequired[bool | None]
    """
    Whether a consumer's draft needs an answer. A draft that the merchant makes needs none.
    """
    text: dict[str, str]
    """
    What the consumer reads, by language: 1 to 300 characters in each.
    """


class QueueCount(TypedDict):
    """
    A queue of the merchant's staff: what waits for a person.
    """

    count: int
    """
    The number of rows that wait.
    """
    filters: list[Filter]
    """
    The filters of that list that find the rows.
    """
    isCapped: bool
    """
    Whether there may be more: counting ends at 1,000 rows.
    """
    list: str
    """
    The list that has the rows, as in its path.
    """
    oldestSince: Timestamp | None
    """
    Since when the oldest of them waits; `null`: nothing waits, or the queue has no order.
    """
    overTarget: int
    """
    The number of rows that wait longer than the target.
    """
    queue: Queue
    """
    The name of the queue.
    """
    targetHours: int | None
    """
    The target in working hours, as `policy.queueTargets` has it; `null`: none.
    """


class QueueCountList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[QueueCount]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class Receipt(TypedDict):
    """
    Units that arrived in one delivery.
    """

    externalReference: str
    """
    The reference in the report, or an id that Retour made if the report has none.
    """
    id: str | None
    """
    Identifies the receipt to take it back; `null` if it is too old for that.
    """
    quantity: int
    """
    The number of units that arrived, including those that do not count towards the request.
    """
    receivedAt: Timestamp
    """
    When the receipt was reported.
    """


class ReceiptList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Receipt]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class Redelivery(TypedDict):
    """
    The past events to deliver again.
    """

    since: Timestamp
    """
    Repeats the events that happened since this time.
    """
    which: NotRequired[Redelivered | None]
    """
    The choice of events; `Undelivered` if left out.
    """


class Resolution(TypedDict):
    """
    The decision on a return request.
    """

    denialReason: str | None
    """
    The reason why the request was denied.
    """
    errorMessage: str | None
    """
    Why the resolution is not carried out yet, or could not be. Only for staff. `null`: nothing is wrong. In
    `Resolution: Processing` it does not say whether the shop has paid.
    """
    externalReference: str | None
    """
    The id of the refund in the system that carried it out.
    """
    failedAttempts: int
    """
    The number of calls to the shop that have failed since its last usable response. Only for staff.
    """
    fullValue: NotRequired[Money | None]
    """
    The same without the limit of what is left of the order: more than `value` if the limit applies. A person
    decides then. Absent for gifts, and for staff who see no amounts.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour calls the shop again after a failure; `null`: nothing is wrong, or a person has to look.
    """
    status: str | None
    """
    The progress of the resolution: the second half of its stage, once the request is there.
    """
    type: ResolutionType
    """
    What the consumer gets.
    """
    value: NotRequired[Money | None]
    """
    The value of the resolution, less the request's share of the fees. It changes when units are approved or refused.
    Absent for gifts, and for staff who see no amounts.
    """


class ReturnLocation(TypedDict):
    """
    An address that shipments go to.
    """

    address: Address
    """
    The address that labels show.
    """
    archivedAt: Timestamp | None
    """
    When the location was archived and stopped receiving shipments; `null`: it is in use.
    """
    createdAt: Timestamp
    """
    When the return location was created.
    """
    id: str
    """
    Unique identifier of the return location.
    """
    isDefault: bool
    """
    Whether shipments go there unless their shipping option names another location.
    """
    name: str
    """
    The merchant's name for the location.
    """
    updatedAt: Timestamp
    """
    When the return location last changed.
    """
    version: int
    """
    The version of the return location, from 1: it grows with each change and is the `ETag`.
    """


class ReturnLocationList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ReturnLocation]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ReturnOrderNoteAddedEvent(TypedDict):
    """
    An event of the type `return_order.note_added`. Staff added a note to a return order. Consumers never see it.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: NoteEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_order.note_added']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_order.note_added']
    """
    The type of the event, which decides what `data` holds.
    """


class ReturnReason(TypedDict):
    """
    A reason that consumers can choose for a return.
    """

    allowedResolutions: list[ResolutionType]
    """
    The resolutions that consumers may request with the reason; empty: all that the policy allows.
    """
    archivedAt: Timestamp | None
    """
    When the reason was archived; `null`: it is offered.
    """
    createdAt: Timestamp
    """
    When the return reason was created.
    """
    description: Translated
    """
    The text of the reason, as the consumer reads it, by language.
    """
    evidence: EvidenceRule
    """
    Whether photos are requested with the reason.
    """
    fault: Fault
    """
    Whose fault it is: returns that are the merchant's fault ship for free.
    """
    id: str
    """
    Unique identifier of the return reason.
    """
    parentId: str | None
    """
    The reason that this one refines.
    """
    position: int
    """
    The position in the list of reasons; lower comes first.
    """
    questions: list[Question]
    """
    The questions about the item, in this order.
    """
    restockingFeePercent: Percent
    """
    The part of the price that the shop keeps, in percent.
    """
    review: bool
    """
    Whether a person decides about returns with this reason.
    """
    updatedAt: Timestamp
    """
    When the return reason last changed.
    """
    version: int
    """
    The version of the return reason, from 1: it grows with each change and is the `ETag`.
    """


class ReturnReasonChange(TypedDict):
    """
    Changes to a reason. Fields that are left out stay as they are.
    """

    allowedResolutions: NotRequired[list[ResolutionType]]
    """
    The resolutions that consumers may choose, each once; if empty, all that the policy allows.
    """
    archived: NotRequired[bool]
    """
    `true` archives the reason, `false` restores it.
    """
    description: NotRequired[dict[str, str]]
    """
    The text that consumers read, by language. Replaces all languages.
    """
    evidence: NotRequired[EvidenceRule]
    """
    Whether photos are required.
    """
    fault: NotRequired[Fault]
    """
    The party at fault.
    """
    parentId: NotRequired[str | None]
    """
    The more general reason that this one refines; `null`: none.
    """
    position: NotRequired[int]
    """
    The position in the list of reasons; lower comes first.
    """
    questions: NotRequired[list[QuestionInput]]
    """
    The questions about a returned item. Replaces all questions.
    """
    restockingFeePercent: NotRequired[Percent]
    """
    The part of the price that the shop keeps, in percent.
    """
    review: NotRequired[bool]
    """
    Whether staff review a request before it is approved.
    """


class ReturnReasonList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ReturnReason]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ReturnRequest(TypedDict):
    """
    A return request: one purchase within a return order.
    """

    answers: list[Answer]
    """
    The consumer's answers to the reason's questions.
    """
    consumerId: ConsumerOrId
    """
    The consumer's id, or the whole consumer with `expand=consumer`.
    """
    createdAt: Timestamp
    """
    When the return request was created.
    """
    dueAt: Timestamp | None
    """
    When Retour moves the return request on by itself, if nothing happens before: it expires, or missing units are given
    up. `null`: it waits.
    """
    evidence: list[EvidenceFile]
    """
    Photos and documents of the request, oldest first.
    """
    exchangeFor: ExchangeOption | None
    """
    For an exchange: the product to send instead; `null` if staff choose it.
    """
    id: str
    """
    Unique identifier of the return request.
    """
    product: Product
    """
    The product, as it was when the return was submitted.
    """
    proposal: Proposal | None
    """
    What an agent asks others to approve, because it is above the policy's `agentLimit`. Only for staff who see
    amounts. `null`: nothing.
    """
    purchaseExternalId: str
    """
    The shop's own id of the purchase.
    """
    purchaseId: str
    """
    The purchase that is returned.
    """
    purchaseOrderNumber: str
    """
    The number of the sales order that the purchase belongs to.
    """
    purchasePrice: NotRequired[Money | None]
    """
    The price of the returned units. Absent for gifts, and for staff who see no amounts.
    """
    quantity: int
    """
    The number of units to return.
    """
    receivedQuantity: int
    """
    The number of units that have arrived.
    """
    requestedResolution: ResolutionType
    """
    The resolution that the consumer asked for.
    """
    resolution: Resolution
    """
    The decision on the request, once there is one.
    """
    returnNumber: str
    """
    The number of the return order.
    """
    returnOrderId: str
    """
    The return order that the request belongs to.
    """
    returnReasonComment: str
    """
    The consumer's own words; may be empty.
    """
    returnReasonId: str
    """
    The return reason that the consumer chose.
    """
    reviewReason: ReviewReason | None
    """
    Why a person decides about the request, regardless of the policy; `null`: the policy decides, or the reader sees no
    amounts. Absent for gifts.
    """
    stage: Stage
    """
    The stage that the request is in.
    """
    stageSince: Timestamp
    """
    When the request entered this stage.
    """
    surplusQuantity: int
    """
    Further units that arrived: more than `quantity`, or no longer returnable on arrival. They are not refunded.
    """
    updatedAt: Timestamp
    """
    When the return request last changed.
    """
    version: int
    """
    The version of the return request, from 1: it grows with each change and is the `ETag`.
    """


class ReturnRequestChange(TypedDict):
    """
    The stage to enter. `status` is another name of `stage`, and `fromStatus` of `fromStage`.
    """

    comment: NotRequired[str]
    """
    The reason. A rejection and a denial need it, and the consumer reads it.
    """
    exchangeFor: NotRequired[ExchangeFor | None]
    """
    With the `requestedResolution` `Exchange`: the item that the shop sends. If it is absent, staff send it.
    """
    externalReference: NotRequired[str | None]
    """
    Your system's own id of the payment, the voucher or the replacement.
    """
    fromStage: NotRequired[Stage | None]
    """
    The current stage as you know it: any other stage is a conflict.
    """
    requestedResolution: NotRequired[ResolutionType | None]
    """
    The new resolution if the requested one failed, from `Resolution: Failed` to
    `Resolution: Processing` or `Resolution: Completed`. The value of the items stays; a bonus and fees that belonged
    to the old resolution go.
    """
    stage: Stage
    """
    The stage that the return request enters.
    """


class ReturnRequestEventData(TypedDict):
    """
    The return request as it was when it entered the stage.
    """

    answers: list[Answer]
    """
    The consumer's answers to the reason's questions.
    """
    consumerId: Consumer
    """
    The consumer who made the return.
    """
    createdAt: Timestamp
    """
    When the return request was created.
    """
    dueAt: Timestamp | None
    """
    When Retour moves the return request on by itself, if nothing happens before: it expires, or missing units are given
    up. `null`: it waits.
    """
    evidence: list[EvidenceFile]
    """
    Photos and documents of the request, oldest first.
    """
    exchangeFor: ExchangeOption | None
    """
    For an exchange: the product to send instead; `null` if staff choose it.
    """
    id: str
    """
    Unique identifier of the return request.
    """
    previousStage: Stage | None
    """
    The stage before; `null` for the first stage.
    """
    product: Product
    """
    The product, as it was when the return was submitted.
    """
    proposal: Proposal | None
    """
    What an agent asks others to approve, because it is above the policy's `agentLimit`. Only for staff who see
    amounts. `null`: nothing.
    """
    purchaseExternalId: str
    """
    The shop's own id of the purchase.
    """
    purchaseId: str
    """
    The purchase that is returned.
    """
    purchaseOrderNumber: str
    """
    The number of the sales order that the purchase belongs to.
    """
    purchasePrice: NotRequired[Money | None]
    """
    The price of the returned units. Absent for gifts, and for staff who see no amounts.
    """
    quantity: int
    """
    The number of units to return.
    """
    receivedQuantity: int
    """
    The number of units that have arrived.
    """
    requestedResolution: ResolutionType
    """
    The resolution that the consumer asked for.
    """
    resolution: Resolution
    """
    The decision on the request, once there is one.
    """
    returnNumber: str
    """
    The number of the return order.
    """
    returnOrderId: str
    """
    The return order that the request belongs to.
    """
    returnReasonComment: str
    """
    The consumer's own words; may be empty.
    """
    returnReasonId: str
    """
    The return reason that the consumer chose.
    """
    reviewReason: ReviewReason | None
    """
    Why a person decides about the request, regardless of the policy; `null`: the policy decides, or the reader sees no
    amounts. Absent for gifts.
    """
    stage: Stage
    """
    The stage that the request is in.
    """
    stageSince: Timestamp
    """
    When the request entered this stage.
    """
    surplusQuantity: int
    """
    Further units that arrived: more than `quantity`, or no longer returnable on arrival. They are not refunded.
    """
    updatedAt: Timestamp
    """
    When the return request last changed.
    """
    version: int
    """
    The version of the return request, from 1: it grows with each change and is the `ETag`.
    """


class ReturnRequestList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ReturnRequest]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ReturnRequestMove(TypedDict):
    """
    A move of one return request.
    """

    comment: NotRequired[str | None]
    """
    The reason. A rejection and a denial need it, and the consumer reads it.
    """
    externalReference: NotRequired[str | None]
    """
    Your system's own id of the payment, the voucher or the replacement.
    """
    fromStage: Stage
    """
    The current stage as you know it: any other stage is a conflict.
    """
    id: str
    """
    The return request.
    """
    stage: Stage
    """
    The stage that the return request enters.
    """


class ReturnRequestStageChangedEvent(TypedDict):
    """
    An event of the type `return_request.stage_changed`. A return request entered a stage.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnRequestEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_request.stage_changed']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_request.stage_changed']
    """
    The type of the event, which decides what `data` holds.
    """


class SalesOrder(TypedDict):
    """
    The sales order that a purchase belongs to.
    """

    address: Address
    """
    The address that the order was delivered to; its fields may be empty.
    """
    currency: Currency
    """
    The currency of all prices of the order.
    """
    email: str
    """
    The e-mail address of the person who ordered; may be empty.
    """
    externalId: str
    """
    The shop's id of the order.
    """
    id: str
    """
    Unique identifier of the order.
    """
    number: str
    """
    The order number that people know, such as `1001`.
    """
    orderedAt: Timestamp
    """
    When the order was placed.
    """
    reviewReason: ReviewReason | None
    """
    Why a person decides about returns of the order; `null`: the policy decides.
    """
    shippingPaid: Money
    """
    The amount that was paid for delivery.
    """
    tags: list[Tag]
    """
    The shop's own tags on the order.
    """
    totalPaid: Money | None
    """
    The amount that was paid for the order: its total, less what is outstanding. `null`: the shop does not say, and
    returns of the order are not limited.
    """
    totalRefunded: Money
    """
    The amount that the shop reports as refunded in money, including refunds of returns.
    """


class SavedView(TypedDict):
    """
    A filter of a list under a name.
    """

    createdAt: Timestamp
    """
    When the view was saved.
    """
    id: str
    """
    Unique identifier of the saved view.
    """
    isOwn: bool
    """
    Whether the caller saved it. Only they can change or delete it.
    """
    isShared: bool
    """
    Whether all staff of the account see it.
    """
    list: str
    """
    The list that it filters, as in its path: `return-orders` or `return-requests`.
    """
    name: str
    """
    The name that staff read.
    """
    query: str
    """
    The query string of the list, without `page`. The desk adds `columns`, the names of the columns to show.
    """
    updatedAt: Timestamp
    """
    When the view last changed.
    """
    version: int
    """
    The version of the saved view, from 1: it grows with each change and is the `ETag`.
    """


class SavedViewList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[SavedView]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ScanMatch(TypedDict):
    """
    Something that a scanned code belongs to.
    """

    createdAt: Timestamp
    """
    When the return order was created.
    """
    kind: ScanKind
    """
    What the code is.
    """
    purchaseOrderNumbers: list[PurchaseOrderNumber]
    """
    The numbers of the sales orders that its items are from.
    """
    returnOrderId: str
    """
    The return order.
    """
    returnOrderNumber: str
    """
    The number of the return order.
    """
    returnRequestId: str | None
    """
    The return request, if the code is that of its product.
    """
    shipmentId: str | None
    """
    The shipment, if the code is that of a parcel.
    """
    status: ReturnOrderStatus
    """
    The state of the return order.
    """


class ScanTally(TypedDict):
    """
    What the caller has counted today.
    """

    last: LastReceiving | None
    """
    The last parcel, while it can be taken back without a reason; `null` otherwise.
    """
    parcels: int
    """
    Parcels that were counted as a whole.
    """
    refused: int
    """
    Units that were refused.
    """
    units: int
    """
    Units that arrived.
    """


class SecondFactor(TypedDict):
    """
    The second factor of a user.
    """

    recoveryCodesLeft: int
    """
    How many recovery codes are left.
    """
    requiredFrom: Timestamp | None
    """
    From when on the user needs a second factor to work; `null`: none is required, or there is one.
    """
    totpSince: Timestamp | None
    """
    When the user set up an authenticator app; `null`: there is none.
    """


class SelectedPurchase(TypedDict):
    """
    One purchase of a draft, with quantity and reason.
    """

    answers: list[Answer]
    """
    The consumer's answers to the reason's questions.
    """
    exchangeFor: ExchangeOption | None
    """
    For an exchange: the product wanted instead; `null` if none was named.
    """
    keepItem: bool
    """
    Whether the consumer keeps the item and is refunded anyway.
    """
    purchaseId: str
    """
    The purchase to return.
    """
    quantity: int
    """
    The number of units to return.
    """
    requestedResolution: ResolutionType
    """
    The resolution that the consumer asks for.
    """
    returnReasonComment: str
    """
    The consumer's own words about the reason; may be empty.
    """
    returnReasonId: str
    """
    The return reason that the consumer chose.
    """
    reviewReason: ReviewReason | None
    """
    Why a person decides about the return, regardless of the policy; `null`: the policy decides. Absent for gifts.
    """


class SelectedPurchaseInput(TypedDict):
    """
    One purchase to return. `resolutionType` is another name of `requestedResolution`.
    """

    answers: NotRequired[list[AnswerInput] | None]
    """
    Answers to the reason's `questions`, each once; a consumer's draft needs those that are `required`.
    """
    exchangeFor: NotRequired[ExchangeFor | None]
    """
    With an exchange: the wanted item, one of the purchase's `product.exchangeOptions`. If it is absent, staff choose
    the item.
    """
    purchaseId: str
    """
    The purchase to return.
    """
    quantity: NotRequired[int | None]
    """
    The number of units, at most the purchase's `returnableQuantity`.
    """
    requestedResolution: NotRequired[ResolutionType | None]
    """
    The requested resolution: one of the reason's `resolutions`.
    """
    returnReasonComment: NotRequired[str | None]
    """
    The consumer's own words about the reason.
    """
    returnReasonId: str
    """
    The reason: one of the purchase's `returnReasons`.
    """


class ServiceUser(TypedDict):
    """
    A service user: a program that uses the API with a key.
    """

    createdAt: Timestamp
    """
    When the service user was created.
    """
    id: str
    """
    Unique identifier of the service user.
    """
    keyLastFour: str
    """
    The last four characters of the key, to tell keys apart; empty for old keys, of which they were not stored.
    """
    lastUsedAt: Timestamp | None
    """
    When its key was last used, to the minute; `null`: never.
    """
    name: str
    """
    The name of the program.
    """
    revokedAt: Timestamp | None
    """
    When the key was revoked; `null`: it works.
    """
    scopes: list[Scope]
    """
    The scopes of the key. `admin` includes all others; `write` includes `receive`, `resolve` and `override`; `read`
    includes `personal`.
    """
    updatedAt: Timestamp
    """
    When the service user's name, scopes or key last changed.
    """
    version: int
    """
    The version of the service user: it grows with each change and is the `ETag`.
    """


class ServiceUserList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ServiceUser]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ServiceUserWithKey(TypedDict):
    """
    A service user together with its new key.
    """

    apiKey: str
    """
    The API key. Only this response has it: Retour stores only its hash.
    """
    createdAt: Timestamp
    """
    When the service user was created.
    """
    id: str
    """
    Unique identifier of the service user.
    """
    keyLastFour: str
    """
    The last four characters of the key, to tell keys apart; empty for old keys, of which they were not stored.
    """
    lastUsedAt: Timestamp | None
    """
    When its key was last used, to the minute; `null`: never.
    """
    name: str
    """
    The name of the program.
    """
    revokedAt: Timestamp | None
    """
    When the key was revoked; `null`: it works.
    """
    scopes: list[Scope]
    """
    The scopes of the key. `admin` includes all others; `write` includes `receive`, `resolve` and `override`; `read`
    includes `personal`.
    """
    updatedAt: Timestamp
    """
    When the service user's name, scopes or key last changed.
    """
    version: int
    """
    The version of the service user: it grows with each change and is the `ETag`.
    """


class Shipment(TypedDict):
    """
    A shipment: one parcel of a return order.
    """

    carrier: str | None
    """
    The carrier's name; `null` while it is unknown.
    """
    contents: list[ParcelContent] | None
    """
    The units in the parcel, if this is known; `null`: all units that are sent.
    """
    createdAt: Timestamp
    """
    When the shipment was created.
    """
    errorCode: str | None
    """
    The reason why there is no label, for programs.
    """
    errorMessage: str | None
    """
    The carrier's error as a sentence for people.
    """
    failedAttempts: int
    """
    The number of label requests to the carrier that have failed.
    """
    id: str
    """
    Unique identifier of the shipment.
    """
    labelBarcode: str
    """
    The content of the label's barcode: on Retour's own labels the SSCC, 18 digits; empty while it is unknown.
    """
    labelMediaTypes: list[LabelFormat]
    """
    The media types of the label, for `Accept`; empty while there is none.
    """
    labelUrl: str | None
    """
    The path in this API that returns the label; `null` while there is none, and after it was voided.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour requests the label from the carrier again; `null`: there is a label, or a person has to look.
    """
    qrCode: str | None
    """
    The content of the QR code that is shown instead of a label, if the carrier gave one; `null`: the return's
    number.
    """
    reason: ShipmentReason
    """
    Why the shipment is sent.
    """
    receiver: Address
    """
    The address that the parcel is sent to.
    """
    returnOrderId: str
    """
    The return order whose units are in the parcel.
    """
    sender: Address
    """
    The sender's address; its fields may be empty.
    """
    status: ShipmentStatus
    """
    The state of the shipment.
    """
    trackingNumber: str | None
    """
    The carrier's tracking number.
    """
    trackingUpdates: list[TrackingUpdate]
    """
    The carrier's tracking updates, oldest first by the carrier's clock.
    """
    trackingUrl: str | None
    """
    The carrier's tracking page of the parcel.
    """
    updatedAt: Timestamp
    """
    When the shipment last changed.
    """
    version: int
    """
    The version of the shipment, from 1: it grows with each change and is the `ETag`.
    """


class ShipmentList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Shipment]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ShippingOption(TypedDict):
    """
    A way to send a return, with its prices.
    """

    archivedAt: Timestamp | None
    """
    When the option was archived; `null`: it is offered.
    """
    carrierService: str
    """
    The carrier's code for the service; empty: the cheapest service of the carrier.
    """
    countries: list[Country]
    """
    The countries in which the option is offered, as two letters of ISO 3166-1; empty: everywhere.
    """
    createdAt: Timestamp
    """
    When the shipping option was created.
    """
    description: Translated
    """
    How sending works, in a sentence, by language.
    """
    freeFrom: Prices
    """
    Return value from which shipping is free, for each currency that has an amount here.
    """
    id: str
    """
    Unique identifier of the shipping option.
    """
    maxWeight: int | None
    """
    Maximum weight of the parcel, grams; `null`: no limit.
    """
    method: ShippingMethod
    """
    What the consumer has to do to send the parcel.
    """
    name: Translated
    """
    The option's name, as the consumer reads it, by language.
    """
    position: int
    """
    The position in the list of options; lower comes first.
    """
    prices: Prices
    """
    The prices by currency. The option is offered only in these currencies.
    """
    returnLocationId: str | None
    """
    The return location of its shipments; `null`: the default location, or else the policy's `returnAddress`.
    """
    updatedAt: Timestamp
    """
    When the shipping option last changed.
    """
    version: int
    """
    The version of the shipping option, from 1: it grows with each change and is the `ETag`.
    """
    weightPrices: list[WeightPrice]
    """
    Prices by weight, replacing `prices`, the lightest first.
    """


class ShippingOptionChange(TypedDict):
    """
    Changes to a shipping option. Fields that are left out stay as they are.
    """

    archived: NotRequired[bool]
    """
    `true` archives the option, `false` restores it.
    """
    carrierService: NotRequired[str]
    """
    The name of the service at the account's carrier; if empty, the carrier's cheapest service.
    """
    countries: NotRequired[list[Country]]
    """
    The countries where it is offered. Replaces all countries; `[]`: everywhere.
    """
    description: NotRequired[Translated]
    """
    How sending works, by language. Replaces all languages.
    """
    freeFrom: NotRequired[Prices]
    """
    The value of the return from which shipping is free, by currency. Replaces all amounts; `[]`: never free.
    """
    maxWeight: NotRequired[int | None]
    """
    The maximum weight of the shipment in grams; `null`: no limit.
    """
    method: NotRequired[ShippingMethod]
    """
    What the consumer has to do to send the parcel.
    """
    name: NotRequired[dict[str, str]]
    """
    The name that consumers read, by language. Replaces all languages.
    """
    position: NotRequired[int]
    """
    The position in the list of options; lower comes first.
    """
    prices: NotRequired[Prices]
    """
    The prices by currency. Replaces all of them.
    """
    returnLocationId: NotRequired[str | None]
    """
    The location that its shipments go to; `null`: the default one.
    """
    weightPrices: NotRequired[list[WeightPrice]]
    """
    Prices by weight, in place of `prices`. Replaces all steps; `[]`: the price is the same for every weight.
    """


class ShippingOptionList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ShippingOption]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class StepTexts(TypedDict):
    """
    The merchant's own text at each step, by language: up to 300 characters each; empty: none.
    """

    choose: Translated
    """
    The text on the page that chooses purchases and reasons.
    """
    follow: Translated
    """
    The text on the page that shows a return.
    """
    lookUp: Translated
    """
    The text on the page that looks an order up.
    """
    review: Translated
    """
    The text on the page that chooses the shipping and shows the cost.
    """


class StepTextsInput(TypedDict):
    """
    The merchant's own text at each step, by language: up to 300 characters each; empty: none.
    """

    choose: NotRequired[Translated]
    """
    The text on the page that chooses purchases and reasons.
    """
    follow: NotRequired[Translated]
    """
    The text on the page that shows a return.
    """
    lookUp: NotRequired[Translated]
    """
    The text on the page that looks an order up.
    """
    review: NotRequired[Translated]
    """
    The text on the page that chooses the shipping and shows the cost.
    """


class SubscriptionDisabledEventData(TypedDict):
    """
    The subscription that was disabled, without its URL.
    """

    description: str
    """
    What the subscription is for; may be empty.
    """
    disabledAt: Timestamp
    """
    When the subscription was disabled.
    """
    disabledReason: DisabledBecause
    """
    The reason why the subscription is disabled.
    """
    failingSince: Timestamp
    """
    The time since which every attempt has failed.
    """
    id: str
    """
    Unique identifier of the subscription.
    """


class TestPingEvent(TypedDict):
    """
    An event of the type `test.ping`. A test of the receiver: nothing happened.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: PingEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['test.ping']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['test.ping']
    """
    The type of the event, which decides what `data` holds.
    """


class TimelineEntry(TypedDict):
    """
    One stage that a return request entered. Or a failed call to the shop, carrier or payment provider, a change of its
    value or of what it asks for by staff, or a receipt or an inspection that was taken back, while the request stayed in its stage: then
    `fromStage` and `toStage` are the same.
    """

    actor: Actor
    """
    The party that moved the return request.
    """
    actorId: str | None
    """
    The user or service user who moved it, if staff did.
    """
    at: Timestamp
    """
    When the return request entered the stage.
    """
    comment: str
    """
    The reason for the move, or for the failed attempt; may be empty.
    """
    fromStage: Stage | None
    """
    The stage before; `null` for the first entry.
    """
    returnRequestId: str
    """
    The return request that moved.
    """
    toStage: Stage
    """
    The stage that the return request entered.
    """


class TimelineEntryList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[TimelineEntry]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class User(TypedDict):
    """
    A user: one of the merchant's people.
    """

    createdAt: Timestamp
    """
    When the user was invited.
    """
    email: str
    """
    The e-mail address that the user signs in with.
    """
    hasSecondFactor: bool
    """
    Whether the user has a second factor: an authenticator app or a passkey.
    """
    id: str
    """
    Unique identifier of the user.
    """
    language: Locale | None
    """
    The language of the desk and of mails to the user (BCP 47); `null`: as the browser and the account say.
    """
    lastSignedInAt: Timestamp | None
    """
    When the user last signed in; `null`: never.
    """
    name: str
    """
    The user's name; may be empty.
    """
    role: Role
    """
    The user's role: an `admin` may do everything, an `agent` works on returns, `finance` decides about money, a
    `warehouse` user receives returns, and a `viewer` only reads.
    """
    status: UserStatus
    """
    Whether the user can sign in.
    """
    updatedAt: Timestamp
    """
    When the user's name, role, language or password last changed.
    """
    version: int
    """
    The version of the user: it grows with each change and is the `ETag`.
    """


class UserList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[User]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class UserSession(TypedDict):
    """
    A session of a user.
    """

    device: str
    """
    Browser and system, or the name of the program; empty: unknown.
    """
    expiresAt: Timestamp
    """
    When the session ends if it is not used again.
    """
    id: str
    """
    Unique identifier of the session.
    """
    isCurrent: bool
    """
    Whether the request belongs to this session.
    """
    kind: UserSessionKind
    """
    What the session is for.
    """
    lastSeenAt: Timestamp
    """
    When the session was last used, to the minute.
    """
    network: str
    """
    The network that the user signed in from.
    """
    startedAt: Timestamp
    """
    When the user signed in.
    """


class UserSessions(TypedDict):
    """
    The newest sessions of a user.
    """

    data: list[UserSession]
    """
    The sessions, the newest first; at most 100.
    """


class WebhookRequest(TypedDict):
    """
    The request that is sent to the receiver.
    """

    body: Event
    """
    The body of the request: the event as JSON.
    """
    url: str
    """
    The URL that the request is sent to.
    """


class WebhookSubscriptionDisabledEvent(TypedDict):
    """
    An event of the type `webhook_subscription.disabled`. A subscription was disabled because its receiver failed or is gone.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: SubscriptionDisabledEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['webhook_subscription.disabled']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['webhook_subscription.disabled']
    """
    The type of the event, which decides what `data` holds.
    """


class Withdrawal(TypedDict):
    """
    A consumer's statement that they withdraw from a contract, and its status.
    """

    consumerId: str | None
    """
    The consumer who proved one of these orders; `null` if nobody has.
    """
    contract: str
    """
    The contract, in the person's own words; may have several lines.
    """
    createdAt: Timestamp
    """
    When the withdrawal was submitted.
    """
    email: str
    """
    The e-mail address that the acknowledgement is sent to.
    """
    id: str
    """
    Unique identifier of the withdrawal.
    """
    language: Locale
    """
    The language in which the person withdrew.
    """
    name: str
    """
    The name of the person who withdrew.
    """
    note: str
    """
    The merchant's note; may be empty.
    """
    number: str
    """
    A short number for people to refer to.
    """
    purchaseOrderNumbers: list[PurchaseOrderNumber]
    """
    The numbers of the orders that the statement names, if orders with these numbers and the e-mail address exist.
    """
    returnOrderId: str | None
    """
    The return order that follows from it; `null` if there is none.
    """
    status: WithdrawalStatus
    """
    The state of the withdrawal.
    """
    updatedAt: Timestamp
    """
    When the withdrawal last changed.
    """
    version: int
    """
    The version of the withdrawal: it grows with each change and is the `ETag`.
    """


class WithdrawalList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Withdrawal]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class WithdrawalReceivedEvent(TypedDict):
    """
    An event of the type `withdrawal.received`. A consumer withdrew from a contract.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: Withdrawal
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['withdrawal.received']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['withdrawal.received']
    """
    The type of the event, which decides what `data` holds.
    """


class BatchResult(TypedDict):
    """
    The result of one move of a batch.
    """

    code: RefusalCode | None
    """
    Why a rule refused the move, for programs; `null`: no rule did.
    """
    details: list[FieldError]
    """
    The fields with values that are not allowed.
    """
    message: str | None
    """
    Why the move was not made, as a sentence for people; `null`: it was made.
    """
    outcome: BatchOutcome
    """
    Whether the move was made.
    """
    returnRequestId: str
    """
    The return request.
    """
    stage: Stage | None
    """
    The stage of the return request after the move; `null`: the move was not made.
    """
    version: int | None
    """
    The version of the return request after the move; `null`: the move was not made.
    """


class BatchResults(TypedDict):
    """
    The results of many moves, in the order of the moves.
    """

    done: int
    """
    The number of moves that were made, or had been made before.
    """
    failed: int
    """
    The number of moves that were not made.
    """
    results: list[BatchResult]
    """
    One result for each move.
    """


class Branding(TypedDict):
    """
    The look and the texts of a merchant's portal.
    """

    color: str | None
    """
    The main colour, `#rrggbb`. The portal adjusts it until text on it and in it is readable.
    """
    contactEmail: str | None
    """
    The e-mail address that shoppers with a question write to; `null`: `replyTo`.
    """
    contactPhone: str | None
    """
    The telephone number that shoppers call, as they read it: digits and spaces, with `+` before a country code.
    """
    contactUrl: str | None
    """
    The page of the shop where shoppers ask for help.
    """
    corners: Corners
    """
    The rounding of buttons and boxes.
    """
    embedOrigins: list[EmbedOrigin]
    """
    The origins of sites that may embed the portal in a frame, such as `https://shop.example`.
    """
    font: Font
    """
    The kind of typeface. Devices have these installed: nothing is downloaded.
    """
    links: list[Link]
    """
    Links to pages of the shop, at the bottom of every page.
    """
    locale: Locale
    """
    The fallback language of the portal, for shoppers whose language it does not have.
    """
    logoDarkUrl: str | None
    """
    The URL of the logo for dark pages, on this host. Without one, dark pages show the logo on a light background.
    """
    logoUrl: str | None
    """
    The URL of the logo on this host.
    """
    replyTo: str | None
    """
    The reply address of mails. Without one, replies go to `contactEmail`, or else to the operator.
    """
    shopUrl: str | None
    """
    The URL of the link "back to the shop".
    """
    termsUrl: str | None
    """
    The URL of the merchant's return terms, linked at the bottom of every page and beside the button that submits a
    return.
    """
    texts: StepTexts
    """
    The merchant's own paragraph at the top of each step.
    """
    wording: Wording
    """
    Replacements for texts of the portal and its mails.
    """


class BrandingInput(TypedDict):
    """
    The look and the texts of a merchant's portal.
    """

    color: NotRequired[str | None]
    """
    The main colour, `#rrggbb`. The portal adjusts it until text on it and in it is readable.
    """
    contactEmail: NotRequired[str | None]
    """
    The e-mail address that shoppers with a question write to; `null`: `replyTo`.
    """
    contactPhone: NotRequired[str | None]
    """
    The telephone number that shoppers call, as they read it: digits and spaces, with `+` before a country code.
    """
    contactUrl: NotRequired[str | None]
    """
    The page of the shop where shoppers ask for help.
    """
    corners: NotRequired[Corners]
    """
    The rounding of buttons and boxes.
    """
    embedOrigins: NotRequired[list[EmbedOrigin]]
    """
    The origins of sites that may embed the portal in a frame, such as `https://shop.example`.
    """
    font: NotRequired[Font]
    """
    The kind of typeface. Devices have these installed: nothing is downloaded.
    """
    links: NotRequired[list[Link]]
    """
    Links to pages of the shop, at the bottom of every page.
    """
    locale: NotRequired[Locale]
    """
    The fallback language of the portal, for shoppers whose language it does not have.
    """
    logoDarkUrl: NotRequired[str | None]
    """
    The URL of the logo for dark pages, on this host. Without one, dark pages show the logo on a light background.
    """
    logoUrl: NotRequired[str | None]
    """
    The URL of the logo on this host.
    """
    replyTo: NotRequired[str | None]
    """
    The reply address of mails. Without one, replies go to `contactEmail`, or else to the operator.
    """
    shopUrl: NotRequired[str | None]
    """
    The URL of the link "back to the shop".
    """
    termsUrl: NotRequired[str | None]
    """
    The URL of the merchant's return terms, linked at the bottom of every page and beside the button that submits a
    return.
    """
    texts: NotRequired[StepTextsInput]
    """
    The merchant's own paragraph at the top of each step.
    """
    wording: NotRequired[Wording]
    """
    Replacements for texts of the portal and its mails.
    """


class BulkRun(TypedDict):
    """
    A change of many return requests, and how far it is.
    """

    action: BulkAction
    """
    What it does to each of its return requests.
    """
    canContinue: bool
    """
    Whether it can be continued: it has items without a result, and began less than 23 hours ago.
    """
    createdAt: Timestamp
    """
    When the run began.
    """
    done: int
    """
    The number of those that have a result.
    """
    failed: int
    """
    The number of those that were not changed.
    """
    id: str
    """
    Unique identifier of the run.
    """
    isRunning: bool
    """
    Whether an instance works on it now.
    """
    results: NotRequired[list[BulkRunResult] | None]
    """
    A result for each of its return requests that has one, in their order. Absent in lists.
    """
    total: int
    """
    The number of its return requests.
    """
    updatedAt: Timestamp
    """
    When its progress was last recorded.
    """


class BulkRunList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[BulkRun]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ConsumerPurchase(TypedDict):
    """
    A purchase as a consumer sees it: the product, whether it can be returned, how and why.
    """

    dearerUnits: NotRequired[int]
    """
    For estimates: how many of the next returned units cost one minor unit more than `unitPrice`. Absent for gifts.
    """
    eligibility: Eligibility
    """
    Whether the purchase can be returned, and the reason if not.
    """
    externalId: str
    """
    The shop's own id of the order line.
    """
    fulfilledAt: Timestamp | None
    """
    When the units were sent to the consumer.
    """
    id: str
    """
    Unique identifier of the purchase.
    """
    orderId: str
    """
    The id of the sales order. Two orders may have the same number.
    """
    orderNumber: str
    """
    The order number that people know.
    """
    orderedAt: Timestamp
    """
    When the sales order was placed.
    """
    product: Product
    """
    The product that was bought.
    """
    quantity: int
    """
    The number of units bought.
    """
    refundableUpTo: NotRequired[Money | None]
    """
    The maximum amount that all returns of the order together can still give: what was paid for the order, less what
    was given back and what other returns promise. `null`: the shop does not say what was paid, and there is no
    limit. Absent for gifts.
    """
    resolutions: list[ResolutionType]
    """
    The resolutions that the consumer may request: `Exchange` only if `product.exchangeOptions` has a product to
    send instead.
    """
    returnReasons: list[OfferedReturnReason]
    """
    The return reasons that the consumer can choose from.
    """
    returnableQuantity: int
    """
    The number of units that can be returned now.
    """
    shippingOptions: list[OfferedShippingOption]
    """
    The shipping options that the consumer can choose from.
    """
    totalPrice: NotRequired[Money]
    """
    The price of all units together. Absent for gifts.
    """
    unitPrice: NotRequired[Money]
    """
    The price of a unit: after discount, tax included. Some units may cost one minor unit more, so that all units
    together cost `totalPrice`. Absent for gifts.
    """


class ConsumerPurchaseList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ConsumerPurchase]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class CostBreakdown(TypedDict):
    """
    The full calculation: the lines of all requests and their totals. The lines sum to `estimatedRefund +
    estimatedCredit - payableNow`.
    """

    currency: Currency
    """
    The currency of all amounts in the breakdown.
    """
    estimatedCredit: Money
    """
    The money that the consumer gets as store credit.
    """
    estimatedRefund: Money
    """
    The money that the consumer gets back the way it was paid.
    """
    feeTotal: Money
    """
    The fees after waivers; never negative.
    """
    lines: list[CostLine]
    """
    The amounts that the totals consist of.
    """
    payableNow: Money
    """
    The amount to pay before anything is sent.
    """
    refundTotal: Money
    """
    The total before fees: items, outbound shipping and bonus, without what goes into exchanges, and within what is
    left of the order.
    """


class DraftReturnOrder(TypedDict):
    """
    A return that has not been submitted yet.
    """

    consumerId: str
    """
    The consumer who returns the items.
    """
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    What the return costs and what it gives back. Absent for gifts, and for staff who see no amounts.
    """
    createdAt: Timestamp
    """
    When the draft return order was created.
    """
    expiresAt: Timestamp
    """
    When the draft's amounts stop being valid.
    """
    gift: NotRequired[GiftCosts | None]
    """
    The same without amounts. Only for gifts, in place of `costBreakdown`.
    """
    id: str
    """
    Unique identifier of the draft return order.
    """
    needsReview: bool
    """
    Whether the return waits for a person first, regardless of the policy.
    """
    overrides: NotRequired[list[Override]]
    """
    The rules that staff overrode for the draft. Only for staff.
    """
    returnOrderId: str | None
    """
    The return order that the draft became; `null` until it is submitted.
    """
    selectedPurchases: list[SelectedPurchase]
    """
    The purchases to return, with quantities and reasons.
    """
    shippingOptionId: str | None
    """
    The chosen shipping option, once one is chosen.
    """
    status: DraftStatus
    """
    The status of the draft: whether it can still be submitted.
    """
    updatedAt: Timestamp
    """
    When the draft return order last changed.
    """


class DraftReturnOrderList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[DraftReturnOrder]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


DraftReturnOrderOrId: TypeAlias = str | DraftReturnOrder
"""
The id of an object, or the whole object if it was expanded.
"""


class ErrorBody(TypedDict):
    """
    What went wrong, for programs and for people.
    """

    code: ErrorCode
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    With the code `DraftOutdated`: today's figures.
    """
    details: NotRequired[list[FieldError]]
    """
    The fields with wrong values, where fields are wrong.
    """
    message: str
    """
    For people: what is wrong and what to do. May change.
    """


class FiguresSummary(TypedDict):
    """
    The figures of the last 28 days and of the 28 days before.
    """

    current: PeriodFigures
    """
    The last 28 days, with today.
    """
    previous: PeriodFigures
    """
    The 28 days before.
    """
    timeZone: str
    """
    The account's time zone, in which days begin and end.
    """


class Integration(TypedDict):
    """
    A system that the account is connected to, and the results of recent calls.
    """

    errorMessage: str | None
    """
    Why that call failed, in a sentence of at most 500 characters, without personal data; `null`: none has failed.
    """
    failedAttempts: int
    """
    The number of calls that have failed since the last usable response; 0: the system works.
    """
    kind: IntegrationKind
    """
    The kind of system, as in the account's settings.
    """
    lastErrorAt: Timestamp | None
    """
    When a call last failed; `null`: none has failed.
    """
    lastSuccessAt: Timestamp | None
    """
    When the system last gave a usable response, to within a minute; `null`: never since it was connected.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour repeats the call that failed last; `null`: nothing fails, or Retour calls only when somebody needs
    the result.
    """
    operations: list[OperationHealth]
    """
    Each operation that Retour has called.
    """
    role: IntegrationRole
    """
    The part that the system plays.
    """
    warning: NotRequired[str | None]
    """
    What has to be done soon so that the system keeps working, in a sentence. Without it, there is no such field.
    """


class IntegrationList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Integration]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class NewDraftReturnOrder(TypedDict):
    """
    The purchases to return and how to send them.
    """

    selectedPurchases: list[SelectedPurchaseInput]
    """
    The purchases to return, each at most once.
    """
    shippingOptionId: NotRequired[str | None]
    """
    The shipping option, which can also be chosen later.
    """


class NewPasskey(TypedDict):
    """
    A new passkey of the user.
    """

    passkey: Passkey
    """
    The passkey that was added.
    """
    recoveryCodes: list[RecoveryCode] | None
    """
    Ten codes, each of which replaces the passkey once after the password; `null`: the user has codes already. Only this
    response has them: Retour stores their hashes.
    """


class NewPreview(TypedDict):
    """
    A branding to preview. Fields that are left out are as in the live branding; the same body changes the account.
    """

    branding: NotRequired[BrandingInput]
    """
    The parts of the branding to try; the others stay.
    """


class NewReturn(TypedDict):
    """
    A return that the merchant creates for a consumer.
    """

    consumerId: str
    """
    The consumer who returns the purchases.
    """
    overrides: NotRequired[list[OverrideInput] | None]
    """
    The rules to override, each once. What is refunded stays within what was paid and is left of the order.
    """
    selectedPurchases: list[SelectedPurchaseInput]
    """
    The purchases to return, each at most once.
    """
    shippingOptionId: NotRequired[str | None]
    """
    The shipping option of the return.
    """


class NewReturnReason(TypedDict):
    """
    A return reason to create.
    """

    allowedResolutions: NotRequired[list[ResolutionType] | None]
    """
    The resolutions that consumers may choose, each once; if empty or left out, all that the policy allows.
    """
    description: dict[str, str]
    """
    The text that consumers read, by language: 1 to 500 characters each.
    """
    evidence: NotRequired[EvidenceRule | None]
    """
    Whether photos are required; `none`, if left out.
    """
    fault: NotRequired[Fault | None]
    """
    The party at fault; the consumer, if left out.
    """
    parentId: NotRequired[str | None]
    """
    The more general reason that this one refines. That one must not refine another reason itself.
    """
    position: NotRequired[int | None]
    """
    The position in the list of reasons, 0 to 1,000,000; after the last one, if left out.
    """
    questions: NotRequired[list[QuestionInput] | None]
    """
    The questions about a returned item, in this order.
    """
    restockingFeePercent: NotRequired[Percent | None]
    """
    The part of the price that the shop keeps, in percent; 0, if left out.
    """
    review: NotRequired[bool | None]
    """
    Whether staff review a request before it is approved; `false`, if left out.
    """


class OrderData(TypedDict):
    """
    A sales order, as the shop reported it.
    """

    address: Address
    """
    The address that the order was delivered to; its fields may be empty.
    """
    email: str
    """
    The e-mail address of the person who ordered; may be empty.
    """
    externalId: str
    """
    The shop's id of the order.
    """
    id: str
    """
    Unique identifier of the order.
    """
    lines: list[OrderLine]
    """
    The lines of the order: what was bought.
    """
    number: str
    """
    The order number that people know, such as `1001`.
    """
    orderedAt: Timestamp
    """
    When the order was placed.
    """


class OrderWithPurchases(TypedDict):
    """
    A sales order together with its lines.
    """

    order: OrderInput
    """
    The sales order itself.
    """
    purchases: list[PurchaseInput]
    """
    The lines of the order, each once, at least one.
    """


class OrdersInput(TypedDict):
    """
    Sales orders to import together.
    """

    orders: list[OrderWithPurchases]
    """
    The orders to import, each once.
    """


class Payment(TypedDict):
    """
    The payment of a return order.
    """

    amount: Money
    """
    The amount to pay.
    """
    checkoutUrl: str | None
    """
    Where the consumer pays: a path of this server. `null` when no payment is expected.
    """
    checkouts: list[PaymentCheckout]
    """
    Checkouts at the provider's pages, oldest first; none with `simulated`.
    """
    createdAt: Timestamp
    """
    When the payment was created.
    """
    dueAt: Timestamp
    """
    The last moment at which the payment is accepted.
    """
    errorMessage: str | None
    """
    Why calls to the provider fail, or why the provider refuses. Only for staff. `null`: nothing is wrong.
    """
    failedAttempts: int
    """
    The number of calls to the provider that have failed since the last success. Only for staff.
    """
    id: str
    """
    Unique identifier of the payment.
    """
    kind: PaymentKind
    """
    The provider that takes the payment.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour calls the provider again after a failure; `null`: nothing is wrong, or Retour calls when the
    consumer wants to pay.
    """
    onItsWay: bool
    """
    Whether the consumer paid with a method that takes days, and the payment has not arrived yet.
    """
    refundDue: Money
    """
    The part of the amount that must be or was refunded.
    """
    refunded: Money
    """
    The part of the amount that was refunded.
    """
    status: PaymentState
    """
    The state of the payment.
    """


class Preview(TypedDict):
    """
    A branding to try before it is saved.
    """

    branding: Branding
    """
    The whole branding of the preview.
    """
    expiresAt: Timestamp
    """
    When the preview stops working.
    """
    url: str
    """
    The URL of the preview. Everybody who has the URL sees the preview.
    """


class Purchase(TypedDict):
    """
    A purchase: one line of a sales order.
    """

    deliveredAt: Timestamp | None
    """
    When the units arrived at the consumer.
    """
    discount: Money
    """
    The discount that `totalPrice` already contains.
    """
    eligibility: Eligibility
    """
    Whether the purchase can be returned, and if not, why.
    """
    externalId: str
    """
    The shop's own id of the line.
    """
    finalSale: bool
    """
    Whether the product was sold as not returnable.
    """
    fulfilledAt: Timestamp | None
    """
    When the units were sent to the consumer.
    """
    fulfilledQuantity: int
    """
    The number of units sent.
    """
    id: str
    """
    Unique identifier of the purchase.
    """
    order: SalesOrder
    """
    The sales order that the purchase belongs to.
    """
    orderNumber: str
    """
    The number of the sales order.
    """
    orderedAt: Timestamp
    """
    When the sales order was placed.
    """
    position: int
    """
    The position of the line in its order, from 1.
    """
    product: Product
    """
    The product that was bought.
    """
    quantity: int
    """
    The number of units bought.
    """
    refundedQuantity: int
    """
    The number of units that the shop reports as refunded, including refunds of Retour's returns.
    """
    removedQuantity: int
    """
    The number of units that were removed from the order before they were sent.
    """
    requiresShipping: bool
    """
    Whether the product is sent in a parcel.
    """
    returnableQuantity: int
    """
    The number of units that can be returned now.
    """
    settledQuantity: int
    """
    The number of those units that are settled: refunded, credited or exchanged.
    """
    takenQuantity: int
    """
    The number of units in open or settled returns of Retour.
    """
    tax: Money
    """
    The tax contained in `totalPrice`.
    """
    totalPrice: Money
    """
    The price of all units together.
    """
    unitPrice: Money
    """
    The price of a unit: after discount, tax included. Some units may cost one minor unit more, so that all units
    together cost `totalPrice`.
    """


class PurchaseList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[Purchase]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class Receiving(TypedDict):
    """
    A parcel that was counted, and the return requests as they are now.
    """

    externalReference: str
    """
    The reference in the request, or an id that Retour made if the request has none.
    """
    id: str | None
    """
    Identifies the count to take it back; `null` if it is too old for that.
    """
    receivedAt: Timestamp
    """
    When the parcel was counted.
    """
    returnOrderId: str
    """
    The return order that the parcel belongs to.
    """
    returnOrderNumber: str
    """
    The number of the return order.
    """
    returnRequests: list[ReturnRequest]
    """
    All return requests of the return order: their stages and resolutions say what follows.
    """


class ReturnOrder(TypedDict):
    """
    A return order: purchases that a consumer returns together.
    """

    assigneeId: str | None
    """
    The user who has the return order; `null`: nobody. Only for staff.
    """
    consumerId: ConsumerOrId
    """
    The consumer's id, or the whole consumer with `expand=consumer`.
    """
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    What the return costs and what it gives back. Absent for gifts, and for staff who see no amounts.
    """
    createdAt: Timestamp
    """
    When the return order was created.
    """
    draftReturnOrderId: DraftReturnOrderOrId
    """
    The id of the draft that was submitted, or the whole draft with `expand=draftReturnOrder`.
    """
    flags: list[Flag]
    """
    Words of the staff to find the return order by. Only for staff.
    """
    gift: NotRequired[GiftCosts | None]
    """
    The same without amounts. Only for gifts, in place of `costBreakdown`.
    """
    id: str
    """
    Unique identifier of the return order.
    """
    leaveOutOfBulk: bool
    """
    Whether changes of many return requests at once leave the return order out. Only for staff.
    """
    number: str
    """
    A short number for people to refer to, unique in the account.
    """
    payment: Payment | None
    """
    The payment that is due or was made; `null` if there is none.
    """
    paymentStatus: PaymentStatus
    """
    The state of the payment, if one is due.
    """
    purchaseOrderNumbers: list[PurchaseOrderNumber]
    """
    The numbers of the sales orders that the items are from.
    """
    returnRequests: NotRequired[list[ReturnRequest] | None]
    """
    The return requests of the order, with `expand=returnRequests`.
    """
    shipments: NotRequired[list[Shipment] | None]
    """
    The shipments of the order, with `expand=shipments`.
    """
    shippingOptionId: str | None
    """
    The chosen shipping option; `null` if nothing is sent.
    """
    source: ReturnSource
    """
    The way in which the return order was created.
    """
    status: ReturnOrderStatus
    """
    The state of the return order as a whole.
    """
    updatedAt: Timestamp
    """
    When the return order last changed.
    """
    version: int
    """
    The version of the return order, from 1: it grows with each change and is the `ETag`.
    """


class ReturnOrderEventData(TypedDict):
    """
    The return order as it was when the event happened, with its return requests and its shipments.
    """

    assigneeId: str | None
    """
    The user who has the return order; `null`: nobody. Only for staff.
    """
    consumerId: Consumer
    """
    The consumer who made the return.
    """
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    What the return costs and what it gives back. Absent for gifts, and for staff who see no amounts.
    """
    createdAt: Timestamp
    """
    When the return order was created.
    """
    draftReturnOrderId: DraftReturnOrderOrId
    """
    The id of the draft that was submitted, or the whole draft with `expand=draftReturnOrder`.
    """
    flags: list[Flag]
    """
    Words of the staff to find the return order by. Only for staff.
    """
    gift: NotRequired[GiftCosts | None]
    """
    The same without amounts. Only for gifts, in place of `costBreakdown`.
    """
    id: str
    """
    Unique identifier of the return order.
    """
    leaveOutOfBulk: bool
    """
    Whether changes of many return requests at once leave the return order out. Only for staff.
    """
    number: str
    """
    A short number for people to refer to, unique in the account.
    """
    payment: Payment | None
    """
    The payment that is due or was made; `null` if there is none.
    """
    paymentStatus: PaymentStatus
    """
    The state of the payment, if one is due.
    """
    purchaseOrderNumbers: list[PurchaseOrderNumber]
    """
    The numbers of the sales orders that the items are from.
    """
    returnRequests: list[ReturnRequest]
    """
    The return requests of the order.
    """
    shipments: list[Shipment]
    """
    The shipments that the event is about; empty if there are none.
    """
    shippingOptionId: str | None
    """
    The chosen shipping option; `null` if nothing is sent.
    """
    source: ReturnSource
    """
    The way in which the return order was created.
    """
    status: ReturnOrderStatus
    """
    The state of the return order as a whole.
    """
    updatedAt: Timestamp
    """
    When the return order last changed.
    """
    version: int
    """
    The version of the return order, from 1: it grows with each change and is the `ETag`.
    """


class ReturnOrderList(TypedDict):
    """
    One page of a list.
    """

    count: NotRequired[Count | None]
    """
    The number of results on all pages, with `count=true`.
    """
    data: list[ReturnOrder]
    """
    The results of this page.
    """
    hasMore: bool
    """
    Whether more results follow after this page.
    """
    limit: int
    """
    The number of results per page.
    """
    nextPage: int | None
    """
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than
    every page number. `null` on the last page.
    """
    page: int
    """
    The number of this page, or the cursor that was sent as `page`; 1 if none was sent.
    """


class ReturnRequestBatch(TypedDict):
    """
    Moves of many return requests.
    """

    moves: list[ReturnRequestMove]
    """
    1 to 100 moves, each of another return request.
    """


class Scan2(TypedDict):
    """
    What a scanned code belongs to.
    """

    code: str
    """
    The code without what scanners add: control characters and the symbology identifier.
    """
    command: str | None
    """
    The command, if the code is one of the command sheet; `null` otherwise.
    """
    matches: list[ScanMatch]
    """
    What the code belongs to, the likeliest first. Empty: nothing is known about it.
    """


class ShipmentEventData(TypedDict):
    """
    The shipment as it was when the event happened, with its return order.
    """

    carrier: str | None
    """
    The carrier's name; `null` while it is unknown.
    """
    contents: list[ParcelContent] | None
    """
    The units in the parcel, if this is known; `null`: all units that are sent.
    """
    createdAt: Timestamp
    """
    When the shipment was created.
    """
    errorCode: str | None
    """
    The reason why there is no label, for programs.
    """
    errorMessage: str | None
    """
    The carrier's error as a sentence for people.
    """
    failedAttempts: int
    """
    The number of label requests to the carrier that have failed.
    """
    id: str
    """
    Unique identifier of the shipment.
    """
    labelBarcode: str
    """
    The content of the label's barcode: on Retour's own labels the SSCC, 18 digits; empty while it is unknown.
    """
    labelMediaTypes: list[LabelFormat]
    """
    The media types of the label, for `Accept`; empty while there is none.
    """
    labelUrl: str | None
    """
    The path in this API that returns the label; `null` while there is none, and after it was voided.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour requests the label from the carrier again; `null`: there is a label, or a person has to look.
    """
    qrCode: str | None
    """
    The content of the QR code that is shown instead of a label, if the carrier gave one; `null`: the return's
    number.
    """
    reason: ShipmentReason
    """
    Why the shipment is sent.
    """
    receiver: Address
    """
    The address that the parcel is sent to.
    """
    returnOrder: ReturnOrderEventData
    """
    The return order that the shipment belongs to. It is serialized once, because several events share it.
    """
    returnOrderId: str
    """
    The return order whose units are in the parcel.
    """
    sender: Address
    """
    The sender's address; its fields may be empty.
    """
    status: ShipmentStatus
    """
    The state of the shipment.
    """
    trackingNumber: str | None
    """
    The carrier's tracking number.
    """
    trackingUpdates: list[TrackingUpdate]
    """
    The carrier's tracking updates, oldest first by the carrier's clock.
    """
    trackingUrl: str | None
    """
    The carrier's tracking page of the parcel.
    """
    updatedAt: Timestamp
    """
    When the shipment last changed.
    """
    version: int
    """
    The version of the shipment, from 1: it grows with each change and is the `ETag`.
    """


class ShipmentLabelCreatedEvent(TypedDict):
    """
    An event of the type `shipment.label_created`. A parcel got its label: a warehouse can expect it.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ShipmentEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['shipment.label_created']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['shipment.label_created']
    """
    The type of the event, which decides what `data` holds.
    """


class ShipmentReceivedTrackingUpdatesEvent(TypedDict):
    """
    An event of the type `shipment.received_tracking_updates`. A carrier reported where a parcel is.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ShipmentEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['shipment.received_tracking_updates']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['shipment.received_tracking_updates']
    """
    The type of the event, which decides what `data` holds.
    """


class SignedIn(TypedDict):
    """
    The token of a user who has just signed in.
    """

    accessToken: str
    """
    The credential for the header `Authorization: Bearer …`.
    """
    expiresAt: Timestamp
    """
    When the token stops working.
    """
    step: SignInStep
    """
    What the token still needs. With `Enrol`, it opens only the operations under `/auth/user`, until the user has set
    up a second factor.
    """
    tokenType: str
    """
    The scheme of the `Authorization` header: always `Bearer`.
    """
    user: User
    """
    The user who owns the token.
    """


class WebhookDeliveryDetails(TypedDict):
    """
    A delivery with its request and all attempts.
    """

    attemptCount: int
    """
    The number of attempts so far.
    """
    attempts: list[WebhookAttempt]
    """
    Every attempt, oldest first.
    """
    createdAt: Timestamp
    """
    When the event happened.
    """
    eventId: str
    """
    The event that is delivered.
    """
    eventType: EventType
    """
    The type of the event.
    """
    id: str
    """
    Unique identifier of the delivery.
    """
    nextAttemptAt: Timestamp | None
    """
    When the next attempt is made, if the receiver accepts the earlier events of the same return; `null` if none is
    planned.
    """
    request: WebhookRequest
    """
    The request that is sent to the receiver.
    """
    status: DeliveryStatus
    """
    The state of the delivery.
    """
    subscriptionId: str
    """
    The subscription that the event is delivered to.
    """


class Account(TypedDict):
    """
    A merchant's account: its settings, rules and connections.
    """

    apiOrigins: list[ApiOrigin]
    """
    Origins of the websites whose scripts may call the consumer operations from a browser.
    """
    branding: Branding
    """
    Colours, font, logo and links of the portal.
    """
    bridge: Bridge
    """
    The shop that orders come from, and how Retour reaches it.
    """
    carrier: CarrierSettings
    """
    The carrier that makes the account's labels.
    """
    createdAt: Timestamp
    """
    When the account was created.
    """
    currency: Currency
    """
    The currency of the account's fees, unless an order has another one.
    """
    domain: Domain | None
    """
    The portal's own host name; `null` if it has none.
    """
    id: str
    """
    Unique identifier of the account.
    """
    name: str
    """
    The shop's name, as shoppers read it.
    """
    payment: PaymentSettings
    """
    The provider that takes payments of fees.
    """
    policy: Policy
    """
    The rules for returns: windows, fees and automatic decisions.
    """
    slug: str
    """
    The shop's name in URLs of the portal, such as `fjord-fern`.
    """
    test: bool
    """
    Whether the account is a test: its labels are specimens, and its carrier may be simulated. Only the operator sets this.
    """
    timeZone: TimeZone
    """
    The time zone in which the account's days begin and end.
    """
    updatedAt: Timestamp
    """
    When the account last changed.
    """
    version: int
    """
    The version of the account, from 1: it grows with each change and is the `ETag`.
    """


class AccountChange(TypedDict):
    """
    Changes to an account. Fields that are left out stay as they are.
    """

    apiOrigins: NotRequired[list[ApiOrigin]]
    """
    Origins of the websites whose scripts may call the consumer operations, such as `https://shop.example`. Replaces
    the whole list.
    """
    branding: NotRequired[BrandingInput]
    """
    The parts of the branding to change; the others stay.
    """
    bridge: NotRequired[BridgeInput]
    """
    The shop that orders come from. Replaces the whole setting.
    """
    carrier: NotRequired[CarrierInput]
    """
    The carrier that creates labels. Replaces the whole setting.
    """
    name: NotRequired[str]
    """
    The name that shoppers read: 1 to 100 characters.
    """
    payment: NotRequired[PaymentInput]
    """
    The provider that takes payments. Replaces the whole setting.
    """
    policy: NotRequired[PolicyInput]
    """
    The rules to change; the others stay.
    """
    timeZone: NotRequired[str]
    """
    The time zone in which its rules count days: a name of the IANA time zone database, such as `Europe/Berlin`.
    """


class AmendmentPreview(TypedDict):
    """
    What a change by staff would make of the costs of a return order.
    """

    after: CostBreakdown
    """
    The costs of the return order after the change.
    """
    before: CostBreakdown
    """
    The costs of the return order now.
    """


class PersonalData(TypedDict):
    """
    All data of one person: of everybody with their e-mail address.
    """

    consumers: list[Consumer]
    """
    The person's consumers, one for each order that they proved.
    """
    draftReturnOrders: list[DraftReturnOrder]
    """
    The person's drafts.
    """
    notes: list[Note]
    """
    The notes of staff about those return orders.
    """
    orders: list[OrderData]
    """
    The person's orders, as the shop reported them.
    """
    pendingEvidence: list[PendingEvidence]
    """
    Photos and documents of purchases whose return is not submitted yet.
    """
    returnOrders: list[ReturnOrder]
    """
    The person's return orders, with requests and shipments.
    """
    timelineEntries: list[TimelineEntry]
    """
    The timeline entries of those return requests.
    """
    withdrawals: list[Withdrawal]
    """
    The person's withdrawals.
    """


class ReturnOrderAssignedEvent(TypedDict):
    """
    An event of the type `return_order.assigned`. A return order was given to a user, or taken from one.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_order.assigned']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_order.assigned']
    """
    The type of the event, which decides what `data` holds.
    """


class ReturnOrderCancelledEvent(TypedDict):
    """
    An event of the type `return_order.cancelled`. All of its requests have ended, and none was settled or denied.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_order.cancelled']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_order.cancelled']
    """
    The type of the event, which decides what `data` holds.
    """


class ReturnOrderCompletedEvent(TypedDict):
    """
    An event of the type `return_order.completed`. All of its requests have ended, and at least one was settled or denied.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_order.completed']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_order.completed']
    """
    The type of the event, which decides what `data` holds.
    """


class ReturnOrderConfirmedEvent(TypedDict):
    """
    An event of the type `return_order.confirmed`. None of its requests is undecided and no payment is due: it can be sent.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_order.confirmed']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_order.confirmed']
    """
    The type of the event, which decides what `data` holds.
    """


class ReturnOrderCreatedEvent(TypedDict):
    """
    An event of the type `return_order.created`. A return order was submitted.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['return_order.created']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['return_order.created']
    """
    The type of the event, which decides what `data` holds.
    """


class ShipmentDeliveredEvent(TypedDict):
    """
    An event of the type `shipment.delivered`. A carrier delivered a parcel.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ShipmentEventData
    """
    The resource and its related objects, as they were when the event happened.
    """
    event: Literal['shipment.delivered']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Unique identifier of the event; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['shipment.delivered']
    """
    The type of the event, which decides what `data` holds.
    """


WebhookEvent: TypeAlias = ConsumerErasedEvent | ReturnOrderAssignedEvent | ReturnOrderCancelledEvent | ReturnOrderCompletedEvent | ReturnOrderConfirmedEvent | ReturnOrderCreatedEvent | ReturnOrderNoteAddedEvent | ReturnRequestStageChangedEvent | ShipmentDeliveredEvent | ShipmentLabelCreatedEvent | ShipmentReceivedTrackingUpdatesEvent | TestPingEvent | WebhookSubscriptionDisabledEvent | WithdrawalReceivedEvent
"""
An event that Retour sends to a subscriber. `type` decides what `data` holds.
"""
