import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { createSeal, parseSecretKey, SealError } from "./seal.ts";

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "errand-seal-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const refused = (work: () => unknown, message: RegExp) =>
  assert.throws(work, (error) => error instanceof SealError && message.test(error.message));

test("a secret is decrypted with its key and context, and its sealed form reveals nothing of it", async (t) => {
  const seal = createSeal({ key: randomBytes(32), file: join(await temporaryFolder(t), "secret.key") });
  for (const text of ["", "ghp_0123456789", "long ".repeat(20_000), "Schlüssel 🔑"]) {
    const sealed = seal.seal(text, "webhook:12");
    assert.equal(seal.unseal(sealed, "webhook:12"), text);
    if (text !== "") assert.ok(!sealed.includes(text) && !sealed.includes(Buffer.from(text).toString("base64url")));
    assert.notEqual(seal.seal(text, "webhook:12"), sealed, "the same text is never sealed to the same form twice");
  }
});

test("a sealed secret cannot be decrypted elsewhere, or once a character of it was changed", async (t) => {
  const folder = await temporaryFolder(t);
  const seal = createSeal({ key: randomBytes(32), file: join(folder, "secret.key") });
  const sealed = seal.seal("value", "webhook:12");
  refused(() => seal.unseal(sealed, "webhook:13"), /^webhook:13: .* belongs to something else/);
  for (const changed of ["", "value", sealed.slice(0, 30), sealed.replace("e1.", "e2.")]) {
    refused(() => seal.unseal(changed, "webhook:12"), /^webhook:12: /);
  }
  for (let place = sealed.lastIndexOf(".") + 1; place < sealed.length - 1; place++) {
    const other = sealed[place] === "A" ? "B" : "A";
    refused(() => seal.unseal(sealed.slice(0, place) + other + sealed.slice(place + 1), "webhook:12"), /was changed/);
  }
});

test("a wrong key is reported with both names; a missing key is not recreated for what it sealed", async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, "secret.key");
  const sealed = createSeal({ key: null, file }).seal("value", "integration:1");
  const other = createSeal({ key: randomBytes(32), file });
  refused(
    () => other.unseal(sealed, "integration:1"),
    /sealed with key [0-9a-f]{8}, but the key in use is [0-9a-f]{8}/,
  );
  await rm(file);
  refused(() => createSeal({ key: null, file }).unseal(sealed, "integration:1"), /is gone: put back .*secret\.key/);
  assert.deepEqual(await readdir(folder), []);
});

test("why a secret is not decrypted is for the log, once for each secret", async (t) => {
  const file = join(await temporaryFolder(t), "secret.key");
  const sealed = createSeal({ key: randomBytes(32), file }).seal("value", "webhook:12");
  const told: string[] = [];
  const seal = createSeal({ key: randomBytes(32), file }, ({ reason }) => told.push(reason));
  for (const context of ["webhook:12", "webhook:12", "webhook:13"]) {
    refused(() => seal.unseal(sealed, context), /sealed with key/);
    assert.equal(seal.canUnseal(sealed, context), false);
  }
  assert.equal(told.length, 2);
  for (const [at, context] of ["webhook:12", "webhook:13"].entries()) {
    assert.match(told[at] ?? "", new RegExp(`^${context}: sealed with key [0-9a-f]{8}, but the key in use is `));
  }
  assert.equal(seal.canUnseal(seal.seal("value", "webhook:12"), "webhook:12"), true);
  assert.equal(told.length, 2);
});

test("the key's file is created on first use, readable only by its owner, and used again", async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, "secret.key");
  const seal = createSeal({ key: null, file });
  assert.deepEqual(await readdir(folder), [], "nothing is made before it is needed");
  const sealed = seal.seal("value", "integration:1");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["secret.key"]);
  assert.equal(createSeal({ key: null, file }).unseal(sealed, "integration:1"), "value");
  const text = (await readFile(file, "utf8")).trim();
  assert.equal(createSeal({ key: parseSecretKey(text), file: "/nowhere" }).unseal(sealed, "integration:1"), "value");
});

test("processes that start at the same time create one key", async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, "secret.key");
  const program = `import { createSeal } from ${JSON.stringify(new URL("./seal.ts", import.meta.url).href)};
    process.stdout.write(createSeal({ key: null, file: ${JSON.stringify(file)} }).seal("value", "integration:1"));`;
  const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  const made = await Promise.all(Array.from({ length: 4 }, run));
  const seal = createSeal({ key: null, file });
  for (const { stdout } of made) assert.equal(seal.unseal(stdout, "integration:1"), "value");
  assert.deepEqual(await readdir(folder), ["secret.key"], "no draft is left");
});

test("a file that contains no key, or cannot be created, is reported with its path", async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, "secret.key");
  await writeFile(file, "not a key\n");
  refused(() => createSeal({ key: null, file }).seal("value", "x:1"), /secret\.key must hold 32 bytes/);
  refused(() => createSeal({ key: null, file: join(folder, "gone", "key") }).seal("value", "x:1"), /cannot be made/);
  refused(() => createSeal({ key: null, file: join(file, "key") }).seal("value", "x:1"), /cannot be read/);
});

test("a key is 32 bytes in hexadecimal or base64, nothing else", () => {
  const bytes = randomBytes(32);
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    assert.deepEqual(Buffer.from(parseSecretKey(bytes.toString(encoding)) ?? []), bytes);
  }
  for (const text of [
    "",
    "secret",
    "0".repeat(63),
    randomBytes(31).toString("base64"),
    randomBytes(33).toString("hex"),
  ]) {
    assert.equal(parseSecretKey(text), null, text);
  }
});
