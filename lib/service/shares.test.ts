import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintShare } from "#lib/auth/share-secret.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { endedRun, logsOf, O, ran, read, said, secret, share } from "#lib/web/shared-run.fixture.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("anyone who has the link reads the run without signing in, and learns nothing beyond what it shows", async () => {
  const { run, lease } = await api.liveRun([said("Go"), ran("the answer"), said("Done")]);
  await api.store.queue.setFigures(lease, { branch: "errand/1", costUsd: 2 });
  await api.finish(lease);
  const { token, url } = await share(api, run.id, { outputs: true });
  assert.match(token, /^[0-9A-Za-z]{32}$/);
  assert.equal(url, `http://errand.test/share/${token}`);
  const shown = await read(api, token);
  assert.equal(shown.status, 200, shown.text);
  const { share: facts, ...rest } = shown.json;
  assert.deepEqual(
    [rest.id, rest.total_logs, rest.prompt, rest.status, rest.branch, rest.web_url, rest.result],
    [run.id, 3, "Look around", "completed", "errand/1", url, "done"],
  );
  for (const hidden of ["repo_id", "repo_full_name", "user_id", "user_name", "question", "changes"]) {
    assert.equal(rest[hidden], null, hidden);
  }
  assert.deepEqual([rest.metadata, rest.organization_id], [{}, 0]);
  assert.deepEqual((facts as { shared_by: string }).shared_by, "Owner");
  const logs = logsOf(await read(api, token, "/logs?limit=2&skip=1"));
  assert.deepEqual(
    logs.map(({ seq }) => seq),
    [2, 3],
  );
  assert.equal((await read(api, token, "/logs/2")).json.agent_run_id, run.id);
  assert.deepEqual(
    logsOf(await read(api, token, "/logs?reverse=true&limit=2")).map(({ seq }) => seq),
    [3, 2],
  );
});

test("links that do not work look the same: unknown, expired, revoked, malformed, on every path", async () => {
  const runId = await endedRun(api, 2);
  const [working, revoked] = [await share(api, runId), await share(api, runId)];
  const expired = mintShare();
  const ended = new Date(Date.now() - 1).toISOString();
  const whole = { runId, fromSeq: 1, toSeq: null, showsOutputs: true, expiresAt: ended };
  await api.store.shares.create(api.home, { ...whole, hint: expired.hint, hash: expired.hash });
  const owner = { token: await api.token() };
  assert.equal((await api.ask("DELETE", `${O}/shares/${revoked.id}`, owner)).status, 200);
  const tokens = ["A".repeat(32), revoked.token, expired.secret, "x", "%00", "..%2f..", "errand_abc"];
  const bodies = new Set<string>();
  const look = async (token: string, path: string) => {
    const answered = await read(api, token, path);
    assert.equal(answered.status, 404, answered.text);
    assert.equal(answered.headers.get("cache-control"), "no-store");
    assert.equal(answered.headers.get("x-robots-tag"), "noindex, nofollow");
    assert.equal(answered.headers.get("referrer-policy"), "no-referrer");
    const { request_id, instance, ...body } = answered.json;
    bodies.add(JSON.stringify(body));
  };
  const paths = [
    "",
    "/logs",
    "/logs/1",
    "/logs/stream",
    "/logs/outline",
    "/logs/search?q=a",
    "/logs/timeline",
    "/logs/tools",
    "/logs/position?seq=1",
  ];
  for (const path of paths) for (const token of tokens) await look(token, path);
  assert.equal(bodies.size, 1, [...bodies].join("\n"));
  assert.equal((await read(api, working.token)).status, 200);
});

test("responses are cached by nobody, indexed by no robot, and their address is passed on to nobody", async () => {
  const { token } = await share(api, await endedRun(api, 2));
  for (const path of [
    "",
    "/logs",
    "/logs/1",
    "/logs/stream",
    "/logs/outline",
    "/logs/search?q=thought",
    "/logs/timeline",
  ]) {
    const { headers, status, text } = await read(api, token, path);
    assert.equal(status, 200, text);
    assert.match(headers.get("cache-control") ?? "", /^no-store/);
    assert.equal(headers.get("x-robots-tag"), "noindex, nofollow");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("etag"), null);
    assert.equal(headers.get("set-cookie"), null);
  }
});

test("the list says how often each link was viewed, and a view counts once", async () => {
  const runId = await endedRun(api, 1);
  const made = await share(api, runId, { days: null, from_seq: 1, to_seq: 1 });
  const list = async () => {
    const { json, text } = await api.ask("GET", `${O}/agent/run/${runId}/shares`, { token: await api.token() });
    assert.ok(!text.includes(made.token));
    return (json.items as { views: number; last_viewed_at: string | null; expires_at: string | null }[])[0];
  };
  assert.deepEqual(
    [(await list())?.views, (await list())?.last_viewed_at, (await list())?.expires_at],
    [0, null, null],
  );
  await read(api, made.token, "?view=true");
  for (const path of ["", "/logs", "/logs/stream", "/logs/outline"]) await read(api, made.token, path);
  assert.equal((await list())?.views, 1);
  assert.match((await list())?.last_viewed_at ?? "", /Z$/);
});

test("a preview counts what is shown and what is masked", async () => {
  const runId = await endedRun(api, [said(secret), ran(secret), ran("plain"), said("bye")]);
  const preview = async (query: string) => {
    const path = `${O}/agent/run/${runId}/shares/preview?${query}`;
    return (await api.ask("GET", path, { token: await api.token() })).json;
  };
  assert.deepEqual(await preview("outputs=true"), {
    logs: 4,
    tool_calls: 2,
    checked_to_seq: 4,
    complete: true,
    masked_secrets: 2,
    masked_logs: 2,
    masked_seqs: [1, 2],
  });
  const part = await preview("from_seq=2&to_seq=3");
  assert.deepEqual([part.logs, part.tool_calls, part.masked_secrets, part.checked_to_seq], [2, 2, 0, 3]);
  const rest = await preview("outputs=true&after_seq=1");
  assert.deepEqual([rest.logs, rest.masked_seqs], [4, [2]]);
});
