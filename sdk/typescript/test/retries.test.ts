import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../src/errors.js";
import { isRepeatable, pauseSeconds } from "../src/retries.js";
import { segment } from "../src/client.js";

const limits = { maxRetries: 3, maxRetryAfterSeconds: 60 };
const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers: new Headers(headers) });
const pause = (...[came, retries]: [ReturnType<typeof answer> | undefined, number]) => pauseSeconds(came, retries, limits, () => 0);

test("pauses grow, and vary by half", () => {
  assert.deepEqual([0, 1, 2, 3].map((retries) => pause(answer(503), retries)), [0.5, 1, 2, undefined]);
  assert.equal(pauseSeconds(undefined, 0, limits, () => 1), 0.25);
  assert.equal(pauseSeconds(undefined, 9, { ...limits, maxRetries: 10 }, () => 0), 8);
});

test("Retry-After decides, in seconds or as a date", () => {
  assert.equal(pause(answer(429, { "retry-after": "7" }), 0), 7);
  assert.equal(pause(answer(503, { "retry-after": new Date(0).toUTCString() }), 0), 0);
  assert.equal(pause(answer(429, { "retry-after": "61" }), 0), undefined);
  assert.equal(pause(answer(503, { "retry-after": "soon" }), 0), 0.5);
});

test("only temporary errors are retried", () => {
  assert.deepEqual([400, 401, 404, 409, 422, 500, 501].map((status) => pause(answer(status), 0)), Array(7).fill(undefined));
  assert.deepEqual([429, 502, 503, 504].map((status) => pause(answer(status), 0)), Array(4).fill(0.5));
});

test("POST and PATCH need a key", () => {
  assert.deepEqual(["GET", "PUT", "DELETE", "POST", "PATCH"].map((method) => isRepeatable(method, undefined)), [true, true, true, false, false]);
  assert.deepEqual(["POST", "PATCH"].map((method) => isRepeatable(method, "key")), [true, true]);
});

test("an id stays one part of a path", () => {
  assert.equal(segment("demo-1001/1?x"), "demo-1001%2F1%3Fx");
  for (const id of ["", ".", ".."]) assert.throws(() => segment(id), TypeError);
});

test("errors that are not from Retour have no code", () => {
  for (const text of ["", "<h1>Bad gateway</h1>", "null", "[]", '{"error": "no"}', '{"error": {"code": 1}}']) {
    const error = new ApiError({ ...answer(502), text });
    assert.deepEqual([error.status, error.code, error.details, error.field("x")], [502, undefined, [], undefined]);
  }
});
