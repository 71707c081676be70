"""A mail server (aiosmtpd) for tests: keeps each mail as it came and as JSON, in a folder.

    mail_server.py FOLDER [CERTIFICATE KEY]

Prints its port. With a certificate it wants STARTTLS, and the password `secret`. What it does with a mail goes by whom
it is to: `gone@…` is refused, `busy@…` is put off, all others get theirs.
"""

import base64
import email
import email.policy
import json
import os
import socket
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

folder = sys.argv[1]
secure = sys.argv[2:4]


class Keeper:
    count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        name = address.split("@")[0]
        if name == "gone":
            return "550 5.1.1 no such mailbox"
        if name == "busy":
            return "451 4.3.0 try again later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        text, html = mail.get_body(("plain",)), mail.get_body(("html",))
        kept = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "secure": session.ssl is not None,
            "headers": {name: str(value) for name, value in mail.items()},
            "text": text.get_content() if text else None,
            "html": html.get_content() if html else None,
            "files": [
                {"name": part.get_filename(), "type": part.get_content_type(),
                 "bytes": base64.b64encode(part.get_payload(decode=True)).decode()}
                for part in mail.iter_attachments()
            ],
            "pictures": [
                {"cid": part["Content-ID"].strip("<>"), "type": part.get_content_type(),
                 "bytes": base64.b64encode(part.get_payload(decode=True)).decode()}
                for part in mail.walk() if part["Content-ID"]
            ],
        }
        Keeper.count += 1
        path = os.path.join(folder, f"{Keeper.count:04}")
        with open(f"{path}.eml", "wb") as file:
            file.write(envelope.content)
        # Readers never see a partly written file.
        with open(f"{path}.part", "w", encoding="utf-8") as file:
            json.dump(kept, file)
        os.rename(f"{path}.part", f"{path}.json")
        return "250 OK"


def check(server, session, envelope, mechanism, login):
    is_right = login.password == b"secret"
    return AuthResult(success=is_right, handled=is_right)  # what is not handled is answered with 535


with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]

options = {}
if secure:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*secure)
    options = {"tls_context": context, "require_starttls": True, "authenticator": check, "auth_required": True}

controller = Controller(Keeper(), hostname="127.0.0.1", port=port, **options)
controller.start()
print(port, flush=True)
sys.stdin.read()  # until whoever started it is gone
