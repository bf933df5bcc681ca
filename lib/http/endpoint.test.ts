import assert from "node:assert/strict";
import { test } from "node:test";
import { getHealth } from "#lib/contract/service-operations.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { publicEndpoint } from "./endpoint.ts";

test("what a client gave up is no failure in the log; what fails by itself is, also under the same name", async () => {
  const api = await ApiUnderTest.open();
  try {
    const ask = async (signal: AbortSignal, work: () => void) => {
      const endpoint = publicEndpoint(getHealth, work);
      return await endpoint(new Request("http://errand.test/healthz", { signal }), { params: Promise.resolve({}) });
    };
    const gone = new AbortController();
    const givenUp = await ask(gone.signal, () => {
      gone.abort();
      gone.signal.throwIfAborted();
    });
    assert.equal(givenUp.status, 503);
    assert.deepEqual(api.logged, []);

    const failed = await ask(new AbortController().signal, () => AbortSignal.abort().throwIfAborted());
    assert.equal(failed.status, 500);
    assert.equal(api.logged.length, 1);
  } finally {
    await api.close();
  }
});
