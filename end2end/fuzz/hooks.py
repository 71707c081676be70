"""What schemathesis cannot learn from the document."""

from uuid import uuid4

import schemathesis

LAST_PAGE_NUMBER = 10_000


@schemathesis.hook
def before_call(context, case, **kwargs):
    # A key is for one request: the example of the document in a second request is a fault of that request.
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and key.isascii() and key.isprintable() and " " not in key and 0 < len(key) <= 255:
        case.headers["Idempotency-Key"] = str(uuid4()) + key[36:]
    # A number above the page numbers is the `nextPage` of an answer. Nobody else can make one.
    page = (case.query or {}).get("page")
    if isinstance(page, int) and page > LAST_PAGE_NUMBER:
        case.query["page"] = LAST_PAGE_NUMBER


@schemathesis.check
def limits_are_in_the_document(context, response, case):
    """A request that the document allows is within the limits of its numbers, texts and lists."""
    if response.status_code != 422 or not (case.meta and case.meta.generation.mode.is_positive):
        return
    error = response.json()["error"]
    beyond = [detail["field"] for detail in error.get("details", []) if detail["code"] == "OutOfRange"]
    assert not beyond, f"The document allows what is out of range in {', '.join(beyond)}"
