"""Reads every list of the account through the client that openapi-generator generated, which validates the answers."""

import inspect
import os

import retour_client

merchant = retour_client.ApiClient(
    retour_client.Configuration(host=os.environ["RETOUR_URL"], access_token=os.environ["RETOUR_KEY"])
)
rows = 0
for kind in [value for name, value in vars(retour_client).items() if name.endswith("Api")]:
    api = kind(merchant)
    for name in dir(api):
        if not (name.startswith("list_") and name.endswith("_of_own_account")):
            continue
        list_of = getattr(api, name)
        parameters = inspect.signature(list_of).parameters
        if "id" in parameters:
            continue  # a list of one thing: the journey reads one
        if "limit" not in parameters:
            list_of()  # a short list comes as a whole
            continue
        answer = list_of(limit=100)
        assert answer.limit == 100, name
        rows += len(answer.data)
assert rows > 100, rows  # the demo shop has more than 100 purchases, a whole page
