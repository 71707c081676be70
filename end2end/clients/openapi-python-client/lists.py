"""Reads every list of the account through openapi-python-client, which validates the answers."""

import importlib
import os
import pkgutil

import retour_client.api
from retour_client import AuthenticatedClient
from retour_client.models import Error

merchant = AuthenticatedClient(
    base_url=os.environ["RETOUR_URL"], token=os.environ["RETOUR_KEY"], raise_on_unexpected_status=True
)
rows = 0
for module in pkgutil.walk_packages(retour_client.api.__path__, "retour_client.api."):
    name = module.name.rpartition(".")[2]
    if not (name.startswith("list_") and name.endswith("_of_own_account")):
        continue
    list_of = importlib.import_module(module.name).sync
    if set(list_of.__annotations__) & {"id", "consumer_id"}:
        continue  # a list of one thing: the journey reads one
    if "limit" not in list_of.__annotations__:
        assert not isinstance(list_of(client=merchant), Error | None), name  # a short list comes as a whole
        continue
    answer = list_of(client=merchant, limit=100)
    assert not isinstance(answer, Error | None), f"{name}: {answer}"
    assert answer.limit == 100, name
    rows += len(answer.data)
assert rows > 100, rows  # the demo shop has more than 100 purchases, a whole page
