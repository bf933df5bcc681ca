import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { hashSecret } from "#lib/auth/secret.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { fewPages, fillDisk } from "#lib/store/storage/full-disk.fixture.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { createSignInLink, signInLines } from "./sign-in-link.ts";

test("a sign-in link lets its person in once, and is in the audit log with its command and without its code", async (t) => {
  const store = await openStore({ file: join(temporaryFolder(t), "errand.db") });
  t.after(() => store.close());
  const owner = await store.organizations.ensureFirst({ organization: "Home", fullName: "Ada", email: null });
  const made = { origin: "http://errand.test", command: "errand start" };
  const link = await createSignInLink(store, owner, made);
  const code = new URL(link).searchParams.get("code") ?? "";
  const { items } = await store.audit.list(owner, {}, { skip: 0, limit: 10 });
  const [record] = items;
  assert.deepEqual(
    [items.length, record?.act, record?.actor, record?.objectId, record?.details],
    [1, "sign_in_link.made", "system", owner.userId, { command: "errand start" }],
  );
  assert.ok(!JSON.stringify(items).includes(code));
  assert.equal(await store.sessions.consumeLink(hashSecret(code)), owner.userId);
  assert.equal(await store.sessions.consumeLink(hashSecret(code)), null);
});

test("on a full disk the start has no sign-in link, says why in the log, and goes on", async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await openStore({ file: join(dataDir, "errand.db"), pagesMax: fewPages });
  t.after(() => store.close());
  const owner = await store.organizations.ensureFirst({ organization: "Test", fullName: "Test", email: null });
  const logged: unknown[] = [];
  const logger = { error: (fields: unknown) => void logged.push(fields) };
  const say = () => signInLines({ store, owner, origin: "http://errand.test", logger });
  const withLink = /^Sign in \(once, within 15 minutes\): http:\/\/errand\.test\/login\?code=\S+\nAnother link: $/;
  assert.match(await say(), withLink);
  const makeRoom = fillDisk(dataDir);
  // The pages in use may have room for some more.
  let said = await say();
  for (let count = 0; count < 2000 && withLink.test(said); count += 1) said = await say();
  assert.deepEqual([said, logged.length], ["A sign-in link: ", 1]);
  makeRoom();
  assert.match(await say(), withLink);
});
