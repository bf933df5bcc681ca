import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { runCommand } from "./command.ts";
import { UsageError } from "./usage-error.ts";

const dataDir = mkdtempSync(join(tmpdir(), "errand cli 'test' "));
after(() => rmSync(dataDir, { recursive: true }));
before(async () => (await openStore({ file: join(dataDir, "errand.db") })).close());

/** Said by a command for a running service where there is none. */
const idle = `errand: Errand is not running with the data folder ${dataDir}; if it runs with another one, set ERRAND_DATA_DIR to that folder\n`;

/** What a command of the CLI does in a container-like environment: no HOME, no terminal. */
function errand(...words: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return errandOn({}, ...words);
}

function errandOn(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const env = {
    PATH: process.env.PATH ?? "",
    NODE_ENV: "test" as const,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    HOME: "",
    ERRAND_DATA_DIR: dataDir,
    ...settings,
  };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(import.meta.dirname, "main.ts"), ...words], { env }, (_, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    );
  });
}

test("a token is printed alone, whatever its options", async () => {
  const { code, out, err } = await errand("token", "create", "--name", "é 🎉", "--role", "viewer", "--days", "3650");
  assert.deepEqual([code, err], [0, idle]);
  assert.match(out, /^errand_[0-9A-Za-z]{36}\n$/);
});

test("a sign-in link is printed for the first owner, or for the person with a given address", async () => {
  const link = /^http:\/\/[^/]+\/login\?code=[0-9A-Za-z]{32}\n$/;
  assert.match((await errand("login")).out, link);
  const store = await openStore({ file: join(dataDir, "errand.db") });
  const { userId } = await store.organizations.ensureFirst({ organization: "x", fullName: "x", email: null });
  await store.accounts.update(userId, { email: "ada@example.com" });
  await store.close();
  assert.match((await errand("login", "--email", "ADA@example.com")).out, link);
  const { code, out, err } = await errand("login", "--email", "nobody@example.com");
  assert.deepEqual([code, out, err], [2, "", `${idle}errand: no account has the email address nobody@example.com\n`]);
});

test("a repository that git cannot read is refused in one line", async () => {
  const noGit = { PATH: "/nonexistent" };
  const { code, out, err } = await errandOn(noGit, "repo", "add", import.meta.dirname);
  assert.deepEqual([code, out, err], [1, "", `${idle}errand: git could not be started: spawn git ENOENT\n`]);
});

test("a command for a running service creates no store, and says what is missing", async () => {
  const empty = join(dataDir, "another");
  mkdirSync(empty);
  const why = `errand: there is no store in ${empty}: set ERRAND_DATA_DIR to Errand's data folder, or start Errand here (npm start)\n`;
  for (const words of [["login"], ["token", "create", "--name", "x"], ["organization", "create", "--name", "x"]]) {
    assert.deepEqual(await errandOn({ ERRAND_DATA_DIR: empty }, ...words), { code: 1, out: "", err: why });
  }
  const { out } = await errandOn({ ERRAND_DATA_DIR: empty }, "doctor");
  assert.match(out, /^ok {2}store {8}none yet; the first start creates it$/m);
  assert.match(out, /^-- {2}processes {4}Errand is not running with the data folder /m);
  assert.ok(!existsSync(join(empty, "errand.db")));
});

test("help is given on request, for every command, and exits 0", async () => {
  const { out: help } = await errand("help");
  assert.match(help, /^Usage: npm run --silent errand -- COMMAND\n/);
  for (const words of [["--help"], ["-h"], ["login", "--help"], ["token", "create", "--help"], ["doctor", "-h"]]) {
    assert.deepEqual(await errand(...words), { code: 0, out: help, err: "" }, words.join(" "));
  }
  assert.equal((await errand("nothing", "--help")).code, 2);
});

test("a command that cannot be carried out as written gets one line, exit 2, and nothing on standard output", async () => {
  const { code, out, err } = await errand("token", "create", "--name", "x", "--role", "boss");
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /^errand: [^\n]+\n$/);
  for (const words of [
    ["nothing"],
    ["__proto__"],
    ["login", "me"],
    ["doctor", "--fix"],
    ["doctor", "--host"],
    ["doctor", "--host", "slack"],
    ["doctor", "--host", "github", "more"],
    ["token", "create"],
    ["token", "create", "--name", "x", "--role", "boss"],
    ["token", "create", "--name", "x", "--days", "0"],
    ["token", "create", "--name", "x", "--days", "3651"],
    ["token", "create", "--name", "x", "--bogus"],
    ["repo", "add"],
    ["repo", "add", ""],
    ["repo", "add", "a", "b"],
  ]) {
    await assert.rejects(
      runCommand(words, { NODE_ENV: "test", ERRAND_DATA_DIR: join(dataDir, "untouched") }),
      (error) => error instanceof UsageError && /^[^\n]+$/.test(error.message),
      words.join(" "),
    );
  }
  assert.equal(existsSync(join(dataDir, "untouched")), false);
});

test("a source that cannot be read is one line and exit 1", async () => {
  const { code, out, err } = await errand("repo", "add", "/no/such/place");
  assert.deepEqual([code, out, err], [1, "", `${idle}errand: "/no/such/place" does not exist.\n`]);
});

test("doctor names a broken agents file as a finding and ends with 1", async () => {
  const file = join(dataDir, "agents.json");
  writeFileSync(file, '{"mine": {"command": 5}}');
  const { code, out, err } = await errand("doctor");
  rmSync(file);
  assert.deepEqual([code, err], [1, ""]);
  assert.match(out, /^ok {2}search index not created yet; the engine creates it$/m);
  assert.match(out, /^ok {2}limits .*, browser sessions may make 10 times as many requests, queue 1000$/m);
  assert.ok(out.includes(`--  agents.json  ${file}: mine.command: must be a string or a list of strings\n`), out);
});

test("there is no warning about a running service, and its link has the service's address, not this shell's", async () => {
  const store = await openStore({ file: join(dataDir, "errand.db") });
  await store.queue.beat("engine");
  await store.close();
  writeFileSync(join(dataDir, "address"), "https://errand.example.com\n");
  const { code, out, err } = await errandOn({ PORT: "4000", ERRAND_PUBLIC_URL: "http://other.example" }, "login");
  rmSync(join(dataDir, "address"));
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^https:\/\/errand\.example\.com\/login\?code=/);
});
