"""Rules that schemathesis cannot derive from the OpenAPI document."""

import re
from datetime import datetime
from uuid import uuid4

import schemathesis

LAST_PAGE_NUMBER = 10_000
# Still longer than any clause of a filter may be, and short enough that the HTTP library reads the address.
LONG_CLAUSE = 4_000
MANY_CLAUSES = 12
# The sum of other fields limits these, and an adjustment of nothing is none: a schema cannot say so.
LIMITED_BY_OTHERS = re.compile(r"(fulfilledQuantity|unitPrice|^amount)$")


@schemathesis.hook
def before_call(context, case, **kwargs):
    # An idempotency key is for one request, so the document's example must not be sent twice.
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and is_key(key):
        case.headers["Idempotency-Key"] = str(uuid4()) + key[36:]
    elif isinstance(key, str) and is_key(key.strip()):
        case.headers["Idempotency-Key"] = "é"  # HTTP trims the value, which would make it valid: this one stays invalid
    # Larger numbers are `nextPage` values of answers. A client cannot invent one.
    page = (case.query or {}).get("page")
    if str(page).isascii() and str(page).isdigit() and int(page) > LAST_PAGE_NUMBER:
        case.query["page"] = LAST_PAGE_NUMBER
    # The pattern of a time in a filter allows days that do not exist, such as 31 February.
    clauses = (case.query or {}).get("filter")
    if isinstance(clauses, list):
        clauses = [clause[:LONG_CLAUSE] if isinstance(clause, str) else clause for clause in clauses[:MANY_CLAUSES]]
        case.query["filter"] = [clause for clause in clauses if not is_on_no_day(clause)]


def is_key(text):
    return text.isascii() and text.isprintable() and text == text.strip() and 0 < len(text) <= 255


def is_on_no_day(clause):
    time = re.fullmatch(r"\w+At(?::|[<>]=?)(\d{4}-\d{2}-\d{2})T.*", str(clause))
    try:
        return time is not None and datetime.fromisoformat(time[1]) is None
    except ValueError:
        return True


@schemathesis.check
def limits_are_in_the_document(context, response, case):
    """The API accepts every number, text and list that the document allows. Times are exempt, because their limits depend on the clock."""
    if response.status_code != 422 or not (case.meta and case.meta.generation.mode.is_positive):
        return
    error = response.json()["error"]
    beyond = [detail["field"] for detail in error.get("details", []) if detail["code"] == "OutOfRange"]
    beyond = [field for field in beyond if not field.endswith(("At", "since")) and not LIMITED_BY_OTHERS.search(field)]
    assert not beyond, f"The document allows what is out of range in {', '.join(beyond)}"
