// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { GitRemote, gitCommandLines } from "./git-remote.fixture.ts";
import { holdsText } from "./holds-text.ts";
import { ensureMirror } from "./mirror.ts";
import { inspectSource, type SourceCredential } from "./source.ts";
import { git, makeRepository, temporaryFolder, testEnv } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const pair = "x-access-token:very-secret-4711";
const header = `Basic ${btoa(pair)}`;

/** A repository behind a server that requires this user name and password, and a data folder. */
async function behindServer(t: TestContext, pair: string | null) {
  const folder = temporaryFolder(t);
  const source = join(folder, "source");
  const commit = makeRepository(source);
  const bare = join(folder, "bare.git");
  git(folder, "clone", "--quiet", "--bare", source, bare);
  const remote = await GitRemote.open(bare, pair);
  t.after(() => remote.close());
  const options = { dataDir: join(folder, "data"), allowed: allowedOf("127.0.0.0/8"), env: testEnv };
  const read = (credential?: SourceCredential) => {
    const findCredential = credential === undefined ? {} : { findCredential: async () => credential };
    return ensureMirror({ ...options, ...findCredential, repoId: 1, source: remote.url });
  };
  return { folder, remote, commit, options, read };
}

const refused = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof WorkspaceError, String(error));
  assert.match(error.message, message);
  assert.ok(!error.message.includes("very-secret") && !error.message.includes(header.slice(6)));
  return true;
};

test("a private source is read with the credential, which appears in no command line and no file", async (t) => {
  const { folder, remote, commit, options, read } = await behindServer(t, pair);
  const commandLines: string[] = [];
  remote.before = () => commandLines.push(...gitCommandLines());
  const mirror = await read({ header });
  assert.equal(mirror.defaultCommit, commit);
  assert.equal((await read({ header })).defaultCommit, commit, "and again");
  const report = await inspectSource(remote.url, { ...options, findCredential: async () => ({ header }) });
  assert.deepEqual(report, { defaultBranch: "main", branches: ["main"], empty: false });
  assert.ok(
    commandLines.some((line) => line.includes("fetch")),
    "the fetch was seen",
  );
  for (const secret of ["very-secret-4711", header.slice(6)]) {
    assert.ok(!commandLines.some((line) => line.includes(secret)));
    assert.equal(await holdsText(folder, [secret], { env: testEnv, signal: t.signal }), false);
  }
});

test("without a credential, or with an expired one, the error says what to do", async (t) => {
  const { read } = await behindServer(t, pair);
  const lacks = "Connect its code host under Integrations.";
  await assert.rejects(
    read({ lacks }),
    refused(/^The repository is not available: .*without a credential\. Connect its/),
  );
  const old = { header: `Basic ${btoa("x-access-token:rotated")}` };
  await assert.rejects(
    read(old),
    refused(/with the integration's credential, which is not accepted or lacks permission\. Enter a new token under/),
  );
  await assert.rejects(read(), refused(/^The repository is not available: /));
});

test("a credential that has ended meanwhile is replaced by its successor, once", async (t) => {
  const { commit, options, remote } = await behindServer(t, pair);
  const ended = `Basic ${btoa("x-access-token:ended")}`;
  const asked: (string | undefined)[] = [];
  const reading = (successor: string, hint: string) =>
    ensureMirror({
      ...{ ...options, repoId: 1, source: remote.url },
      findCredential: async (refused) => {
        asked.push(refused);
        return { header: refused === undefined ? ended : successor, hint };
      },
    });
  assert.equal((await reading(header, "")).defaultCommit, commit);
  assert.deepEqual(asked, [undefined, ended]);
  const other = `Basic ${btoa("x-access-token:another")}`;
  await assert.rejects(
    reading(other, "See whether the App is suspended."),
    refused(/See whether the App is suspended\./),
  );
  assert.equal(asked.length, 4);
});

test("a public source is read without a credential: its server never gets it", async (t) => {
  const { remote, commit, read } = await behindServer(t, null);
  assert.equal((await read({ header })).defaultCommit, commit);
  assert.ok(remote.authorizations.length > 0);
  assert.deepEqual(new Set(remote.authorizations), new Set([undefined]));
});
