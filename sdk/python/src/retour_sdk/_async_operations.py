"""Generated from the OpenAPI document by .ci/sdk. Do not edit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Literal

from . import types
from ._client import AsyncClient
from ._request import Request, Upload, segment


class AsyncRetour(AsyncClient):
    """A client of one Retour for asyncio: one method for each operation of the API."""

    async def accept_draft_return_order(
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
        answer: types.ReturnOrder = await self._call(
            Request(
                "PUT",
                f"/api/v0/draft-return-orders/{segment(id)}/accept",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def add_own_passkey(
        self,
        body: types.MadePasskey,
        *,
        timeout_seconds: float | None = None,
    ) -> types.NewPasskey:
        """Add a passkey.

        Adds the passkey that the browser has made. It counts as a second factor: from now on, your password alone does not sign you in. If it is your first second factor, the answer has ten recovery codes. Your other sessions end. A user has at most 20 passkeys.

        For users who signed in.

        `POST /auth/user/passkeys`
        """
        answer: types.NewPasskey = await self._call(
            Request(
                "POST",
                "/auth/user/passkeys",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def add_shipment(
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
        answer: types.Shipment = await self._call(
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

    async def approve_proposal(
        self,
        id: str,
        proposal_id: str,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Approve a proposal.

        Carries out what somebody else proposed: the adjustment, the approval of the resolution, or that of a return that overrides a rule, which needs the scope `override`. Users with the role `agent` do not decide about proposals, and nobody approves their own.

        For users and API keys with one of the scopes `resolve`, `override`, except agents.

        `POST /api/v0/return-requests/{id}/proposals/{proposal_id}/approve`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/proposals/{segment(proposal_id)}/approve",
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def begin_own_passkey(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PasskeyCreationOptions:
        """Begin to add a passkey.

        Answers with what a browser makes a passkey from (WebAuthn): `PublicKeyCredential.parseCreationOptionsFromJSON(…)` reads it. The challenge works once, within five minutes, for your session alone. It needs a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`.

        For users who signed in.

        `POST /auth/user/passkeys/options`
        """
        answer: types.PasskeyCreationOptions = await self._call(
            Request(
                "POST",
                "/auth/user/passkeys/options",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def begin_own_totp(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.NewTotp:
        """Begin to set up an authenticator app.

        Creates a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Show `uri` as a QR code, or type `secret` into the app. `POST /auth/user/totp/confirm` with a code of the app completes it. Until then, an earlier app stays valid. It needs a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`.

        For users who signed in.

        `POST /auth/user/totp`
        """
        answer: types.NewTotp = await self._call(
            Request(
                "POST",
                "/auth/user/totp",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def begin_passkey_sign_in(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PasskeyRequestOptions:
        """Begin a sign-in with a passkey.

        Answers with what a browser asks for a passkey with (WebAuthn): `PublicKeyCredential.parseRequestOptionsFromJSON(…)` reads it. It names no passkeys. The challenge works once, within five minutes, in pages of the host `rpId`.

        Needs no credential.

        `POST /auth/passkey/options`
        """
        answer: types.PasskeyRequestOptions = await self._call(
            Request(
                "POST",
                "/auth/passkey/options",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def cancel_own_return_order(
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
        answer: types.ReturnOrder = await self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/cancel",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def cancel_return_order(
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
        answer: types.ReturnOrder = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/cancel",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def cancel_shipment(
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
        answer: types.Shipment = await self._call(
            Request(
                "POST",
                f"/api/v0/shipments/{segment(id)}/cancel",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def change_own_password(
        self,
        body: types.PasswordChange,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Change your password.

        Replaces your password. All your sessions and tokens end, also the token of this request: sign in with the new password.

        For users who signed in.

        `POST /auth/user/password`
        """
        await self._call(
            Request(
                "POST",
                "/auth/user/password",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )

    async def change_shipping_option(
        self,
        id: str,
        body: types.ShippingChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Choose another way of sending.

        Replaces the shipping option of a return order, before the carrier has its parcel and before anything of it has arrived. Its shipments are cancelled and their labels are void. A new shipment gets its label as the first one did, if the option has one, and the consumer gets the mail again. The costs are calculated again with today's fees, and never exceed what was paid. What the consumer pays for the return is not raised once the return is approved. The same option changes nothing.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders/{id}/shipping-option`
        """
        answer: types.ReturnOrder = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/shipping-option",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def confirm_own_totp(
        self,
        body: types.TotpCode,
        *,
        timeout_seconds: float | None = None,
    ) -> types.NewRecoveryCodes:
        """Confirm an authenticator app.

        Completes the set-up of an authenticator app with its first code. From now on, each sign-in needs a code. Answers with ten recovery codes, each of which replaces a code once. Your other sessions end.

        For users who signed in.

        `POST /auth/user/totp/confirm`
        """
        answer: types.NewRecoveryCodes = await self._call(
            Request(
                "POST",
                "/auth/user/totp/confirm",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def continue_bulk_run(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.BulkRun:
        """Continue a bulk run.

        Continues a run that stopped, because the service ended. Each return request is changed once. While the service works on the run, nothing happens.

        For users and API keys with one of the scopes `write`, `resolve`, `receive`.

        `POST /api/v0/bulk-runs/{id}/continue`
        """
        answer: types.BulkRun = await self._call(
            Request(
                "POST",
                f"/api/v0/bulk-runs/{segment(id)}/continue",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def correct_sender(
        self,
        id: str,
        body: types.SenderInput,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Change the sender of a shipment.

        Corrects the address that the parcel comes from, if its label failed, or if Retour draws the label itself and the parcel is not sent. Request a failed label again afterwards. A known country stays.

        For users and API keys with the scope `write`.

        `POST /api/v0/shipments/{id}/sender`
        """
        answer: types.Shipment = await self._call(
            Request(
                "POST",
                f"/api/v0/shipments/{segment(id)}/sender",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_adjustment(
        self,
        id: str,
        body: types.AdjustmentInput,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Adjust the value of a return request.

        Adds an amount to the value of the return request, or takes it off, until its resolution is approved. The value stays between zero and what was paid for the units and is left of the order: fees can be given back, nothing more. The consumer sees the amount as the line `Adjustment` of the costs. Users with the role `agent` adjust return requests up to the policy's `agentLimit`.

        For users and API keys with the scope `resolve`.

        `POST /api/v0/return-requests/{id}/adjustments`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/adjustments",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_amendment(
        self,
        id: str,
        body: types.AmendmentInput,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Change what a return request asks for.

        Changes the reason, the requested resolution or the number of units, before anything of the return request has arrived. The stage stays. The costs are calculated again with today's fees, and never exceed what was paid. A change of what the consumer has to pay for the return is refused.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-requests/{id}/amendments`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/amendments",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_bulk_run(
        self,
        body: types.NewBulkRun,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.BulkRun:
        """Create a bulk run.

        Changes up to 1,000 return requests, each by itself and by the same rules as the operation for one: one that fails does not stop the others. The answer is the run as it begins. The first 100 return requests have their results when the answer arrives; the others follow in the background. Get the run to see its results. More than 100 return requests need a sign-in of the last ten minutes from a user: an older one gives 403 `ConfirmationRequired`.

        For users and API keys with one of the scopes `write`, `resolve`, `receive`.

        `POST /api/v0/bulk-runs`
        """
        answer: types.BulkRun = await self._call(
            Request(
                "POST",
                "/api/v0/bulk-runs",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_consumer(
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
        answer: types.IdentifiedConsumer = await self._call(
            Request(
                "POST",
                "/auth/consumer",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_draft_return_order(
        self,
        body: types.NewReturn,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Create a draft return order.

        A draft reserves no units; its submission does. Its amounts are valid for 24 hours. `overrides` names rules of the account that do not apply to the draft, also if the consumer submits it.

        For users and API keys with the scope `write`.

        `POST /api/v0/draft-return-orders`
        """
        answer: types.DraftReturnOrder = await self._call(
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

    async def create_evidence(
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

        For users and API keys with the scope `receive`.

        `POST /api/v0/return-requests/{id}/evidence`
        """
        answer: types.EvidenceFile = await self._call(
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

    async def create_found_parcel(
        self,
        body: types.NewFoundParcel,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.FoundParcel:
        """Create a found parcel.

        Records a parcel without papers. Write the number of the answer on the parcel.

        For users and API keys with the scope `receive`.

        `POST /api/v0/found-parcels`
        """
        answer: types.FoundParcel = await self._call(
            Request(
                "POST",
                "/api/v0/found-parcels",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_inspection(
        self,
        id: str,
        body: types.NewInspection,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Create an inspection.

        Records the inspection, which decides about the refund if the policy's `resolveOn` is `inspection`. A new inspection replaces the previous one. An approved resolution does not change.

        For users and API keys with the scope `receive`.

        `POST /api/v0/return-requests/{id}/inspection`
        """
        answer: types.ReturnRequest = await self._call(
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

    async def create_note(
        self,
        id: str,
        body: types.NoteInput,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Note:
        """Create a note.

        Adds a note to the return order. Only staff see it: it is in no answer and no mail to consumers.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders/{id}/notes`
        """
        answer: types.Note = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/notes",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_own_draft_return_order(
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
        answer: types.DraftReturnOrder = await self._call(
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

    async def create_own_evidence(
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
        answer: types.EvidenceFile = await self._call(
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

    async def create_own_pending_evidence(
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
        answer: types.PendingEvidence = await self._call(
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

    async def create_own_return_order(
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
        answer: types.ReturnOrder = await self._call(
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

    async def create_preview(
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
        answer: types.Preview = await self._call(
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

    async def create_proposal(
        self,
        id: str,
        body: types.ProposalInput,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Propose a decision about a return request.

        Asks others to approve what is above the policy's `agentLimit`: an adjustment of the value, or the resolution. The stage stays. The return request has the `proposal` until somebody decides. A new proposal replaces it. The filter `proposal` of the return requests finds what waits.

        For users and API keys with the scope `resolve`.

        `POST /api/v0/return-requests/{id}/proposals`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/proposals",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_receipt(
        self,
        id: str,
        body: types.NewReceipt,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Create a receipt.

        Adds received units to the return request. Each `externalReference` counts once.

        For users and API keys with the scope `receive`.

        `POST /api/v0/return-requests/{id}/receipts`
        """
        answer: types.ReturnRequest = await self._call(
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

    async def create_receiving(
        self,
        id: str,
        body: types.NewReceiving,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Receiving:
        """Receive a parcel.

        Counts a whole parcel at once: the receipts and inspections of all its items, or nothing. An inspection that is sent here decides about the refund under every `resolveOn`. Each `externalReference` counts once: a repeated request answers 200 and changes nothing.

        For users and API keys with the scope `receive`.

        `POST /api/v0/return-orders/{id}/receivings`
        """
        answer: types.Receiving = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/receivings",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_return_location(
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
        answer: types.ReturnLocation = await self._call(
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

    async def create_return_order(
        self,
        body: types.NewReturn,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Create a return order.

        Creates a draft and submits it in one step, without a review, photos or answers to questions. The rules of the account apply: an item whose return window has ended, or whose sale was final, is refused with `NotReturnable`, unless `overrides` names the rule with a reason. Only staff see the overrides, in the timelines of the return requests.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders`
        """
        answer: types.ReturnOrder = await self._call(
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

    async def create_return_reason(
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
        answer: types.ReturnReason = await self._call(
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

    async def create_saved_view(
        self,
        body: types.NewSavedView,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.SavedView:
        """Create a saved view.

        Saves the filters of a list under a name, for the caller alone.

        For users and API keys with one of the scopes `read`, `receive`.

        `POST /api/v0/saved-views`
        """
        answer: types.SavedView = await self._call(
            Request(
                "POST",
                "/api/v0/saved-views",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_service_user(
        self,
        body: types.NewServiceUser,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUserWithKey:
        """Create a service user.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `POST /api/v0/service-users`
        """
        answer: types.ServiceUserWithKey = await self._call(
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

    async def create_shipping_option(
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
        answer: types.ShippingOption = await self._call(
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

    async def create_tracking_update(
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
        answer: types.Shipment = await self._call(
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

    async def create_visit(
        self,
        id: str,
        body: types.VisitInput | None = None,
        *,
        timeout_seconds: float | None = None,
    ) -> types.VisitList:
        """Say that you look at a return order.

        Shows your colleagues that you look at the return order. The answer lists who else looked at it in the last five minutes. Repeat the request while you look.

        For users and API keys with one of the scopes `read`, `receive`.

        `POST /api/v0/return-orders/{id}/visits`
        """
        answer: types.VisitList = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/visits",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def create_webhook_subscription(
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
        answer: types.WebhookSubscription = await self._call(
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

    async def create_withdrawal(
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
        answer: types.Withdrawal = await self._call(
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

    async def delete_evidence(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/return-requests/{segment(id)}/evidence/{segment(evidence_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_inspection(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete an inspection.

        Takes the inspection back: the return request waits for another one. It is a conflict once the resolution has begun. Ten minutes after the inspection, it needs the scope `resolve`.

        For users and API keys with the scope `receive`.

        `DELETE /api/v0/return-requests/{id}/inspection`
        """
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/return-requests/{segment(id)}/inspection",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_own_pending_evidence(
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
        await self._call(
            Request(
                "DELETE",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence/{segment(evidence_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_purchase(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/purchases/{segment(external_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_return_location(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/return-locations/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_return_reason(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/return-reasons/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_saved_view(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete a saved view.

        Deletes a view that the caller saved.

        For users and API keys with one of the scopes `read`, `receive`.

        `DELETE /api/v0/saved-views/{id}`
        """
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/saved-views/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_shipping_option(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/shipping-options/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Delete a user.

        Deletes the user. The user's tokens end at once, and the e-mail address is available again. Their changes stay under the user's id.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `DELETE /api/v0/users/{id}`
        """
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def delete_webhook_subscription(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/webhook-subscriptions/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def end_other_sessions(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """End your other sessions.

        Ends all your sessions but the one of the request.

        For users who signed in.

        `DELETE /auth/user/sessions`
        """
        await self._call(
            Request(
                "DELETE",
                "/auth/user/sessions",
                timeout_seconds=timeout_seconds,
            )
        )

    async def end_own_session(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """End one of your sessions.

        For users who signed in.

        `DELETE /auth/user/sessions/{id}`
        """
        await self._call(
            Request(
                "DELETE",
                f"/auth/user/sessions/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def end_user_session(
        self,
        id: str,
        session_id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """End a session of a user.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `DELETE /api/v0/users/{id}/sessions/{session_id}`
        """
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/users/{segment(id)}/sessions/{segment(session_id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def end_user_sessions(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """End all sessions of a user.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `DELETE /api/v0/users/{id}/sessions`
        """
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/users/{segment(id)}/sessions",
                timeout_seconds=timeout_seconds,
            )
        )

    async def erase_consumer(
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
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/consumers/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def erase_person(
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
        await self._call(
            Request(
                "POST",
                "/api/v0/consumers/erasure",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )

    async def find(
        self,
        *,
        q: str,
        timeout_seconds: float | None = None,
    ) -> types.FoundList:
        """Find anything.

        Finds objects by the code of a label, a tracking number, the number of a return, of a withdrawal or of a sales order. If nothing has that number or code, it finds consumers whose e-mail address or name begins with it, and return requests of products with this SKU. Shows at most ten objects of each kind.

        For users and API keys with one of the scopes `read`, `receive`.

        `q`: What to find: 2 to 320 characters.

        `GET /api/v0/find`
        """
        answer: types.FoundList = await self._call(
            Request(
                "GET",
                "/api/v0/find",
                query={"q": q},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_account(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Account:
        """Retrieve the account.

        For users and API keys with the scope `read`.

        `GET /api/v0/account`
        """
        answer: types.Account = await self._call(
            Request(
                "GET",
                "/api/v0/account",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_bulk_run(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.BulkRun:
        """Retrieve a bulk run.

        Retrieves a run that the caller started, with its results.

        For users and API keys with one of the scopes `write`, `resolve`, `receive`.

        `GET /api/v0/bulk-runs/{id}`
        """
        answer: types.BulkRun = await self._call(
            Request(
                "GET",
                f"/api/v0/bulk-runs/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_command_sheet(
        self,
        *,
        accept: Literal["application/pdf"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Retrieve the command sheet.

        A page to print, with a barcode for each command: for people who hold a scanner and no mouse.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/scans/sheet`
        """
        answer: bytes = await self._call(
            Request(
                "GET",
                "/api/v0/scans/sheet",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_consumer(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Consumer:
        """Retrieve a consumer.

        For users and API keys with the scope `read`.

        `GET /api/v0/consumers/{id}`
        """
        answer: types.Consumer = await self._call(
            Request(
                "GET",
                f"/api/v0/consumers/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_consumer_data(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PersonalData:
        """Export a consumer's personal data.

        Exports the data of every consumer with the same e-mail address.

        For users and API keys with the scope `personal`.

        `GET /api/v0/consumers/{id}/data`
        """
        answer: types.PersonalData = await self._call(
            Request(
                "GET",
                f"/api/v0/consumers/{segment(id)}/data",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_draft_return_order(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Retrieve a draft return order.

        For users and API keys with the scope `read`.

        `GET /api/v0/draft-return-orders/{id}`
        """
        answer: types.DraftReturnOrder = await self._call(
            Request(
                "GET",
                f"/api/v0/draft-return-orders/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_event(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Event:
        """Retrieve an event.

        For users and API keys with the scope `read`.

        `GET /api/v0/events/{id}`
        """
        answer: types.Event = await self._call(
            Request(
                "GET",
                f"/api/v0/events/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_evidence(
        self,
        id: str,
        evidence_id: str,
        *,
        accept: Literal["application/pdf", "image/heic", "image/jpeg", "image/png", "image/webp"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download evidence.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-requests/{id}/evidence/{evidence_id}`
        """
        answer: bytes = await self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/evidence/{segment(evidence_id)}",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_figures_summary(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.FiguresSummary:
        """Retrieve the figures of the last 28 days.

        The units that arrived, what was refunded and kept, and the median time to completion: of the last 28 days, today included, and of the 28 days before. Days are those of the account's time zone.

        For users and API keys with the scope `read`.

        `GET /api/v0/figures/summary`
        """
        answer: types.FiguresSummary = await self._call(
            Request(
                "GET",
                "/api/v0/figures/summary",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_found_parcel(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.FoundParcel:
        """Retrieve a found parcel.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/found-parcels/{id}`
        """
        answer: types.FoundParcel = await self._call(
            Request(
                "GET",
                f"/api/v0/found-parcels/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_inspection(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Inspection:
        """Retrieve an inspection.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-requests/{id}/inspection`
        """
        answer: types.Inspection = await self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/inspection",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_label(
        self,
        id: str,
        *,
        accept: Literal["application/pdf", "application/zpl", "image/png"] | None = None,
        timeout_seconds: float | None = None,
    ) -> bytes:
        """Download a shipment's label.

        Returns the label as PDF, PNG (12 dots per millimetre) or ZPL II (203 dpi), depending on `Accept`; as PDF by default. `application/x-zpl`, `x-application/zpl` and `text/zpl` mean ZPL, too. Retour does not change labels that a carrier made.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/shipments/{id}/label`
        """
        answer: bytes = await self._call(
            Request(
                "GET",
                f"/api/v0/shipments/{segment(id)}/label",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_draft_return_order(
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
        answer: types.DraftReturnOrder = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/draft-return-order/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_evidence(
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
        answer: bytes = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/evidence/{segment(evidence_id)}",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_label(
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
        answer: bytes = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/label",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_pending_evidence(
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
        answer: bytes = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence/{segment(evidence_id)}",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_return_address(
        self,
        consumer_id: str,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Address:
        """Retrieve the address to send a return order to.

        Returns the address for the shipping method `OwnCarrier`, which has no shipment. In all other cases, the answer is 404: with another method, before the return is approved, after it has ended, and while the merchant has set no address. The other methods have the address in `receiver` of their shipment.

        For the consumer who owns the object, and for users and API keys with the scope `read`.

        `GET /consumer/{consumer_id}/return-order/{id}/return-address`
        """
        answer: types.Address = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/return-address",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_return_order(
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
        answer: types.ReturnOrder = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}",
                query={"expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_second_factor(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.SecondFactor:
        """Retrieve your second factor.

        For users who signed in.

        `GET /auth/user/second-factor`
        """
        answer: types.SecondFactor = await self._call(
            Request(
                "GET",
                "/auth/user/second-factor",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_own_shipment_label(
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
        answer: bytes = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/shipments/{segment(shipment_id)}/label",
                answers_file=True,
                accept=accept,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_personal_data(
        self,
        body: types.OfEmail,
        *,
        timeout_seconds: float | None = None,
    ) -> types.PersonalData:
        """Export personal data.

        Exports all data that Retour stores about the person with this e-mail address, even if the person bought something and never looked it up. The e-mail address is in the body, so that it appears in no URL.

        For users and API keys with the scope `personal`.

        `POST /api/v0/consumers/data`
        """
        answer: types.PersonalData = await self._call(
            Request(
                "POST",
                "/api/v0/consumers/data",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_purchase(
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
        answer: types.Purchase = await self._call(
            Request(
                "GET",
                f"/api/v0/purchases/{segment(external_id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_return_location(
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
        answer: types.ReturnLocation = await self._call(
            Request(
                "GET",
                f"/api/v0/return-locations/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_return_order(
        self,
        id: str,
        *,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests", "draftReturnOrder"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Retrieve a return order.

        For users and API keys with one of the scopes `read`, `receive`.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /api/v0/return-orders/{id}`
        """
        answer: types.ReturnOrder = await self._call(
            Request(
                "GET",
                f"/api/v0/return-orders/{segment(id)}",
                query={"expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_return_reason(
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
        answer: types.ReturnReason = await self._call(
            Request(
                "GET",
                f"/api/v0/return-reasons/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_return_request(
        self,
        id: str,
        *,
        expand: Sequence[Literal["consumer"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Retrieve a return request.

        For users and API keys with one of the scopes `read`, `receive`.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `GET /api/v0/return-requests/{id}`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}",
                query={"expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_scan_tally(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ScanTally:
        """Retrieve the caller's tally of today.

        Counts what the caller has received since the day began in the account's time zone.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/scans/tally`
        """
        answer: types.ScanTally = await self._call(
            Request(
                "GET",
                "/api/v0/scans/tally",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_service_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUser:
        """Retrieve a service user.

        For users and API keys with the scope `admin`.

        `GET /api/v0/service-users/{id}`
        """
        answer: types.ServiceUser = await self._call(
            Request(
                "GET",
                f"/api/v0/service-users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_shipment(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Shipment:
        """Retrieve a shipment.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/shipments/{id}`
        """
        answer: types.Shipment = await self._call(
            Request(
                "GET",
                f"/api/v0/shipments/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_shipping_option(
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
        answer: types.ShippingOption = await self._call(
            Request(
                "GET",
                f"/api/v0/shipping-options/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_signed_in_user(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Retrieve the signed-in user.

        For users who signed in.

        `GET /auth/user`
        """
        answer: types.User = await self._call(
            Request(
                "GET",
                "/auth/user",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Retrieve a user.

        For users and API keys with the scope `admin`.

        `GET /api/v0/users/{id}`
        """
        answer: types.User = await self._call(
            Request(
                "GET",
                f"/api/v0/users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_webhook_delivery(
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
        answer: types.WebhookDeliveryDetails = await self._call(
            Request(
                "GET",
                f"/api/v0/deliveries/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_webhook_secret(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSecret:
        """Retrieve a subscription's secret.

        For users and API keys with the scope `admin`.

        `GET /api/v0/webhook-subscriptions/{id}/secret`
        """
        answer: types.WebhookSecret = await self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}/secret",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_webhook_subscription(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.WebhookSubscription:
        """Retrieve a webhook subscription.

        For users and API keys with the scope `read`.

        `GET /api/v0/webhook-subscriptions/{id}`
        """
        answer: types.WebhookSubscription = await self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_webhook_subscription_timeline(
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
        answer: types.WebhookTimelineEntryList = await self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}/timeline",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def get_withdrawal(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Withdrawal:
        """Retrieve a withdrawal.

        For users and API keys with the scope `read`.

        `GET /api/v0/withdrawals/{id}`
        """
        answer: types.Withdrawal = await self._call(
            Request(
                "GET",
                f"/api/v0/withdrawals/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def import_purchases(
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
        answer: types.ImportReport = await self._call(
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

    async def invite_user(
        self,
        body: types.Invitation,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.InvitedUser:
        """Invite a user.

        Creates a user with an invitation. If the installation sends mail, the user gets a link. Otherwise, give the invitation's token to the owner of the e-mail address, who sets a password with it (`POST /auth/password`) within 7 days.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `POST /api/v0/users`
        """
        answer: types.InvitedUser = await self._call(
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

    async def invite_user_again(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.InvitedUser:
        """Renew a user's invitation.

        Creates a new invitation for a user whose invitation has expired or who has forgotten the password. Earlier invitations end. A password stays valid until the user sets another one.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `POST /api/v0/users/{id}/invitation`
        """
        answer: types.InvitedUser = await self._call(
            Request(
                "POST",
                f"/api/v0/users/{segment(id)}/invitation",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_activity(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ActivityEntryList:
        """List what happened to a return order.

        One list of stages, changes of value, receipts, tracking updates, mails, notes, payments and webhook deliveries, with the people and programs who acted.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-orders/{id}/activity`
        """
        answer: types.ActivityEntryList = await self._call(
            Request(
                "GET",
                f"/api/v0/return-orders/{segment(id)}/activity",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_assignees(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.AssigneeList:
        """List who can have a return order.

        The account's users by name, for `assigneeId`.

        For users and API keys with the scope `read`.

        `GET /api/v0/assignees`
        """
        answer: types.AssigneeList = await self._call(
            Request(
                "GET",
                "/api/v0/assignees",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_audit_entries(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.AuditEntryList:
        """List audit entries.

        Lists what users, programs and the operator changed, newest first: users, API keys, settings, webhooks, imports, exports and erasures of personal data, and exceptions. The moves of returns are in their timelines. Entries are kept for two years. Without the scope `admin`, only entries with the topic `Money` are listed; users with the role `agent` see none.

        For users and API keys with one of the scopes `admin`, `resolve`, except agents.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `actorId`: an id
        - `action`: `account.created`, `account.updated`, `preview.created`, `return_location.created`, `return_location.updated`, `return_location.deleted`, `return_reason.created`, `return_reason.updated`, `return_reason.deleted`, `shipping_option.created`, `shipping_option.updated`, `shipping_option.deleted`, `user.signed_in`, `user.sign_in_failed`, `user.signed_out`, `user.password_set`, `user.signed_in_with_passkey`, `user.passkey_refused`, `user.passkey_added`, `user.passkey_renamed`, `user.passkey_removed`, `user.second_factor_added`, `user.second_factor_removed`, `user.recovery_codes_renewed`, `user.factors_reset`, `user.sessions_ended`, `user.invited`, `user.invited_again`, `user.updated`, `user.deleted`, `service_user.created`, `service_user.updated`, `service_user.rotated`, `service_user.revoked`, `orders.imported`, `purchase.deleted`, `return_request.adjusted`, `return_request.proposal_made`, `return_request.proposal_approved`, `return_request.proposal_refused`, `return_request.amended`, `evidence.added`, `evidence.deleted`, `shipment.added`, `return_order.shipping_changed`, `shipment.sender_corrected`, `shipment.cancelled`, `consumer.created`, `draft_return_order.rules_overridden`, `draft_return_order.mailed`, `draft_return_order.rejected`, `return_order.updated`, `bulk_run.created`, `withdrawal.created`, `withdrawal.updated`, `found_parcel.created`, `found_parcel.updated`, `personal_data.exported`, `personal_data.erased`, `personal_data.requested`, `webhook_subscription.created`, `webhook_subscription.updated`, `webhook_subscription.deleted`, `webhook_subscription.secret_rotated`, `events.redelivered`
        - `topic`: `Money`, `Settings`, `Team`, `Data`, `Webhooks`
        - `subject`: `Account`, `User`, `ServiceUser`, `ReturnLocation`, `ReturnReason`, `ShippingOption`, `WebhookSubscription`, `Event`, `WebhookDelivery`, `Purchase`, `Consumer`, `DraftReturnOrder`, `ReturnOrder`, `ReturnRequest`, `Shipment`, `Evidence`, `BulkRun`, `Withdrawal`, `FoundParcel`
        - `subjectId`: a text, as it is
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/audit-entries`
        """
        answer: types.AuditEntryList = await self._call(
            Request(
                "GET",
                "/api/v0/audit-entries",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_audit_entries(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.AuditEntry]:
        """Every result of `list_audit_entries`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_audit_entries(
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

    async def list_bulk_runs(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.BulkRunList:
        """List bulk runs.

        Lists the newest 20 runs that the caller started, the newest first, without their results.

        For users and API keys with one of the scopes `write`, `resolve`, `receive`.

        `GET /api/v0/bulk-runs`
        """
        answer: types.BulkRunList = await self._call(
            Request(
                "GET",
                "/api/v0/bulk-runs",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_consumers(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `email`: an e-mail address, without regard to case
        - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `GET /api/v0/consumers`
        """
        answer: types.ConsumerList = await self._call(
            Request(
                "GET",
                "/api/v0/consumers",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_consumers(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.Consumer]:
        """Every result of `list_consumers`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_consumers(
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

    async def list_draft_return_orders(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `consumerId`: an id
        - `status`: `Open`, `Accepted`, `Rejected`, `Expired`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `GET /api/v0/draft-return-orders`
        """
        answer: types.DraftReturnOrderList = await self._call(
            Request(
                "GET",
                "/api/v0/draft-return-orders",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_draft_return_orders(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.DraftReturnOrder]:
        """Every result of `list_draft_return_orders`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_draft_return_orders(
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

    async def list_events(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `type`: `return_request.stage_changed`, `return_order.created`, `return_order.confirmed`, `return_order.completed`, `return_order.cancelled`, `return_order.note_added`, `return_order.assigned`, `shipment.label_created`, `shipment.received_tracking_updates`, `shipment.delivered`, `withdrawal.received`, `consumer.erased`, `webhook_subscription.disabled`, `test.ping`
        - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `returnOrderId`: an id
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/events`
        """
        answer: types.EventList = await self._call(
            Request(
                "GET",
                "/api/v0/events",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_events(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.Event]:
        """Every result of `list_events`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_events(
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

    async def list_evidence(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.EvidenceFileList:
        """List a return request's evidence.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-requests/{id}/evidence`
        """
        answer: types.EvidenceFileList = await self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/evidence",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_found_parcels(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> types.FoundParcelList:
        """List found parcels.

        For users and API keys with one of the scopes `read`, `receive`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `status`: `Open`, `Matched`, `Closed`
        - `code`: what a scanner reads; of GS1-128 the SSCC will do
        - `number`: a text, as it is
        - `returnOrderId`: an id
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/found-parcels`
        """
        answer: types.FoundParcelList = await self._call(
            Request(
                "GET",
                "/api/v0/found-parcels",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_found_parcels(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.FoundParcel]:
        """Every result of `list_found_parcels`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_found_parcels(
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

    async def list_integrations(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.IntegrationList:
        """List the account's integrations.

        Lists the shop, carrier and payment provider that the account is connected to, and whether calls to them succeed. Receivers of webhooks are not in the list: subscriptions have their own deliveries.

        For users and API keys with the scope `read`.

        `GET /api/v0/account/integrations`
        """
        answer: types.IntegrationList = await self._call(
            Request(
                "GET",
                "/api/v0/account/integrations",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_mails(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `returnOrderId`: an id
        - `status`: `Sent`, `Failed`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/mails`
        """
        answer: types.MailList = await self._call(
            Request(
                "GET",
                "/api/v0/mails",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_mails(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.Mail]:
        """Every result of `list_mails`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_mails(
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

    async def list_notes(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.NoteList:
        """List a return order's notes.

        For users and API keys with the scope `read`.

        `GET /api/v0/return-orders/{id}/notes`
        """
        answer: types.NoteList = await self._call(
            Request(
                "GET",
                f"/api/v0/return-orders/{segment(id)}/notes",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_own_evidence(
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
        answer: types.EvidenceFileList = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-order/{segment(id)}/evidence",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_own_passkeys(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Passkeys:
        """List your passkeys.

        For users who signed in.

        `GET /auth/user/passkeys`
        """
        answer: types.Passkeys = await self._call(
            Request(
                "GET",
                "/auth/user/passkeys",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_own_pending_evidence(
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
        answer: types.PendingEvidenceList = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/purchase/{segment(id)}/evidence",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_own_purchases(
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
        answer: types.ConsumerPurchaseList = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/purchases",
                query={"limit": limit, "page": page},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_own_purchases(
        self,
        consumer_id: str,
        *,
        limit: int = 100,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ConsumerPurchase]:
        """Every result of `list_own_purchases`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_own_purchases(
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

    async def list_own_return_orders(
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
        answer: types.ReturnOrderList = await self._call(
            Request(
                "GET",
                f"/consumer/{segment(consumer_id)}/return-orders",
                query={"limit": limit, "page": page, "expand": expand},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_own_return_orders(
        self,
        consumer_id: str,
        *,
        limit: int = 100,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests"]] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ReturnOrder]:
        """Every result of `list_own_return_orders`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_own_return_orders(
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

    async def list_own_sessions(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.UserSessions:
        """List your sessions.

        Lists where you are signed in: at the desk, and with tokens of the API. At most the newest 100.

        For users who signed in.

        `GET /auth/user/sessions`
        """
        answer: types.UserSessions = await self._call(
            Request(
                "GET",
                "/auth/user/sessions",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_purchases(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `orderNumber`: an order number, without regard to `#`, spaces and case
        - `orderId`: an id
        - `externalId`: a text, as it is

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `GET /api/v0/purchases`
        """
        answer: types.PurchaseList = await self._call(
            Request(
                "GET",
                "/api/v0/purchases",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_purchases(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.Purchase]:
        """Every result of `list_purchases`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_purchases(
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

    async def list_queues(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.QueueCountList:
        """List queues.

        Lists what waits for the merchant's staff: the number of rows of each queue, since when the oldest waits, how many wait longer than `policy.queueTargets` allows, and which list with which filters has the rows. To read the requests of a queue, the longest waiting first, list return requests with `filter=queue:<queue>&sortBy=stageSince&orderBy=asc`.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/queues`
        """
        answer: types.QueueCountList = await self._call(
            Request(
                "GET",
                "/api/v0/queues",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_receipts(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ReceiptList:
        """List a return request's receipts.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-requests/{id}/receipts`
        """
        answer: types.ReceiptList = await self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/receipts",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_recent_return_orders(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrderList:
        """List the return orders that you worked on last.

        Lists the 10 return orders that the user changed last, the last first. For a service user, the list is empty.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-orders/recent`
        """
        answer: types.ReturnOrderList = await self._call(
            Request(
                "GET",
                "/api/v0/return-orders/recent",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_return_locations(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `archived`: `true`, `false`

        `GET /api/v0/return-locations`
        """
        answer: types.ReturnLocationList = await self._call(
            Request(
                "GET",
                "/api/v0/return-locations",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_return_locations(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ReturnLocation]:
        """Every result of `list_return_locations`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_return_locations(
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

    async def list_return_orders(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt", "updatedAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests", "draftReturnOrder"]] | None = None,
        count: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrderList:
        """List return orders.

        For users and API keys with one of the scopes `read`, `receive`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `number`: a text, as it is
        - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
        - `consumerId`: an id
        - `status`: `Requested`, `AwaitingPayment`, `Open`, `Completed`, `Cancelled`, `Expired`, `Rejected`
        - `assigneeId`: an id
        - `flag`: a text, as it is
        - `flagged`: `true` or `false`
        - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `returnReasonId`: an id
        - `requestedResolution`: `Refund`, `Exchange`, `StoreCredit`
        - `sku`: a text, as it is
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `updatedAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `carrier`: a text, as it is
        - `country`: a country, two letters of ISO 3166-1
        - `shippingOptionId`: an id
        - `source`: `Portal`, `Api`, `Merchant`
        - `gift`: `true` or `false`
        - `withdrawn`: `true` or `false`
        - `hasPhotos`: `true` or `false`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `count`: Whether the answer also has the number of results on all pages, in `count`.

        `GET /api/v0/return-orders`
        """
        answer: types.ReturnOrderList = await self._call(
            Request(
                "GET",
                "/api/v0/return-orders",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search, "expand": expand, "count": count},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_return_orders(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt", "updatedAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer", "shipments", "returnRequests", "draftReturnOrder"]] | None = None,
        count: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ReturnOrder]:
        """Every result of `list_return_orders`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_return_orders(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                expand=expand,
                count=count,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    async def list_return_reasons(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `archived`: `true`, `false`
        - `parentId`: an id

        `GET /api/v0/return-reasons`
        """
        answer: types.ReturnReasonList = await self._call(
            Request(
                "GET",
                "/api/v0/return-reasons",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_return_reasons(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ReturnReason]:
        """Every result of `list_return_reasons`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_return_reasons(
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

    async def list_return_requests(
        self,
        *,
        limit: int | None = None,
        page: int | None = None,
        sort_by: Literal["createdAt", "updatedAt", "stageSince"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer"]] | None = None,
        count: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequestList:
        """List return requests.

        For users and API keys with one of the scopes `read`, `receive`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by. `stageSince` is the time at which requests entered their stage, and needs a filter by `stage` or `queue`.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `purchaseOrderNumber`: an order number, without regard to `#`, spaces and case
        - `stage`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `status`: `Requested: Evidence Pending`, `Requested: Review`, `Requested: Approved`, `Requested: Rejected`, `Submitted: Payment Pending`, `Submitted: Label Pending`, `Submitted: Label Failed`, `Submitted: Ready`, `Shipment: In Transit`, `Shipment: Exception`, `Shipment: Delivered`, `Received: Partial`, `Received: Complete`, `Inspection: Pending`, `Resolution: Pending`, `Resolution: Approved`, `Resolution: Processing`, `Resolution: Completed`, `Resolution: Failed`, `Resolution: Denied`, `Closed: Cancelled`, `Closed: Expired`
        - `queue`: a queue as `GET /queues` names it: `ToDecide`, `WaitingForCustomer`, `LabelTrouble`, `LateOnTheWay`, `ArrivedNotCounted`, `ToInspect`, `ToSettle`, `ToPay`, `PaymentFailed`
        - `returnOrderId`: an id
        - `consumerId`: an id
        - `returnReasonId`: an id
        - `requestedResolution`: `Refund`, `Exchange`, `StoreCredit`
        - `proposal`: `Adjustment`, `Resolution`, `Override`
        - `sku`: a text, as it is
        - `purchasePrice`: an amount and its currency, such as `12.50 EUR`, also with `<`, `<=`, `>`, `>=`
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `updatedAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `stageSince`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`
        - `carrier`: a text, as it is
        - `country`: a country, two letters of ISO 3166-1
        - `shippingOptionId`: an id
        - `source`: `Portal`, `Api`, `Merchant`
        - `gift`: `true` or `false`
        - `withdrawn`: `true` or `false`
        - `hasPhotos`: `true` or `false`

        `search`: Text that order numbers, names or e-mail addresses equal or begin with.

        `expand`: Objects to return in place of their ids, or to add to the answer; may repeat.

        `count`: Whether the answer also has the number of results on all pages, in `count`.

        `GET /api/v0/return-requests`
        """
        answer: types.ReturnRequestList = await self._call(
            Request(
                "GET",
                "/api/v0/return-requests",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter, "search": search, "expand": expand, "count": count},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_return_requests(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt", "updatedAt", "stageSince"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        search: str | None = None,
        expand: Sequence[Literal["consumer"]] | None = None,
        count: bool | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ReturnRequest]:
        """Every result of `list_return_requests`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_return_requests(
                limit=limit,
                page=page,
                sort_by=sort_by,
                order_by=order_by,
                filter=filter,
                search=search,
                expand=expand,
                count=count,
                timeout_seconds=timeout_seconds,
            )
            for row in answer["data"]:
                yield row
            page = answer["nextPage"]
            if page is None:
                return

    async def list_saved_views(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.SavedViewList:
        """List saved views.

        Lists the views that the caller saved, then those that others share.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/saved-views`
        """
        answer: types.SavedViewList = await self._call(
            Request(
                "GET",
                "/api/v0/saved-views",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_service_users(
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
        answer: types.ServiceUserList = await self._call(
            Request(
                "GET",
                "/api/v0/service-users",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_service_users(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ServiceUser]:
        """Every result of `list_service_users`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_service_users(
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

    async def list_shipments(
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

        For users and API keys with one of the scopes `read`, `receive`.

        `limit`: The number of results per page.

        `page`: The `nextPage` of the previous answer, with the same order, filters and search; or a page number from 1 to 10000. 1 if left out.

        `sort_by`: The time to sort by.

        `order_by`: The direction: `desc` is newest first.

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `returnOrderId`: an id
        - `status`: `New`, `LabelFailed`, `LabelCreated`, `InTransit`, `Exception`, `Delivered`, `Cancelled`
        - `labelBarcode`: what a scanner reads; of GS1-128 the SSCC will do
        - `errorCode`: a text, as it is
        - `trackingNumber`: a text, as it is
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/shipments`
        """
        answer: types.ShipmentList = await self._call(
            Request(
                "GET",
                "/api/v0/shipments",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_shipments(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.Shipment]:
        """Every result of `list_shipments`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_shipments(
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

    async def list_shipping_options(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `archived`: `true`, `false`
        - `method`: `Label`, `Paperless`, `DropOff`, `PickUp`, `InStore`, `OwnCarrier`

        `GET /api/v0/shipping-options`
        """
        answer: types.ShippingOptionList = await self._call(
            Request(
                "GET",
                "/api/v0/shipping-options",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_shipping_options(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.ShippingOption]:
        """Every result of `list_shipping_options`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_shipping_options(
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

    async def list_timeline_entries(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.TimelineEntryList:
        """List a return request's timeline.

        For users and API keys with one of the scopes `read`, `receive`.

        `GET /api/v0/return-requests/{id}/timeline`
        """
        answer: types.TimelineEntryList = await self._call(
            Request(
                "GET",
                f"/api/v0/return-requests/{segment(id)}/timeline",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_user_sessions(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> types.UserSessions:
        """List a user's sessions.

        For users and API keys with the scope `admin`.

        `GET /api/v0/users/{id}/sessions`
        """
        answer: types.UserSessions = await self._call(
            Request(
                "GET",
                f"/api/v0/users/{segment(id)}/sessions",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def list_users(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `email`: an e-mail address, without regard to case
        - `role`: `admin`, `agent`, `finance`, `warehouse`, `viewer`

        `GET /api/v0/users`
        """
        answer: types.UserList = await self._call(
            Request(
                "GET",
                "/api/v0/users",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_users(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.User]:
        """Every result of `list_users`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_users(
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

    async def list_webhook_deliveries(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `subscriptionId`: an id
        - `eventId`: an id
        - `status`: `Pending`, `Delivered`, `Failed`

        `GET /api/v0/webhook-subscriptions/{id}/deliveries`
        """
        answer: types.WebhookDeliveryList = await self._call(
            Request(
                "GET",
                f"/api/v0/webhook-subscriptions/{segment(id)}/deliveries",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_webhook_deliveries(
        self,
        id: str,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.WebhookDelivery]:
        """Every result of `list_webhook_deliveries`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_webhook_deliveries(
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

    async def list_webhook_subscriptions(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `enabled`: `true`, `false`

        `GET /api/v0/webhook-subscriptions`
        """
        answer: types.WebhookSubscriptionList = await self._call(
            Request(
                "GET",
                "/api/v0/webhook-subscriptions",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_webhook_subscriptions(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.WebhookSubscription]:
        """Every result of `list_webhook_subscriptions`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_webhook_subscriptions(
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

    async def list_withdrawals(
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

        `filter`: Clauses of the form `<field>:<value>`. The parameter may repeat; a result matches all of them. With several values, `<field>:<value>|<value>`, a result has one of them; in a value, `\\|` is a vertical bar. Fields:
        - `number`: a text, as it is
        - `status`: `Received`, `OrderFound`, `Returned`, `Closed`
        - `email`: an e-mail address, without regard to case
        - `returnOrderId`: an id
        - `createdAt`: a time (RFC 3339), also with `<`, `<=`, `>`, `>=`

        `GET /api/v0/withdrawals`
        """
        answer: types.WithdrawalList = await self._call(
            Request(
                "GET",
                "/api/v0/withdrawals",
                query={"limit": limit, "page": page, "sortBy": sort_by, "orderBy": order_by, "filter": filter},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def iterate_withdrawals(
        self,
        *,
        limit: int = 100,
        sort_by: Literal["createdAt"] | None = None,
        order_by: Literal["asc", "desc"] | None = None,
        filter: Sequence[str] | None = None,
        timeout_seconds: float | None = None,
    ) -> AsyncIterator[types.Withdrawal]:
        """Every result of `list_withdrawals`: fetches the next page when the results of the last one are used up."""
        page: int | None = None
        while True:
            answer = await self.list_withdrawals(
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

    async def look_up_consumer(
        self,
        body: types.OrderOfConsumer,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Consumer:
        """Look up a consumer by order.

        Returns the buyer of an order, so that staff can make a return for them: the consumer who proved the order, or a new one. If the account is connected to a shop, Retour asks the shop for the order first; for an order that is not stored yet, the shop needs `email` or `postalCode` besides the number. A repeated request gives the same consumer.

        For users and API keys with the scope `write`.

        `POST /api/v0/consumers`
        """
        answer: types.Consumer = await self._call(
            Request(
                "POST",
                "/api/v0/consumers",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def mail_draft_return_order(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.DraftReturnOrder:
        """Mail a draft return order to its consumer.

        Mails the consumer a link that opens the draft in the portal, where they choose the shipping option and submit it. Keeps the draft, with its amounts, for 7 days. A repeated request sends the link again.

        For users and API keys with the scope `write`.

        `POST /api/v0/draft-return-orders/{id}/mail`
        """
        answer: types.DraftReturnOrder = await self._call(
            Request(
                "POST",
                f"/api/v0/draft-return-orders/{segment(id)}/mail",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def plan_bulk_run(
        self,
        body: types.BulkQuestion,
        *,
        timeout_seconds: float | None = None,
    ) -> types.BulkPlanItemList:
        """Plan a bulk run.

        Says which return requests an action can change now, and why not the others. Nothing changes.

        For users and API keys with one of the scopes `write`, `resolve`, `receive`.

        `POST /api/v0/bulk-runs/plan`
        """
        answer: types.BulkPlanItemList = await self._call(
            Request(
                "POST",
                "/api/v0/bulk-runs/plan",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def preview_amendment(
        self,
        id: str,
        body: types.AmendmentInput,
        *,
        timeout_seconds: float | None = None,
    ) -> types.AmendmentPreview:
        """Preview a change of a return request.

        Answers with the costs of the return order now, and as `createAmendment` with the same body would make them. Nothing changes.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-requests/{id}/amendments/preview`
        """
        answer: types.AmendmentPreview = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/amendments/preview",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def preview_shipping_option(
        self,
        id: str,
        body: types.ShippingChange,
        *,
        timeout_seconds: float | None = None,
    ) -> types.AmendmentPreview:
        """Preview another way of sending.

        Answers with the costs of the return order now, and as `changeShippingOption` with the same body would make them. Nothing changes.

        For users and API keys with the scope `write`.

        `POST /api/v0/return-orders/{id}/shipping-option/preview`
        """
        answer: types.AmendmentPreview = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/shipping-option/preview",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def put_purchase(
        self,
        external_id: str,
        body: types.PurchaseInput,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Purchase:
        """Create or update a purchase.

        The path contains the shop's own id, percent-encoded (`/` is `%2F`); for a known purchase, the id that Retour gave works, too. The fields of the order replace those of the whole stored order, except currency and `orderedAt`. While units of the purchase are in returns, `quantity` and price do not change, because the amounts of the returns depend on them: a quantity below these units is `InUse`. A line of another order is `OtherOrder`, and so is an order with the id of a stored one that has another number, and another buyer or another date. An order that is stored in another currency is `OtherCurrency`, and an order with the same number, e-mail address and postal code under another `externalId` is `KnownUnderAnotherId`.

        For users and API keys with the scope `write`.

        `PUT /api/v0/purchases/{external_id}`
        """
        answer: types.Purchase = await self._call(
            Request(
                "PUT",
                f"/api/v0/purchases/{segment(external_id)}",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def redeliver_event(
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
        answer: types.WebhookDeliveryList = await self._call(
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

    async def redeliver_since(
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
        answer: types.WebhookSubscription = await self._call(
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

    async def redeliver_webhook_delivery(
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
        answer: types.WebhookDelivery = await self._call(
            Request(
                "POST",
                f"/api/v0/deliveries/{segment(id)}/redeliver",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def refuse_proposal(
        self,
        id: str,
        proposal_id: str,
        body: types.ProposalRefusal,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Refuse a proposal.

        Ends the proposal with a comment. The return request stays as it is, except for a return that overrides a rule: its return request is rejected, and the consumer reads the comment. The person who proposed it can take it back in this way.

        For users and API keys with one of the scopes `resolve`, `override`.

        `POST /api/v0/return-requests/{id}/proposals/{proposal_id}/refuse`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/proposals/{segment(proposal_id)}/refuse",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def reject_draft_return_order(
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
        answer: types.DraftReturnOrder = await self._call(
            Request(
                "PUT",
                f"/api/v0/draft-return-orders/{segment(id)}/reject",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def remove_own_passkey(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Remove a passkey.

        Removes one of your passkeys. Your other sessions end. With your last second factor, the recovery codes end, too. It needs a sign-in of the last ten minutes.

        For users who signed in.

        `DELETE /auth/user/passkeys/{id}`
        """
        await self._call(
            Request(
                "DELETE",
                f"/auth/user/passkeys/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def remove_own_totp(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Remove your authenticator app.

        Removes the authenticator app, and the recovery codes if you have no passkey. Your other sessions end. If the account requires a second factor of you, your next sign-in asks to set one up. It needs a sign-in of the last ten minutes.

        For users who signed in.

        `DELETE /auth/user/totp`
        """
        await self._call(
            Request(
                "DELETE",
                "/auth/user/totp",
                timeout_seconds=timeout_seconds,
            )
        )

    async def rename_own_passkey(
        self,
        id: str,
        body: types.PasskeyName,
        *,
        timeout_seconds: float | None = None,
    ) -> types.Passkey:
        """Rename a passkey.

        Changes the name by which you know one of your passkeys.

        For users who signed in.

        `PATCH /auth/user/passkeys/{id}`
        """
        answer: types.Passkey = await self._call(
            Request(
                "PATCH",
                f"/auth/user/passkeys/{segment(id)}",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def renew_own_draft_return_order(
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
        answer: types.DraftReturnOrder = await self._call(
            Request(
                "POST",
                f"/consumer/{segment(consumer_id)}/draft-return-order/{segment(id)}/renew",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def renew_own_recovery_codes(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> types.NewRecoveryCodes:
        """Renew your recovery codes.

        Replaces your recovery codes. It needs a sign-in of the last ten minutes.

        For users who signed in.

        `POST /auth/user/recovery-codes`
        """
        answer: types.NewRecoveryCodes = await self._call(
            Request(
                "POST",
                "/auth/user/recovery-codes",
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def request_password_reset(
        self,
        body: types.PasswordReset,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Request a mail that sets a forgotten password.

        Mails a link that sets another password, once and within an hour, if a user has this address. The answer is the same if nobody has it, or if there were too many requests today.

        Needs no credential.

        `POST /auth/password/reset`
        """
        await self._call(
            Request(
                "POST",
                "/auth/password/reset",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )

    async def resend_mail(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Mail:
        """Send a mail again.

        Sends the mail about a return again, as the return is now. Consumers who declined optional mails get only those that they need.

        For users and API keys with the scope `write`.

        `POST /api/v0/mails/{id}/resend`
        """
        answer: types.Mail = await self._call(
            Request(
                "POST",
                f"/api/v0/mails/{segment(id)}/resend",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def reset_user_factors(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Reset a user's second factor.

        Removes the authenticator app and the recovery codes of a user who has lost them. All sessions of the user end. If the account requires a second factor of the user, the next sign-in asks to set one up.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `POST /api/v0/users/{id}/reset-factors`
        """
        answer: types.User = await self._call(
            Request(
                "POST",
                f"/api/v0/users/{segment(id)}/reset-factors",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def retry_label(
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
        answer: types.Shipment = await self._call(
            Request(
                "POST",
                f"/api/v0/shipments/{segment(id)}/label",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def reverse_receipt(
        self,
        id: str,
        receipt_id: str,
        body: types.TakeBack | None = None,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Take a receipt back.

        Takes a receipt back, with the inspection that was recorded with it: units, costs and stage are as before. It is a conflict once the resolution has begun, or after something that depends on the receipt. Ten minutes after the receipt, it needs a reason and the scope `resolve`.

        For users and API keys with the scope `receive`.

        `POST /api/v0/return-requests/{id}/receipts/{receipt_id}/reverse`
        """
        answer: types.ReturnRequest = await self._call(
            Request(
                "POST",
                f"/api/v0/return-requests/{segment(id)}/receipts/{segment(receipt_id)}/reverse",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def reverse_receiving(
        self,
        id: str,
        receiving_id: str,
        body: types.TakeBack | None = None,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Take a parcel back.

        Takes everything back that was recorded with the parcel: units, costs and stages are as before. It is a conflict once a resolution has begun, or after something that depends on the parcel. Ten minutes after the parcel was counted, it needs a reason and the scope `resolve`.

        For users and API keys with the scope `receive`.

        `POST /api/v0/return-orders/{id}/receivings/{receiving_id}/reverse`
        """
        answer: types.ReturnOrder = await self._call(
            Request(
                "POST",
                f"/api/v0/return-orders/{segment(id)}/receivings/{segment(receiving_id)}/reverse",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def revoke_service_user(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Revoke a service user's key.

        Revokes the key at once and for good; the service user stays in the list. A repeated request changes nothing.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `DELETE /api/v0/service-users/{id}`
        """
        await self._call(
            Request(
                "DELETE",
                f"/api/v0/service-users/{segment(id)}",
                timeout_seconds=timeout_seconds,
            )
        )

    async def rotate_service_user(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ServiceUserWithKey:
        """Rotate a service user's key.

        The previous key stops working at once.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `POST /api/v0/service-users/{id}/rotate`
        """
        answer: types.ServiceUserWithKey = await self._call(
            Request(
                "POST",
                f"/api/v0/service-users/{segment(id)}/rotate",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def rotate_webhook_secret(
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
        answer: types.WebhookSecret = await self._call(
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

    async def scan_code(
        self,
        *,
        code: str,
        return_order: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Scan2:
        """Look up a scanned code.

        Finds what a scanned code belongs to, in this order: a command of the command sheet; a parcel, by its barcode or tracking number; a return order, by its number; the returns of a sales order. Retour removes what scanners and carriers add to a number, such as the identifier `]C1`, the `00` before an SSCC, and the ZIP code of USPS. Several matches mean that a person has to choose.

        For users and API keys with one of the scopes `read`, `receive`.

        `code`: The code as the scanner read it, or as somebody typed it: 1 to 200 characters.

        `return_order`: The return order whose parcel is open. The code can then be that of one of its products.

        `GET /api/v0/scans`
        """
        answer: types.Scan2 = await self._call(
            Request(
                "GET",
                "/api/v0/scans",
                query={"code": code, "returnOrder": return_order},
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def set_own_shipping_option(
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
        answer: types.DraftReturnOrder = await self._call(
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

    async def set_password(
        self,
        body: types.NewPassword,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Set a password.

        Sets the password with the token of an invitation or of a mail, which then becomes invalid. All tokens of the user end. A wrong, used or expired invitation gives 401 `InvalidInvitation`.

        Needs no credential.

        `POST /auth/password`
        """
        await self._call(
            Request(
                "POST",
                "/auth/password",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )

    async def share_saved_view(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.SavedView:
        """Share a saved view.

        Shows a view that the caller saved to all staff of the account.

        For users and API keys with the scope `admin`.

        `POST /api/v0/saved-views/{id}/share`
        """
        answer: types.SavedView = await self._call(
            Request(
                "POST",
                f"/api/v0/saved-views/{segment(id)}/share",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def sign_in(
        self,
        body: types.UserCredentials,
        *,
        timeout_seconds: float | None = None,
    ) -> types.SignedIn:
        """Sign in a user.

        Answers with a token that is valid for an hour. An unknown e-mail address and a wrong password give the same 401 `InvalidCredentials`, after one second. After ten failed attempts with one e-mail address on one day, the answer is 429. A client that has signed in with the address before has ten attempts of its own. A user with a second factor sends `code`, too: without it, the answer is 401 `SecondFactorRequired`, and with a wrong one 401 `WrongCode`. A code works once, and 20 wrong ones a day are evaluated. A user whose second factor is a passkey signs in with `POST /auth/passkey`, or sends a recovery code.

        Needs no credential.

        `POST /auth/user`
        """
        answer: types.SignedIn = await self._call(
            Request(
                "POST",
                "/auth/user",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def sign_in_with_passkey(
        self,
        body: types.PasskeyProof,
        *,
        timeout_seconds: float | None = None,
    ) -> types.SignedIn:
        """Sign in a user with a passkey.

        Answers with a token that is valid for an hour. A passkey needs no password and no code, because the authenticator has verified the person. A passkey that is not accepted gives 401 `WrongPasskey`, after one second.

        Needs no credential.

        `POST /auth/passkey`
        """
        answer: types.SignedIn = await self._call(
            Request(
                "POST",
                "/auth/passkey",
                body=body,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def sign_out(
        self,
        *,
        timeout_seconds: float | None = None,
    ) -> None:
        """Sign out a user.

        For users who signed in.

        `DELETE /auth/user`
        """
        await self._call(
            Request(
                "DELETE",
                "/auth/user",
                timeout_seconds=timeout_seconds,
            )
        )

    async def test_webhook_subscription(
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
        answer: types.WebhookDeliveryDetails = await self._call(
            Request(
                "POST",
                f"/api/v0/webhook-subscriptions/{segment(id)}/test",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def unshare_saved_view(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.SavedView:
        """Stop sharing a saved view.

        Shows a shared view to the person who saved it alone.

        For users and API keys with the scope `admin`.

        `POST /api/v0/saved-views/{id}/unshare`
        """
        answer: types.SavedView = await self._call(
            Request(
                "POST",
                f"/api/v0/saved-views/{segment(id)}/unshare",
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_account(
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
        answer: types.Account = await self._call(
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

    async def update_found_parcel(
        self,
        id: str,
        body: types.FoundParcelChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.FoundParcel:
        """Update a found parcel.

        Changes the given fields only. `returnOrderId` says which return the parcel belongs to; receive its units there. `{"status": "Closed"}` means that nothing remains to be done: without a return, the note says why.

        For users and API keys with the scope `receive`.

        `PATCH /api/v0/found-parcels/{id}`
        """
        answer: types.FoundParcel = await self._call(
            Request(
                "PATCH",
                f"/api/v0/found-parcels/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_note(
        self,
        id: str,
        note_id: str,
        body: types.NoteInput,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.Note:
        """Update a note.

        Changes the text of a note. Only its author may, for ten minutes.

        For users and API keys with the scope `write`.

        `PATCH /api/v0/return-orders/{id}/notes/{note_id}`
        """
        answer: types.Note = await self._call(
            Request(
                "PATCH",
                f"/api/v0/return-orders/{segment(id)}/notes/{segment(note_id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_return_location(
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
        answer: types.ReturnLocation = await self._call(
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

    async def update_return_order(
        self,
        id: str,
        body: types.ReturnOrderChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnOrder:
        """Update a return order.

        Changes who has the return order, its flags, and whether changes of many return requests leave it out. Return requests move by themselves: see `updateReturnRequest`.

        For users and API keys with the scope `write`.

        `PATCH /api/v0/return-orders/{id}`
        """
        answer: types.ReturnOrder = await self._call(
            Request(
                "PATCH",
                f"/api/v0/return-orders/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_return_reason(
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
        answer: types.ReturnReason = await self._call(
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

    async def update_return_request(
        self,
        id: str,
        body: types.ReturnRequestChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.ReturnRequest:
        """Update a return request.

        Moves the return request to a stage. With `fromStage`, any other current stage is a conflict, so that only one of two concurrent workers succeeds. Without `fromStage`, a repeated move changes nothing and answers 200. The stages of `Resolution` need the scope `resolve`, all others `write`. Users with the role `agent` decide about resolutions up to the policy's `agentLimit`.

        For users and API keys with one of the scopes `write`, `resolve`.

        `PATCH /api/v0/return-requests/{id}`
        """
        answer: types.ReturnRequest = await self._call(
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

    async def update_return_requests(
        self,
        body: types.ReturnRequestBatch,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> types.BatchResults:
        """Update many return requests.

        Moves up to 100 return requests, each by itself and by the same rules as `updateReturnRequest`: one that fails does not stop the others. The answer has a result for each. A repeated request with the same `Idempotency-Key` makes each move once, even if the first one ended half-way.

        For users and API keys with one of the scopes `write`, `resolve`.

        `POST /api/v0/return-requests/batch`
        """
        answer: types.BatchResults = await self._call(
            Request(
                "POST",
                "/api/v0/return-requests/batch",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_saved_view(
        self,
        id: str,
        body: types.SavedViewChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.SavedView:
        """Update a saved view.

        Changes the given fields of a view that the caller saved.

        For users and API keys with one of the scopes `read`, `receive`.

        `PATCH /api/v0/saved-views/{id}`
        """
        answer: types.SavedView = await self._call(
            Request(
                "PATCH",
                f"/api/v0/saved-views/{segment(id)}",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_service_user(
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

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `PATCH /api/v0/service-users/{id}`
        """
        answer: types.ServiceUser = await self._call(
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

    async def update_shipping_option(
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
        answer: types.ShippingOption = await self._call(
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

    async def update_signed_in_user(
        self,
        body: types.SignedInUserChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Update the signed-in user.

        Changes your name. Only an administrator changes roles.

        For users who signed in.

        `PATCH /auth/user`
        """
        answer: types.User = await self._call(
            Request(
                "PATCH",
                "/auth/user",
                body=body,
                keyed=True,
                idempotency_key=idempotency_key,
                if_match=if_match,
                timeout_seconds=timeout_seconds,
            )
        )
        return answer

    async def update_user(
        self,
        id: str,
        body: types.UserChange,
        *,
        idempotency_key: str | None = None,
        if_match: int | None = None,
        timeout_seconds: float | None = None,
    ) -> types.User:
        """Update a user.

        A new role ends all sessions and tokens of the user, who signs in again.

        For users and API keys with the scope `admin`.

        Users need a sign-in of the last ten minutes: an older one gives 403 `ConfirmationRequired`. API keys do not.

        `PATCH /api/v0/users/{id}`
        """
        answer: types.User = await self._call(
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

    async def update_webhook_subscription(
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
        answer: types.WebhookSubscription = await self._call(
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

    async def update_withdrawal(
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
        answer: types.Withdrawal = await self._call(
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
