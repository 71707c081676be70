"""A collector of traces for tests: takes OTLP over HTTP (opentelemetry-proto) and writes each span as a line of JSON.

    otlp_receiver.py FILE

Prints its port.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

lock = threading.Lock()


def value(of):
    return getattr(of, of.WhichOneof("value"))


def attributes(of):
    return {attribute.key: value(attribute.value) for attribute in of}


def spans(request):
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield {
                    "resource": attributes(resource.resource.attributes),
                    "trace": span.trace_id.hex(),
                    "span": span.span_id.hex(),
                    "parent": span.parent_span_id.hex(),
                    "name": span.name,
                    "kind": span.kind,
                    "status": span.status.code,
                    "nanoseconds": span.end_time_unix_nano - span.start_time_unix_nano,
                    "attributes": attributes(span.attributes),
                    "events": [{"name": event.name, "attributes": attributes(event.attributes)} for event in span.events],
                }


class Collector(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        is_right = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
        request = ExportTraceServiceRequest()
        if is_right:
            request.ParseFromString(body)
            with lock, open(sys.argv[1], "a", encoding="utf-8") as file:
                file.writelines(json.dumps(span) + "\n" for span in spans(request))
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200 if is_right else 400)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()  # until whoever started it is gone
