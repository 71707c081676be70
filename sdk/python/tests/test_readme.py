"""The samples of the README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from retour_sdk import Retour

ROOT = Path(__file__).parent.parent


def test_the_samples_of_the_readme(retour: Retour) -> None:
    subscription = retour.create_webhook_subscription({"url": "http://127.0.0.1:9/", "eventTypes": ["test.ping"]})
    identifier = subscription["id"]
    secret = retour.get_webhook_secret(identifier)["secret"]
    settings = {"RETOUR_WEBHOOK_SECRET": secret, "PORT": "0", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT / "src")}
    environment = {**os.environ, **settings}
    sample = subprocess.Popen(
        [sys.executable, ROOT / "samples/readme.py"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    printed: list[str] = []
    assert sample.stdout is not None
    reader = Thread(target=lambda: printed.extend(sample.stdout or []), daemon=True)
    reader.start()

    def until(holds: Callable[[], bool]) -> None:
        while sample.poll() is None and not holds():
            time.sleep(0.05)
        assert sample.poll() is None, f"the samples ended: {printed}, {sample.stderr.read() if sample.stderr else ''}"

    try:
        until(lambda: any(line.startswith("receiving at") for line in printed))
        text = "".join(printed)
        assert re.search(r"^Fjord & Fern GBP$", text, re.M)
        assert re.search(r"^no such return request \S+$", text, re.M)
        assert re.search(r"^W-\S+$", text, re.M)
        assert re.search(r"^\d+ purchases$", text, re.M)
        made = re.search(r"^(R-\S+) Open \d{4,}$", text, re.M)
        assert made is not None

        port = re.search(r"^receiving at .*, (\d+)\)$", text, re.M)
        assert port is not None
        retour.update_webhook_subscription(
            identifier, {"url": f"http://127.0.0.1:{port[1]}/", "eventTypes": ["return_request.stage_changed"]}
        )
        [order] = retour.iterate_return_orders(filter=[f"number:{made[1]}"])
        retour.cancel_return_order(order["id"])
        until(lambda: "#1001 Closed: Cancelled\n" in printed)
    finally:
        sample.kill()
        sample.wait()
