// Tier: rest
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { dispatchOver } from "./api.ts";
import { type Answered, ApiUnderTest, type Asked } from "./api-under-test.ts";
import { DescribedAnswers } from "./described-answer.fixture.ts";
import { Dice } from "./dice.fixture.ts";
import { type Described, FuzzedRequests, type Schemas } from "./fuzzed-requests.fixture.ts";
import { goodRequests, type Prepared } from "./good-requests.fixture.ts";

const document = JSON.parse(JSON.stringify(buildOpenapi())) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Schemas };
};
const answers = new DescribedAnswers(document);
const clock = { now: Date.now() };
let wholeRun: object;
let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open({ now: () => new Date(clock.now) });
  // Host names resolve to nothing, so nothing is sent out of this machine.
  const nowhere = createOutbound(allowedOf("127.0.0.0/8"), (_, found) => found(new Error("no such name"), []));
  Object.assign(api.runtime, { outbound: nowhere });
  const run = await api.run();
  wholeRun = (await api.asked("GET", `/v1/organizations/1/agent/run/${run.id}`, { token: await api.token() })).json;
});
after(() => api.close());

test("whatever is requested, the response is below 500 and matches the description", async (t) => {
  const count = countOf({ short: 1000, long: 20_000 });
  const seed = Number(process.env.ERRAND_FUZZ_SEED ?? countOf({ short: 12, long: Date.now() % 2 ** 31 }));
  t.diagnostic(`${count} requests, ERRAND_FUZZ_SEED=${seed}`);
  const dice = new Dice(seed);
  const requests = new FuzzedRequests(dice, document.components.schemas);
  const goods = goodRequests(api);
  const kept = new Map<string, Prepared>();
  const statuses = new Map<number, number>();
  const wrong = new Map<string, string>();
  const viewer = await api.token("viewer");
  let owner = await api.token();
  for (let index = 0; index < count; index += 1) {
    clock.now += 10_000;
    const operation = operations[index % operations.length];
    assert.ok(operation !== undefined);
    const good = await goodOf(operation, goods, kept, dice);
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
    assert.ok(described !== undefined);
    const { path, asked } = requests.make(operation, described, good);
    if (spoilsOwner(operation, path)) continue;
    asked.token = tokenOf(good, dice, owner, viewer);
    const failures = api.logged.length;
    const answered = await send(operation.method, path, asked);
    statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
    if (answered.status === 401 && asked.token === owner) owner = await api.token();
    const problem = problemOf(operation, path, answered);
    if (problem !== null) {
      const told = api.logged.slice(failures).map((fields) => String(Object(Object(fields).err).stack));
      const request = `${operation.method} ${path.slice(0, 300)} ${String(asked.body).slice(0, 300)}`;
      wrong.set(`${operation.id}: ${problem.slice(0, 200)}`, [request, ...told].join("\n"));
    }
  }
  t.diagnostic(
    [...statuses]
      .sort()
      .map(([status, times]) => `${status}: ${times}`)
      .join(", "),
  );
  assert.deepEqual(Object.fromEntries(wrong), {});
  assert.ok((statuses.get(200) ?? 0) > count / 10 && (statuses.get(400) ?? 0) > count / 10);
});

test("a response that does not match the description is detected", async () => {
  const operation = operations.find(({ id }) => id === "getRun");
  assert.ok(operation !== undefined);
  const good = await api.asked("GET", `/v1/organizations/1/agent/run/${(await api.run()).id}`, {
    token: await api.token(),
  });
  const changed = (fields: object): Answered => ({ ...good, text: JSON.stringify({ ...good.json, ...fields }) });
  const withoutTag = new Headers(good.headers);
  withoutTag.delete("etag");
  assert.equal(answers.problemOf(operation, good), null);
  assert.equal(answers.problemOf(operation, changed({ a_field_of_next_year: 1 })), null);
  assert.match(answers.problemOf(operation, changed({ id: "1" })) ?? "", /id must be integer/);
  assert.match(
    answers.problemOf(operation, changed({ created_at: "yesterday" })) ?? "",
    /created_at must match format/,
  );
  assert.match(
    answers.problemOf(operation, { ...good, status: 418, headers: withoutTag }) ?? "",
    /is of type application\/json/,
  );
  assert.match(
    answers.problemOf(operation, { ...good, headers: new Headers() }) ?? "",
    /lacks the header X-Request-Id/,
  );
});

test("only an analysis of fewer entries than the run has may lack its ETag", async () => {
  const operation = operations.find(({ id }) => id === "getAnalysis");
  assert.ok(operation !== undefined);
  const { path } = await (goodRequests(api).getAnalysis?.() ?? assert.fail());
  const answered = await api.asked("GET", path, { token: await api.token() });
  const headers = new Headers(answered.headers);
  headers.delete("etag");
  const covering = (analysed: number): Answered => ({
    ...answered,
    headers,
    text: JSON.stringify({ ...answered.json, analysed, entries: 3 }),
  });
  assert.equal(answers.problemOf(operation, covering(2)), null);
  assert.match(answers.problemOf(operation, covering(3)) ?? "", /lacks the header ETag/);
});

/** A request that succeeds, made again from time to time, because the object of an earlier one may be gone. */
async function goodOf(
  { id }: AnyOperation,
  goods: ReturnType<typeof goodRequests>,
  kept: Map<string, Prepared>,
  dice: Dice,
): Promise<Prepared> {
  const known = kept.get(id);
  // Readiness ends when the engine has been silent for 15 s, and a busy machine is slower than that.
  if (known !== undefined && id !== "getReadiness" && !dice.chance(0.1)) return known;
  const made = await goods[id]?.();
  assert.ok(made !== undefined, `${id} has a request in good-requests.fixture.ts`);
  kept.set(id, made);
  return made;
}

/** The owner of the token in use must stay one. */
function spoilsOwner({ id }: AnyOperation, path: string): boolean {
  return (id === "updateMember" || id === "removeMember") && /\/users\/0*1(?:\?|$)/.test(path);
}

function tokenOf({ asked }: Prepared, dice: Dice, owner: string, viewer: string): string | undefined {
  if (dice.chance(0.05)) return viewer;
  if (dice.chance(0.04)) return dice.pick([undefined, "errand_wrong", "x".repeat(5000)]);
  return asked !== undefined && "token" in asked ? asked.token : owner;
}

/** A stream is closed as soon as it has begun. */
async function send(method: string, path: string, asked: Asked): Promise<Answered> {
  const response = await dispatchOver(api.api)(api.request(method, path, asked));
  const { status, headers } = response;
  if (headers.get("content-type")?.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return { status, headers, text: "", json: {} };
  }
  return { status, headers, text: await response.text(), json: {} };
}

function problemOf(operation: AnyOperation, path: string, answered: Answered): string | null {
  const isAway = answered.status === 503 && operation.refusals.includes("unavailable");
  if (answered.status >= 500 && !isAway) return `${answered.status} ${answered.text}`;
  // Values in place of an id can change the path: `.` and an encoded slash do.
  const { pathname } = new URL(path, "http://errand.test");
  const pattern = operation.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  if (!new RegExp(`^${pattern}$`).test(pathname)) return null;
  return answers.problemOf(operation, withAllFields(path, answered));
}

/** Runs with only the `fields` asked for, completed by those of an example: what is given is still checked. */
function withAllFields(path: string, answered: Answered): Answered {
  if (answered.status !== 200 || !/\/agent\/runs\?.*\bfields=/.test(path)) return answered;
  const { items, ...page } = JSON.parse(answered.text) as { items: object[] };
  return { ...answered, text: JSON.stringify({ ...page, items: items.map((item) => ({ ...wholeRun, ...item })) }) };
}
