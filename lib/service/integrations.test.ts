import assert from "node:assert/strict";
import { test } from "node:test";
import { IntegrationSettings } from "#lib/contract/integrations/integration.ts";
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

test("what a host refuses for one repository is shown until it answers for that one, and the integration stays active", async (t) => {
  const connected = await ConnectedHost.open("forgejo");
  t.after(() => connected.close());
  const { api, host } = connected;
  host.addPerson("ada", "write");
  await connected.addRepository("team/app");
  await connected.addRepository("team/web");
  const shown = async () => {
    const { json } = await api.ask("GET", "/v1/organizations/1/integrations", { token: await api.token() });
    const rows = json.integrations as { integration_type: string; active: boolean; metadata: { reason: string } }[];
    const row = rows.find(({ integration_type }) => integration_type === "forgejo");
    return [row?.active, row?.metadata.reason];
  };
  const inRepository = (repository: string) => ({ thread: { repository } });
  host.setRules("team/web", { notAdmin: true });
  await connected.comment("ada", "@errand go", inRepository("team/web"));
  const reason =
    "team/web: Forgejo tells only a repository's administrators who may write to it: make the token's account one.";
  assert.deepEqual(await shown(), [true, reason]);
  await connected.comment("ada", "@errand go", inRepository("team/app"));
  assert.equal((await connected.runs()).length, 1);
  assert.deepEqual(await shown(), [true, reason], "an answer for another repository proves nothing");
  host.setRules("team/web", { notAdmin: false });
  connected.advance(60_000);
  await connected.conversations.processDue();
  assert.equal((await connected.runs()).length, 2);
  assert.deepEqual(await shown(), [true, null]);
});
