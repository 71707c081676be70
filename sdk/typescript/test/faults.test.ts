import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError, NetworkError, Retour, type NewServiceUser } from "@retour/sdk";
import { all, failing, retour, url } from "./world.js";

const user = (name: string): NewServiceUser => ({ name, scopes: ["read"] });
const named = async (name: string) => (await all(retour.iterateServiceUsers())).filter((found) => found.name === name);

describe("retries", { concurrency: true }, () => {
  test("waits as long as Retry-After says", async () => {
    const { client, seen } = failing("429:1");
    assert.equal((await client.getAccount()).slug, "fjord-fern");
    assert.deepEqual((await seen()).map(({ tooEarly }) => tooEarly), [false, false]);
  });

  test("does not wait for a long Retry-After", async () => {
    const { client, seen } = failing("429:3600");
    await assert.rejects(client.getAccount(), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code, error.retryAfterSeconds], [429, "TooManyRequests", 3600]);
      return true;
    });
    assert.equal((await seen()).length, 1);
  });

  test("gets through a 503, a broken connection and a broken answer", async () => {
    const { client, seen } = failing("503,break,cut");
    assert.equal((await client.getAccount()).slug, "fjord-fern");
    assert.equal((await seen()).length, 4);
  });

  test("gives up after the last retry", async () => {
    const { client, seen } = failing("504,502,break", { maxRetries: 1 });
    await assert.rejects(client.getAccount(), (error) => error instanceof ApiError && error.status === 502 && error.code === "BridgeUnavailable");
    assert.equal((await seen()).length, 2);
  });

  test("a POST whose answer was lost has its effect once", async () => {
    const { client, seen } = failing("lose");
    const created = await client.createServiceUser(user("lost answer"));
    assert.match(created.apiKey, /^rtk_/);
    assert.equal((await named("lost answer")).length, 1);
    const [first, second, ...others] = (await seen()).map((request) => request.key);
    assert.ok(first && first === second && others.length === 0);
  });

  test("another call has another key, and a given key is used", async () => {
    const { client, seen } = failing("");
    for (const options of [{}, {}, { idempotencyKey: "mine" }, { idempotencyKey: "mine" }]) await client.createServiceUser(user("keys"), options);
    const keys = (await seen()).map((request) => request.key);
    assert.equal(new Set(keys).size, 3);
    assert.equal(keys[3], "mine");
    assert.equal((await named("keys")).length, 3);
  });

  test("a DELETE whose answer was lost is done", async () => {
    const { id } = await retour.createWebhookSubscription({ url: "http://127.0.0.1:9/" });
    const { client, seen } = failing("lose");
    assert.equal(await client.deleteWebhookSubscription(id), undefined);
    assert.equal((await seen()).length, 2);
    await assert.rejects(retour.deleteWebhookSubscription(id), (error) => error instanceof ApiError && error.code === "NotFound");
  });

  test("a POST without a key is not sent again", async () => {
    for (const fault of ["503", "break"]) {
      const { client, seen } = failing(fault);
      await assert.rejects(client.createConsumer({ orderNumber: "1001", email: "ada@example.com" }), fault === "503" ? ApiError : NetworkError);
      assert.equal((await seen()).length, 1);
    }
  });

  test("a redirect and a page of somebody else are errors", async () => {
    for (const status of [301, 200]) {
      const { client } = failing(`${status}`);
      await assert.rejects(client.getAccount(), (error) => error instanceof ApiError && error.status === status && error.code === undefined);
    }
  });

  test("no answer in time, and no server", async () => {
    const { client, seen } = failing("hang", { maxRetries: 0, timeoutSeconds: 3 }); // time for a busy machine to see it
    await assert.rejects(client.getAccount(), (error) => error instanceof NetworkError && /3 seconds/.test(error.message));
    assert.equal((await seen()).length, 1);
    await assert.rejects(new Retour({ baseUrl: "http://127.0.0.1:9", maxRetries: 1 }).getAccount(), NetworkError);
  });

  test("a signal ends a call, also while it waits", async () => {
    const { client, seen } = failing("503:30");
    const stop = new AbortController();
    const call = client.getAccount({ signal: stop.signal });
    while (!(await seen()).length) await new Promise((done) => setTimeout(done, 10));
    stop.abort(new Error("enough"));
    await assert.rejects(call, { message: "enough" });
  });

  test("the rate limit of the server", async () => {
    const { apiKey } = await retour.createServiceUser(user("hasty"));
    const hasty = new Retour({ baseUrl: url, token: apiKey, maxRetries: 0 });
    const refusals: ApiError[] = [];
    while (refusals.length === 0) {
      const results = await Promise.allSettled(Array.from({ length: 20 }, () => hasty.getAccount()));
      refusals.push(...results.flatMap((result) => (result.status === "rejected" ? [result.reason as ApiError] : [])));
    }
    const [refusal] = refusals;
    assert.equal(refusal?.code, "TooManyRequests");
    assert.ok(refusal.retryAfterSeconds !== undefined && refusal.retryAfterSeconds > 0 && refusal.retryAfterSeconds <= 60);
  });
});
