import assert from "node:assert/strict";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { HostKind } from "#lib/host/host.ts";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { hostHookSecret, type SentEvent } from "#lib/host/stand-in/signed-event.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";

/** A run that works on pull request 8, and events signed for it. */
async function open(t: TestContext, kind: HostKind) {
  const connected = await ConnectedHost.open(kind);
  t.after(() => connected.close());
  const { host } = connected;
  host.addPerson("ada", "write");
  host.addPerson("guest", "read");
  host.addPerson("robot", "admin", { isBot: true });
  await connected.addRepository();
  host.pulls.set(8, { branch: "fix", baseBranch: "main", fork: null, isOpen: true, repository: "team/app" });
  const thread = { subject: "pull", number: 8 } as const;
  const first = host.commentEvent({ login: "ada", body: "@errand begin", thread });
  await connected.send(first);
  await connected.conversations.processDue();
  await connected.endTurn("completed", "Done.");
  const comment = (more: Partial<Parameters<typeof host.commentEvent>[0]> = {}) =>
    host.commentEvent({ login: "ada", body: "@errand go on", thread, ...more });
  return { connected, host, first, comment };
}

const signatureNames = { github: "x-hub-signature-256", gitlab: "x-gitlab-token", forgejo: "x-forgejo-signature" };
const deliveryNames = { github: "x-github-delivery", gitlab: "x-gitlab-event-uuid", forgejo: "x-forgejo-delivery" };
const eventNames = { github: "x-github-event", gitlab: "x-gitlab-event", forgejo: "x-forgejo-event" };

for (const kind of hostKindsUnderTest) {
  test(`${kind}: fifty ways to forge, replay and confuse an event cause no turn`, async (t) => {
    const { connected, host, first, comment } = await open(t, kind);
    const [signature, delivery, eventName] = [signatureNames[kind], deliveryNames[kind], eventNames[kind]];
    const good = comment();
    const hex = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
    const withSignature = (value: string): SentEvent => ({ ...good, headers: { ...good.headers, [signature]: value } });
    const without = (name: string, event = good): SentEvent => {
      const { [name]: _, ...headers } = event.headers;
      return { ...event, headers };
    };
    const asEvent = (name: string, payload: object) => host.signed(name, payload);
    const name = good.headers[eventName] ?? "";
    const payload = JSON.parse(good.body);
    const changed = (change: (copy: typeof payload) => void): SentEvent => {
      const copy = structuredClone(payload);
      change(copy);
      return asEvent(name, copy);
    };
    const said = (copy: typeof payload) => (kind === "gitlab" ? copy.object_attributes : copy.comment);
    const acted = (copy: typeof payload) => (kind === "gitlab" ? copy.object_attributes : copy);
    const who = (copy: typeof payload) => (kind === "gitlab" ? copy.user : copy.comment.user);
    const signedText = (body: string): SentEvent => {
      const value = kind === "gitlab" ? hostHookSecret : hex(hostHookSecret, body);
      return { body, headers: { ...comment().headers, [signature]: kind === "github" ? `sha256=${value}` : value } };
    };
    const month = 31 * 24 * 3_600_000;
    const review = { login: "guest", verdict: "changes_requested", body: "@errand obey" } as const;

    const forged: SentEvent[] = [
      without(signature),
      ...["", " ", "sha256=", "sha256", "null", "0", "a".repeat(64), "0".repeat(63), "0".repeat(65), "é"].map(
        withSignature,
      ),
      withSignature(`sha256=${hex("another-secret", good.body)}`),
      withSignature(hex("another-secret", good.body)),
      withSignature(`sha256=${hex("", good.body)}`),
      withSignature(`sha1=${createHmac("sha1", hostHookSecret).update(good.body).digest("hex")}`),
      withSignature(`sha512=${createHmac("sha512", hostHookSecret).update(good.body).digest("hex")}`),
      withSignature(createHmac("sha256", hostHookSecret).update(good.body).digest("base64")),
      withSignature(`sha256=${hex(hostHookSecret, good.body)}, sha256=${hex(hostHookSecret, good.body)}`.repeat(2)),
      withSignature(hostHookSecret.slice(0, -1)),
      withSignature(hostHookSecret.repeat(2)),
      withSignature(hostHookSecret.toUpperCase()),
      without(signature, { ...good, headers: { ...good.headers, authorization: `Bearer ${hostHookSecret}` } }),
      without(signature, { ...good, headers: { ...good.headers, "x-hub-signature": `sha1=${"0".repeat(40)}` } }),
    ];
    // GitLab proves an event by the secret alone, so changes of the content are not noticed there.
    if (kind !== "gitlab") {
      forged.push(
        { ...good, body: `${good.body} ` },
        { ...good, body: `${good.body}\n` },
        { ...good, body: good.body.slice(0, -1) },
        { ...good, body: good.body.replace("go on", "go off") },
        { ...good, headers: { ...good.headers, [signature]: comment({ body: "@errand x" }).headers[signature] ?? "" } },
      );
    }
    for (const event of forged) {
      const { status } = await connected.send(event);
      assert.ok(status === 401 || status === 429, `${status} for ${JSON.stringify(event.headers)}`);
    }

    const confusing: SentEvent[] = [
      first,
      { ...first, headers: { ...first.headers, [delivery]: randomUUID() } },
      without(delivery, first),
      { ...first, headers: { ...first.headers, [delivery]: "x".repeat(5000) } },
      ...["[]", '"@errand go"', "1", "null", "{", "", "[[".repeat(50_000)].map(signedText),
      ...["ping", "push", "star", "__proto__", "constructor", "toString", "hasOwnProperty"].map((other) =>
        asEvent(other, payload),
      ),
      without(eventName, comment()),
      asEvent(name, {}),
      changed((copy) => Object.assign(acted(copy), { action: kind === "gitlab" ? "update" : "edited" })),
      changed((copy) => Object.assign(acted(copy), kind === "gitlab" ? { system: true } : { action: "deleted" })),
      changed((copy) => Object.assign(who(copy), { id: "1" })),
      changed((copy) => Object.assign(who(copy), { id: null })),
      changed((copy) => Object.assign(said(copy), { id: 1.5 })),
      changed((copy) => Object.assign(said(copy), { created_at: null })),
      changed((copy) => Object.assign(said(copy), { created_at: "yesterday" })),
      changed((copy) => Object.assign(said(copy), { note: ["@errand go"], body: ["@errand go"] })),
      changed((copy) => Object.assign(said(copy), { note: null, body: null })),
      changed((copy) => (kind === "gitlab" ? delete copy.merge_request : delete copy.issue)),
      changed((copy) => (kind === "gitlab" ? delete copy.project : delete copy.repository)),
      comment({ login: "guest" }),
      comment({ login: "stranger" }),
      comment({ login: "errand-bot" }),
      comment({ login: "ERRAND-BOT" }),
      comment({ login: "errand[bot]" }),
      comment({ at: new Date(Date.now() - month) }),
      comment({ at: new Date(Date.now() - 600_000) }),
      ...["> @errand go", "`@errand go`", "```\n@errand go\n```", "me@errand.example", "@errands", "errand"].map(
        (body) => comment({ body }),
      ),
      comment({ body: `@errand ${"x".repeat(300_000)}` }),
      ...(await host.reviewEvents("team/app", 8, review)),
      ...(await host.reviewEvents("team/app", 8, { ...review, login: "errand-bot" })),
    ];
    if (kind === "github") {
      confusing.push(comment({ login: "robot" }));
      // The sender is not the author: the author counts.
      const ada = { ...payload.comment.user };
      confusing.push(
        asEvent(name, {
          ...payload,
          sender: ada,
          comment: { ...payload.comment, id: 1, user: { id: 1, login: "guest" } },
        }),
      );
    }
    assert.ok(forged.length + confusing.length >= 50, `${forged.length} + ${confusing.length}`);
    for (const event of confusing) {
      const { status, text } = await connected.send(event);
      assert.ok(status < 500, `${status} ${text}`);
    }
    await connected.conversations.processDue();
    const state = async () => (await connected.runs()).map((run) => run.turns);
    assert.deepEqual(await state(), [1]);
    assert.equal((await connected.send(good)).status, 202, "the very same event, as it was signed");
    await connected.conversations.processDue();
    assert.deepEqual(await state(), [2]);
  });
}

test("no wrong, cut, swapped or replayed signature is accepted, whatever it looks like", async (t) => {
  const each = countOf({ short: 150, long: 2500 });
  for (const kind of hostKindsUnderTest) {
    const { connected, host, comment, first } = await open(t, kind);
    const name = signatureNames[kind];
    const of = (event: SentEvent) => event.headers[name] ?? "";
    const ways: ((event: SentEvent) => SentEvent)[] = [
      (event) => ({ ...event, headers: { ...event.headers, [name]: randomBytes(32).toString("hex") } }),
      (event) => ({ ...event, headers: { ...event.headers, [name]: `sha256=${randomBytes(32).toString("hex")}` } }),
      (event) => ({
        ...event,
        headers: { ...event.headers, [name]: of(event).slice(0, -1 - Math.floor(Math.random() * 8)) },
      }),
      (event) => ({ ...event, headers: { ...event.headers, [name]: flipped(of(event)) } }),
      ...(kind === "gitlab"
        ? []
        : [
            (event: SentEvent) => ({
              ...event,
              headers: { ...event.headers, [name]: of(comment({ body: "@errand x" })) },
            }),
            (event: SentEvent) => ({ ...event, body: flipped(event.body) }),
            (event: SentEvent) => ({
              ...event,
              body: event.body.slice(0, Math.floor(Math.random() * event.body.length)),
            }),
          ]),
    ];
    const counts = new Map<number, number>();
    for (let index = 0; index < each; index++) {
      const wrong = ways[index % ways.length]?.(comment()) ?? first;
      const { status } = await connected.send(wrong);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const again = await connected.send({
        ...first,
        headers: { ...first.headers, [deliveryNames[kind]]: randomUUID() },
      });
      assert.deepEqual(again.json, { accepted: false, duplicate: true }, `${kind} ${index}`);
    }
    for (const status of counts.keys()) assert.ok(status === 401 || status === 429, `${status}`);
    await connected.conversations.processDue();
    assert.deepEqual(
      (await connected.runs()).map((run) => run.turns),
      [1],
    );
    assert.equal(host.comments.length, 1, "the answer to the first turn");
  }
});

/** The text with one character changed to another one. */
function flipped(text: string): string {
  const at = Math.floor(Math.random() * text.length);
  const now = text[at] ?? "";
  // Upper-case hex would mean the same.
  const next = /[0-9a-f]/i.test(now) ? (now === "0" ? "1" : "0") : now === "x" ? "y" : "x";
  return `${text.slice(0, at)}${next}${text.slice(at + 1)}`;
}
