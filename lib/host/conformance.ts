import assert from "node:assert/strict";
import { test } from "node:test";
import { IntegrationSettings } from "#lib/contract/integrations/integration.ts";
import { HostError, type Send } from "./call-host.ts";
import { CodeHost, hostHookSecret, hostLogin, hostToken } from "./code-host.fixture.ts";
import type { HostKind, HostThread } from "./host.ts";
import { openHost } from "./open-host.ts";
import { isAuthentic, readDelivery } from "./read-delivery.ts";

/** Specifies, as tests, what every code host must do. `send` is the HTTP client. */
export function hostConformance(kind: HostKind, send: Send): void {
  const signal = new AbortController().signal;
  const thread: HostThread = { repository: "team/app", subject: "issue", number: 7, replyTo: null };
  const open = async (t: { after(work: () => Promise<void>): void }, token = hostToken) => {
    const server = await CodeHost.open(kind);
    t.after(() => server.close());
    const host = openHost(kind, { baseUrl: server.baseUrl, credential: { kind: "token", token }, send });
    return { server, host };
  };
  const refusedWith = (status: number | null, words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof HostError, String(error));
    assert.equal(error.status, status);
    assert.match(error.message, words);
    assert.ok(!error.message.includes(hostToken));
    return true;
  };

  test("a token shows which account it acts as; a wrong one is refused in words", async (t) => {
    const { host, server } = await open(t);
    assert.deepEqual(await host.identity(signal), { login: hostLogin, kind: "user" });
    const wrong = openHost(kind, { baseUrl: server.baseUrl, credential: { kind: "token", token: "x" }, send });
    await assert.rejects(
      wrong.identity(signal),
      refusedWith(401, /does not accept the secret \(401\): Bad credentials\.$/),
    );
  });

  test("a person is found by name, as they write it themselves", async (t) => {
    const { host, server } = await open(t);
    server.addPerson("Ada", "none");
    const id = server.people.get("Ada")?.id;
    assert.deepEqual(await host.person("ada", signal), { id, login: "Ada" });
    assert.equal(await host.person("nobody", signal), null);
  });

  test("permission is what the host says now, and none for a stranger", async (t) => {
    const { host, server } = await open(t);
    for (const permission of ["read", "write", "admin", "none"] as const) {
      server.addPerson(permission, permission);
      const id = server.people.get(permission)?.id ?? 0;
      assert.equal(await host.permission("team/app", { id, login: permission }, signal), permission);
    }
    assert.equal(await host.permission("team/app", { id: 1, login: "stranger" }, signal), "none");
    server.faults.push(500);
    const asked = host.permission("team/app", { id: 1, login: "write" }, signal);
    await assert.rejects(asked, refusedWith(500, /answered with status 500/), "a failure is no permission");
  });

  test("a pull request shows its branch, whether that is in the repository itself, and whether it is open", async (t) => {
    const { host, server } = await open(t);
    const pull = { branch: "fix/login", baseBranch: "main", fork: null, isOpen: true };
    server.pulls.set(8, pull);
    server.pulls.set(9, { ...pull, fork: "ada/app" });
    server.pulls.set(10, { ...pull, isOpen: false });
    const head = { branch: "fix/login", isOwn: true, isGone: false };
    const own = { isOpen: true, head, baseBranch: "main" };
    assert.deepEqual(await host.pull("team/app", 8, signal), own);
    assert.deepEqual(await host.pull("team/app", 9, signal), { ...own, head: { ...head, isOwn: false } });
    assert.deepEqual(await host.pull("team/app", 10, signal), { ...own, isOpen: false });
    assert.equal(await host.pull("team/app", 11, signal), null);
    server.pulls.set(12, { ...pull, branch: "fix/gone", isDeleted: true });
    // Hosts other than GitLab close a pull request when its branch is deleted.
    const isOpen = kind === "gitlab";
    const deleted = { ...own, isOpen, head: { ...head, branch: "fix/gone", isGone: isOpen } };
    assert.deepEqual(await host.pull("team/app", 12, signal), deleted);
    server.faults.push(403);
    assert.equal(await host.pull("team/app", 8, signal), null, "the token may not see pull requests");
    server.faults.push(502);
    await assert.rejects(host.pull("team/app", 8, signal), refusedWith(502, /answered with status 502/));
  });

  test("a reply goes to its conversation, and is found again by its mark", async (t) => {
    const { host, server } = await open(t);
    const since = new Date(Date.now() - 60_000);
    assert.equal(await host.findReply(thread, "<!-- 1 -->", since, signal), null);
    const written = await host.reply(
      thread,
      ["Done.", "<!-- 1 -->"].map((own) => ({ own })),
      signal,
    );
    assert.deepEqual((await host.findReply(thread, "<!-- 1 -->", since, signal))?.id, written.id);
    assert.equal(await host.findReply(thread, "<!-- 2 -->", since, signal), null);
    const pull: HostThread = { ...thread, subject: "pull", number: 8 };
    await host.reply(pull, "There too.", signal);
    assert.deepEqual(
      server.comments.map(({ body, number }) => [number, body]),
      [
        [7, "Done.\n\n<!-- 1 -->"],
        [8, "There too."],
      ],
    );
  });

  test("a reply is no command, mentions only who asked, refers to nothing, and leaves nothing open", async (t) => {
    const { host, server } = await open(t);
    const text =
      "Hello @ada, @team/core and @everyone: closes #2, see team/app#3 and !4.\n/close\n/assign @bob\n```\n/close #1 @bob";
    await host.reply(thread, [{ by: "agent", text, asker: "Ada" }, { own: "[Run](http://e.test/1)" }], signal);
    assert.equal(
      server.comments[0]?.body.replaceAll("\u2060", "·"),
      "Hello @ada, @·team/core and @·everyone: closes· #·2, see team/app#·3 and !·4.\n\\/close\n\\/assign @·bob\n```\n/close #1 @bob\n```\n\n[Run](http://e.test/1)",
    );
    const long = [
      { by: "agent", text: `${"😀".repeat(40_000)}\n\`\`\`\n` },
      { own: "[Run]", leads: true },
    ] as const;
    await host.reply(thread, long, signal);
    const cut = server.comments[1]?.body ?? "";
    assert.ok(cut.length <= 65_536 && cut.isWellFormed());
    assert.match(cut, /^\[Run\]\n\n😀+\n\n… The rest is in the run\.$/u);
  });

  test("a reply is found below many other comments, in a conversation and in a thread of a pull request", async (t) => {
    const { host, server } = await open(t);
    const remark: HostThread = { ...thread, subject: "pull", number: 8, replyTo: "31" };
    const since = new Date(Date.now() - 3_600_000);
    const at = (minute: number) => new Date(since.getTime() + minute * 1000).toISOString();
    for (const where of [thread, remark]) {
      for (let count = 0; count < 130; count += 1) {
        server.comments.push({ ...where, id: server.nextId(), author: "bob", body: "+1", createdAt: at(count) });
      }
      const written = await host.reply(where, "Done. <!-- 1 -->", signal);
      assert.equal((await host.findReply(where, "<!-- 1 -->", since, signal))?.id, written.id, where.subject);
    }
  });

  test("an address without such a host is reported", async (t) => {
    const { host, server } = await open(t);
    server.faults.push(200);
    await assert.rejects(host.identity(signal), refusedWith(200, /responds, but not like/));
    server.faults.push(302);
    await assert.rejects(host.identity(signal), refusedWith(302, /redirects/));
  });

  test("a comment that mentions the service is heard; others, bots and its own are not", async (t) => {
    const { server } = await open(t);
    server.addPerson("ada", "write");
    server.addPerson("robot", "write", { isBot: true });
    const integration = {
      type: kind,
      account: hostLogin,
      settings: IntegrationSettings.parse({}),
      createdAt: new Date().toISOString(),
    };
    const read = (login: string, body: string, more: object = {}) => {
      const event = server.commentEvent({ login, body, thread, ...more });
      const header = (name: string) => event.headers[name] ?? null;
      const bytes = Buffer.from(event.body);
      const sent = { header, bytes, nowMs: Date.now() };
      assert.equal(isAuthentic(kind, { ...sent, secret: hostHookSecret }), true);
      assert.equal(isAuthentic(kind, { ...sent, secret: "another-secret" }), false);
      if (kind !== "gitlab") {
        assert.equal(
          isAuthentic(kind, { ...sent, bytes: Buffer.from(`${event.body} `), secret: hostHookSecret }),
          false,
        );
      }
      const delivery = readDelivery(integration, { ...sent, payload: JSON.parse(event.body) });
      assert.equal(delivery.kind, "event");
      return delivery.kind === "event" ? delivery : null;
    };
    const message = read("ada", "@Errand please fix this", { title: "Broken", opening: "See the log." })?.message;
    assert.ok(message?.from === "host");
    const { event } = message;
    assert.deepEqual(
      [event.kind, event.author.login, event.body, event.title, event.opening?.body, event.thread.number],
      ["issue", "ada", "@Errand please fix this", "Broken", "See the log.", 7],
    );
    assert.deepEqual([event.thread.repository, event.thread.subject], ["team/app", "issue"]);
    assert.notEqual(read("ada", `@${hostLogin} as well`)?.message, null, "its name there is listened for too");
    for (const body of [
      "errand",
      "mail me@errand.example",
      "@errands",
      "> @errand said",
      "`@errand`",
      "```\n@errand\n```",
    ]) {
      assert.equal(read("ada", body)?.message, null, body);
    }
    assert.match(read(hostLogin, "@errand again")?.note ?? "", /by Errand itself/);
    if (kind === "github") assert.match(read("robot", "@errand loop")?.note ?? "", /by a bot/);
    const other = readDelivery(integration, {
      header: (name) => (name.endsWith("-event") ? "push" : null),
      bytes: Buffer.from("{}"),
      payload: {},
      nowMs: 0,
    });
    assert.ok(other.kind === "event" && other.message === null);
  });
}
