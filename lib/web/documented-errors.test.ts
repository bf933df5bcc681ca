// Tier: rest
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fillPath } from "#lib/client/request-path.ts";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { ApiUnderTest } from "./api-under-test.ts";
import { checkProblem, checkSuccess } from "./checked-answer.fixture.ts";
import { conflictingRequests } from "./conflicts.fixture.ts";
import { goodRequests } from "./good-requests.fixture.ts";
import { isUnsafe, partsOf } from "./operation-path.fixture.ts";
import { provokedErrors, type Subject } from "./provoked-errors.fixture.ts";

let api: ApiUnderTest;
let goods: ReturnType<typeof goodRequests>;
let provoked: Awaited<ReturnType<typeof provokedErrors>>;
let cells = 0;
before(async () => {
  api = await ApiUnderTest.open();
  goods = goodRequests(api);
  provoked = await provokedErrors(api);
});
after(() => api.close());

type Paths = Record<string, Record<string, { responses: Record<string, object> } | undefined> | undefined>;
const { paths } = buildOpenapi() as { paths: Paths };
const documentedBy = ({ method }: AnyOperation, path: string) =>
  Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);

for (const operation of operations) {
  test(`${operation.id} responds as documented, and in no other way`, async () => {
    const prepareAnew = goods[operation.id];
    assert.ok(prepareAnew !== undefined, `${operation.id} has no case in good-requests.fixture.ts`);
    const good = await prepareAnew();
    // Only reads can be repeated at will.
    const subject = { operation, good, prepare: isUnsafe(operation) ? prepareAnew : async () => good };
    const documented = documentedBy(operation, operation.path);
    await succeed(subject);
    const wrong: string[] = documented
      .filter((status) => status >= 400 && !(status in provoked))
      .map((status) => `${status} is documented, and nothing provokes it`);
    for (const [key, cellsOf] of Object.entries(provoked)) {
      const status = Number(key);
      const made = await cellsOf(subject);
      const isDocumented = documented.includes(status);
      if (isDocumented && made.length === 0) wrong.push(`${status} is documented, and no case provokes it`);
      for (const { what, send } of made) {
        cells += 1;
        try {
          checkProblem(await send(), status);
          if (!isDocumented) wrong.push(`${status} (${what}) is answered and not documented`);
        } catch (error) {
          wrong.push(`${status} (${what}): ${error instanceof Error ? error.message : error}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });
}

/** The operation's success by each of its paths and in each of its types. */
async function succeed({ operation, prepare }: Subject): Promise<void> {
  const { method, aliases, resultType, otherTypes } = operation;
  const ways = [
    ...[operation.path, ...aliases].map((path) => ({ path, type: resultType, query: "" })),
    // If an operation has several types, `format` selects one by the second part of its name.
    ...otherTypes.map((type) => ({ path: operation.path, type, query: `?format=${type.split("/")[1]}` })),
  ];
  for (const { path, type, query } of ways) {
    cells += 1;
    assert.ok(documentedBy(operation, path).includes(200), path);
    const good = await prepare();
    const parts = partsOf(operation, good.path);
    const target = fillPath(path, parts.params) + (query || parts.query);
    checkSuccess(operation, await api.ask(method, target, { token: await api.token(), ...good.asked }), type);
  }
}

test("every case belongs to an operation, and every operation was called", (t) => {
  const known = new Set(operations.map(({ id }) => id));
  const named = [...Object.keys(goods), ...Object.keys(conflictingRequests(api))];
  assert.deepEqual(
    named.filter((id) => !known.has(id)),
    [],
  );
  assert.ok(cells > 500);
  t.diagnostic(`${cells} cells of ${operations.length} operations and what they document, 0 wrong`);
});
