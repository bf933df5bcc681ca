import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { HostKind } from "#lib/host/host.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";

const app = "team/app";
const threads = [
  { path: "lib/a.ts", line: 3, body: "This is never closed." },
  { path: "lib/b.ts", line: 9, body: "A name, please, @errand." },
];

/** A run that works on pull request 8. */
async function open(t: TestContext, kind: HostKind) {
  const connected = await ConnectedHost.open(kind);
  t.after(() => connected.close());
  const { host } = connected;
  host.addPerson("ada", "write");
  host.addPerson("guest", "read");
  host.addPerson("robot", "write", { isBot: true });
  await connected.addRepository();
  for (const number of [8, 9]) {
    host.pulls.set(number, { branch: `fix/${number}`, baseBranch: "main", fork: null, isOpen: true, repository: app });
  }
  await connected.comment("ada", "@errand begin", { thread: { subject: "pull", number: 8 } });
  await connected.endTurn("completed", "Done.");
  const review = async (number: number, given: Partial<Parameters<typeof host.reviewEvents>[2]>) => {
    const asked = { login: "ada", verdict: "changes_requested" as const, body: "Nearly.", threads, ...given };
    for (const event of await host.reviewEvents(app, number, asked)) {
      assert.equal((await connected.send(event)).status, 202);
    }
    await connected.conversations.processDue();
  };
  const turns = async () => (await connected.runs()).map((run) => run.turns);
  return { connected, host, review, turns };
}

for (const kind of ["github", "forgejo"] as const) {
  test(`${kind}: a review that asks for changes is one turn of the run, with all its remarks`, async (t) => {
    const { connected, review, turns } = await open(t, kind);
    await review(8, {});
    assert.deepEqual(await turns(), [2]);
    const claimed = await connected.api.store.queue.claim("engine", 60_000);
    const prompt = claimed?.turn.prompt ?? "";
    assert.match(
      prompt,
      /^Nearly\.\n\nlib\/a\.ts:3\nThis is never closed\.\n\nlib\/b\.ts:9\nA name, please, @errand\.\n\n---\n/,
    );
    assert.match(prompt, /Said by @ada in pull request team\/app#8/);
  });

  test(`${kind}: a review without its own text asks for what its remarks say`, async (t) => {
    const { connected, review } = await open(t, kind);
    await review(8, { body: "" });
    const claimed = await connected.api.store.queue.claim("engine", 60_000);
    assert.match(claimed?.turn.prompt ?? "", /^Make the changes that this review asks for\.\n\nlib\/a\.ts:3\n/);
  });

  test(`${kind}: a review of a pull request that no run works on starts nothing, and only people who may write can ask`, async (t) => {
    const { review, turns } = await open(t, kind);
    const plain = threads.slice(0, 1);
    await review(9, { threads: plain });
    for (const login of ["guest", "stranger", "errand-bot"]) await review(8, { login });
    if (kind === "github") await review(8, { login: "robot" });
    for (const verdict of ["approved", "commented"] as const) await review(8, { verdict, threads: plain });
    assert.deepEqual(await turns(), [1]);
    await review(9, { body: "@errand help here", threads: plain });
    assert.deepEqual(await turns(), [1, 1], "who is asked by name comes");
  });
}

test("forgejo: reviews that are handled after later ones have their own remarks, even with the same words", async (t) => {
  const { connected, host } = await open(t, "forgejo");
  const asked = (body: string, path: string, verdict: "changes_requested" | "approved" = "changes_requested") => ({
    ...{ login: "ada", verdict, body },
    threads: [{ path, line: 1, body: `About ${path}.` }],
  });
  const reviews = [
    asked("First.", "lib/a.ts"),
    asked("Second.", "lib/b.ts"),
    asked("Second.", "lib/c.ts", "approved"),
    asked("", "lib/d.ts"),
    asked("", "lib/e.ts"),
  ];
  const startMs = Date.now();
  for (const [place, review] of reviews.entries()) {
    host.now = () => new Date(startMs + place * 60_000);
    for (const event of await host.reviewEvents(app, 8, review)) await connected.send(event);
  }
  await connected.conversations.processDue();
  const { queue } = connected.api.store;
  const claimed = await queue.claim("engine", 60_000);
  assert.ok(claimed !== null);
  const prompts: string[] = [];
  const ended = { status: "completed" as const, result: "Done.", summary: null, entries: [] };
  for (let turn: { prompt: string } | null = claimed.turn; turn !== null; ) {
    prompts.push(turn.prompt);
    turn = await queue.finishTurn(claimed.lease, ended);
  }
  assert.equal(prompts.length, 4);
  assert.match(prompts[0] ?? "", /^First\.\n\nlib\/a\.ts:1\nAbout lib\/a\.ts\.\n\n---\n/);
  assert.match(prompts[1] ?? "", /^Second\.\n\nlib\/b\.ts:1\nAbout lib\/b\.ts\.\n\n---\n/);
  assert.match(prompts[2] ?? "", /\n\nlib\/d\.ts:1\nAbout lib\/d\.ts\.\n\n---\n/);
  assert.match(prompts[3] ?? "", /\n\nlib\/e\.ts:1\nAbout lib\/e\.ts\.\n\n---\n/);
});

test("github: a remark of another review is a turn if it mentions the service", async (t) => {
  const { connected, host, review, turns } = await open(t, "github");
  await review(8, { verdict: "commented", body: "" });
  assert.deepEqual(await turns(), [2]);
  host.faults.push(502);
  await review(8, {});
  assert.deepEqual(await turns(), [2], "a review waits for a host that does not answer");
  connected.advance(60_000);
  await connected.conversations.processDue();
  assert.deepEqual(await turns(), [3]);
});

test("gitlab: of a review that asks for changes, each remark that mentions it is a message; no event has the review", async (t) => {
  const { connected, review, turns } = await open(t, "gitlab");
  await review(8, { threads: threads.slice(0, 1) });
  assert.deepEqual(await turns(), [1]);
  await review(8, {});
  assert.deepEqual(await turns(), [2]);
  const claimed = await connected.api.store.queue.claim("engine", 60_000);
  assert.match(claimed?.turn.prompt ?? "", /^A name, please, @errand\.\n/);
});
