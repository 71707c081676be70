// A proxy that fails on request, to test retries. `/faults/429,break/NAME/…` leads to `/…` of the server behind it: the first request with
// that name gets a 429, the second a broken connection, and the others get through. `/seen/NAME` lists the requests.
import { createServer, request } from "node:http";

/** @param {string} target the address of the server behind it @returns {Promise<import("node:http").Server>} */
export function startFaults(target) {
  const seen = new Map();
  const server = createServer((incoming, outgoing) => {
    const [, list] = incoming.url.match(/^\/seen\/([\w-]+)$/) ?? [];
    if (list) return answer(outgoing, 200, {}, (seen.get(list) ?? []).map(({ at, ...others }) => others));
    const [, script, name, path] = incoming.url.match(/^\/faults\/([\w,:-]*)\/([\w-]+)(\/.*)$/) ?? [];
    if (!path) return answer(outgoing, 400, {}, `there is no fault at ${incoming.url}`);
    const before = seen.get(name) ?? [];
    const fault = script.split(",")[before.length] || "none";
    const last = before.at(-1);
    const entry = { method: incoming.method, path, key: incoming.headers["idempotency-key"] ?? null, at: performance.now() };
    // Timers of some systems end a few milliseconds early.
    entry.tooEarly = last?.wait !== undefined && entry.at < last.at + last.wait * 1000 - 50;
    const [kind, seconds] = fault.split(":");
    if (seconds) entry.wait = Number(seconds);
    seen.set(name, [...before, entry]);
    forward(target, path, incoming, outgoing, kind, seconds);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

function forward(target, path, incoming, outgoing, kind, seconds) {
  if (kind === "hang") return;
  const status = Number(kind);
  if (status || kind === "break") {
    incoming.resume().on("end", () => {
      if (!status) return incoming.socket.destroy();
      const code = { 429: "TooManyRequests", 502: "BridgeUnavailable", 503: "ServiceUnavailable", 504: "BridgeUnavailable" }[status];
      answer(outgoing, status, seconds ? { "retry-after": seconds } : {}, code ? { error: { code, message: "Try again later." } } : "<h1>Not Retour</h1>");
    });
    return;
  }
  const onward = request(target + path, { method: incoming.method, headers: incoming.headers }, (response) => {
    if (kind === "lose") return response.resume().on("end", () => incoming.socket.destroy()); // the server did it, but the client gets no answer
    outgoing.writeHead(response.statusCode, response.headers);
    if (kind === "cut") return response.once("data", (data) => outgoing.write(data.subarray(0, 10), () => incoming.socket.destroy()));
    response.pipe(outgoing);
  });
  onward.on("error", () => incoming.socket.destroy());
  incoming.pipe(onward);
}

function answer(outgoing, status, headers, body) {
  const isText = typeof body === "string";
  outgoing.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers });
  outgoing.end(isText ? body : JSON.stringify(body));
}
