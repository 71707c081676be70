"""Generated from the OpenAPI document by .ci/sdk. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

ApiOrigin: TypeAlias = str


Actor: TypeAlias = Literal['Consumer', 'Merchant', 'System']
"""
Who changed something.

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

    additional: NotRequired[str]
    """
    Building, floor, company or "c/o"; may be empty. Written below the street, or below the name if it begins with "c/o".
    """
    city: NotRequired[str]
    """
    The city or town of the address.
    """
    country: NotRequired[str]
    """
    The country's two letters (ISO 3166-1 alpha-2).
    """
    name: NotRequired[str]
    """
    The person or company at the address.
    """
    postalCode: NotRequired[str]
    """
    The postal code, as the country writes it.
    """
    province: NotRequired[str]
    """
    State, county or prefecture; may be empty.
    """
    street: NotRequired[str]
    """
    Street and house number.
    """


EmbedOrigin: TypeAlias = str


BridgeKind: TypeAlias = Literal['catalog', 'http', 'vendure', 'medusa']
"""
The kinds of shop that Retour can read orders from.

- `catalog`: Retour keeps the orders itself: they are sent by the API or imported.
- `http`: A component that the merchant runs, which speaks Retour's own protocol.
- `vendure`: A Vendure shop, which Retour asks directly.
- `medusa`: A Medusa shop, which Retour asks directly.
"""


CarrierKind: TypeAlias = Literal['own', 'simulated', 'bridge', 'karrio']
"""
The kinds of carrier that can make labels.

- `own`: Retour creates the label with an SSCC. The merchant has their own carrier contract.
- `simulated`: Retour creates a specimen of a label, and the parcel moves by itself within a minute. For accounts with `test`.
- `bridge`: The merchant's component creates the label, by `/get-label`: for a `bridge` of the kind `http`.
- `karrio`: The merchant's karrio server creates the label.
"""


class CarrierSettings(TypedDict):
    """
    Who makes the labels of an account's parcels. Its key is not shown.
    """

    kind: CarrierKind
    """
    The kind of carrier that makes the labels.
    """
    noticesUrl: str | None
    """
    Where karrio is to send its webhooks: a path of this server; `null` for the others.
    """
    url: str | None
    """
    The address of karrio; `null` for other kinds.
    """


ClosedWithdrawal: TypeAlias = Literal['Closed']
"""
The only status that can be set by hand.

- `Closed`: The merchant has dealt with it; nothing more is to be done.
"""


Condition: TypeAlias = Literal['New', 'Opened', 'Used', 'Damaged', 'Incomplete', 'WrongItem']
"""
The condition that things come back in.

- `New`: Unopened, as it was sold.
- `Opened`: Unpacked but not used.
- `Used`: Shows signs of use.
- `Damaged`: Broken or damaged.
- `Incomplete`: Parts or accessories are missing.
- `WrongItem`: Another item than the one that was bought.
"""


ConsumerId: TypeAlias = str
"""
One pair of order credentials.
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
How round corners of buttons, fields and cards are.

- `Square`: Corners are not rounded.
- `Soft`: Corners are slightly rounded.
- `Round`: Buttons end in half circles.
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
- `Failed`: The receiver did not, and it is not tried again unless somebody asks for it.
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
What becomes of things that came back.

- `Restock`: Sold again as new.
- `Refurbish`: Repaired and sold again.
- `Outlet`: Sold at a lower price.
- `Donate`: Given to a charity.
- `Dispose`: Thrown away or recycled.
- `ReturnToConsumer`: Sent back to the consumer.
"""


Domain: TypeAlias = str
"""
A host by its name, in lower case and without a port: `returns.shop.example`. Never an address of the network.
"""


DraftStatus: TypeAlias = Literal['Open', 'Accepted', 'Rejected', 'Expired']
"""
The states of a draft return order.

- `Open`: The draft can be submitted.
- `Accepted`: The draft was submitted and is now a return order.
- `Rejected`: The merchant rejected the draft.
- `Expired`: The draft is older than 24 hours.
"""


ErrorCode: TypeAlias = Literal['BadRequest', 'InvalidCredentials', 'InvalidInvitation', 'InvalidOrderCredentials', 'Unauthorized', 'Forbidden', 'NotFound', 'MethodNotAllowed', 'NotAcceptable', 'RequestTimeout', 'Conflict', 'Disabled', 'DraftExpired', 'DraftOutdated', 'DraftRejected', 'EmailTaken', 'IllegalTransition', 'InUse', 'KnownUnderAnotherId', 'LabelNotReady', 'LastAdmin', 'LimitReached', 'NoSecretKey', 'NotCancellable', 'OtherCurrency', 'OtherOrder', 'QuantityExceeded', 'Revoked', 'ShipmentCancelled', 'StageConflict', 'PreconditionFailed', 'PayloadTooLarge', 'UnsupportedMediaType', 'IdempotencyKeyReused', 'ValidationFailed', 'TooManyRequests', 'InternalError', 'BridgeUnavailable', 'PaymentUnavailable', 'ServiceUnavailable']
"""
For programs: what went wrong. Later versions may add codes: treat one that you do not know by its status.
"""


class EventRedelivery(TypedDict):
    """
    The subscriptions that an event is sent to once more.
    """

    subscriptionId: NotRequired[str | None]
    """
    To this subscription alone, whatever it is about; to all that are about it or were told of it, if left out.
    """


EventType: TypeAlias = Literal['return_request.stage_changed', 'return_order.created', 'return_order.confirmed', 'return_order.completed', 'return_order.cancelled', 'shipment.label_created', 'shipment.received_tracking_updates', 'shipment.delivered', 'withdrawal.received', 'consumer.erased', 'webhook_subscription.disabled', 'test.ping']
"""
The types of events.

- `return_request.stage_changed`: A return request entered a stage.
- `return_order.created`: A return order was submitted.
- `return_order.confirmed`: None of its requests is undecided and nothing is to be paid: it can be sent.
- `return_order.completed`: All of its requests have ended, and one was settled or denied at least.
- `return_order.cancelled`: All of its requests have ended, and none was settled or denied.
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
    For people; may be empty where a merchant's program named it.
    """
    sku: str
    """
    The shop's stock-keeping unit.
    """


class ExchangeOptionInput(TypedDict):
    """
    An item that can be sent in exchange.
    """

    name: NotRequired[str]
    """
    For people; may be empty where a merchant's program named it.
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
Typefaces that are there without being fetched, by their kind.

- `System`: What the device itself writes in.
- `Grotesque`: Even and plain, such as Helvetica.
- `Humanist`: Drawn as by a pen, as Gill Sans.
- `Geometric`: Of circles and straight lines, as Avenir.
- `Rounded`: With rounded ends of strokes.
- `Serif`: With serifs, as in books.
- `Slab`: With heavy serifs, as Rockwell.
"""


class GiftCosts(TypedDict):
    """
    What a return comes to for somebody who was given what goes back: they are shown no amounts and pay nothing.
    """

    chargesTakenOff: bool
    """
    Whether what the shop charges for the return comes off that.
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
- `NoShippingOption`: No way of sending is set up that has a price in the order's currency and is offered where the buyer lives.
- `NoReturnReason`: No reason for returns is set up with which something is offered for it.
- `ReturnedElsewhere`: The same sale is known under another id, and things of that one go back.
- `NotInOrder`: The shop's order no longer contains it.
- `NotShippable`: It needs no parcel: a gift card, a download, a service, a tip or a fee.
"""


class Inspection(TypedDict):
    """
    What the warehouse found when it looked at what it received.
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


IntegrationKind: TypeAlias = Literal['http', 'vendure', 'medusa', 'bridge', 'karrio', 'stripe', 'mollie']
"""
The kinds of systems that an account can be connected to.

- `http`: A component that the merchant runs: the shop.
- `vendure`: A Vendure shop.
- `medusa`: A Medusa shop.
- `bridge`: The same component: the carrier.
- `karrio`: A karrio server.
- `stripe`: Stripe.
- `mollie`: Mollie.
"""


IntegrationOperation: TypeAlias = Literal['LookUp', 'Resolution', 'Label', 'Tracking', 'Voiding', 'Checkout', 'PaymentStatus', 'Refund']
"""
What another system is asked to do.

- `LookUp`: The shop finds an order.
- `Resolution`: The shop carries out a resolution.
- `Label`: The carrier makes a label.
- `Tracking`: The carrier tells where a parcel is.
- `Voiding`: The carrier voids a label.
- `Checkout`: The payment provider makes a page to pay on.
- `PaymentStatus`: The payment provider tells the state of a payment.
- `Refund`: The payment provider pays back.
"""


IntegrationRole: TypeAlias = Literal['Shop', 'Carrier', 'PaymentProvider']
"""
The part that another system plays for an account.

- `Shop`: The shop, which knows orders and carries out resolutions.
- `Carrier`: The carrier, which makes labels and tells where parcels are.
- `PaymentProvider`: The payment provider, which takes fees and pays them back.
"""


Key: TypeAlias = str
"""
What programs call a question or an offered answer: `zip`, `too-small`. 1 to 40 of `a-z`, `0-9`, `-` and `_`.
"""


LabelFormat: TypeAlias = Literal['application/pdf', 'image/png', 'application/zpl']
"""
The file formats that labels can have.

- `application/pdf`: A page to print.
- `image/png`: A picture for a screen.
- `application/zpl`: Commands for a label printer.
"""


LineKind: TypeAlias = Literal['ItemRefund', 'OutboundShippingRefund', 'ReturnShipping', 'RestockingFee', 'RequestFee', 'StoreCreditBonus', 'ExchangeValue', 'FeeWaiver', 'RefundLimit']
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
- `RefundLimit`: What does not come back because no more is left of what was paid for the order.
"""


Locale: TypeAlias = str
"""
A language by its BCP 47 tag, as far as the portal speaks it.
"""


LookUpBy: TypeAlias = Literal['email', 'postalCode']
"""
What proves an order in addition to its number.

- `email`: The e-mail address of the order.
- `postalCode`: The postal code that the order was delivered to.
"""


MailStatus: TypeAlias = Literal['Sent', 'Failed']
"""
The states of a mail.

- `Sent`: The mail server accepted it.
- `Failed`: The server does not take it, or could not be reached for a day.
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


class NewInspection(TypedDict):
    """
    What the warehouse found when it inspected the units.
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
    For the merchant's own people.
    """
    refused: int
    """
    Units that are not. Both together are what was received.
    """


class NewPassword(TypedDict):
    """
    A new password, with the invitation that allows it.
    """

    password: str
    """
    12 to 200 characters of any kind; neither the e-mail address nor one that anybody would try first.
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
    What the warehouse calls this delivery: each counts once.
    """
    quantity: int
    """
    The number of units that arrived, at least 1.
    """


class NewReturnLocation(TypedDict):
    """
    A return location to create.
    """

    address: AddressInput
    """
    What stands on labels: street, city and country at least, up to 200 characters in each line.
    """
    isDefault: NotRequired[bool | None]
    """
    Whether parcels go there unless their way of sending says otherwise. Only one location is the default: the one
    before is it no longer.
    """
    name: str
    """
    The merchant's name for the location: 1 to 200 characters.
    """


class NewReturnOrder(TypedDict):
    """
    The draft that is to become a return order.
    """

    draftReturnOrderId: str
    """
    The draft to submit.
    """
    shippingOptionId: NotRequired[str | None]
    """
    How to send it, in place of the draft's `shippingOptionId`; without it, as the draft says.
    """


Country: TypeAlias = str


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
    One of the answers that a question offers.
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
    Something that is asked about what goes back for a reason.
    """

    id: Key
    """
    The id to send as the answer's `questionId`.
    """
    options: list[OfferedAnswer]
    """
    What there is to choose from; empty: it is answered in the consumer's own words.
    """
    required: bool
    """
    Whether a consumer's draft needs an answer; what the merchant makes for them needs none.
    """
    text: str
    """
    The text of the question, as the consumer reads it.
    """


class OfferedWeightPrice(TypedDict):
    """
    What sending costs from a weight on, in the order's currency.
    """

    above: int
    """
    The weight in grams above which the price applies.
    """
    price: Money | None
    """
    What it costs; `null`: it is not offered at such a weight.
    """


class OrderCredentialsByEmail(TypedDict):
    """
    An order's number and its e-mail address, where the shop looks up by e-mail address.
    """

    account: NotRequired[str | None]
    """
    The shop's id or slug; may be left out with an API key of the shop.
    """
    email: str
    """
    The order's e-mail address.
    """
    orderNumber: str
    """
    As the shopper types it: `#`, spaces and case do not matter.
    """


class OrderCredentialsByPostalCode(TypedDict):
    """
    An order's number and its postal code, where the shop looks up by postal code or accepts returns of gifts.
    """

    account: NotRequired[str | None]
    """
    The shop's id or slug; may be left out with an API key of the shop.
    """
    giftRecipientEmail: NotRequired[str | None]
    """
    The gift recipient's own e-mail address, where a gift is returned. It proves nothing; Retour writes to it.
    """
    orderNumber: str
    """
    As the shopper types it: `#`, spaces and case do not matter.
    """
    postalCode: str
    """
    The postal code that the order was sent to.
    """


Tag: TypeAlias = str


Outcome: TypeAlias = Literal['Delivered', 'Refused', 'Gone', 'AddressNotAllowed', 'PlainHttpNotAllowed', 'UnknownHost', 'NotConnected', 'TlsFailed', 'TimedOut', 'BrokenOff', 'NotSent']
"""
The result of an attempt to deliver an event.

- `Delivered`: The receiver said yes (2xx).
- `Refused`: It answered with another status. Redirects (3xx) are not followed.
- `Gone`: It answered 410: it does not want to hear of anything any more.
- `AddressNotAllowed`: Its address is not on the public internet, and the operator has not allowed it.
- `PlainHttpNotAllowed`: The address is plain `http` on the public internet.
- `UnknownHost`: The host name of the receiver has no address.
- `NotConnected`: The receiver does not accept connections.
- `TlsFailed`: Its certificate was not accepted, or it speaks no TLS.
- `TimedOut`: The exchange took longer than 15 seconds.
- `BrokenOff`: The connection ended early, or what came is not HTTP.
- `NotSent`: The request could not be made: an error of Retour.
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
    Who takes an account's payments. Its secrets are not shown.
    """

    kind: PaymentKind
    """
    The provider that takes payments.
    """
    noticesUrl: str | None
    """
    Where Stripe is to send its notices: a path of this server. `null` for the others: Mollie is told with each payment.
    """
    takesNotices: bool | None
    """
    Whether there is a secret to know Stripe's notices by; `null` where there are none.
    """
    url: str | None
    """
    Where it is called; `null` for `none` and `simulated`.
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


FinalSaleItem: TypeAlias = str


Prices: TypeAlias = list[Money]
"""
One amount a currency, none below 0. Where a currency has none, the fee is not charged and the option is not offered: nothing is converted.
"""


ImageUrl: TypeAlias = str


class Product(TypedDict):
    """
    What is known of the thing that was bought. All texts may be empty.
    """

    attributes: dict[str, str]
    """
    What tells variants apart, such as colour and size.
    """
    barcode: str
    """
    The GTIN or another bar code.
    """
    exchangeOptions: NotRequired[list[ExchangeOption]]
    """
    What it can be exchanged for, at the same price. Left out where nothing is offered: then consumers cannot ask for
    an exchange.
    """
    hsCode: NotRequired[str]
    """
    For customs: its code in the Harmonized System, 6 to 12 digits, which may stand in groups (`6109.10`). Left out
    where it is not known.
    """
    imageUrls: list[ImageUrl]
    """
    Addresses of pictures, the best first.
    """
    name: str
    """
    The product's name, as the shop calls it.
    """
    originCountry: NotRequired[str]
    """
    For customs: where it was made, two letters of ISO 3166-1. Left out where it is not known.
    """
    sku: str
    """
    The shop's stock-keeping unit.
    """
    weight: NotRequired[int | None]
    """
    Of one unit, grams: 1 to 1,000,000. Left out where it is not known; the policy's `defaultWeight` counts then.
    """


class ProductInput(TypedDict):
    """
    What is known of the thing that was bought. All texts may be empty.
    """

    attributes: NotRequired[dict[str, str]]
    """
    What tells variants apart, such as colour and size.
    """
    barcode: NotRequired[str]
    """
    The GTIN or another bar code.
    """
    exchangeOptions: NotRequired[list[ExchangeOptionInput]]
    """
    What it can be exchanged for, at the same price. Left out where nothing is offered: then consumers cannot ask for
    an exchange.
    """
    hsCode: NotRequired[str]
    """
    For customs: its code in the Harmonized System, 6 to 12 digits, which may stand in groups (`6109.10`). Left out
    where it is not known.
    """
    imageUrls: NotRequired[list[ImageUrl]]
    """
    Addresses of pictures, the best first.
    """
    name: NotRequired[str]
    """
    The product's name, as the shop calls it.
    """
    originCountry: NotRequired[str]
    """
    For customs: where it was made, two letters of ISO 3166-1. Left out where it is not known.
    """
    sku: NotRequired[str]
    """
    The shop's stock-keeping unit.
    """
    weight: NotRequired[int | None]
    """
    Of one unit, grams: 1 to 1,000,000. Left out where it is not known; the policy's `defaultWeight` counts then.
    """


Redelivered: TypeAlias = Literal['Undelivered', 'All']
"""
The choice of events to deliver again.

- `Undelivered`: Those that failed, and those that were never sent, such as while the subscription was disabled.
- `All`: All events, including those that were delivered.
"""


RefusalCode: TypeAlias = Literal['IllegalTransition', 'StageConflict', 'QuantityExceeded', 'DraftOutdated', 'DraftExpired', 'DraftRejected', 'NotReturnable', 'NotAllowed', 'Required', 'OutOfRange', 'Mismatch', 'Overflow', 'NotCancellable', 'ShipmentCancelled', 'LabelNotReady', 'CustomsDataMissing', 'InUse', 'OtherCurrency', 'OtherOrder', 'KnownUnderAnotherId', 'LimitReached', 'EmailTaken', 'LastAdmin', 'Revoked', 'Disabled', 'NoSecretKey']
"""
Why a rule says no, as a word that programs can compare. The same word stands in API answers.

- `IllegalTransition`: The return request cannot go from its stage to that one.
- `StageConflict`: The request is not in the stage that the caller believed.
- `QuantityExceeded`: More units than can still be returned.
- `DraftOutdated`: A price, reason or option of the draft has changed, or the draft has been submitted already.
- `DraftExpired`: The draft is older than 24 hours.
- `DraftRejected`: The merchant rejected the draft.
- `NotReturnable`: The purchase cannot be returned; the message says why.
- `NotAllowed`: A field's value is not among those allowed.
- `Required`: A required value is missing.
- `OutOfRange`: A number, text or list is out of its bounds.
- `Mismatch`: Two values that must agree differ.
- `Overflow`: An amount is too large to count with.
- `NotCancellable`: It is too late to cancel the return.
- `ShipmentCancelled`: The parcel will not be sent: its label is void, nothing is reported of it.
- `LabelNotReady`: The parcel has no label yet.
- `CustomsDataMissing`: The parcel would pass customs, which want to know what the shop has not said.
- `InUse`: Another object depends on it.
- `OtherCurrency`: It is known in another currency, and its amounts are in that.
- `OtherOrder`: The purchase already belongs to another order.
- `KnownUnderAnotherId`: The same object is known under another id.
- `LimitReached`: The largest number of such objects is reached.
- `EmailTaken`: Another user already has the e-mail address.
- `LastAdmin`: The account would have no user left who can administer it.
- `Revoked`: The API key was revoked.
- `Disabled`: The webhook subscription is disabled.
- `NoSecretKey`: The operator has set no key to encrypt secrets with.
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
    `KnownUnderAnotherId`, `OtherCurrency`, or `OtherOrder`: the file gives no id, and its number is known as that of an
    order of somebody else, or of another day. Or its id is the number of such an order.
    """


ResolutionType: TypeAlias = Literal['Refund', 'Exchange', 'StoreCredit']
"""
What a consumer can get for a return.

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
- `inspection`: When the warehouse has looked at it.
"""


Resolver: TypeAlias = Literal['bridge', 'external']
"""
The party that carries out resolutions.

- `bridge`: Retour, through the shop's bridge.
- `external`: Another system, which reports the result by the API.
"""


class ReturnLocationChange(TypedDict):
    """
    What of a location is to change. Fields that are left out stay as they are.
    """

    address: NotRequired[AddressInput]
    """
    The address that labels show. Replaces the whole address.
    """
    archived: NotRequired[bool]
    """
    `true` puts it away, and it is the default no longer; `false` brings it back.
    """
    isDefault: NotRequired[bool]
    """
    Whether parcels go there unless their way of sending says otherwise.
    """
    name: NotRequired[str]
    """
    The merchant's name for the location.
    """


PurchaseOrderNumber: TypeAlias = str


ReturnOrderStatus: TypeAlias = Literal['Requested', 'AwaitingPayment', 'Open', 'Completed', 'Cancelled', 'Expired', 'Rejected']
"""
Where a return order is, as its requests together tell.

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
Why a person decides about a return request, whatever the policy says.

- `RefundLimit`: Less is left of what was paid for its order than it would come to.
- `SumsDiffer`: The sums of its order do not add up.
- `RefundedByShop`: The shop has given something back of its order, or of these units, since the return was made: it may be the same money.
"""


Role: TypeAlias = Literal['admin', 'agent', 'viewer']
"""
What a user may do.

- `admin`: May do everything, including settings and users.
- `agent`: May read everything and work on returns.
- `viewer`: May read everything and change nothing.
"""


Scan: TypeAlias = Literal['InTransit', 'Exception', 'Delivered']
"""
What a carrier saw. A parcel that is said to be in two places at one time is in the later of these.

- `InTransit`: The carrier has the parcel.
- `Exception`: It has trouble with it. Alone that does not prove that the parcel is on its way.
- `Delivered`: The carrier delivered the parcel.
"""


Scope: TypeAlias = Literal['read', 'write', 'admin']
"""
What a credential of a merchant may do. `admin` has the others in it.

- `read`: Read what belongs to the account.
- `write`: Create and change returns.
- `admin`: Change settings, keys and users.
"""


class SecretRotation(TypedDict):
    """
    How a secret is replaced by a new one.
    """

    overlapHours: NotRequired[int | None]
    """
    Hours during which the previous secret stays valid, 0 to 168; 24, if left out. 0 ends it at once: for a secret that
    somebody else knows.
    """


class ServiceUserChange(TypedDict):
    """
    The fields of a service user to change.
    """

    name: NotRequired[str]
    """
    What it is called, 1 to 100 characters.
    """
    scopes: NotRequired[list[Scope]]
    """
    The scopes of the key, at least one.
    """


ShipmentReason: TypeAlias = Literal['Return']
"""
Why a parcel is sent.

- `Return`: The consumer sends items back.
"""


ShipmentStatus: TypeAlias = Literal['New', 'LabelFailed', 'LabelCreated', 'InTransit', 'Exception', 'Delivered', 'Cancelled']
"""
The states of a parcel.

- `New`: The parcel has no label yet.
- `LabelFailed`: The carrier refused to make a label.
- `LabelCreated`: The parcel has a label and can be sent.
- `InTransit`: The parcel is on its way.
- `Exception`: The carrier reports a problem.
- `Delivered`: The carrier delivered the parcel.
- `Cancelled`: The parcel will not be sent.
"""


ShippingMethod: TypeAlias = Literal['Label', 'Paperless', 'DropOff', 'PickUp', 'InStore', 'OwnCarrier']
"""
How the carrier gets a parcel.

- `Label`: The consumer prints the label and hands the parcel in.
- `Paperless`: The consumer shows a code; the label is printed at the counter.
- `DropOff`: Bring the goods to a drop-off point and show a code; they are packed and labelled there.
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


TimeZone: TypeAlias = str
"""
A name of the IANA time zone database.
"""


Timestamp: TypeAlias = str
"""
A moment in UTC, to the microsecond (RFC 3339).
"""


class TrackingUpdate(TypedDict):
    """
    A carrier's report about a parcel.
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
    What the carrier reports.
    """


Translated: TypeAlias = dict[str, str]
"""
A text in several languages: language tag → text.
"""


class UserChange(TypedDict):
    """
    The fields of a user to change.
    """

    name: NotRequired[str]
    """
    What they are called, at most 100 characters.
    """
    role: NotRequired[Role]
    """
    The role, which decides what the user may do.
    """


class UserCredentials(TypedDict):
    """
    The credentials that a user signs in with.
    """

    email: str
    """
    The user's e-mail address; case does not matter.
    """
    password: str
    """
    The user's password.
    """


UserStatus: TypeAlias = Literal['Invited', 'Active']
"""
Whether a user can sign in.

- `Invited`: The user has not set a password yet.
- `Active`: The user has set a password and can sign in.
"""


class WebhookAttempt(TypedDict):
    """
    One attempt to deliver an event to a receiver.
    """

    answer: str
    """
    The first 1,024 bytes of the receiver's answer.
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
    What went wrong, for people; `null` if nothing did.
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
    The HTTP status of the answer; `null` if there was none.
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
    When it is tried next, if the receiver takes what comes before it in the same return; `null` when it is not.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    `whsec_` and 32 bytes in Base64, as the libraries of Standard Webhooks take it.
    """


class WebhookSubscription(TypedDict):
    """
    A subscription: an address and the events to send to it.
    """

    catchingUp: bool
    """
    Whether events of before are still being gathered to be delivered again.
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
    Whether events are sent to the address.
    """
    eventTypes: list[EventType]
    """
    Of which types; empty: of all, also of those that are added later.
    """
    failingSince: Timestamp | None
    """
    Since when every attempt has failed; `null` while none has since the last success.
    """
    id: str
    """
    Unique identifier of the subscription.
    """
    previousSecretExpiresAt: Timestamp | None
    """
    Until when the secret before the present one signs too; `null`: there is none.
    """
    stages: list[Stage]
    """
    Of `return_request.stage_changed`, the entering of these stages alone; empty: of all.
    """
    updatedAt: Timestamp
    """
    When the subscription last changed.
    """
    url: str
    """
    The address that events are sent to.
    """
    version: int
    """
    Counts its changes; the `ETag`.
    """


class WebhookSubscriptionChange(TypedDict):
    """
    What of a subscription is to change. Fields that are left out stay as they are.
    """

    description: NotRequired[str]
    """
    What the subscription is for, in your words.
    """
    enabled: NotRequired[bool]
    """
    `false` stops it: what waits is marked as failed within seconds. `true` begins anew, with what was not marked yet.
    """
    eventName: NotRequired[EventType]
    """
    In place of `eventTypes`, where it is one.
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
    The address that events are sent to.
    """


class WebhookSubscriptionList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    The user or service user that made the change, where one did.
    """
    at: Timestamp
    """
    When the subscription changed.
    """
    change: str
    """
    What: `Created`, `Changed`, `SecretRotated`, `Enabled`, `CatchUpAsked`, `Disabled: ByMerchant`, `Disabled: Gone`,
    `Disabled: Failing`.
    """


class WebhookTimelineEntryList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class WeightPrice(TypedDict):
    """
    The price of sending above a weight.
    """

    above: int
    """
    What weighs more than this, grams.
    """
    prices: Prices
    """
    What it costs; not offered at such a weight in other currencies.
    """


WindowStart: TypeAlias = Literal['fulfilled', 'ordered', 'delivered']
"""
Where the return window starts.

- `fulfilled`: The day on which the item was sent.
- `ordered`: The day on which the order was placed.
- `delivered`: When the item arrived; when it was sent, as long as nobody says that it arrived.
"""


class WithdrawalChange(TypedDict):
    """
    What the merchant has to say of a withdrawal. Fields that are left out stay as they are.
    """

    note: NotRequired[str]
    """
    A note of the merchant's people.
    """
    returnOrderId: NotRequired[str]
    """
    The return order that follows from it: one of the account's.
    """
    status: NotRequired[ClosedWithdrawal]
    """
    `Closed`: nothing more is to be done about it.
    """


class WithdrawalInput(TypedDict):
    """
    What a consumer has stated and confirmed in a portal of the merchant's own.
    """

    contract: str
    """
    From what: an order number, or what was ordered; several lines are allowed.
    """
    email: str
    """
    Where the acknowledgement goes.
    """
    language: NotRequired[Locale | None]
    """
    In which language it was stated (BCP 47); the account's `branding.locale`, if left out.
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


class Answer(TypedDict):
    """
    An answer, with the question as it was asked: both stay as they were then.
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
    An answer as it is given.
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
    What programs call it; no two of a question are called the same.
    """
    text: Translated
    """
    What the consumer reads, by language: 1 to 300 characters in each.
    """


class Bridge(TypedDict):
    """
    Where an account's purchases come from and its resolutions are carried out. Its secret is not shown.
    """

    kind: BridgeKind
    """
    The kind of shop, which decides the protocol.
    """
    url: str | None
    """
    The address of the shop's interface; `null` for `catalog`.
    """


class BridgeInput(TypedDict):
    """
    Where purchases come from and resolutions are carried out: all of it anew.
    """

    kind: BridgeKind
    """
    `catalog`: orders are held here. `http`: the merchant's component is asked. `vendure`, `medusa`: such a
    shop is.
    """
    secret: NotRequired[str | None]
    """
    What signs the calls: `whsec_…`, 24 to 64 bytes in Base64; for `vendure` and `medusa` an API key. May be left out
    where kind and address stay. With `http`, the secret before this one signs too for 24 hours.
    """
    url: NotRequired[str | None]
    """
    Where it is called: `https://…`, before `/get-purchases`, `/admin-api` or `/admin`. For every kind but
    `catalog`.
    """


class CarrierInput(TypedDict):
    """
    The carrier that makes labels. Replaces all of the setting.
    """

    apiKey: NotRequired[str | None]
    """
    What the karrio server knows the merchant by. May be left out where the address stays.
    """
    kind: CarrierKind
    """
    `own`: Retour draws them. `simulated`: Retour draws specimens and moves the parcels, for accounts with
    `test`. `bridge`: the merchant's component. `karrio`: a karrio server of the merchant's.
    """
    url: NotRequired[str | None]
    """
    Where the karrio server is: the address before `/v1`.
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
    The order's e-mail address, which may be empty; for a gift recipient, their own.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['consumer.erased']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


ConsumerOrId: TypeAlias = str | Consumer
"""
An id, or in its place the object, when it was expanded.
"""


class CostLine(TypedDict):
    """
    One amount of one request. Positive: to the consumer.
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
    The last second; `null`: no limit, or the window has not started.
    """
    returnByDate: str | None
    """
    The same as a day in the shop's time zone: all of it counts.
    """
    returnable: bool
    """
    Whether at least one unit can be returned.
    """


class Event(TypedDict):
    """
    Something that happened: what a poller reads is what a subscriber is sent.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: dict[str, Any]
    """
    The resource as the API showed it then, with its related objects in it.
    """
    event: EventType
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class EvidenceFile(TypedDict):
    """
    A photo or paper that was added to a return request.
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
    The file's name, as its sender called it.
    """
    returnRequestId: str
    """
    The return request that the file belongs to.
    """
    url: str
    """
    The path in this API that answers the file's bytes.
    """


class EvidenceFileList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class FieldError(TypedDict):
    """
    One field with a bad value: where it is, what is wrong and what is allowed.
    """

    code: RefusalCode
    """
    The reason, as a word for programs.
    """
    field: str
    """
    Path in the body: `selectedPurchases[0].quantity`.
    """
    message: str
    """
    The reason as a sentence for people. May change.
    """


class IdentifiedConsumer(TypedDict):
    """
    The consumer who proved the order, with a token.
    """

    accessToken: str
    """
    The credential for the consumer's operations. It is shown this once.
    """
    consumer: Consumer
    """
    Who they are from now on; of e-mail and address only what they proved.
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
    Whether nothing was written, as `dryRun` asks for.
    """
    inReview: NamedOrders
    """
    Orders whose returns wait for a person, because their sums do not add up, or do not tell
    what was paid.
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
    Orders whose id a spreadsheet has rounded: they are known by their number.
    """
    skipped: list[SkippedRow]
    """
    Rows of a CSV file that could not be used and were left out: the first 1,000.
    """
    skippedCount: int
    """
    The number of all skipped rows.
    """
    tookNothing: bool
    """
    Whether there were rows or orders, and none of them is taken in.
    """
    unpaid: NamedOrders
    """
    The orders for which nothing was paid.
    """
    unprovable: NamedOrders
    """
    Orders that nobody can look up: they have none of what the account's `lookUpBy` names.
    """
    withoutShippingOption: NamedOrders
    """
    Orders that nobody can send back yet: no way of sending has a price in their currency.
    """


class Invitation(TypedDict):
    """
    A person who is to become a user.
    """

    email: str
    """
    What they will sign in with, at most 254 characters. One address is one user in the whole installation.
    """
    name: NotRequired[str | None]
    """
    The person's name, at most 100 characters.
    """
    role: Role
    """
    What they may do: an `admin` everything, an `agent` work on returns, a `viewer` look.
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
    What `POST /auth/password` takes, once. It is shown this once: only a hash of it is kept.
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
    What they may do: an `admin` everything, an `agent` work on returns, a `viewer` look.
    """
    status: UserStatus
    """
    Whether the user can sign in.
    """
    updatedAt: Timestamp
    """
    When their name, role or password last changed.
    """
    version: int
    """
    Counts their changes; the `ETag`.
    """


class Link(TypedDict):
    """
    A link to a page of the shop.
    """

    text: Translated
    """
    What it is called, by language: up to 40 characters each.
    """
    url: str
    """
    The address of the page.
    """


class Mail(TypedDict):
    """
    A mail to a shopper. To whom it was is not kept with it.
    """

    about: str
    """
    What it told, in a word: where a return stood, such as `Ready` or `Done`, `HandInReminder` or `PaymentReminder`, or
    `SignIn` for a link that somebody asked for, or `Withdrawal` for the acknowledgement of one.
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
    The mail server's answer where it said no (SMTP, RFC 5321).
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class NewServiceUser(TypedDict):
    """
    A service user to create.
    """

    name: str
    """
    The name of the program: 1 to 100 characters.
    """
    scopes: list[Scope]
    """
    What it may do, at least one: `read`, `write` (returns and purchases), `admin` (everything).
    """


class NewShipment(TypedDict):
    """
    An additional parcel of a return order.
    """

    contents: NotRequired[list[ParcelContent] | None]
    """
    What is in it, each return request once: the carrier is told its weight and value. All that is sent, if left out.
    """


class NewShippingOption(TypedDict):
    """
    A shipping option to create.
    """

    carrierService: NotRequired[str | None]
    """
    What the account's carrier calls it, up to 100 characters: a `service` of karrio's. The cheapest that the carrier
    has, if left out.
    """
    countries: NotRequired[list[Country] | None]
    """
    Where it is offered: two letters of ISO 3166-1 each, 250 at most; everywhere, if left out.
    """
    description: NotRequired[Translated | None]
    """
    How it works, by language: up to 2,000 characters in each; may be left out.
    """
    freeFrom: NotRequired[Prices | None]
    """
    Return value from which shipping is free, for each currency; never free, if left out.
    """
    maxWeight: NotRequired[int | None]
    """
    Maximum weight of the parcel, grams, 1 to 1,000,000; no limit, if left out.
    """
    method: ShippingMethod
    """
    What the consumer has to do to send the parcel.
    """
    name: Translated
    """
    What the consumer reads first, by language: 1 to 200 characters in each.
    """
    position: NotRequired[int | None]
    """
    Its place among the others, 0 to 1,000,000; behind the last one, if left out.
    """
    prices: Prices
    """
    What it costs: at least one amount. Offered only in these currencies.
    """
    returnLocationId: NotRequired[str | None]
    """
    Where its parcels go, if not to the default location.
    """
    weightPrices: NotRequired[list[WeightPrice] | None]
    """
    Prices by weight, replacing `prices`, the lightest first, 100 at most; if left out, the price is the same for every
    weight.
    """


class NewTrackingUpdate(TypedDict):
    """
    Where a carrier saw a parcel, and when.
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
    When, in the carrier's time and not in the future; now, if it is left out.
    """
    status: Scan
    """
    What the carrier reports.
    """
    trackingNumber: NotRequired[str | None]
    """
    The carrier's number of the parcel; at most 100 characters.
    """
    trackingUrl: NotRequired[str | None]
    """
    Where the consumer follows it: an address that begins with `https://` or `http://`, at most 2,000 characters.
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
    Whether events are to be sent from now on; `true`, if left out.
    """
    eventName: NotRequired[EventType | None]
    """
    In place of `eventTypes`, where it is one: for clients of older systems, whose
    `shipment.received_tracking_updates.delivered` means `shipment.delivered`.
    """
    eventTypes: NotRequired[list[EventType] | None]
    """
    The types of events to send; all if left out or empty.
    """
    stages: NotRequired[list[Stage] | None]
    """
    Of `return_request.stage_changed`, the entering of these stages alone; of all, if left out or empty.
    """
    url: str
    """
    Where events are to be sent: `https://…`, up to 2,048 bytes, without user name and fragment. `http://` only to
    networks that the operator opened.
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
    Whether photos are asked for with the reason.
    """
    fault: Fault
    """
    Whose fault it is: sending the merchant's faults back is free.
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
    The resolutions that the consumer may ask for with it.
    """
    restockingFeePercent: NotRequired[Percent | None]
    """
    The part of the price that the shop keeps, in percent. Absent for gifts.
    """


class OfferedShippingOption(TypedDict):
    """
    A way of sending things back, at its price in the order's currency.
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
    The heaviest that it is offered for, grams; `null`: whatever it weighs.
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
    Whether the consumer prints something for it.
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
    How calls of one kind went.
    """

    errorMessage: str | None
    """
    Why it gave none then, in a sentence of at most 500 characters, without personal data; `null`: it always did.
    """
    failedAttempts: int
    """
    How many calls have failed since the last usable answer; 0: it works.
    """
    lastErrorAt: Timestamp | None
    """
    When it gave none last; `null`: it always did.
    """
    lastSuccessAt: Timestamp | None
    """
    When the system gave a usable answer last, to within a minute; `null`: never since it was connected.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour makes the call that failed last again; `null`: nothing fails, or Retour calls when somebody needs it.
    """
    operation: IntegrationOperation
    """
    What the system is asked to do.
    """


OrderCredentials: TypeAlias = OrderCredentialsByEmail | OrderCredentialsByPostalCode
"""
What proves an order: its number, with its e-mail address or its postal code.
"""


class OrderInput(TypedDict):
    """
    A sales order of the shop.
    """

    address: NotRequired[AddressInput]
    """
    The address that the order was delivered to.
    """
    billingPostalCode: NotRequired[str]
    """
    The postal code of the bill, up to 200 characters. It proves the order where the address has none, as of what was
    picked up or downloaded; it is printed nowhere.
    """
    currency: Currency
    """
    The currency of all prices of the order. Never changes.
    """
    email: NotRequired[str]
    """
    Who ordered, up to 320 characters. This, the address's `postalCode` or `billingPostalCode` must be there: shoppers
    prove the order by it.
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
    The amount that was paid for delivery; 0 if left out.
    """
    tags: NotRequired[list[Tag]]
    """
    The shop's tags: up to 250, of up to 500 characters.
    """
    totalPaid: NotRequired[Money | None]
    """
    What was paid for all of it: its total, less what is outstanding. Returns of the order never give back more than this,
    less `totalRefunded`. Left out, there is no limit, or the one that is known stays.
    """
    totalRefunded: NotRequired[Money | None]
    """
    What the shop gave back in money so far, refunds of returns among it; nothing, if left out beside `totalPaid`. Without
    both, what is known stays.
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


class PaymentCheckout(TypedDict):
    """
    A try to pay, at a provider's page. One settles the payment; what another one pays all the same goes back.
    """

    createdAt: Timestamp
    """
    When the checkout was opened.
    """
    externalId: str | None
    """
    The provider's own id, for the merchant's people alone: to be looked for on its pages; `null` where there is none yet.
    """
    refunded: Money
    """
    The part of the amount that was paid back.
    """
    settled: bool
    """
    Whether this checkout paid the amount.
    """
    status: str
    """
    Where it stands: `Begun`, `Open`, `Processing`, `Paid` or `Closed`.
    """


class PaymentInput(TypedDict):
    """
    The provider that takes payments. Replaces all of the setting.
    """

    apiKey: NotRequired[str | None]
    """
    What the company knows the merchant by: Stripe's `sk_…` or `rk_…`, Mollie's `live_…` or `test_…`. May be left out where
    kind and address stay.
    """
    kind: PaymentKind
    """
    `none`: nobody, and what would have to be paid is waived. `simulated`: a page of Retour's that moves no money.
    `stripe`, `mollie`: those companies.
    """
    url: NotRequired[str | None]
    """
    Where the company's API is, where it is not at its usual address.
    """
    webhookSecret: NotRequired[str | None]
    """
    What Stripe signs its notices with: `whsec_…`. Without it Stripe is asked now and then what became of a payment, which
    takes a minute. May be left out where kind, address and key stay.
    """


class PendingEvidence(TypedDict):
    """
    A photo or paper that lies beside a purchase, to become evidence of its return request.
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
    Unique identifier of the file. Evidence made of it keeps the id.
    """
    mediaType: str
    """
    The media type of the file, such as `image/jpeg`.
    """
    name: str
    """
    The file's name, as its sender called it.
    """
    purchaseId: str
    """
    The purchase that the file belongs to.
    """
    url: str
    """
    Where its bytes are: a path of this API, until the return is sent in.
    """


class PendingEvidenceList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


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
    Whether somebody who was given what was ordered can return it, for store credit or an exchange: they prove it by the
    postal code it was sent to, whatever `lookUpBy` says, and see no amounts.
    """
    graceDays: int
    """
    Days that are accepted beyond the window but not shown.
    """
    gs1CompanyPrefix: str
    """
    GS1 company prefix (7 to 10 digits) of the parcels' numbers. The default is from GS1's range for examples (952): use
    your own for parcels that other companies scan.
    """
    keepItemBelow: Prices
    """
    While what is kept of an order comes to less than this, the consumer keeps it and is refunded all the same.
    """
    labelExpiresDays: int
    """
    Days until a label that nobody used expires.
    """
    lookUpBy: list[LookUpBy]
    """
    What a consumer proves an order with, beside its number.
    """
    mail: bool
    """
    Whether shoppers get mail about their returns, if the operator has set a mail server.
    """
    paymentHours: int
    """
    Hours a consumer has to pay what is due.
    """
    refundDays: int | None
    """
    Days from what `resolveOn` names until shoppers usually have their refund: 1 to 60. `null`: nothing is promised.
    """
    requestFee: Prices
    """
    The fee for each return, whatever it contains.
    """
    resolutions: list[ResolutionType]
    """
    The resolutions that consumers may ask for.
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
    Whether what needs no parcel can go back too: gift cards, downloads and services. Tips and fees never can.
    """
    reviewDays: int | None
    """
    Days in which a return is usually reviewed, and what has arrived is checked: 1 to 60. `null`: nothing is promised.
    """
    storeCreditBonusPercent: Percent
    """
    What store credit is topped up with.
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
    Whether somebody who was given what was ordered can return it, for store credit or an exchange: they prove it by the
    postal code it was sent to, whatever `lookUpBy` says, and see no amounts.
    """
    graceDays: NotRequired[int]
    """
    Days that are accepted beyond the window but not shown.
    """
    gs1CompanyPrefix: NotRequired[str]
    """
    GS1 company prefix (7 to 10 digits) of the parcels' numbers. The default is from GS1's range for examples (952): use
    your own for parcels that other companies scan.
    """
    keepItemBelow: NotRequired[Prices]
    """
    While what is kept of an order comes to less than this, the consumer keeps it and is refunded all the same.
    """
    labelExpiresDays: NotRequired[int]
    """
    Days until a label that nobody used expires.
    """
    lookUpBy: NotRequired[list[LookUpBy]]
    """
    What a consumer proves an order with, beside its number.
    """
    mail: NotRequired[bool]
    """
    Whether shoppers get mail about their returns, if the operator has set a mail server.
    """
    paymentHours: NotRequired[int]
    """
    Hours a consumer has to pay what is due.
    """
    refundDays: NotRequired[int | None]
    """
    Days from what `resolveOn` names until shoppers usually have their refund: 1 to 60. `null`: nothing is promised.
    """
    requestFee: NotRequired[Prices]
    """
    The fee for each return, whatever it contains.
    """
    resolutions: NotRequired[list[ResolutionType]]
    """
    The resolutions that consumers may ask for.
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
    Whether what needs no parcel can go back too: gift cards, downloads and services. Tips and fees never can.
    """
    reviewDays: NotRequired[int | None]
    """
    Days in which a return is usually reviewed, and what has arrived is checked: 1 to 60. `null`: nothing is promised.
    """
    storeCreditBonusPercent: NotRequired[Percent]
    """
    What store credit is topped up with.
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


class PurchaseInput(TypedDict):
    """
    One line of a sales order. What is left out is forgotten, where it was known before.
    """

    deliveredAt: NotRequired[Timestamp | None]
    """
    When it arrived.
    """
    discount: NotRequired[Money | None]
    """
    What was taken off before the total; nothing, if left out.
    """
    externalId: NotRequired[str | None]
    """
    The shop's own id of the line, 1 to 1,000 characters: may be left out where the path names it.
    """
    finalSale: NotRequired[bool]
    """
    Whether it was sold as not returnable; `false` if left out.
    """
    fulfilledAt: NotRequired[Timestamp | None]
    """
    When it was sent.
    """
    fulfilledQuantity: NotRequired[int | None]
    """
    Units sent; all, if left out.
    """
    order: NotRequired[OrderInput | None]
    """
    The order: must be there with a single purchase, must not be there within an order's `purchases`.
    """
    product: ProductInput
    """
    The product that was bought; needs a name.
    """
    quantity: int
    """
    Units bought, 1 to 1,000,000. Stays while some of them are in returns.
    """
    refundedQuantity: NotRequired[int | None]
    """
    Units of which the shop knows that they were refunded, those that it refunded for Retour among them; none, if left
    out. What is more than Retour has settled cannot be returned.
    """
    requiresShipping: NotRequired[bool | None]
    """
    Whether it travels in a parcel: gift cards, downloads and services do not. If left out, it does.
    """
    tax: NotRequired[Money | None]
    """
    The tax contained in the total; 0 if left out.
    """
    totalPrice: NotRequired[Money | None]
    """
    What was paid for all units: after discount, tax included. Stays while some of them are in returns.
    """
    unitPrice: NotRequired[Money | None]
    """
    In place of `totalPrice`: what was paid for each.
    """


class Question(TypedDict):
    """
    Something that is asked once a reason is chosen.
    """

    id: Key
    """
    What programs call it; no two of a reason's questions are called the same.
    """
    options: list[AnswerOption]
    """
    What there is to choose from, 2 to 20 options; empty: it is answered in the consumer's own words.
    """
    required: bool
    """
    Whether a consumer's draft needs an answer; what the merchant makes for them needs none.
    """
    text: Translated
    """
    What the consumer reads, by language: 1 to 300 characters in each.
    """


class QuestionInput(TypedDict):
    """
    Something that is asked once a reason is chosen.
    """

    id: Key
    """
    What programs call it; no two of a reason's questions are called the same.
    """
    options: NotRequired[list[AnswerOption]]
    """
    What there is to choose from, 2 to 20 options; empty: it is answered in the consumer's own words.
    """
    required: NotRequired[bool]
    """
    Whether a consumer's draft needs an answer; what the merchant makes for them needs none.
    """
    text: Translated
    """
    What the consumer reads, by language: 1 to 300 characters in each.
    """


class Receipt(TypedDict):
    """
    Units that arrived with one delivery.
    """

    externalReference: str
    """
    The reference in the report; without one, an id that Retour made.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    Why it is not carried out yet, or could not be, for the merchant's people alone; `null`: nothing is wrong. In
    `Resolution: Processing` it does not say whether the shop has paid.
    """
    externalReference: str | None
    """
    The id of the refund in the system that carried it out.
    """
    failedAttempts: int
    """
    How often the shop was asked in vain since its last usable answer, for the merchant's people alone.
    """
    fullValue: NotRequired[Money | None]
    """
    The same without the limit of what is left of the order: more than `value` where that takes something off. A person
    decides then. Absent for gifts.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour asks the shop again after that; `null`: nothing is wrong, or a person has to look.
    """
    status: str | None
    """
    How far it is: the second half of its stage, once it is there.
    """
    type: ResolutionType
    """
    What the consumer gets.
    """
    value: NotRequired[Money | None]
    """
    How much: less the request's share of the fees. What is approved and refused changes it. Absent for gifts.
    """


class ReturnLocation(TypedDict):
    """
    An address that parcels are sent to.
    """

    address: Address
    """
    The address that labels show.
    """
    archivedAt: Timestamp | None
    """
    When it was put away and no parcel goes there any more; `null`: it is in use.
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
    Whether parcels go there unless their way of sending says otherwise.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class ReturnReason(TypedDict):
    """
    A reason that consumers can choose for a return.
    """

    allowedResolutions: list[ResolutionType]
    """
    What may be asked for with it; empty: whatever the policy allows.
    """
    archivedAt: Timestamp | None
    """
    When it was put away and is not offered any more; `null`: it is offered.
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
    Whether photos are asked for with the reason.
    """
    fault: Fault
    """
    Whose fault it is: sending the merchant's faults back is free.
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
    What is asked about what goes back for it, in this order.
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
    What of a reason is to change. Fields that are left out stay as they are.
    """

    allowedResolutions: NotRequired[list[ResolutionType]]
    """
    What may be asked for with it, each once; empty: whatever the policy allows.
    """
    archived: NotRequired[bool]
    """
    `true` archives the reason, `false` restores it.
    """
    description: NotRequired[Translated]
    """
    What the consumer reads, by language: all languages anew.
    """
    evidence: NotRequired[EvidenceRule]
    """
    Whether photos are asked for with the reason.
    """
    fault: NotRequired[Fault]
    """
    The party whose fault the return is.
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
    What is asked about what goes back for it: all questions anew.
    """
    restockingFeePercent: NotRequired[Percent]
    """
    The part of the price that the shop keeps, in percent.
    """
    review: NotRequired[bool]
    """
    Whether a person looks at it before it is approved.
    """


class ReturnReasonList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    Whose; the whole consumer with `expand=consumer`.
    """
    createdAt: Timestamp
    """
    When the return request was created.
    """
    evidence: list[EvidenceFile]
    """
    Photos and papers that were added to it, oldest first.
    """
    exchangeFor: ExchangeOption | None
    """
    With an exchange: what is to be sent in its place; `null` where people see to that.
    """
    id: str
    """
    Unique identifier of the return request.
    """
    product: Product
    """
    The product, as it was when the return was submitted.
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
    The price of the returned units. Absent for gifts.
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
    Why a person decides about it, whatever the policy says; `null`: the policy decides. Not shown for gifts.
    """
    stage: Stage
    """
    The stage that the request is in.
    """
    surplusQuantity: int
    """
    Units that have arrived beyond those: more than were asked for, or gone by the time they came. Not refunded.
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
    A stage to go to. `status` is another name of `stage`, `fromStatus` of `fromStage`.
    """

    comment: NotRequired[str]
    """
    Why. A rejection and a denial need it, and the consumer reads it.
    """
    exchangeFor: NotRequired[ExchangeFor | None]
    """
    With the `requestedResolution` `Exchange`: what the shop is to send. Left out: people see to that.
    """
    externalReference: NotRequired[str | None]
    """
    What your system calls the payment, the voucher, the replacement.
    """
    fromStage: NotRequired[Stage | None]
    """
    Where you believe it to be: any other stage is a conflict.
    """
    requestedResolution: NotRequired[ResolutionType | None]
    """
    What is given instead, where what was asked for failed: on the way from `Resolution: Failed` to
    `Resolution: Processing` or `Resolution: Completed`. Its worth stays; a bonus and fees that came off go with what
    they belonged to.
    """
    stage: Stage
    """
    The stage that the return request is to enter.
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
    evidence: list[EvidenceFile]
    """
    Photos and papers that were added to it, oldest first.
    """
    exchangeFor: ExchangeOption | None
    """
    With an exchange: what is to be sent in its place; `null` where people see to that.
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
    The price of the returned units. Absent for gifts.
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
    Why a person decides about it, whatever the policy says; `null`: the policy decides. Not shown for gifts.
    """
    stage: Stage
    """
    The stage that the request is in.
    """
    surplusQuantity: int
    """
    Units that have arrived beyond those: more than were asked for, or gone by the time they came. Not refunded.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['return_request.stage_changed']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The sales order that a purchase is a line of.
    """

    address: Address
    """
    Where it was delivered to; its fields may be empty.
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
    The shop's own id of the order.
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
    Why a person decides about returns of it; `null`: the policy decides.
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
    What was paid for all of it: its total, less what is outstanding. `null`: the shop does not say, and returns of it are
    not limited.
    """
    totalRefunded: Money
    """
    What the shop says that it gave back in money, refunds of returns among it.
    """


class SelectedPurchase(TypedDict):
    """
    One purchase of a draft, with quantity and reason.
    """

    answers: list[Answer]
    """
    What they answered to the reason's questions.
    """
    exchangeFor: ExchangeOption | None
    """
    With an exchange: what is wanted in its place; `null` where nothing was named.
    """
    keepItem: bool
    """
    Whether the consumer keeps it and is refunded all the same.
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
    In the consumer's words; may be empty.
    """
    returnReasonId: str
    """
    The return reason that the consumer chose.
    """
    reviewReason: ReviewReason | None
    """
    Why a person decides about the return, whatever the policy says; `null`: the policy decides. Not shown for gifts.
    """


class SelectedPurchaseInput(TypedDict):
    """
    One purchase that is to go back. `resolutionType` is another name of `requestedResolution`.
    """

    answers: NotRequired[list[AnswerInput] | None]
    """
    Answers to the reason's `questions`, each once; a consumer's draft needs those that are `required`.
    """
    exchangeFor: NotRequired[ExchangeFor | None]
    """
    With an exchange: what is wanted in its place, one of the purchase's `product.exchangeOptions`. Left out: people
    settle it.
    """
    purchaseId: str
    """
    The purchase to return.
    """
    quantity: NotRequired[int | None]
    """
    How many units; at most the purchase's `returnableQuantity`.
    """
    requestedResolution: NotRequired[ResolutionType | None]
    """
    The wanted resolution: one of the reason's `resolutions`.
    """
    returnReasonComment: NotRequired[str | None]
    """
    In the consumer's words.
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
    The end of its key, to tell keys apart; empty for keys from before this was kept.
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
    The scopes of the key. `admin` includes the others.
    """
    updatedAt: Timestamp
    """
    When its name, scopes or key last changed.
    """
    version: int
    """
    The version of the service user: it grows with each change and is the `ETag`.
    """


class ServiceUserList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class ServiceUserWithKey(TypedDict):
    """
    A service user together with its new key.
    """

    apiKey: str
    """
    Its key. It is shown this once: only a hash of it is kept.
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
    The end of its key, to tell keys apart; empty for keys from before this was kept.
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
    The scopes of the key. `admin` includes the others.
    """
    updatedAt: Timestamp
    """
    When its name, scopes or key last changed.
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
    Which units of it, where that was said; `null`: all that is sent.
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
    How often the carrier was asked for the label in vain.
    """
    id: str
    """
    Unique identifier of the shipment.
    """
    labelBarcode: str
    """
    What scanners read on the label: on ours the SSCC, 18 digits; empty while it is not known.
    """
    labelMediaTypes: list[LabelFormat]
    """
    What the label can be had as, by `Accept`; empty while there is none.
    """
    labelUrl: str | None
    """
    Where its label is: a path of this API. `null` while there is none, and when it is void.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour asks the carrier for the label again; `null`: it has the label, or a person has to look.
    """
    qrCode: str | None
    """
    What a code says that is shown in place of a label, where a carrier said so; `null`: the return's number.
    """
    reason: ShipmentReason
    """
    Why the parcel is sent.
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
    The state of the parcel.
    """
    trackingNumber: str | None
    """
    The carrier's number of the parcel.
    """
    trackingUpdates: list[TrackingUpdate]
    """
    What the carrier reported, oldest first in its own time.
    """
    trackingUrl: str | None
    """
    The carrier's page that shows where the parcel is.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class ShippingOption(TypedDict):
    """
    A way of sending parcels, with its prices.
    """

    archivedAt: Timestamp | None
    """
    When it was put away and is not offered any more; `null`: it is offered.
    """
    carrierService: str
    """
    What the account's carrier calls it; empty: the cheapest that it has.
    """
    countries: list[Country]
    """
    Where it is offered: two letters of ISO 3166-1 each; empty: everywhere.
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
    The prices by currency. It is offered only in these currencies.
    """
    returnLocationId: str | None
    """
    Where its parcels go; `null`: to the default location, or else to the policy's `returnAddress`.
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
    What of a shipping option is to change. Fields that are left out stay as they are.
    """

    archived: NotRequired[bool]
    """
    `true` puts it away, `false` brings it back.
    """
    carrierService: NotRequired[str]
    """
    What the account's carrier calls it; empty: the cheapest that it has.
    """
    countries: NotRequired[list[Country]]
    """
    Where it is offered: all countries anew; `[]`: everywhere.
    """
    description: NotRequired[Translated]
    """
    How sending works, by language. Replaces all languages.
    """
    freeFrom: NotRequired[Prices]
    """
    From which value of what goes back it costs nothing: all amounts anew; `[]`: never.
    """
    maxWeight: NotRequired[int | None]
    """
    The maximum weight of the parcel, grams; `null`: no limit.
    """
    method: NotRequired[ShippingMethod]
    """
    What the consumer has to do to send the parcel.
    """
    name: NotRequired[Translated]
    """
    What the consumer reads first, by language: all languages anew.
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
    Where its parcels go; `null`: to the default location.
    """
    weightPrices: NotRequired[list[WeightPrice]]
    """
    Prices by weight, replacing `prices`. Replaces all steps; `[]`: the price is the same for every weight.
    """


class ShippingOptionList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class StepTexts(TypedDict):
    """
    What the merchant says at each step, by language; empty: nothing.
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
    Where the way of sending is chosen and the cost is shown.
    """


class StepTextsInput(TypedDict):
    """
    What the merchant says at each step, by language; empty: nothing.
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
    Where the way of sending is chosen and the cost is shown.
    """


class SubscriptionDisabledEventData(TypedDict):
    """
    The subscription that was disabled, without its address.
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
    Since when every attempt has failed.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['test.ping']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    One stage that a return request entered; or an attempt of the shop, carrier or payment provider that failed while the return request stayed
    in its stage: then `fromStage` and `toStage` are the same.
    """

    actor: Actor
    """
    The party that moved the return request.
    """
    actorId: str | None
    """
    Which of the merchant's users or service users, where it was one of those.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    id: str
    """
    Unique identifier of the user.
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
    What they may do: an `admin` everything, an `agent` work on returns, a `viewer` look.
    """
    status: UserStatus
    """
    Whether the user can sign in.
    """
    updatedAt: Timestamp
    """
    When their name, role or password last changed.
    """
    version: int
    """
    Counts their changes; the `ETag`.
    """


class UserList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    The address that the request is sent to.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['webhook_subscription.disabled']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The consumer who proved an order of it; `null` if nobody has.
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
    The address that the acknowledgement is sent to.
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
    In the merchant's words; may be empty.
    """
    number: str
    """
    A short number for people to refer to.
    """
    purchaseOrderNumbers: list[PurchaseOrderNumber]
    """
    The orders that it names, as far as they are known as orders of that e-mail address.
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
    Counts its changes; the `ETag`.
    """


class WithdrawalList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['withdrawal.received']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['withdrawal.received']
    """
    The type of the event, which decides what `data` holds.
    """


class Branding(TypedDict):
    """
    How a merchant's portal looks and what it says in the merchant's own words.
    """

    color: str | None
    """
    `#rrggbb`; corrected in the page until text on it and in it is readable.
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
    How round the corners of buttons and boxes are.
    """
    embedOrigins: list[EmbedOrigin]
    """
    Origins whose pages may show the portal in a frame, such as `https://shop.example`.
    """
    font: Font
    """
    The typeface, of those that devices have: nothing is fetched for it.
    """
    links: list[Link]
    """
    Links to the shop's pages at the foot of every page.
    """
    locale: Locale
    """
    The language of the portal where it does not have the shopper's.
    """
    logoDarkUrl: str | None
    """
    Address of the logo for dark pages, on this host. Without one, the logo stands on a light ground there.
    """
    logoUrl: str | None
    """
    The address of the logo on this host.
    """
    replyTo: str | None
    """
    The e-mail address that answers to mail go to; without one they go to the operator's.
    """
    shopUrl: str | None
    """
    The address of the link "back to the shop".
    """
    termsUrl: str | None
    """
    The merchant's terms of returns: at the foot, and beside the button that makes a return.
    """
    texts: StepTexts
    """
    The merchant's own words, a paragraph at the head of each step.
    """
    wording: Wording
    """
    Texts of the portal and its mail in the merchant's own words.
    """


class BrandingInput(TypedDict):
    """
    How a merchant's portal looks and what it says in the merchant's own words.
    """

    color: NotRequired[str | None]
    """
    `#rrggbb`; corrected in the page until text on it and in it is readable.
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
    How round the corners of buttons and boxes are.
    """
    embedOrigins: NotRequired[list[EmbedOrigin]]
    """
    Origins whose pages may show the portal in a frame, such as `https://shop.example`.
    """
    font: NotRequired[Font]
    """
    The typeface, of those that devices have: nothing is fetched for it.
    """
    links: NotRequired[list[Link]]
    """
    Links to the shop's pages at the foot of every page.
    """
    locale: NotRequired[Locale]
    """
    The language of the portal where it does not have the shopper's.
    """
    logoDarkUrl: NotRequired[str | None]
    """
    Address of the logo for dark pages, on this host. Without one, the logo stands on a light ground there.
    """
    logoUrl: NotRequired[str | None]
    """
    The address of the logo on this host.
    """
    replyTo: NotRequired[str | None]
    """
    The e-mail address that answers to mail go to; without one they go to the operator's.
    """
    shopUrl: NotRequired[str | None]
    """
    The address of the link "back to the shop".
    """
    termsUrl: NotRequired[str | None]
    """
    The merchant's terms of returns: at the foot, and beside the button that makes a return.
    """
    texts: NotRequired[StepTextsInput]
    """
    The merchant's own words, a paragraph at the head of each step.
    """
    wording: NotRequired[Wording]
    """
    Texts of the portal and its mail in the merchant's own words.
    """


class ConsumerPurchase(TypedDict):
    """
    A purchase as a consumer sees it: what it is, whether it can go back, how and why.
    """

    dearerUnits: NotRequired[int]
    """
    What the next units to go back cost, for estimates: so many of them cost one minor unit more than `unitPrice`.
    Absent for gifts.
    """
    eligibility: Eligibility
    """
    Whether it can be returned, and the reason if not.
    """
    externalId: str
    """
    The shop's own id of the order line.
    """
    fulfilledAt: Timestamp | None
    """
    When it was sent to the consumer.
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
    When its sales order was placed.
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
    What returns of its order can still come to, all of them together: what was paid for the order, less what was given
    back and what other returns promise. `null`: the shop does not say what was paid, and there is no limit. Absent for
    gifts.
    """
    resolutions: list[ResolutionType]
    """
    The resolutions that the consumer may ask for: `Exchange` only where `product.exchangeOptions` has something to send instead.
    """
    returnReasons: list[OfferedReturnReason]
    """
    The reasons that the consumer can choose from.
    """
    returnableQuantity: int
    """
    The number of units that can be returned now.
    """
    shippingOptions: list[OfferedShippingOption]
    """
    The ways of sending that the consumer can choose from.
    """
    totalPrice: NotRequired[Money]
    """
    The price of all units together. Absent for gifts.
    """
    unitPrice: NotRequired[Money]
    """
    What a unit cost: after discount, tax included. Some units may cost one minor unit more, so that all of
    them come to `totalPrice`. Absent for gifts.
    """


class ConsumerPurchaseList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class CostBreakdown(TypedDict):
    """
    The whole calculation: lines that belong to requests, and what they come to. The lines sum to
    `estimatedRefund + estimatedCredit - payableNow`.
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
    What comes back before fees: items, outbound shipping and bonus, without what goes into other goods, and within what is
    left of the order.
    """


class DraftReturnOrder(TypedDict):
    """
    A return that has not been submitted yet.
    """

    consumerId: str
    """
    The consumer who returns something.
    """
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    What the return costs and what it gives back. Absent for gifts.
    """
    createdAt: Timestamp
    """
    When the draft return order was created.
    """
    expiresAt: Timestamp
    """
    When the draft's figures stop being valid.
    """
    gift: NotRequired[GiftCosts | None]
    """
    The same in words: for gifts alone, in place of `costBreakdown`.
    """
    id: str
    """
    Unique identifier of the draft return order.
    """
    needsReview: bool
    """
    Whether the return waits for a person first, whatever the policy says.
    """
    returnOrderId: str | None
    """
    The return order that it became; `null` until it is accepted.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


DraftReturnOrderOrId: TypeAlias = str | DraftReturnOrder
"""
An id, or in its place the object, when it was expanded.
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


class Integration(TypedDict):
    """
    A system that the account is connected to, and how calls to it went.
    """

    errorMessage: str | None
    """
    Why it gave none then, in a sentence of at most 500 characters, without personal data; `null`: it always did.
    """
    failedAttempts: int
    """
    How many calls have failed since the last usable answer; 0: it works.
    """
    kind: IntegrationKind
    """
    The kind of system, as in the account's settings.
    """
    lastErrorAt: Timestamp | None
    """
    When it gave none last; `null`: it always did.
    """
    lastSuccessAt: Timestamp | None
    """
    When the system gave a usable answer last, to within a minute; `null`: never since it was connected.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour makes the call that failed last again; `null`: nothing fails, or Retour calls when somebody needs it.
    """
    operations: list[OperationHealth]
    """
    Each operation that Retour has called.
    """
    role: IntegrationRole
    """
    The part that the system plays.
    """


class IntegrationList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class NewDraftReturnOrder(TypedDict):
    """
    The purchases to return and how to send them.
    """

    selectedPurchases: list[SelectedPurchaseInput]
    """
    The purchases to return, each once.
    """
    shippingOptionId: NotRequired[str | None]
    """
    The shipping option; can also be chosen later.
    """


class NewPreview(TypedDict):
    """
    Looks to be tried. What is left out is as it is live; the same body changes the account when it is liked.
    """

    branding: NotRequired[BrandingInput | None]
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
    selectedPurchases: list[SelectedPurchaseInput]
    """
    What is to go back, each purchase once.
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
    What may be asked for with it, each once; empty or left out: whatever the policy allows.
    """
    description: Translated
    """
    What the consumer reads, by language: 1 to 500 characters in each.
    """
    evidence: NotRequired[EvidenceRule | None]
    """
    Whether photos are asked for; `none`, if left out.
    """
    fault: NotRequired[Fault | None]
    """
    Whose fault it is; the consumer's, if left out.
    """
    parentId: NotRequired[str | None]
    """
    The reason that this one refines; itself one that refines none.
    """
    position: NotRequired[int | None]
    """
    Its place among the others, 0 to 1,000,000; behind the last one, if left out.
    """
    questions: NotRequired[list[QuestionInput] | None]
    """
    What is asked about what goes back for it, in this order.
    """
    restockingFeePercent: NotRequired[Percent | None]
    """
    What is kept of the price; nothing, if left out.
    """
    review: NotRequired[bool | None]
    """
    Whether a person looks at it before it is approved; if left out, not.
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
    The shop's own id of the order.
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
    Where it is paid: a path of this server, to send the consumer to. `null` when it is not waited for.
    """
    checkouts: list[PaymentCheckout]
    """
    Tries to pay at the provider's pages, oldest first; none with `simulated`.
    """
    createdAt: Timestamp
    """
    When the payment was created.
    """
    dueAt: Timestamp
    """
    The last moment at which the payment is waited for.
    """
    errorMessage: str | None
    """
    Why the provider could not be asked, or refuses, for the merchant's people alone; `null`: nothing is wrong.
    """
    failedAttempts: int
    """
    How often the provider was asked in vain since it last did what it was asked, for the merchant's people alone.
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
    When Retour asks the provider again after that; `null`: nothing is wrong, or Retour asks when the consumer wants to pay.
    """
    onItsWay: bool
    """
    Whether it was paid in a way that takes days, and is waited for.
    """
    refundDue: Money
    """
    The part of the amount that is to be paid back, or was.
    """
    refunded: Money
    """
    The part of the amount that was paid back.
    """
    status: PaymentState
    """
    The state of the payment.
    """


class Preview(TypedDict):
    """
    A branding that can be tried before it is saved.
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
    Address of the preview. Everybody who has the address sees the preview.
    """


class Purchase(TypedDict):
    """
    A purchase: one line of a sales order.
    """

    deliveredAt: Timestamp | None
    """
    When it arrived at the consumer.
    """
    discount: Money
    """
    The discount that `totalPrice` already contains.
    """
    eligibility: Eligibility
    """
    Whether it can go back, and if not, why.
    """
    externalId: str
    """
    The shop's own id of the line.
    """
    finalSale: bool
    """
    Whether it was sold as not returnable.
    """
    fulfilledAt: Timestamp | None
    """
    When it was sent to the consumer.
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
    Units of which the shop knows that they were refunded, those of Retour's among them.
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
    Those of them that are settled: refunded, credited or exchanged.
    """
    takenQuantity: int
    """
    Units in returns of ours that count: open or settled.
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
    What a unit cost: after discount, tax included. Some units may cost one minor unit more, so that all of
    them come to `totalPrice`.
    """


class PurchaseList(TypedDict):
    """
    One page of a list.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
    """


class ReturnOrder(TypedDict):
    """
    A return order: one act of returning.
    """

    consumerId: ConsumerOrId
    """
    The consumer's id, or the whole consumer with `expand=consumer`.
    """
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    What the return costs and what it gives back. Absent for gifts.
    """
    createdAt: Timestamp
    """
    When the return order was created.
    """
    draftReturnOrderId: DraftReturnOrderOrId
    """
    What it was made from; the whole draft with `expand=draftReturnOrder`.
    """
    gift: NotRequired[GiftCosts | None]
    """
    The same in words: for gifts alone, in place of `costBreakdown`.
    """
    id: str
    """
    Unique identifier of the return order.
    """
    number: str
    """
    A short number for people to refer to, unique in the account.
    """
    payment: Payment | None
    """
    What is to be paid for it, or was; `null` where nothing is.
    """
    paymentStatus: PaymentStatus
    """
    The state of the payment, where one is due.
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
    The parcels of the order, with `expand=shipments`.
    """
    shippingOptionId: str | None
    """
    The chosen shipping option; `null` when nothing is sent.
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

    consumerId: Consumer
    """
    The consumer who made the return.
    """
    costBreakdown: NotRequired[CostBreakdown | None]
    """
    What the return costs and what it gives back. Absent for gifts.
    """
    createdAt: Timestamp
    """
    When the return order was created.
    """
    draftReturnOrderId: DraftReturnOrderOrId
    """
    What it was made from; the whole draft with `expand=draftReturnOrder`.
    """
    gift: NotRequired[GiftCosts | None]
    """
    The same in words: for gifts alone, in place of `costBreakdown`.
    """
    id: str
    """
    Unique identifier of the return order.
    """
    number: str
    """
    A short number for people to refer to, unique in the account.
    """
    payment: Payment | None
    """
    What is to be paid for it, or was; `null` where nothing is.
    """
    paymentStatus: PaymentStatus
    """
    The state of the payment, where one is due.
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
    The chosen shipping option; `null` when nothing is sent.
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
    The value to send as `page` for the next page, with the same order, filters and search: a cursor, larger than every page number. `null` on
    the last page.
    """
    page: int
    """
    The `page` that was asked for; 1 if none was.
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
    Which units of it, where that was said; `null`: all that is sent.
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
    How often the carrier was asked for the label in vain.
    """
    id: str
    """
    Unique identifier of the shipment.
    """
    labelBarcode: str
    """
    What scanners read on the label: on ours the SSCC, 18 digits; empty while it is not known.
    """
    labelMediaTypes: list[LabelFormat]
    """
    What the label can be had as, by `Accept`; empty while there is none.
    """
    labelUrl: str | None
    """
    Where its label is: a path of this API. `null` while there is none, and when it is void.
    """
    nextAttemptAt: Timestamp | None
    """
    When Retour asks the carrier for the label again; `null`: it has the label, or a person has to look.
    """
    qrCode: str | None
    """
    What a code says that is shown in place of a label, where a carrier said so; `null`: the return's number.
    """
    reason: ShipmentReason
    """
    Why the parcel is sent.
    """
    receiver: Address
    """
    The address that the parcel is sent to.
    """
    returnOrder: ReturnOrderEventData
    """
    The return order that the shipment belongs to. JSON: several events share it.
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
    The state of the parcel.
    """
    trackingNumber: str | None
    """
    The carrier's number of the parcel.
    """
    trackingUpdates: list[TrackingUpdate]
    """
    What the carrier reported, oldest first in its own time.
    """
    trackingUrl: str | None
    """
    The carrier's page that shows where the parcel is.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['shipment.label_created']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['shipment.received_tracking_updates']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    When it is tried next, if the receiver takes what comes before it in the same return; `null` when it is not.
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
    The currency of the account's fees where no order says otherwise.
    """
    domain: Domain | None
    """
    The portal's own host name; `null` where it has none.
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
    The rules for returns: windows, fees and what is decided automatically.
    """
    slug: str
    """
    The shop's name in addresses of the portal, such as `fjord-fern`.
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
    What of an account is to change. Fields that are left out stay as they are.
    """

    apiOrigins: NotRequired[list[ApiOrigin]]
    """
    Origins of the websites whose scripts may call the consumer operations, such as `https://shop.example`. Replaces the whole list.
    """
    branding: NotRequired[BrandingInput]
    """
    Looks that change; the others stay.
    """
    bridge: NotRequired[BridgeInput]
    """
    The shop that orders come from. Replaces the whole setting.
    """
    carrier: NotRequired[CarrierInput]
    """
    The carrier that makes labels. Replaces the whole setting.
    """
    name: NotRequired[str]
    """
    What shoppers call it: 1 to 100 characters.
    """
    payment: NotRequired[PaymentInput]
    """
    The provider that takes payments. Replaces the whole setting.
    """
    policy: NotRequired[PolicyInput]
    """
    Rules that change; the others stay.
    """
    timeZone: NotRequired[str]
    """
    The time zone whose days the days of its rules are: a name of the IANA time zone database, such as `Europe/Berlin`.
    """


class PersonalData(TypedDict):
    """
    All that is held of one person: everybody of their e-mail address.
    """

    consumers: list[Consumer]
    """
    The person's consumers, one for each order that they proved.
    """
    draftReturnOrders: list[DraftReturnOrder]
    """
    The person's drafts.
    """
    orders: list[OrderData]
    """
    The person's orders, as the shop reported them.
    """
    pendingEvidence: list[PendingEvidence]
    """
    Photos and papers that they laid beside purchases, of returns that they have not sent in.
    """
    returnOrders: list[ReturnOrder]
    """
    The person's return orders, with requests and parcels.
    """
    timelineEntries: list[TimelineEntry]
    """
    The stages that those return requests entered.
    """
    withdrawals: list[Withdrawal]
    """
    The person's withdrawals.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['return_order.cancelled']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    An event of the type `return_order.completed`. All of its requests have ended, and one was settled or denied at least.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['return_order.completed']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    An event of the type `return_order.confirmed`. None of its requests is undecided and nothing is to be paid: it can be sent.
    """

    accountId: str
    """
    The account that the event happened in.
    """
    data: ReturnOrderEventData
    """
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['return_order.confirmed']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['return_order.created']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
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
    The resource as the API showed it then, with its related objects in it.
    """
    event: Literal['shipment.delivered']
    """
    The same as `type`, for clients of older systems.
    """
    id: str
    """
    Identifier; the `webhook-id` of every attempt to deliver it.
    """
    timestamp: Timestamp
    """
    When the event happened.
    """
    type: Literal['shipment.delivered']
    """
    The type of the event, which decides what `data` holds.
    """


WebhookEvent: TypeAlias = ConsumerErasedEvent | ReturnOrderCancelledEvent | ReturnOrderCompletedEvent | ReturnOrderConfirmedEvent | ReturnOrderCreatedEvent | ReturnRequestStageChangedEvent | ShipmentDeliveredEvent | ShipmentLabelCreatedEvent | ShipmentReceivedTrackingUpdatesEvent | TestPingEvent | WebhookSubscriptionDisabledEvent | WithdrawalReceivedEvent
"""
An event that Retour sends to a subscriber. `type` decides what `data` holds.
"""
