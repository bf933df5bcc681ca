// Tier: rest
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { ApiUnderTest } from "./api-under-test.ts";
import { changeNothing, goodRequests } from "./good-requests.fixture.ts";
import { inOrganization, isUnsafe } from "./operation-path.fixture.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const privileged = ["org:admin", "repos:write"];
/** Privileged regardless of their scope. */
const further = ["createShare", "deleteShare", "deleteToken"];

const isRecorded = (operation: AnyOperation) =>
  isUnsafe(operation) &&
  inOrganization(operation) &&
  !changeNothing.has(operation.id) &&
  (further.includes(operation.id) || privileged.includes(operation.tokenScope ?? operation.scope ?? ""));

const recorded = operations.filter(isRecorded);

/** The newest record of the first organization, and the number of records. */
async function newest() {
  const { items, total } = await api.store.audit.list(api.home, {}, { skip: 0, limit: 1 });
  return { record: items[0] ?? null, total };
}

for (const operation of recorded) {
  test(`${operation.id} leaves one record in the audit log, and none if it is refused`, async () => {
    const prepare = goodRequests(api)[operation.id];
    assert.ok(prepare !== undefined, `${operation.id} has no case in good-requests.fixture.ts`);
    const { path, asked } = await prepare();
    const viewer = await api.token("viewer");
    const before = (await newest()).total;
    const refused = await api.ask(operation.method, path, { ...asked, token: viewer });
    assert.ok([403, 404].includes(refused.status), refused.text);
    assert.equal((await newest()).total, before, "a refusal was recorded");
    const token = await api.token();
    const headers = { ...asked?.headers, "user-agent": "test/1" };
    const done = await api.ask(operation.method, path, { ...asked, token, headers });
    assert.equal(done.status, 200, done.text);
    const { record, total } = await newest();
    assert.equal(total, before + 1, "lib/service/audit.ts: recordAct is called once, where something was done");
    assert.deepEqual([record?.actor, record?.userId, record?.userAgent], ["token", api.home.userId, "test/1"]);
    // A secret that the response shows once is nowhere in the log.
    for (const name of ["token", "secret", "code", "url"]) {
      const shown = done.json[name];
      if (typeof shown === "string") assert.ok(!JSON.stringify(record).includes(shown), `the record holds ${name}`);
    }
  });
}

test("the privileged operations are found", () => {
  const ids = recorded.map(({ id }) => id);
  for (const id of ["createToken", "createRepository", "acceptSetup", ...further]) assert.ok(ids.includes(id), id);
});
