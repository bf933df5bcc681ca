// One suite, in the order of a pull request's life: every case uses the same host, repository and clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HostError, type HostRefusal, type Send } from "./call-host.ts";
import { CodeHost, hostLogin, hostToken, secondaryLimit } from "./code-host.fixture.ts";
import type { HostKind } from "./host.ts";
import { openHost } from "./open-host.ts";
import { isOutage } from "./outage.ts";
import { annotationsMax, logBytesMax } from "./pull-host.ts";

const app = "team/app";
const branch = "errand/run-1";

/** Specifies, as tests, what every code host must do about pull requests and checks. `send` is the HTTP client. */
export function pullConformance(kind: HostKind, send: Send): void {
  const signal = new AbortController().signal;
  const open = async (t: { after(work: () => Promise<void>): void }) => {
    const server = await CodeHost.open(kind);
    t.after(() => server.close());
    await server.createRepository(app);
    const commit = await server.pushAs("ada", app, branch, { "b.txt": "two\n" });
    const { pulls } = openHost(kind, {
      baseUrl: server.baseUrl,
      credential: { kind: "token", token: hostToken },
      send,
    });
    return { server, pulls, commit };
  };
  const asked = { headBranch: branch, baseBranch: "main", title: "Fix the build", body: "It was red.", draft: false };
  const refused = (status: number | null, reason: HostRefusal | null, words = /./) => {
    return (error: unknown) => {
      assert.ok(error instanceof HostError, String(error));
      assert.deepEqual([error.status, error.reason], [status, reason], error.message);
      assert.match(error.message, words);
      assert.ok(!error.message.includes(hostToken));
      return true;
    };
  };

  test("a repository shows its default branch and whether the credential may push", async (t) => {
    const { server, pulls } = await open(t);
    assert.deepEqual(await pulls.repository(app, signal), { defaultBranch: "main", canPush: true });
    server.setRules(app, { readOnly: true, defaultBranch: "next" });
    assert.deepEqual(await pulls.repository(app, signal), { defaultBranch: "next", canPush: false });
    server.setRules(app, { readOnly: false, archived: true });
    assert.equal((await pulls.repository(app, signal))?.canPush, false);
    server.setRules(app, { hidden: true });
    assert.equal(await pulls.repository(app, signal), null);
  });

  test("a pull request's title and text do nothing on the host, and come back as they were written", async (t) => {
    const { server, pulls } = await open(t);
    const code = "```\ngit commit -m 'fixes #2'\n```";
    const body = `Fixed it for @bob, closes #2.\n/merge\n\n${code}\n\n<!-- hidden`;
    const { number, title } = await pulls.openPull(app, { ...asked, title: "Fixes #2 of @bob", body }, signal);
    assert.equal(title, "Fixes #2 of @bob");
    const sent = () => ({ title: "", body: "", ...server.pulls.get(number) });
    assert.match(sent().title, /^Fixes\u2060 #\u20602 of @\u2060bob$/);
    // GitLab alone closes issues that a description's code names.
    const shown = code.replace("fixes", kind === "gitlab" ? "fixes\u2060" : "fixes");
    const quiet = `Fixed it for @\u2060bob, closes\u2060 #\u20602.\n\\/merge\n\n${shown}\n\n&lt;!-- hidden`;
    assert.equal(sent().body, quiet);
    await pulls.updatePull(app, number, { draft: true }, signal);
    assert.match(sent().title, /Fixes\u2060 #\u20602 of @\u2060bob$/);
    const own = { by: "person", text: "Fixes #2 of @bob" } as const;
    await pulls.updatePull(app, number, { title: own, body: [own, { own: "---" }] }, signal);
    assert.match(sent().title, /Fixes #2 of @\u2060bob$/);
    assert.equal(sent().body, "Fixes #2 of @\u2060bob\n\n---");
  });

  test("a pull request is opened, found by its branch, changed, closed and reopened", async (t) => {
    const { server, pulls, commit } = await open(t);
    assert.equal(await pulls.findPull(app, branch, signal), null);
    const opened = await pulls.openPull(app, asked, signal);
    const { url, number, ...others } = opened;
    assert.ok(url.startsWith(`${server.baseUrl}/${app}/`) && url.endsWith(`/${number}`), url);
    const head = { branch, commit };
    const texts = { title: asked.title, body: asked.body };
    assert.deepEqual(others, { ...texts, draft: false, state: "open", head, baseBranch: "main", author: hostLogin });
    assert.deepEqual(await pulls.findPull(app, branch, signal), opened);
    assert.deepEqual(await pulls.getPull(app, number, signal), opened);
    assert.equal(await pulls.getPull(app, number + 1, signal), null);
    assert.deepEqual(await pulls.updatePull(app, number, { body: "It is green." }, signal), {
      ...opened,
      body: "It is green.",
    });
    const closed = await pulls.updatePull(app, number, { title: "Fix", state: "closed" }, signal);
    assert.deepEqual([closed.title, closed.state, closed.body], ["Fix", "closed", "It is green."]);
    assert.equal((await pulls.updatePull(app, number, { state: "closed" }, signal)).state, "closed", "once more");
    assert.equal((await pulls.findPull(app, branch, signal))?.state, "closed");
    assert.equal((await pulls.updatePull(app, number, { state: "open" }, signal)).state, "open");
    const next = await server.pushAs("bob", app, branch, { "b.txt": "three\n" });
    assert.equal((await pulls.getPull(app, number, signal))?.head.commit, next);
  });

  test("a pull request of a fork with the same branch is another one, and the newest counts", async (t) => {
    const { server, pulls } = await open(t);
    server.pulls.set(40, { branch, baseBranch: "main", fork: "team/fork", isOpen: true, repository: app });
    server.pulls.set(41, { branch: "other", baseBranch: "main", fork: null, isOpen: true, repository: app });
    assert.equal(await pulls.findPull(app, branch, signal), null);
    const { number } = await pulls.openPull(app, asked, signal);
    await pulls.updatePull(app, number, { state: "closed" }, signal);
    const again = await pulls.openPull(app, asked, signal);
    assert.notEqual(again.number, number);
    assert.equal((await pulls.findPull(app, branch, signal))?.number, again.number);
  });

  test("a merged pull request says so, even without its branch", async (t) => {
    const { server, pulls } = await open(t);
    const { number, head } = await pulls.openPull(app, asked, signal);
    await server.actOn(app, number, "merged", "ada");
    await server.git.deleteBranch(app, branch);
    const merged = await pulls.getPull(app, number, signal);
    assert.deepEqual([merged?.state, merged?.head], ["merged", head]);
    assert.equal((await pulls.findPull(app, branch, signal))?.state, "merged");
  });

  test("a draft is shown as one, stays one when its title changes, is marked ready, and becomes a draft again", async (t) => {
    const { pulls } = await open(t);
    const opened = await pulls.openPull(app, { ...asked, draft: true }, signal);
    assert.deepEqual([opened.draft, opened.title], [true, asked.title]);
    const renamed = await pulls.updatePull(app, opened.number, { title: "Better" }, signal);
    assert.deepEqual([renamed.draft, renamed.title], [true, "Better"]);
    const ready = await pulls.updatePull(app, opened.number, { draft: false }, signal);
    assert.deepEqual([ready.draft, ready.title], [false, "Better"]);
    const now = await pulls.getPull(app, opened.number, signal);
    assert.deepEqual([now?.draft, now?.title], [false, "Better"]);
    assert.equal((await pulls.updatePull(app, opened.number, { draft: false }, signal)).draft, false, "once more");
    const again = await pulls.updatePull(app, opened.number, { draft: true }, signal);
    assert.deepEqual([again.draft, again.title, again.state], [true, "Better", "open"]);
    const then = await pulls.getPull(app, opened.number, signal);
    assert.deepEqual([then?.draft, then?.title], [true, "Better"]);
  });

  test("a refusal says what can be done about it", async (t) => {
    const { server, pulls } = await open(t);
    await pulls.openPull(app, asked, signal);
    const duplicate = kind === "github" ? 422 : 409;
    await assert.rejects(pulls.openPull(app, asked, signal), refused(duplicate, "duplicate", /already exists/));
    assert.equal(server.pulls.size, 1);
    if (kind === "github") {
      await server.git.commit(app, "same", { author: "ada", message: "m", files: {}, from: "main" });
      await server.git.merge(app, { branch: "same", into: "main", author: "ada" });
      const empty = pulls.openPull(app, { ...asked, headBranch: "same" }, signal);
      await assert.rejects(empty, refused(422, "no_commits", /Validation Failed: No commits between main and same\.$/));
      server.setRules(app, { refusesDrafts: true });
      await server.pushAs("ada", app, "draft", { "c.txt": "" });
      const draft = pulls.openPull(app, { ...asked, headBranch: "draft", draft: true }, signal);
      await assert.rejects(draft, refused(422, "no_drafts", /Draft pull requests are not supported/));
    }
    if (kind !== "gitlab") {
      for (const [lost, reason] of [
        [{ headBranch: "gone" }, "no_head"],
        [{ baseBranch: "gone" }, "no_branch"],
      ] as const) {
        const status = kind === "github" ? 422 : 404;
        const unknown = pulls.openPull(app, { ...asked, ...lost }, signal);
        await assert.rejects(unknown, refused(status, reason, /gone|is invalid/));
      }
    }
    await server.pushAs("ada", app, "more", { "d.txt": "" });
    server.setRules(app, { refusesPulls: true });
    const ruled = pulls.openPull(app, { ...asked, headBranch: "more" }, signal);
    await assert.rejects(ruled, refused(kind === "github" ? 422 : 403, "protected", /rule violations|protected/));
    server.setRules(app, { refusesPulls: false });
    server.lacks.add("pulls");
    const more = pulls.openPull(app, { ...asked, headBranch: "more" }, signal);
    await assert.rejects(more, refused(403, "scope", /refused \(403\): /));
    await assert.rejects(pulls.updatePull(app, 1, { title: "x" }, signal), refused(403, "scope"));
  });

  test("a review is requested from a person who may give one; others are refused without an error", async (t) => {
    const { server, pulls } = await open(t);
    server.addPerson("ada", "write");
    server.addPerson("bob", "read");
    server.addPerson("eve", "none");
    const { number } = await pulls.openPull(app, asked, signal);
    const person = (login: string) => ({ id: server.people.get(login)?.id ?? 7, login });
    assert.equal(await pulls.requestReview(app, number, person("ada"), signal), true);
    assert.equal(await pulls.requestReview(app, number, person("bob"), signal), true);
    assert.equal(await pulls.requestReview(app, number, person("ada"), signal), true, "once more");
    assert.deepEqual(server.pulls.get(number)?.reviewers?.sort(), ["ada", "bob"]);
    assert.equal(await pulls.requestReview(app, number, person("eve"), signal), false);
    assert.equal(await pulls.requestReview(app, number, person("stranger"), signal), false);
    server.faults.push(500);
    await assert.rejects(pulls.requestReview(app, number, person("ada"), signal), refused(500, null));
  });

  test("checks are returned as they are, the newest of each name, and only once while nothing changes", async (t) => {
    const { server, pulls, commit } = await open(t);
    const { number } = await pulls.openPull(app, asked, signal);
    const ask = (etag: string | null = null) => pulls.checks(app, { commit, number }, etag, signal);
    const told = async (etag: string | null = null) =>
      (await ask(etag)).checks?.map(({ name, status, conclusion }) => [name, status, conclusion]);
    assert.deepEqual(await told(), []);
    const running = server.setCheck(app, commit, { name: "build", conclusion: null });
    server.setCheck(app, "f".repeat(40), { name: "elsewhere", conclusion: "failure" });
    assert.deepEqual(await told(), [["build", "running", null]]);
    const { etag } = await ask();
    assert.notEqual(etag, null);
    assert.deepEqual(await ask(etag), { checks: null, etag });
    assert.equal(server.setCheck(app, commit, { name: "build", conclusion: "failure" }).id, running.id);
    assert.deepEqual(await told(etag), [["build", "completed", "failure"]]);
    const [red] = (await ask()).checks ?? [];
    assert.ok(red?.completedAt instanceof Date && red.startedAt instanceof Date && red.url?.startsWith("http"));
    server.setCheck(app, commit, { name: "build", conclusion: "success" });
    server.setCheck(app, commit, { name: "lint", conclusion: "neutral" });
    server.setCheck(app, commit, { name: "docs", conclusion: "skipped" });
    assert.deepEqual(await told(etag), [
      ["build", "completed", "success"],
      ["lint", "completed", "neutral"],
      ["docs", "completed", "skipped"],
    ]);
    if (kind !== "forgejo") assert.notEqual((await ask()).checks?.[0]?.id, red.id, "a repeated run is another one");
    for (const asStatus of [true, false]) {
      server.setCheck(app, commit, { name: `ci/${asStatus}`, conclusion: "failure", isStatus: asStatus });
    }
    assert.equal((await told())?.filter(([, , conclusion]) => conclusion === "failure").length, 2);
    server.lacks.add("checks");
    assert.deepEqual(await told(), [], "a credential that may not see them sees none");
    server.lacks.clear();
    server.faults.push(502);
    await assert.rejects(ask(), refused(502, null), "a failure is no list of checks");
  });

  test("every page of checks is read", async (t) => {
    const { server, pulls, commit } = await open(t);
    for (let index = 0; index < 230; index++) {
      const conclusion = index === 229 ? "failure" : "success";
      server.setCheck(app, commit, { name: `shard ${index}`, conclusion });
    }
    const ask = (etag: string | null) => pulls.checks(app, { commit, number: 1 }, etag, signal);
    const { checks, etag } = await ask(null);
    assert.equal(checks?.length, 230);
    assert.equal(checks.filter(({ conclusion }) => conclusion === "failure").length, 1);
    server.setCheck(app, commit, { name: "shard 229", conclusion: "success" });
    const again = await ask(etag);
    assert.ok(
      again.checks?.every(({ conclusion }) => conclusion === "success"),
      "a change on a later page is seen",
    );
  });

  test("a failed check has its annotations, on hosts that have them", async (t) => {
    const { server, pulls, commit } = await open(t);
    const annotations = [
      { path: "lib/a.ts", line: 3, level: "failure" as const, message: "x is not defined" },
      ...Array.from({ length: annotationsMax }, (_, line) => ({
        path: "b.ts",
        line: line + 1,
        level: "warning" as const,
        message: "unused",
      })),
    ];
    server.setCheck(app, commit, { name: "build", conclusion: "failure", annotations });
    server.setCheck(app, commit, { name: "lint", conclusion: "success", annotations });
    const { checks } = await pulls.checks(app, { commit, number: 1 }, null, signal);
    const found = checks?.map((check) => check.annotations) ?? [];
    assert.deepEqual(found, kind === "github" ? [annotations.slice(0, annotationsMax), []] : [[], []]);
  });

  test("the end of a log is read, from the beginning of a line, without sending the credential to another server", async (t) => {
    const { server, pulls, commit } = await open(t);
    const line = (index: number) => `line ${index} ${"x".repeat(90)}\n`;
    const lines = Array.from({ length: 200_000 }, (_, index) => line(index)).join("");
    server.setCheck(app, commit, { name: "short", conclusion: "failure", log: "one\ntwo äöü\n" });
    server.setCheck(app, commit, { name: "empty", conclusion: "failure", log: "" });
    server.setCheck(app, commit, { name: "gone", conclusion: "failure", log: null });
    server.setCheck(app, commit, { name: "foreign", conclusion: "failure", log: "secret", isStatus: true });
    server.setCheck(app, commit, { name: "long", conclusion: "failure", log: lines.slice(0, 4_000_000) });
    server.setCheck(app, commit, { name: "huge", conclusion: "failure", log: lines });
    const { checks } = await pulls.checks(app, { commit, number: 1 }, null, signal);
    const logOf = async (name: string) => {
      const check = checks?.find((one) => one.name === name);
      assert.ok(check !== undefined);
      return await pulls.checkLog(app, check, signal);
    };
    if (kind === "forgejo") return assert.equal(await logOf("short"), null);
    assert.equal(await logOf("short"), "one\ntwo äöü\n");
    assert.equal(await logOf("empty"), "");
    assert.equal(await logOf("gone"), kind === "github" ? null : "");
    assert.equal(await logOf("foreign"), null);
    const long = (await logOf("long")) ?? "";
    assert.ok(long.length <= logBytesMax && long.length > logBytesMax - 200, String(long.length));
    assert.match(long, /^line \d+ x+\n/);
    assert.ok(lines.slice(0, 4_000_000).endsWith(long));
    const huge = (await logOf("huge")) ?? "";
    // GitLab's server cannot return a part of a log.
    if (kind === "github") assert.ok(huge.startsWith("line ") && lines.endsWith(huge));
    else assert.match(huge, /^line [\s\S]*\n\[The log continues: the host returns only its beginning\.\]$/);
  });

  test("a rate limit of the host says how long to wait; it is neither a missing object nor a refusal", async (t) => {
    const { server, pulls, commit } = await open(t);
    const calls = [
      () => pulls.repository(app, signal),
      () => pulls.getPull(app, 1, signal),
      () => pulls.findPull(app, branch, signal),
      () => pulls.openPull(app, asked, signal),
      () => pulls.checks(app, { commit, number: 1 }, null, signal),
    ];
    const unsaid = { status: 403, message: "You have exceeded a secondary rate limit." };
    const limits = [
      [secondaryLimit(60), 60_000],
      [{ status: 429, headers: { "retry-after": "7" } }, 7000],
      [{ status: 429 }, 60_000],
      [unsaid, 60_000],
    ] as const;
    for (const call of calls) {
      for (const [fault, waitMs] of limits) {
        server.faults.push(fault);
        await assert.rejects(call(), (error) => {
          assert.ok(error instanceof HostError && error.waitMs === waitMs, String(error));
          return true;
        });
      }
    }
    assert.equal(server.pulls.size, 0);
  });

  test("a pull request whose response broke off may be asked for again, and is found", async (t) => {
    const { server, pulls } = await open(t);
    server.faults.push("cut");
    await assert.rejects(pulls.openPull(app, asked, signal), (error) => {
      assert.match(String(error), /The response from \w+ was cut off\./);
      return isOutage(error);
    });
    assert.equal((await pulls.findPull(app, branch, signal))?.title, asked.title);
  });

  test("a pull request whose response was lost is found, and a host that is down gives an error, not an answer", async (t) => {
    const { server, pulls } = await open(t);
    server.faults.push("lost");
    await assert.rejects(pulls.openPull(app, asked, signal), /broke before it answered/);
    assert.equal((await pulls.findPull(app, branch, signal))?.title, asked.title);
    server.isGone = true;
    await assert.rejects(pulls.findPull(app, branch, signal), /broke before it answered/);
  });
}
