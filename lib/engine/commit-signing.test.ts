// Tier: rest
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { signingSealContext } from "#lib/secrets/signing-context.ts";
import { createSshKey } from "#lib/secrets/ssh-key.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { commitIdentityFor } from "./commit-identity.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

test("a repository's commits are signed with its key, which git verifies, and the key is left nowhere on disk", async (t) => {
  const opened: { find: ReturnType<typeof commitIdentityFor> | null } = { find: null };
  const findCommitIdentity: ReturnType<typeof commitIdentityFor> = (run) => {
    if (opened.find === null) throw new Error("not opened yet");
    return opened.find(run);
  };
  const { store, access, dataDir, engine, create, until, entries } = await openEngine(t, { findCommitIdentity });
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  opened.find = commitIdentityFor(store, seal);
  const source = join(temporaryFolder(t), "source");
  makeRepository(source);
  const names = { name: "app", fullName: "app", description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...names, source });
  const settings = {
    ...pullSettingsDefaults,
    commit_name: "Bot",
    commit_email: "bot@example.com",
    signing: "ssh",
  } as const;
  await store.pulls.putSettings(access, repository.id, settings);
  const key = createSshKey("errand-1");
  const sealed = seal.seal(
    key.privateKey,
    signingSealContext({ organizationId: access.organizationId, id: repository.id }),
  );
  await store.pulls.putSigningKey(access, repository.id, { publicKey: key.publicKey, sealed });
  engine.start();
  const run = await create(sh("echo two > a.txt"), { repositoryId: repository.id });
  const ended = await until(run.id, hasEnded);
  assert.equal(ended.status, "completed");

  const mirror = join(dataDir, "mirrors", `${repository.id}.git`);
  const signers = join(dataDir, "signers");
  await writeFile(signers, `bot@example.com namespaces="git" ${key.publicKey}\n`);
  const trusting = ["-c", "gpg.format=ssh", "-c", `gpg.ssh.allowedSignersFile=${signers}`];
  assert.match(
    git(mirror, ...trusting, "log", "-1", "--format=%G? %an <%ae>", `errand/run-${run.id}`),
    /^G Bot <bot@example.com>/,
  );
  await writeFile(signers, `bot@example.com namespaces="git" ${createSshKey("other").publicKey}\n`);
  assert.match(git(mirror, ...trusting, "log", "-1", "--format=%G?", `errand/run-${run.id}`), /^[UB]/);
  const secret = key.privateKey.split("\n")[2] ?? "";
  for (const path of await readdir(dataDir, { recursive: true })) {
    const bytes = await readFile(join(dataDir, path)).catch(() => Buffer.alloc(0));
    assert.ok(!bytes.includes(secret), path);
  }
  assert.ok(!JSON.stringify(await entries(run.id)).includes(secret));

  const other = await store.repositories.add(access, { ...names, source: `${source}/.git` });
  const otherId = other.repository.id;
  await store.pulls.putSettings(access, otherId, settings);
  const wrong = seal.seal("no key", signingSealContext({ organizationId: access.organizationId, id: otherId }));
  await store.pulls.putSigningKey(access, otherId, { publicKey: key.publicKey, sealed: wrong });
  const unsigned = await create(sh("echo three > a.txt"), { repositoryId: otherId });
  const kept = await until(unsigned.id, hasEnded);
  assert.deepEqual([kept.status, kept.changes?.files], ["completed", 1], "the work is not lost");
  assert.ok((await entries(unsigned.id)).some(({ observation }) => Object(observation).code === "work_not_signed"));
});
