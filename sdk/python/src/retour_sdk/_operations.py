"""Generated from the OpenAPI document by .ci/sdk. Do not edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from . import types
from ._client import Client
from ._request import Request, Upload, segment


class Retour(Client):
    """A client of one Retour: one method for each operation of the API."""

    def accept_draft_return_order(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Accept a draft return order.

        Submits the draft for its consumer, without a review. A repeated request answers 200 with the same return order.

        For users and API keys with the scope `write`.

        `PUT /api/v0/draft-return-orders/{id}/accept`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "PUT",
                f"/api/v0/draft-return-orders/{segment(id)}/accept",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def add_shipment(
        self,
        id: str,
        body: types.NewShipment,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Add a shipment to a return order.

        Adds a shipment to a return that does not fit into one parcel. It gets a label in the same way as the first shipment. The return is delivered once each of its shipments is; receipts count the units that arrive, in any of the shipments.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders/{id}/shipments`
        """
        answer: types.Shipment = self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/shipments",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def cancel_own_return_order(
        self,
        consumer_id: str,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Cancel a return order of the consumer.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `POST /consumer/{consumer_id}/return-order/{id}/cancel`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/cancel",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def cancel_return_order(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Cancel a return order.

        Cancels the whole return: its units can be returned again, and its label is void. A repeated request changes nothing.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders/{id}/cancel`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/cancel",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def cancel_shipment(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Cancel a shipment.

        Cancels one of several shipments before the carrier scans it. The label is void, also at the carrier if the carrier supports that. The return is delivered once the other shipments are. A repeated request changes nothing. To cancel the only shipment, cancel its return order.

        For users and API keys with the scope `write`.

        `POST /api/v0/shipments/{id}/cancel`
        """
        answer: types.Shipment = self._call(
            Request(
                "POST",
                f"/api/v0/shipments/{segment(id)}/cancel",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_consumer(
        self,
        body: types.OrderCredentials,
        *,
        timeout_seconds: float | None = None,
    ) -> types.IdentifiedConsumer:
        """Prove an order.

        Checks an order number against its e-mail address or postal code, depending on the account's `lookUpBy`, and answers with a consumer and a token that is valid for 24 hours. The same credentials always give the same consumer. With `giftRecipientEmail`, a gift recipient proves the order by the postal code, if the account's policy has `giftReturns`: they are a separate consumer, whose answers contain no amounts and who chooses store credit or an exchange. A wrong order and a wrong proof give the same 401, after one second. Too many failed attempts of one client, or with one postal code, give 429 until midnight UTC. If the shop sends sign-in links, `message` names the page that requests one. See "Guessing" in docs/api.md.

        Needs no credential.

        `POST /auth/consumer`
        """
        answer: types.IdentifiedConsumer = self._call(
            Request(
                "POST",
                "/auth/consumer",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_draft_return_order(
        self,
        body: types.NewReturn,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Create a draft return order.

        A draft reserves no units; its submission does. Its amounts are valid for 24 hours.

        For users and API keys with the scope `write`.

        `POST /api/v0/draft-return-orders`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "POST",
                "/api/v0/draft-return-orders",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_evidence(
        self,
        id: str,
        file: Upload,
        *,
        content_type: Literal["application/octet-stream"] = "application/octet-stream",
        file_name: str | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.EvidenceFile:
        """Add evidence to a return request.

        Send the file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`; or send `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per return request. It removes place, time and all other camera data from photos, and stores a PDF unchanged. The same file again is the same evidence and answers 200. Evidence moves a return request from `Requested: Evidence Pending` to `Requested: Review`.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-requests/{id}/evidence`
        """
        answer: types.EvidenceFile = self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/evidence",
                body=file,
                content_type=content_type,
                file_name=file_name,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_inspection(
        self,
        id: str,
        body: types.NewInspection,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Create an inspection.

        Records the inspection, which decides about the refund if the policy's `resolveOn` is `inspection`. A new inspection replaces the previous one. An approved resolution does not change.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-requests/{id}/inspection`
        """
        answer: types.ReturnRequest = self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/inspection",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_own_draft_return_order(
        self,
        consumer_id: str,
        body: types.NewDraftReturnOrder,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Create a draft return order as the consumer.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `POST /consumer/{consumer_id}/draft-return-order`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/draft-return-order",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_own_evidence(
        self,
        consumer_id: str,
        id: str,
        file: Upload,
        *,
        return_request_id: str,
        content_type: Literal["application/octet-stream"] = "application/octet-stream",
        file_name: str | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.EvidenceFile:
        """Add evidence to a return request of the consumer.

        Send the file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`; or send `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per return request. It removes place, time and all other camera data from photos, and stores a PDF unchanged. The same file again is the same evidence and answers 200. Evidence moves a return request from `Requested: Evidence Pending` to `Requested: Review`.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `return_request_id`: The return request that the evidence belongs to. It is one of this return order.

        `POST /consumer/{consumer_id}/return-order/{id}/evidence`
        """
        answer: types.EvidenceFile = self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/evidence",
                query={"returnRequestId": return_request_id},
                body=file,
                content_type=content_type,
                file_name=file_name,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_own_pending_evidence(
        self,
        consumer_id: str,
        id: str,
        file: Upload,
        *,
        content_type: Literal["application/octet-stream"] = "application/octet-stream",
        file_name: str | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.PendingEvidence:
        """Add pending evidence to a purchase.

        Uploads a photo or document before the consumer submits the return. The submission turns the pending evidence of its purchases into `evidence` of the return requests, with the same ids, if their reasons require or accept evidence; with other reasons, Retour deletes it. A return request whose reason requires evidence then begins with `Requested: Review`. Retour deletes pending evidence after 48 hours. Send the file itself, with its `Content-Type` and its name in `Content-Disposition: attachment; filename="…"`; or send `multipart/form-data` with one part `file`. Without a type, or with `application/octet-stream`, Retour detects the type from the bytes. It accepts JPEG, PNG, WebP, HEIC and PDF, at most 10 MiB per file and 10 files per purchase. It removes the camera data from photos. The same file again answers 200 with the existing file.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `POST /consumer/{consumer_id}/purchase/{id}/evidence`
        """
        answer: types.PendingEvidence = self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence",
                body=file,
                content_type=content_type,
                file_name=file_name,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_own_return_order(
        self,
        consumer_id: str,
        body: types.NewReturnOrder,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Submit a draft return order.

        Submits the draft, and starts the payment and the label. A repeated submission of the same draft answers 200 with the same return order, regardless of `shippingOptionId`.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `POST /consumer/{consumer_id}/return-order`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/return-order",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_preview(
        self,
        body: types.NewPreview,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Preview:
        """Create a preview.

        Creates a preview of this branding: for a day, the URL in the answer shows the portal with it to everybody who has the URL. The live portal does not change. To publish the branding, send the same body to `PATCH` the account.

        For users and API keys with the scope `admin`.

        `POST /api/v0/account/previews`
        """
        answer: types.Preview = self._call(
            Request(
                "POST",
                "/api/v0/account/previews",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_receipt(
        self,
        id: str,
        body: types.NewReceipt,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Create a receipt.

        Adds received units to the return request. Each `externalReference` counts once.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-requests/{id}/receipts`
        """
        answer: types.ReturnRequest = self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/receipts",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_return_location(
        self,
        body: types.NewReturnLocation,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnLocation:
        """Create a return location.

        Creates a return location. Shipments go to the location that their shipping option names, else to the default location, else to the policy's `returnAddress`. An account has at most 200 locations, including archived ones.

        For users and API keys with the scope `admin`.

        `POST /api/v0/return-locations`
        """
        answer: types.ReturnLocation = self._call(
            Request(
                "POST",
                "/api/v0/return-locations",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_return_order(
        self,
        body: types.NewReturn,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Create a return order.

        Creates a draft and submits it in one step, without a review.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "POST",
                "/api/v0/return-orders",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_return_reason(
        self,
        body: types.NewReturnReason,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnReason:
        """Create a return reason.

        Creates a return reason. An account has at most 200 reasons, including archived ones. A sub-reason names its parent in `parentId`, one level deep.

        For users and API keys with the scope `admin`.

        `POST /api/v0/return-reasons`
        """
        answer: types.ReturnReason = self._call(
            Request(
                "POST",
                "/api/v0/return-reasons",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_service_user(
        self,
        body: types.NewServiceUser,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUserWithKey:
        """Create a service user.

        For users and API keys with the scope `admin`.

        `POST /api/v0/service-users`
        """
        answer: types.ServiceUserWithKey = self._call(
            Request(
                "POST",
                "/api/v0/service-users",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_shipping_option(
        self,
        body: types.NewShippingOption,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ShippingOption:
        """Create a shipping option.

        Creates a shipping option. An account has at most 200 options, including archived ones.

        For users and API keys with the scope `admin`.

        `POST /api/v0/shipping-options`
        """
        answer: types.ShippingOption = self._call(
            Request(
                "POST",
                "/api/v0/shipping-options",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_tracking_update(
        self,
        id: str,
        body: types.NewTrackingUpdate,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Create a tracking update.

        Records a carrier's report and moves the shipment and its return requests, in the order of the carrier's time. The status never goes back: a report that arrives after a later one is stored and moves nothing. Reports after the delivery move nothing either. The same report counts once.

        For users and API keys with the scope `write`.

        `POST /api/v0/shipments/{id}/tracking-updates`
        """
        answer: types.Shipment = self._call(
            Request(
                "POST",
                f"/api/v0/shipments/{segment(id)}/tracking-updates",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_webhook_subscription(
        self,
        body: types.NewWebhookSubscription,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSubscription:
        """Create a webhook subscription.

        Creates a subscription: Retour sends each new event that matches the filter to the URL, at least once. Read the secret next, and verify the signature of each delivery. An account has at most 50 subscriptions.

        For users and API keys with the scope `admin`.

        `POST /api/v0/webhook-subscriptions`
        """
        answer: types.WebhookSubscription = self._call(
            Request(
                "POST",
                "/api/v0/webhook-subscriptions",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def create_withdrawal(
        self,
        body: types.WithdrawalInput,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Withdrawal:
        """Create a withdrawal.

        Records a withdrawal, for a portal of your own. Call it once the consumer has confirmed the statement, and show them the number and `createdAt` of the answer. The answer does not reveal whether the order is known.

        For users and API keys with the scope `write`.

        `POST /api/v0/withdrawals`
        """
        answer: types.Withdrawal = self._call(
            Request(
                "POST",
                "/api/v0/withdrawals",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def delete_evidence(
        self,
        id: str,
        evidence_id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete evidence.

        The return request stays in its stage.

        For users and API keys with the scope `write`.

        `DELETE /api/v0/return-requests/{id}/evidence/{evidence_id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/return-requests/{segment(id)}/evidence/{segment(evidence_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_own_pending_evidence(
        self,
        consumer_id: str,
        id: str,
        evidence_id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete pending evidence.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `DELETE /consumer/{consumer_id}/purchase/{id}/evidence/{evidence_id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence/{segment(evidence_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_purchase(
        self,
        external_id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete a purchase.

        Deletes a purchase of which no unit was ever returned. The last purchase of an order takes the order with it. The path contains the shop's own id, or the id that Retour gave.

        For users and API keys with the scope `write`.

        `DELETE /api/v0/purchases/{external_id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/purchases/{segment(external_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_return_location(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete or archive a return location.

        Deletes the location if no shipping option names it. Otherwise archives it: then no shipment goes there, and it is not the default.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/return-locations/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/return-locations/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_return_reason(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete or archive a return reason.

        Deletes the reason if no return request names it and it has no sub-reasons. Otherwise archives it: then neither the reason nor its sub-reasons are offered.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/return-reasons/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/return-reasons/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_shipping_option(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete or archive a shipping option.

        Deletes the option if no draft and no return order names it. Otherwise archives it: then it is no longer offered, and a draft that names it needs another option.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/shipping-options/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/shipping-options/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete a user.

        Deletes the user. The user's tokens end at once, and the e-mail address is available again. Their changes stay under the user's id.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/users/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def delete_webhook_subscription(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete a webhook subscription.

        Deletes the subscription with its deliveries. Events stay.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/webhook-subscriptions/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/webhook-subscriptions/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def erase_consumer(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Erase a consumer's personal data.

        Erases the data of every consumer with the same e-mail address: Retour clears names, addresses, comments, evidence, stored answers and events, and keeps amounts and stages. While the person has an open return, the erasure waits for its end (202). A later import does not bring the person back, except with an order that was placed after this request.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/consumers/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/consumers/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def erase_person(
        self,
        body: types.OfEmail,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Erase personal data by e-mail address.

        Works like `DELETE /consumers/{id}`, also for people who bought something and never looked it up. Retour remembers an unknown e-mail address, so that a later import of older orders does not store the person's data.

        For users and API keys with the scope `admin`.

        `POST /api/v0/consumers/erasure`
        """
        self._call(
            Request(
                "POST",
                "/api/v0/consumers/erasure",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )

    def get_account(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Account:
        """Retrieve the account.

        For users and API keys with the scope `read`.

        `GET /api/v0/account`
        """
        answer: types.Account = self._call(
            Request(
                "GET",
                "/api/v0/account",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_consumer(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Consumer:
        """Retrieve a consumer.

        For users and API keys with the scope `read`.

        `GET /api/v0/consumers/{id}`
        """
        answer: types.Consumer = self._call(
            Request(
                "GET",
                f"/api/v0/consumers/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_consumer_data(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PersonalData:
        """Export a consumer's personal data.

        Exports the data of every consumer with the same e-mail address.

        For users and API keys with the scope `read`.

        `GET /api/v0/consumers/{id}/data`
        """
        answer: types.PersonalData = self._call(
            Request(
                "GET",
                f"/api/v0/consumers/{segment(id)}/data",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_draft_return_order(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Retrieve a draft return order.

        For users and API keys with the scope `read`.

        `GET /api/v0/draft-return-orders/{id}`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "GET",
                f"/api/v0/draft-return-orders/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_event(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Event:
        """Retrieve an event.

        For users and API keys with the scope `read`.

        `GET /api/v0/events/{id}`
        """
        answer: types.Event = self._call(
            Request(
                "GET",
                f"/api/v0/events/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_evidence(
        self,
        id: str,
        evidence_id: str,
        *,
        accept: Literal["application/pdf", "image/heic", "image/jpeg", "image/png", "image/webp"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download evidence.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-requests/{id}/evidence/{evidence_id}`
        """
        answer: bytes = self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/evidence/{segment(evidence_id)}",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_inspection(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Inspection:
        """Retrieve an inspection.

        The answer is 404 until there is an inspection.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-requests/{id}/inspection`
        """
        answer: types.Inspection = self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/inspection",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_label(
        self,
        id: str,
        *,
        accept: Literal["application/pdf", "application/zpl", "image/png"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download a shipment's label.

        Returns the label as PDF, PNG (12 dots per millimetre) or ZPL II (203 dpi), depending on `Accept`; as PDF by default. `application/x-zpl`, `x-application/zpl` and `text/zpl` mean ZPL, too. Retour does not change labels that a carrier made.

        For users and API keys with the scope `read`.

        `GET /api/v0/shipments/{id}/label`
        """
        answer: bytes = self._call(
            Request(
                "GET",
                f"/api/v0/shipments/{segment(id)}/label",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_own_draft_return_order(
        self,
        consumer_id: str,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Retrieve a draft return order of the consumer.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/draft-return-order/{id}`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/draft-return-order/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_own_evidence(
        self,
        consumer_id: str,
        id: str,
        evidence_id: str,
        *,
        accept: Literal["application/pdf", "image/heic", "image/jpeg", "image/png", "image/webp"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download evidence of the consumer.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/return-order/{id}/evidence/{evidence_id}`
        """
        answer: bytes = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/evidence/{segment(evidence_id)}",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_own_label(
        self,
        consumer_id: str,
        id: str,
        *,
        accept: Literal["application/pdf", "application/zpl", "image/png"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download the label of a return order.

        Returns the label as PDF, PNG (to show on a phone) or ZPL, depending on `Accept`; as PDF by default.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/return-order/{id}/label`
        """
        answer: bytes = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/label",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_own_pending_evidence(
        self,
        consumer_id: str,
        id: str,
        evidence_id: str,
        *,
        accept: Literal["application/pdf", "image/heic", "image/jpeg", "image/png", "image/webp"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download pending evidence.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/purchase/{id}/evidence/{evidence_id}`
        """
        answer: bytes = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence/{segment(evidence_id)}",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_own_return_order(
        self,
        consumer_id: str,
        id: str,
        *,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Retrieve a return order of the consumer.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /consumer/{consumer_id}/return-order/{id}`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}",
                query={"expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_own_shipment_label(
        self,
        consumer_id: str,
        id: str,
        shipment_id: str,
        *,
        accept: Literal["application/pdf", "application/zpl", "image/png"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download the label of a shipment.

        Offers the same file types as the label of the return order, which is the label of the first shipment.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/return-order/{id}/shipments/{shipment_id}/label`
        """
        answer: bytes = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/shipments/{segment(shipment_id)}/label",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_personal_data(
        self,
        body: types.OfEmail,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PersonalData:
        """Export personal data.

        Exports all data that Retour stores about the person with this e-mail address, even if the person bought something and never looked it up. The e-mail address is in the body, so that it appears in no URL.

        For users and API keys with the scope `read`.

        `POST /api/v0/consumers/data`
        """
        answer: types.PersonalData = self._call(
            Request(
                "POST",
                "/api/v0/consumers/data",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_purchase(
        self,
        external_id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Purchase:
        """Retrieve a purchase.

        The path contains the shop's own id, percent-encoded (`/` is `%2F`), or the id that Retour gave.

        For users and API keys with the scope `read`.

        `GET /api/v0/purchases/{external_id}`
        """
        answer: types.Purchase = self._call(
            Request(
                "GET",
                f"/api/v0/purchases/{segment(external_id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_return_location(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ReturnLocation:
        """Retrieve a return location.

        Returns archived objects, too.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-locations/{id}`
        """
        answer: types.ReturnLocation = self._call(
            Request(
                "GET",
                f"/api/v0/return-locations/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_return_order(
        self,
        id: str,
        *,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests", "draftReturnOrder"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Retrieve a return order.

        For users and API keys with the scope `read`.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /api/v0/return-orders/{id}`
        """
        answer: types.ReturnOrder = self._call(
            Request(
                "GET",
                f"/api/v0/return-orders/{segment(id)}",
                query={"expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_return_reason(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ReturnReason:
        """Retrieve a return reason.

        Returns archived objects, too.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-reasons/{id}`
        """
        answer: types.ReturnReason = self._call(
            Request(
                "GET",
                f"/api/v0/return-reasons/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_return_request(
        self,
        id: str,
        *,
        expand: Sequence[Literal["consumer"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Retrieve a return request.

        For users and API keys with the scope `read`.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /api/v0/return-requests/{id}`
        """
        answer: types.ReturnRequest = self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}",
                query={"expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_service_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUser:
        """Retrieve a service user.

        For users and API keys with the scope `admin`.

        `GET /api/v0/service-users/{id}`
        """
        answer: types.ServiceUser = self._call(
            Request(
                "GET",
                f"/api/v0/service-users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_shipment(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Retrieve a shipment.

        For users and API keys with the scope `read`.

        `GET /api/v0/shipments/{id}`
        """
        answer: types.Shipment = self._call(
            Request(
                "GET",
                f"/api/v0/shipments/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_shipping_option(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ShippingOption:
        """Retrieve a shipping option.

        Returns archived objects, too.

        For users and API keys with the scope `read`.

        `GET /api/v0/shipping-options/{id}`
        """
        answer: types.ShippingOption = self._call(
            Request(
                "GET",
                f"/api/v0/shipping-options/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_signed_in_user(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Retrieve the signed-in user.

        For users who signed in.

        `GET /auth/user`
        """
        answer: types.User = self._call(
            Request(
                "GET",
                "/auth/user",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Retrieve a user.

        For users and API keys with the scope `admin`.

        `GET /api/v0/users/{id}`
        """
        answer: types.User = self._call(
            Request(
                "GET",
                f"/api/v0/users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_webhook_delivery(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.WebhookDeliveryDetails:
        """Retrieve a webhook delivery.

        Returns the request that Retour sends, and the time, the duration and the receiver's answer of each attempt.

        For users and API keys with the scope `read`.

        `GET /api/v0/deliveries/{id}`
        """
        answer: types.WebhookDeliveryDetails = self._call(
            Request(
                "GET",
                f"/api/v0/deliveries/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_webhook_secret(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSecret:
        """Retrieve a subscription's secret.

        For users and API keys with the scope `admin`.

        `GET /api/v0/webhook-subscriptions/{id}/secret`
        """
        answer: types.WebhookSecret = self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}/secret",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_webhook_subscription(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSubscription:
        """Retrieve a webhook subscription.

        For users and API keys with the scope `read`.

        `GET /api/v0/webhook-subscriptions/{id}`
        """
        answer: types.WebhookSubscription = self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_webhook_subscription_timeline(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.WebhookTimelineEntryList:
        """List a subscription's timeline.

        Newest first, the last 500 entries: also why and when it was disabled.

        For users and API keys with the scope `read`.

        `GET /api/v0/webhook-subscriptions/{id}/timeline`
        """
        answer: types.WebhookTimelineEntryList = self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}/timeline",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def get_withdrawal(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Withdrawal:
        """Retrieve a withdrawal.

        For users and API keys with the scope `read`.

        `GET /api/v0/withdrawals/{id}`
        """
        answer: types.Withdrawal = self._call(
            Request(
                "GET",
                f"/api/v0/withdrawals/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def import_purchases(
        self,
        file: types.OrdersInput | Upload,
        *,
        format: Literal["retour", "shopify"] | None = None,
        dry_run: bool | None = None,
        content_type: Literal["application/octet-stream", "text/csv"] = "application/octet-stream",
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ImportReport:
        """Import orders.

        Imports orders from JSON, or from a file in Retour's own layout or that of Shopify's order export: CSV, also gzipped or in a ZIP archive. Known orders are updated, as with a single purchase; a line that belongs to another order does not change.

        **JSON** has at most 1 MiB. Retour imports all orders at once, or refuses all of them if any field is invalid.

        **A file** has at most 1 GiB unpacked and 2,000,000 orders. Retour reads it as it arrives, and commits it in batches of about 10,000 lines. It skips and reports rows that it cannot use. It refuses a file without orders (a workbook, an export of customers) as a whole. If the file ends early or cannot be read further, the error's message says how many orders were imported before; they stay. Sending the file again is safe, because equal orders do not change.

        `Idempotency-Key`: Retour stores the key and the answer in the same transaction as the last batch of a file. The same file with the same key gets that answer again, without effect. If the first request breaks off, its key is not stored. `dryRun=true` stores no key.

        For users and API keys with the scope `write`.

        `format`: The layout of a CSV file.

        `dry_run`: `true`: only returns the report, and writes nothing.

        `POST /api/v0/purchases/import`
        """
        answer: types.ImportReport = self._call(
            Request(
                "POST",
                "/api/v0/purchases/import",
                query={"format": format, "dryRun": dry_run},
                body=file,
                content_type=content_type,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def invite_user(
        self,
        body: types.Invitation,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.InvitedUser:
        """Invite a user.

        Creates a user with an invitation. Give the invitation's token to the owner of the e-mail address, who sets a password with it (`POST /auth/password`) within 7 days.

        For users and API keys with the scope `admin`.

        `POST /api/v0/users`
        """
        answer: types.InvitedUser = self._call(
            Request(
                "POST",
                "/api/v0/users",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def invite_user_again(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.InvitedUser:
        """Renew a user's invitation.

        Creates a new invitation for a user whose invitation has expired or who has forgotten the password. Earlier invitations end. A password stays valid until the user sets another one.

        For users and API keys with the scope `admin`.

        `POST /api/v0/users/{id}/invitation`
        """
        answer: types.InvitedUser = self._call(
            Request(
                "POST",
                f"/api/v0/users/{segment(id)}/invitation",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_consumers(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ConsumerList:
        """List consumers.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `email`: an e-mail address, without regard to case
        - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `GET /api/v0/consumers`
        """
        answer: types.ConsumerList = self._call(
            Request(
                "GET",
                "/api/v0/consumers",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_consumers(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.Consumer]:
        """Every result of `list_consumers`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_consumers(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_draft_return_orders(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrderList:
        """List draft return orders.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `consumerId`: an id
        - `status`: `Open`, `Accepted`, `Rejected`, `Expired`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `GET /api/v0/draft-return-orders`
        """
        answer: types.DraftReturnOrderList = self._call(
            Request(
                "GET",
                "/api/v0/draft-return-orders",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_draft_return_orders(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.DraftReturnOrder]:
        """Every result of `list_draft_return_orders`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_draft_return_orders(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_events(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.EventList:
        """List events.

        Lists the events of the last 30 days, as subscribers get them. To follow new events, page in ascending order, remember the last `timestamp`, request the events since one minute before it, and skip the ids that you know: changes that are written at the same time may appear in another order.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `type`: `return_request.stage_changed`, `return_order.created`, `return_order.confirmed`, `return_order.completed`, `return_order.cancelled`, `shipment.label_created`, `shipment.received_tracking_updates`, `shipment.delivered`, `withdrawal.received`, `consumer.erased`, `webhook_subscription.disabled`, `test.ping`
        - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `returnOrderId`: an id
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/events`
        """
        answer: types.EventList = self._call(
            Request(
                "GET",
                "/api/v0/events",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_events(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.Event]:
        """Every result of `list_events`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_events(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_evidence(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.EvidenceFileList:
        """List a return request's evidence.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-requests/{id}/evidence`
        """
        answer: types.EvidenceFileList = self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/evidence",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_integrations(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.IntegrationList:
        """List the account's integrations.

        Lists the shop, carrier and payment provider that the account is connected to, and whether calls to them succeed. Receivers of webhooks are not in the list: subscriptions have their own deliveries.

        For users and API keys with the scope `read`.

        `GET /api/v0/account/integrations`
        """
        answer: types.IntegrationList = self._call(
            Request(
                "GET",
                "/api/v0/account/integrations",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_mails(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.MailList:
        """List mails.

        Lists the mails that the operator's mail server accepted, and those that failed for good: Retour tries each mail for a day. The list covers 180 days and contains no recipients.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `returnOrderId`: an id
        - `status`: `Sent`, `Failed`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/mails`
        """
        answer: types.MailList = self._call(
            Request(
                "GET",
                "/api/v0/mails",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_mails(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.Mail]:
        """Every result of `list_mails`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_mails(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_own_evidence(
        self,
        consumer_id: str,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.EvidenceFileList:
        """List the evidence of a return order.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/return-order/{id}/evidence`
        """
        answer: types.EvidenceFileList = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/evidence",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_own_pending_evidence(
        self,
        consumer_id: str,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PendingEvidenceList:
        """List a purchase's pending evidence.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/purchase/{id}/evidence`
        """
        answer: types.PendingEvidenceList = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_own_purchases(
        self,
        consumer_id: str,
        *,
        limit: int | None = None,
        page: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ConsumerPurchaseList:
        """List the consumer's purchases.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `GET /consumer/{consumer_id}/purchases`
        """
        answer: types.ConsumerPurchaseList = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/purchases",
                query={"limit": limit, "page": page},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_own_purchases(
        self,
        consumer_id: str,
        *,
        limit: int = 100,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ConsumerPurchase]:
        """Every result of `list_own_purchases`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_own_purchases(
                consumer_id,
                limit=limit,
                page=page,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_own_return_orders(
        self,
        consumer_id: str,
        *,
        limit: int | None = None,
        page: int | None = None,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrderList:
        """List the consumer's return orders.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /consumer/{consumer_id}/return-orders`
        """
        answer: types.ReturnOrderList = self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-orders",
                query={"limit": limit, "page": page, "expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_own_return_orders(
        self,
        consumer_id: str,
        *,
        limit: int = 100,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ReturnOrder]:
        """Every result of `list_own_return_orders`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_own_return_orders(
                consumer_id,
                limit=limit,
                page=page,
                expand=expand,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_purchases(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.PurchaseList:
        """List purchases.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `orderNumber`: an order number, without regard to `#`, spaces and case
        - `orderId`: an id
        - `externalId`: a text, as it is

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `GET /api/v0/purchases`
        """
        answer: types.PurchaseList = self._call(
            Request(
                "GET",
                "/api/v0/purchases",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_purchases(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.Purchase]:
        """Every result of `list_purchases`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_purchases(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_receipts(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ReceiptList:
        """List a return request's receipts.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-requests/{id}/receipts`
        """
        answer: types.ReceiptList = self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/receipts",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_return_locations(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnLocationList:
        """List return locations.

        Omits archived locations; `filter=archived:true` lists them.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `archived`: `true`, `false`

        `GET /api/v0/return-locations`
        """
        answer: types.ReturnLocationList = self._call(
            Request(
                "GET",
                "/api/v0/return-locations",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_return_locations(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ReturnLocation]:
        """Every result of `list_return_locations`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_return_locations(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_return_orders(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt", "updatedAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests", "draftReturnOrder"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrderList:
        """List return orders.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `number`: a text, as it is
        - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
        - `consumerId`: an id
        - `status`: `Requested`, `AwaitingPayment`, `Open`, `Completed`, `Cancelled`, `Expired`, `Rejected`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `updatedAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /api/v0/return-orders`
        """
        answer: types.ReturnOrderList = self._call(
            Request(
                "GET",
                "/api/v0/return-orders",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search, "expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_return_orders(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt", "updatedAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests", "draftReturnOrder"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ReturnOrder]:
        """Every result of `list_return_orders`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_return_orders(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                expand=expand,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_return_reasons(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnReasonList:
        """List return reasons.

        Omits archived reasons; `filter=archived:true` lists them. Consumers see the reasons in the order of `position`.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `archived`: `true`, `false`
        - `parentId`: an id

        `GET /api/v0/return-reasons`
        """
        answer: types.ReturnReasonList = self._call(
            Request(
                "GET",
                "/api/v0/return-reasons",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_return_reasons(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ReturnReason]:
        """Every result of `list_return_reasons`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_return_reasons(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_return_requests(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt", "updatedAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequestList:
        """List return requests.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
        - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `status`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `returnOrderId`: an id
        - `consumerId`: an id
        - `returnReasonId`: an id
        - `requestedResolution`: `Refund`, `Exchange`, `StoreCredit`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `updatedAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /api/v0/return-requests`
        """
        answer: types.ReturnRequestList = self._call(
            Request(
                "GET",
                "/api/v0/return-requests",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search, "expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_return_requests(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt", "updatedAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ReturnRequest]:
        """Every result of `list_return_requests`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_return_requests(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                expand=expand,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_service_users(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUserList:
        """List service users.

        Includes service users whose keys were revoked.

        For users and API keys with the scope `admin`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `GET /api/v0/service-users`
        """
        answer: types.ServiceUserList = self._call(
            Request(
                "GET",
                "/api/v0/service-users",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_service_users(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ServiceUser]:
        """Every result of `list_service_users`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_service_users(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_shipments(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ShipmentList:
        """List shipments.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `returnOrderId`: an id
        - `status`: `New`, `LabelFailed`, `LabelCreated`, `InTransit`, `Exception`, `Delivered`, `Cancelled`
        - `labelBarcode`: what a scanner reads; of GS1-128 the SSCC will do
        - `errorCode`: a text, as it is
        - `trackingNumber`: a text, as it is
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/shipments`
        """
        answer: types.ShipmentList = self._call(
            Request(
                "GET",
                "/api/v0/shipments",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_shipments(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.Shipment]:
        """Every result of `list_shipments`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_shipments(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_shipping_options(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ShippingOptionList:
        """List shipping options.

        Omits archived options; `filter=archived:true` lists them. Consumers see the options in the order of `position`.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `archived`: `true`, `false`
        - `method`: `Label`, `Paperless`, `DropOff`, `PickUp`, `InStore`, `OwnCarrier`

        `GET /api/v0/shipping-options`
        """
        answer: types.ShippingOptionList = self._call(
            Request(
                "GET",
                "/api/v0/shipping-options",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_shipping_options(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.ShippingOption]:
        """Every result of `list_shipping_options`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_shipping_options(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_timeline_entries(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.TimelineEntryList:
        """List a return request's timeline.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-requests/{id}/timeline`
        """
        answer: types.TimelineEntryList = self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/timeline",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def list_users(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.UserList:
        """List users.

        For users and API keys with the scope `admin`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `email`: an e-mail address, without regard to case
        - `role`: `admin`, `agent`, `viewer`

        `GET /api/v0/users`
        """
        answer: types.UserList = self._call(
            Request(
                "GET",
                "/api/v0/users",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_users(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.User]:
        """Every result of `list_users`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_users(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookDeliveryList:
        """List a subscription's deliveries.

        For 30 days. `filter=status:Failed` lists what can be delivered again.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `subscriptionId`: an id
        - `eventId`: an id
        - `status`: `Pending`, `Delivered`, `Failed`

        `GET /api/v0/webhook-subscriptions/{id}/deliveries`
        """
        answer: types.WebhookDeliveryList = self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}/deliveries",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.WebhookDelivery]:
        """Every result of `list_webhook_deliveries`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_webhook_deliveries(
                id,
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_webhook_subscriptions(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSubscriptionList:
        """List webhook subscriptions.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `enabled`: `true`, `false`

        `GET /api/v0/webhook-subscriptions`
        """
        answer: types.WebhookSubscriptionList = self._call(
            Request(
                "GET",
                "/api/v0/webhook-subscriptions",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_webhook_subscriptions(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.WebhookSubscription]:
        """Every result of `list_webhook_subscriptions`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_webhook_subscriptions(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def list_withdrawals(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WithdrawalList:
        """List withdrawals.

        For users and API keys with the scope `read`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. Fields:
        - `number`: a text, as it is
        - `status`: `Received`, `OrderFound`, `Returned`, `Closed`
        - `email`: an e-mail address, without regard to case
        - `returnOrderId`: an id
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/withdrawals`
        """
        answer: types.WithdrawalList = self._call(
            Request(
                "GET",
                "/api/v0/withdrawals",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def iterate_withdrawals(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[types.Withdrawal]:
        """Every result of `list_withdrawals`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = self.list_withdrawals(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    def put_purchase(
        self,
        external_id: str,
        body: types.PurchaseInput,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Purchase:
        """Create or update a purchase.

        The path contains the shop's own id, percent-encoded (`/` is `%2F`); for a known purchase, the id that Retour gave works, too. The fields of the order replace those of the whole stored order, except currency and `orderedAt`. While units of the purchase are in returns, `quantity` and price do not change, because the amounts of the returns depend on them: a quantity below these units is `InUse`. A line of another order is `OtherOrder`, an order that is stored in another currency is `OtherCurrency`, and an order with the same number, e-mail address and postal code under another `externalId` is `KnownUnderAnotherId`.

        For users and API keys with the scope `write`.

        `PUT /api/v0/purchases/{external_id}`
        """
        answer: types.Purchase = self._call(
            Request(
                "PUT",
                f"/api/v0/purchases/{segment(external_id)}",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def redeliver_event(
        self,
        id: str,
        body: types.EventRedelivery | None = None,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookDeliveryList:
        """Repeat the deliveries of an event.

        Delivers the event again: to one subscription, or to all enabled subscriptions whose filter matches the event or that received it. The `webhook-id` stays the same, and a new series of attempts begins.

        For users and API keys with the scope `write`.

        `POST /api/v0/events/{id}/redeliver`
        """
        answer: types.WebhookDeliveryList = self._call(
            Request(
                "POST",
                f"/api/v0/events/{segment(id)}/redeliver",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def redeliver_since(
        self,
        id: str,
        body: types.Redelivery,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSubscription:
        """Repeat past events.

        Delivers events since the given time again: those that failed or were never sent, for example while the subscription was disabled; with `"which": "All"` also delivered ones. Retour collects them in the background, while `catchingUp` is true. Until it is false, a further request needs the same `which`, and a `since` before the end of the events that are being collected; otherwise it is 409 `LimitReached`.

        For users and API keys with the scope `write`.

        `POST /api/v0/webhook-subscriptions/{id}/redeliver`
        """
        answer: types.WebhookSubscription = self._call(
            Request(
                "POST",
                f"/api/v0/webhook-subscriptions/{segment(id)}/redeliver",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def redeliver_webhook_delivery(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookDelivery:
        """Repeat a webhook delivery.

        Sends the event again at once, under the same `webhook-id`, with a new series of attempts.

        For users and API keys with the scope `write`.

        `POST /api/v0/deliveries/{id}/redeliver`
        """
        answer: types.WebhookDelivery = self._call(
            Request(
                "POST",
                f"/api/v0/deliveries/{segment(id)}/redeliver",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def reject_draft_return_order(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Reject a draft return order.

        Rejects the draft, so that it can no longer be submitted. A repeated request changes nothing.

        For users and API keys with the scope `write`.

        `PUT /api/v0/draft-return-orders/{id}/reject`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "PUT",
                f"/api/v0/draft-return-orders/{segment(id)}/reject",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def renew_own_draft_return_order(
        self,
        consumer_id: str,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Renew a draft return order of the consumer.

        Creates a new draft with the selections of an outdated or expired one. The new draft omits answers to questions that the shop no longer asks, and a shipping option that the shop no longer offers: choose another option. Errors name the selections of the older draft, which does not change.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `POST /consumer/{consumer_id}/draft-return-order/{id}/renew`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/draft-return-order/{segment(id)}/renew",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def retry_label(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Request a shipment's label again.

        Requests the label of a shipment in `LabelFailed` again. Fix the cause in `errorMessage` first. The return requests go back to `Submitted: Label Pending`. If the account's `carrier` is now `own`, Retour creates the label. While a request for the label is in progress, nothing happens.

        For users and API keys with the scope `write`.

        `POST /api/v0/shipments/{id}/label`
        """
        answer: types.Shipment = self._call(
            Request(
                "POST",
                f"/api/v0/shipments/{segment(id)}/label",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def revoke_service_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Revoke a service user's key.

        Revokes the key at once and for good; the service user stays in the list. A repeated request changes nothing.

        For users and API keys with the scope `admin`.

        `DELETE /api/v0/service-users/{id}`
        """
        self._call(
            Request(
                "DELETE",
                f"/api/v0/service-users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    def rotate_service_user(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUserWithKey:
        """Rotate a service user's key.

        The previous key stops working at once.

        For users and API keys with the scope `admin`.

        `POST /api/v0/service-users/{id}/rotate`
        """
        answer: types.ServiceUserWithKey = self._call(
            Request(
                "POST",
                f"/api/v0/service-users/{segment(id)}/rotate",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def rotate_webhook_secret(
        self,
        id: str,
        body: types.SecretRotation | None = None,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSecret:
        """Rotate a subscription's secret.

        Creates a new secret. The new and the previous secret both sign for `overlapHours`, 24 by default: each delivery has two signatures, and one valid signature is enough. 0 ends the previous secret at once.

        For users and API keys with the scope `admin`.

        `POST /api/v0/webhook-subscriptions/{id}/rotate-secret`
        """
        answer: types.WebhookSecret = self._call(
            Request(
                "POST",
                f"/api/v0/webhook-subscriptions/{segment(id)}/rotate-secret",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def set_own_shipping_option(
        self,
        consumer_id: str,
        id: str,
        body: types.ShippingOptionChoice,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Choose a shipping option for a draft.

        For the consumer who owns the object, and for users and API keys with the scope `write`.

        `PATCH /consumer/{consumer_id}/draft-return-order/{id}/shipping-option`
        """
        answer: types.DraftReturnOrder = self._call(
            Request(
                "PATCH",
                f"/consumer/{segment(consumer_id)}/draft-return-order/{segment(id)}/shipping-option",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def set_password(
        self,
        body: types.NewPassword,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Set a password.

        Sets the password with the token of an invitation, which then becomes invalid. All tokens of the user end. A wrong, used or expired invitation gives 401 `InvalidInvitation`.

        Needs no credential.

        `POST /auth/password`
        """
        self._call(
            Request(
                "POST",
                "/auth/password",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )

    def sign_in(
        self,
        body: types.UserCredentials,
        *,
        timeout_seconds: float | None = None,
    ) -> types.SignedIn:
        """Sign in a user.

        Answers with a token that is valid for an hour. An unknown e-mail address and a wrong password give the same 401 `InvalidCredentials`, after one second. After ten failed attempts with one e-mail address on one day, the answer is 429. A client that has signed in with the address before has ten attempts of its own.

        Needs no credential.

        `POST /auth/user`
        """
        answer: types.SignedIn = self._call(
            Request(
                "POST",
                "/auth/user",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def sign_out(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Sign out a user.

        For users who signed in.

        `DELETE /auth/user`
        """
        self._call(
            Request(
                "DELETE",
                "/auth/user",
                timeout_seconds=timeout_seconds,
            )
        )

    def test_webhook_subscription(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookDeliveryDetails:
        """Test a webhook subscription.

        Sends `test.ping` now, also if the subscription is disabled, and answers with the delivery. Retour does not try it again.

        For users and API keys with the scope `write`.

        `POST /api/v0/webhook-subscriptions/{id}/test`
        """
        answer: types.WebhookDeliveryDetails = self._call(
            Request(
                "POST",
                f"/api/v0/webhook-subscriptions/{segment(id)}/test",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_account(
        self,
        body: types.AccountChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Account:
        """Update the account.

        Changes the given fields. The others stay, also within `policy` and `branding`. `bridge`, `carrier` and `payment` are replaced as a whole, except for secrets that are left out. Slug and currency never change.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/account`
        """
        answer: types.Account = self._call(
            Request(
                "PATCH",
                "/api/v0/account",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_return_location(
        self,
        id: str,
        body: types.ReturnLocationChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnLocation:
        """Update a return location.

        Changes the given fields only. `{"archived": false}` restores an archived object.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/return-locations/{id}`
        """
        answer: types.ReturnLocation = self._call(
            Request(
                "PATCH",
                f"/api/v0/return-locations/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_return_reason(
        self,
        id: str,
        body: types.ReturnReasonChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnReason:
        """Update a return reason.

        Changes the given fields only. `{"archived": false}` restores an archived object.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/return-reasons/{id}`
        """
        answer: types.ReturnReason = self._call(
            Request(
                "PATCH",
                f"/api/v0/return-reasons/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_return_request(
        self,
        id: str,
        body: types.ReturnRequestChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Update a return request.

        Moves the return request to a stage. With `fromStage`, any other current stage is a conflict, so that only one of two concurrent workers succeeds. Without `fromStage`, a repeated move changes nothing and answers 200.

        For users and API keys with the scope `write`.

        `PATCH /api/v0/return-requests/{id}`
        """
        answer: types.ReturnRequest = self._call(
            Request(
                "PATCH",
                f"/api/v0/return-requests/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_service_user(
        self,
        id: str,
        body: types.ServiceUserChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUser:
        """Update a service user.

        New scopes apply from the next request on.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/service-users/{id}`
        """
        answer: types.ServiceUser = self._call(
            Request(
                "PATCH",
                f"/api/v0/service-users/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_shipping_option(
        self,
        id: str,
        body: types.ShippingOptionChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ShippingOption:
        """Update a shipping option.

        Changes the given fields only. `{"archived": false}` restores an archived object.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/shipping-options/{id}`
        """
        answer: types.ShippingOption = self._call(
            Request(
                "PATCH",
                f"/api/v0/shipping-options/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_user(
        self,
        id: str,
        body: types.UserChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Update a user.

        A new role applies from the next request on.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/users/{id}`
        """
        answer: types.User = self._call(
            Request(
                "PATCH",
                f"/api/v0/users/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_webhook_subscription(
        self,
        id: str,
        body: types.WebhookSubscriptionChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSubscription:
        """Update a webhook subscription.

        Changes the given fields only. `{"enabled": false}` disables the subscription: Retour marks waiting deliveries as failed within seconds. `{"enabled": true}` enables it again and continues with deliveries that are not marked yet; `redeliver` delivers the events in between.

        For users and API keys with the scope `admin`.

        `PATCH /api/v0/webhook-subscriptions/{id}`
        """
        answer: types.WebhookSubscription = self._call(
            Request(
                "PATCH",
                f"/api/v0/webhook-subscriptions/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    def update_withdrawal(
        self,
        id: str,
        body: types.WithdrawalChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Withdrawal:
        """Update a withdrawal.

        Changes the given fields only. The consumer's statement never changes. `returnOrderId` links the withdrawal to a return if Retour did not. `{"status": "Closed"}` means that nothing remains to be done.

        For users and API keys with the scope `write`.

        `PATCH /api/v0/withdrawals/{id}`
        """
        answer: types.Withdrawal = self._call(
            Request(
                "PATCH",
                f"/api/v0/withdrawals/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer
