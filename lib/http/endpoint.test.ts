import assert from "node:assert/strict";
import { test } from "node:test";
import { getHealth } from "#lib/contract/service-operations.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { holdRequest } from "#lib/web/paused-request.fixture.ts";
import { publicEndpoint } from "./endpoint.ts";

test("a request that its client gave up is no failure in the log; one that fails by itself is, even under the same name", async () => {
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

test("a token revoked or a person demoted while a body arrives does nothing with it", async () => {
  const api = await ApiUnderTest.open();
  try {
    const O = "/v1/organizations/1";
    const owner = await api.token();
    const begin = async (token: string, method: string, path: string, body: object) => {
      const held = await holdRequest(api, { method, target: `${O}${path}`, token, key: path, body });
      return async () => (await held.letThrough()).status;
    };
    const mint = async (asked: object) => {
      const { json } = await api.asked("POST", `${O}/tokens`, { ...asked, body: { name: "admin's", role: "admin" } });
      return { id: Number(json.id), secret: String(json.token) };
    };
    const stolen = await mint({ token: owner });
    const another = { name: "left behind", role: "admin" };
    const settings = { enable_pr_creation: false };
    const unharmed = await begin(stolen.secret, "PATCH", "/settings", { enable_pr_creation: true });
    assert.equal(await unharmed(), 200, "a slow body alone is no reason to refuse");
    const late = [
      await begin(stolen.secret, "POST", "/tokens", another),
      await begin(stolen.secret, "PATCH", "/settings", settings),
    ];
    await api.asked("DELETE", `${O}/tokens/${stolen.id}`, { token: owner });
    for (const finish of late) assert.equal(await finish(), 401);

    const admin = await api.member("admin");
    const own = await mint({ headers: admin.headers });
    const demoted = await begin(own.secret, "PATCH", "/settings", settings);
    await api.changeRole(admin.userId, "viewer");
    assert.equal(await demoted(), 403);
    assert.equal((await api.asked("GET", `${O}/settings`, { token: owner })).json.enable_pr_creation, true);
    const { items } = (await api.asked("GET", `${O}/tokens`, { token: owner })).json as { items: { name: string }[] };
    assert.ok(items.every(({ name }) => name !== another.name));
  } finally {
    await api.close();
  }
});
