import assert from "node:assert/strict";
import { test } from "node:test";
import { IntegrationSettings } from "#lib/contract/integration.ts";
import { CodeHost, hostToken } from "#lib/host/code-host.fixture.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";

const path = "/v1/organizations/1/integrations/github";

test("whoever saves a setting while somebody else moves the connection does not end the new one", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  const other = await CodeHost.open("github");
  t.after(() => other.close());
  const token = await api.token();
  const put = (body: object) => api.ask("PUT", path, { token, body });
  let moved: Promise<{ status: number }> | null = null;
  const move = () => {
    moved ??= put({ base_url: other.baseUrl, token: hostToken });
    return moved;
  };
  // What is read outside the transaction that writes is old by then.
  const { integrations } = api.store;
  const find = integrations.find;
  integrations.find = async (...asked) => {
    const found = await find.call(integrations, ...asked);
    if (moved === null) await move();
    return found;
  };
  t.after(() => {
    integrations.find = find;
  });
  await put({ base_url: host.baseUrl, settings: IntegrationSettings.parse({ mention: "robot" }) });
  assert.equal((await move()).status, 200);
  const row = await api.store.integrations.find(api.home, "github");
  assert.deepEqual([row?.baseUrl, row?.secretSealed === null], [other.baseUrl, false]);
});
