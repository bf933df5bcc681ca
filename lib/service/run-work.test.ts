// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { mcpSealContextOf } from "#lib/host/open-mcp-servers.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { type PushableRun, pushableRun } from "#lib/web/pushable-run.fixture.ts";
import { git, testEnv } from "#lib/workspace/test-repository.ts";

const changes = { files: 1, insertions: 1, deletions: 0, truncated: false };

/** A commit on the run's branch that adds these files to the existing ones. */
function commitFiles({ mirror, runId }: PushableRun, files: Record<string, string | Uint8Array>): string {
  const branch = `refs/heads/errand/run-${runId}`;
  const hashed = (input: string | Uint8Array, ...args: string[]) =>
    execFileSync("git", args, { cwd: mirror, input, encoding: "utf8", env: testEnv }).trim();
  const entries = Object.entries(files).map(
    ([path, content]) => `100644 blob ${hashed(content, "hash-object", "-w", "--stdin")}\t${path}`,
  );
  const isKept = (line: string) => !Object.keys(files).includes(line.split("\t")[1] ?? "");
  const kept = git(mirror, "ls-tree", branch).split("\n").filter(isKept);
  const tree = hashed([...kept, ...entries].map((line) => `${line}\n`).join(""), "mktree");
  const commit = git(mirror, "commit-tree", "-p", branch, "-m", "more", tree);
  git(mirror, "update-ref", branch, commit);
  return commit;
}

/** One more turn of the run, which leaves these files; it stays in progress if `ends` is false. */
async function addTurn(api: ApiUnderTest, run: PushableRun, files: Record<string, string | Uint8Array>, ends = true) {
  await api.store.runs.addTurn(api.home, run.runId, { prompt: "more", images: [], model: null });
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, run.runId);
  if (claimed === null) return;
  await api.store.queue.setDiff(claimed.lease, new Uint8Array(), changes, commitFiles(run, files));
  if (ends) await api.finish(claimed.lease);
}

async function openWork(t: { after(done: () => Promise<void>): void }) {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const run = await pushableRun(api);
  const token = await api.token("viewer");
  const ask = (path: string, more: object = {}) =>
    api.ask("GET", `/v1/organizations/1/agent/run/${run.runId}/${path}`, { token, ...more });
  return { api, run, token, ask };
}

test("a diff since a turn has only what later turns changed, and is not sent twice", async (t) => {
  const { api, run, ask } = await openWork(t);
  await addTurn(api, run, { "b.txt": "later\n", "c.bin": new Uint8Array([0, 1, 2]) });
  const whole = await ask("diff");
  assert.equal((await ask("diff?since_turn=0")).text, whole.text);
  const later = await ask("diff?since_turn=1");
  assert.match(
    later.text,
    /^diff --git a\/b\.txt b\/b\.txt\nnew file mode 100644[\s\S]*\+later\n[\s\S]*GIT binary patch\nliteral 3\n/,
  );
  assert.ok(!later.text.includes("a.txt"));
  assert.match((await ask("diff?since_turn=1&binary=false")).text, /GIT binary patch\nliteral 3\n\n/);
  const etag = later.headers.get("etag") ?? "";
  assert.equal((await ask("diff?since_turn=1", { headers: { "if-none-match": etag } })).status, 304);
  assert.equal((await ask("diff?since_turn=2")).text, "");
  assert.equal((await ask("diff?since_turn=3")).status, 404);
});

test("a turn that has not ended, and work that no longer exists, is refused in words", async (t) => {
  const { api, run, ask } = await openWork(t);
  await addTurn(api, run, { "b.txt": "later\n" }, false);
  const underWay = await ask("diff?since_turn=2");
  assert.deepEqual([underWay.status, underWay.json.detail], [409, "Turn 2 has not ended."]);
  assert.match((await ask("diff?since_turn=1")).text, /\+later\n/, "what is kept so far");
  git(run.mirror, "update-ref", `refs/heads/errand/run-${run.runId}`, run.commit);
  git(run.mirror, "gc", "--quiet", "--prune=now");
  for (const path of ["diff?since_turn=1", "file?path=b.txt"]) {
    const gone = await ask(path);
    assert.equal(gone.status, 409, gone.text);
    assert.match(String(gone.json.detail), /^Commit [0-9a-f]{10} is no longer in the mirror\.$/);
  }
});

test("a file is read at the base, after a turn and now, as text or base64", async (t) => {
  const { api, run, ask } = await openWork(t);
  await addTurn(api, run, { "a.txt": "three\n", "c.bin": new Uint8Array([0, 255]) });
  const contentOf = async (query: string) => (await ask(`file?${query}`)).json.content;
  assert.deepEqual(
    [await contentOf("path=a.txt&turn=0"), await contentOf("path=a.txt&turn=1"), await contentOf("path=a.txt")],
    ["one\n", "two\n", "three\n"],
  );
  const { bytes, encoding, content } = (await ask("file?path=c.bin")).json;
  assert.deepEqual([bytes, encoding, content], [2, "base64", "AP8="]);
  for (const query of ["path=none", "path=c.bin&turn=1", "path=a.txt&turn=9"]) {
    assert.equal((await ask(`file?${query}`)).status, 404, query);
  }
});

test("another organization sees neither diff nor file, and neither contains an agent's key", async (t) => {
  const { api, run, ask } = await openWork(t);
  const key = "sk-of-errand-7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
  const put = { variable: "MODEL_API_KEY", value: key };
  await api.asked("PUT", "/v1/organizations/1/keys", { token: await api.token(), body: put });
  await addTurn(api, run, {
    "b.txt": `a ${key} b\n`,
    "c.bin": Buffer.from(`\0${key}`),
    "d.bin": new Uint8Array([0, 1, 2]),
  });
  const { text } = await ask("diff?since_turn=1");
  assert.match(text, /\+a \[secret masked\] b\n/);
  assert.match(text, /\nGIT binary patch\nliteral 46\n\nliteral 0\n\ndiff --git a\/d\.bin/);
  assert.match(text, /\nGIT binary patch\nliteral 3\nKcm/);
  assert.equal((await ask("file?path=b.txt")).json.content, "a [secret masked] b\n");
  const stranger = await api.token("owner", { access: api.other });
  for (const path of ["diff?since_turn=1", "file?path=b.txt"]) {
    assert.equal((await ask(path, { token: stranger })).status, 403);
    const elsewhere = `/v1/organizations/2/agent/run/${run.runId}/${path}`;
    assert.equal((await api.ask("GET", elsewhere, { token: stranger })).status, 404);
  }
});

test("neither diff nor file contains a header of an MCP server", async (t) => {
  const { api, run, ask } = await openWork(t);
  const secret = "mcp-7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
  const server = { name: "tracker", url: "https://tracker.example/mcp" };
  const sealed = api.runtime.seal.seal(
    JSON.stringify({ authorization: `Bearer ${secret}` }),
    mcpSealContextOf({ ...server, organizationId: api.home.organizationId }),
  );
  await api.store.mcpServers.replace(
    api.home,
    [],
    [{ ...server, headerNames: ["authorization"], headersSealed: sealed, repositoryIds: null }],
  );
  await addTurn(api, run, { "b.txt": `a ${secret} b\n` });
  assert.match((await ask("diff?since_turn=1")).text, /\+a ?\[secret masked\] b\n/);
  assert.match(String((await ask("file?path=b.txt")).json.content), /^a ?\[secret masked\] b\n$/);
});
