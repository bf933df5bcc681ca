import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { User } from "#lib/contract/people/organization.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("users/me says the same of the caller as the list of people, also when they were last seen", async () => {
  const token = await api.token();
  const read = async (path: string) => (await api.ask("GET", path, { token })).json as User;
  await read("/v1/users/me");
  const me = await read("/v1/users/me");
  const listed = await read("/v1/organizations/1/users/1");
  assert.equal(me.last_seen_at, listed.last_seen_at);
  assert.ok(me.last_seen_at !== null);
});
