"""Rules that schemathesis cannot derive from the OpenAPI document."""

import re
from datetime import datetime
from urllib.parse import quote
from uuid import uuid4

import schemathesis

LAST_PAGE_NUMBER = 10_000
# A clause that is longer than the API allows, in an address that the HTTP library still reads.
LONG_CLAUSE = "x" * 7_000
LONG_QUERY = 30_000
MOST_VALUES = 20
ETAG = re.compile(r'"[0-9]{1,18}"|\*')
# Other fields limit these, an adjustment of nothing is none, and spaces around a reason do not count: a schema cannot say so.
LIMITED_BY_OTHERS = re.compile(r"(fulfilledQuantity|removedQuantity|refundedQuantity|unitPrice|^amount|reason)$")


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
    # This order needs a filter by a stage or queue.
    if (case.query or {}).get("sortBy") == "stageSince":
        case.query["sortBy"] = "createdAt"
    # Texts of the length of a bound are generated without regard to the pattern.
    tag = (case.headers or {}).get("If-Match")
    if tag is not None and case.meta and case.meta.generation.mode.is_positive and not ETAG.fullmatch(str(tag)):
        del case.headers["If-Match"]
    # The pattern of a time in a filter allows days that do not exist, such as 31 February.
    clauses = (case.query or {}).get("filter")
    if isinstance(clauses, list):
        if len(quote("".join(map(str, clauses)), errors="replace")) > LONG_QUERY:
            clauses = [LONG_CLAUSE]
        # A pattern cannot bound the number of values without growing too large.
        clauses = [clause for clause in clauses if str(clause).count("|") < MOST_VALUES]
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
