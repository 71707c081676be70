"""Calls to a server that fails."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable

import pytest
from retour_sdk import ApiError, AsyncRetour, NetworkError, Retour
from retour_sdk.types import NewServiceUser

from conftest import Failing

Fail = Callable[[str], Failing]


def user(name: str) -> NewServiceUser:
    return {"name": name, "scopes": ["read"]}


def named(retour: Retour, name: str) -> int:
    return sum(found["name"] == name for found in retour.iterate_service_users())


def test_waits_as_long_as_retry_after_says(failing: Fail) -> None:
    server = failing("429:1")
    assert server.client().get_account()["slug"] == "fjord-fern"
    assert [request["tooEarly"] for request in server.seen()] == [False, False]


def test_does_not_wait_for_a_long_retry_after(failing: Fail) -> None:
    server = failing("429:3600")
    with pytest.raises(ApiError) as raised:
        server.client().get_account()
    assert (raised.value.status, raised.value.code, raised.value.retry_after_seconds) == (429, "TooManyRequests", 3600.0)
    assert len(server.seen()) == 1


def test_gets_through_a_503_a_broken_connection_and_a_broken_answer(failing: Fail) -> None:
    server = failing("503,break,cut")
    assert server.client().get_account()["slug"] == "fjord-fern"
    assert len(server.seen()) == 4


def test_gives_up_after_the_last_retry(failing: Fail) -> None:
    server = failing("504,502,break")
    with pytest.raises(ApiError) as raised:
        server.client(max_retries=1).get_account()
    assert (raised.value.status, raised.value.code) == (502, "BridgeUnavailable")
    assert len(server.seen()) == 2


def test_a_post_whose_answer_was_lost_has_its_effect_once(failing: Fail, retour: Retour) -> None:
    server = failing("lose")
    assert server.client().create_service_user(user("lost answer"))["apiKey"].startswith("rtk_")
    assert named(retour, "lost answer") == 1
    first, second = (request["key"] for request in server.seen())
    assert first is not None
    assert first == second


def test_another_call_has_another_key_and_a_given_key_is_used(failing: Fail, retour: Retour) -> None:
    server = failing("")
    client = server.client()
    for given in (None, None, "mine", "mine"):
        client.create_service_user(user("keys"), idempotency_key=given)
    keys = [request["key"] for request in server.seen()]
    assert len(set(keys)) == 3
    assert keys[3] == "mine"
    assert named(retour, "keys") == 3


def test_a_delete_whose_answer_was_lost_is_done(failing: Fail, retour: Retour) -> None:
    subscription = retour.create_webhook_subscription({"url": "http://127.0.0.1:9/"})
    server = failing("lose")
    server.client().delete_webhook_subscription(subscription["id"])
    assert len(server.seen()) == 2
    with pytest.raises(ApiError) as raised:
        retour.delete_webhook_subscription(subscription["id"])
    assert raised.value.code == "NotFound"


@pytest.mark.parametrize(("fault", "error"), [("503", ApiError), ("break", NetworkError)])
def test_a_post_without_a_key_is_not_sent_again(failing: Fail, fault: str, error: type[Exception]) -> None:
    server = failing(fault)
    with pytest.raises(error):
        server.client().create_consumer({"orderNumber": "1001", "email": "ada@example.com"})
    assert len(server.seen()) == 1


class Pipe(io.BytesIO):
    """A file that cannot be rewound."""

    def seekable(self) -> bool:
        return False


def test_a_file_is_sent_again_from_its_start_if_it_can_be_rewound(failing: Fail) -> None:
    rows = b"order_number,ordered_at,email,postal_code,currency,shipping_paid,sku,product,quantity,fulfilled_at,total\n"
    rows += b"RETRY-1,2026-11-02,ann@example.com,10115,GBP,0,SKU,Mug,1,2026-11-03,10.00\n"
    file = io.BytesIO(b"a line before it\n" + rows)
    file.readline()
    server = failing("503")
    assert server.client().import_purchases(file, dry_run=True)["orders"] == 1
    assert len(server.seen()) == 2
    once = failing("503")
    with pytest.raises(ApiError):
        once.client().import_purchases(Pipe(rows), dry_run=True)
    assert len(once.seen()) == 1


@pytest.mark.parametrize("status", [301, 200])
def test_a_redirect_and_a_page_of_somebody_else_are_errors(failing: Fail, status: int) -> None:
    with pytest.raises(ApiError) as raised:
        failing(str(status)).client().get_account()
    assert (raised.value.status, raised.value.code) == (status, None)


def test_no_answer_in_time_and_no_server(failing: Fail) -> None:
    server = failing("hang")
    with pytest.raises(NetworkError, match="in time"):
        server.client(max_retries=0, timeout_seconds=3).get_account()
    assert len(server.seen()) == 1
    with pytest.raises(NetworkError, match="connection"):
        Retour("http://127.0.0.1:9", max_retries=1).get_account()


def test_the_rate_limit_of_the_server(retour: Retour, url: str) -> None:
    hasty = Retour(url, retour.create_service_user(user("hasty"))["apiKey"], max_retries=0)
    with pytest.raises(ApiError) as raised:
        while True:
            hasty.get_account()
    assert raised.value.code == "TooManyRequests"
    assert raised.value.retry_after_seconds is not None
    assert 0 < raised.value.retry_after_seconds <= 60


def test_the_same_with_asyncio(failing: Fail, key: str) -> None:
    server = failing("429:1,break")
    lost = failing("lose")
    refused = failing("429:3600")

    async def calls() -> tuple[str, str, list[str]]:
        async with AsyncRetour(server.url, key) as client, AsyncRetour(lost.url, key) as other, AsyncRetour(refused.url, key) as third:
            results = await asyncio.gather(
                client.get_account(), other.create_service_user(user("async")), third.get_account(), return_exceptions=True
            )
            account, created, error = results
            assert not isinstance(account, BaseException)
            assert not isinstance(created, BaseException)
            assert isinstance(error, ApiError)
            return account["slug"], created["apiKey"], [found["name"] async for found in other.iterate_service_users(limit=1)]

    slug, api_key, names = asyncio.run(calls())
    assert slug == "fjord-fern"
    assert api_key.startswith("rtk_")
    assert names.count("async") == 1
    assert [request["tooEarly"] for request in server.seen()] == [False, False, False]
