// Tier: rest
// From a backup to its restore, one suite: every case writes the same kind of folder and reads back the same facts.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { createSeal } from "#lib/secrets/seal.ts";
import { messages } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { takeLock } from "#lib/store/storage/folder-lock.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { git } from "#lib/workspace/test-repository.ts";
import { appendChecksum } from "./archive-checksum.ts";
import { runCommand } from "./command.ts";
import { envOf, errand, openFolder } from "./data-folder.fixture.ts";
import { UsageError } from "./usage-error.ts";

test("a backup under load has every entry acknowledged before it began, and its pages are the same bytes", async (t) => {
  const { dataDir, store, access, run, folder } = await openFolder(t);
  const file = join(folder, "one.tar");
  let appended = 0;
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const done = await store.external.append(access, run.id, messages(50));
      assert.ok("lastSeq" in done);
      appended = done.lastSeq;
      await turn();
    }
  };
  const writing = write();
  while (appended < 2000) await turn();
  const acknowledged = appended;
  const { code, err } = await errand(dataDir, "backup", file);
  isOver = true;
  await writing;
  assert.deepEqual([code, err], [0, ""]);
  assert.ok(appended > acknowledged, "it was written to meanwhile");
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const restored = join(folder, "restored");
  assert.equal((await errand(restored, "restore", file)).code, 0);
  const copy = await openStore({ file: join(restored, "errand.db") });
  t.after(() => copy.close());
  const there = (await copy.runs.find(access, run.id))?.totalLogs ?? 0;
  assert.ok(there >= acknowledged && there <= appended, `${acknowledged} <= ${there} <= ${appended}`);
  for (let skip = 0; skip < there; skip += 100) {
    const range = { first: skip + 1, last: Math.min(skip + 100, there) };
    const [one, other] = [store, copy].map((each) => each.entries.readAfter(access, run.id, skip, 100, 1e9));
    const bodies = (await other)?.map(({ body }) => body) ?? [];
    assert.deepEqual(
      (await one)?.slice(0, range.last - skip).map(({ body }) => body),
      bodies,
    );
    assert.equal(bodies.length, range.last - skip);
  }
  assert.deepEqual(await copy.check(), []);
  assert.equal(git(join(restored, "mirrors/1.git"), "log", "--format=%s"), "first");
  assert.equal(git(join(restored, "mirrors/1.git"), "fsck", "--full"), "");
  assert.equal(readFileSync(join(restored, "agents.json"), "utf8"), "{}\n");
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith(".backup")),
    [],
    "nothing is left beside the store",
  );
});

test("a backup is complete although links to a mirror's files come and go meanwhile, as runs begin and are removed", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const large = join(dataDir, "mirrors/1.git/objects/pack/large.bin");
  mkdirSync(join(large, ".."), { recursive: true });
  writeFileSync(large, Buffer.alloc(64 * 1024 ** 2, "a pack"));
  let isOver = false;
  const linking = (async () => {
    for (const link = join(dataDir, "of-a-run"); !isOver; await turn()) {
      linkSync(large, link);
      rmSync(link);
    }
  })();
  const file = join(folder, "one.tar");
  const { code, err } = await errand(dataDir, "backup", file);
  isOver = true;
  await linking;
  assert.deepEqual([code, err], [0, ""]);
  const restored = join(folder, "restored");
  assert.equal((await errand(restored, "restore", file)).code, 0);
  assert.ok(readFileSync(join(restored, "mirrors/1.git/objects/pack/large.bin")).equals(readFileSync(large)));
});

test("what began while a backup was made is not taken for the work of a new run, nor for a new repository", async (t) => {
  const { dataDir, access, folder } = await openFolder(t);
  const inside = join(folder, "inside");
  mkdirSync(inside);
  const file = join(folder, "one.tar");
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  // Run 4 of repository 1, repository 6, and run 9 without a repository: their mirrors were linked after the store's copy.
  execFileSync("tar", ["--extract", "--file", file, "--directory", inside]);
  const record = JSON.stringify({ baseCommit: null, baseBranch: null });
  mkdirSync(join(inside, "mirrors/1.git/errand"));
  writeFileSync(join(inside, "mirrors/1.git/errand/run-4.json"), record);
  const create = async (name: string) => {
    const [later, restored] = [join(folder, `${name}.tar`), join(folder, name)];
    execFileSync("tar", ["--create", "--file", later, "--directory", inside, "--", ...readdirSync(inside)]);
    await appendChecksum(later);
    assert.equal((await errand(restored, "restore", later)).code, 0);
    const store = await openStore({ file: join(restored, "errand.db") });
    t.after(() => store.close());
    const source = "https://example.com/team/a.git";
    const { repository } = await store.repositories.add(access, {
      ...{ name: "a", fullName: "team/a", description: null, source, defaultBranch: null },
    });
    const run = await store.runs.create(access, plainRun("Later", { agent: "external" }));
    return { run: run.id, repository: repository.id };
  };
  assert.deepEqual(await create("recorded"), { run: 5, repository: 2 });
  for (const name of ["6.git", "run-9.git"]) mkdirSync(join(inside, "mirrors", name));
  assert.deepEqual(await create("named"), { run: 10, repository: 7 });
});

test("a mirror that was moved to another disk, with a link in its place, is in the backup with all its files", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const disk = mkdtempSync("/dev/shm/errand-mirror-");
  t.after(() => rmSync(disk, { recursive: true }));
  const mirror = join(dataDir, "mirrors/1.git");
  cpSync(mirror, join(disk, "1.git"), { recursive: true });
  cpSync(mirror, join(folder, "2.git"), { recursive: true });
  rmSync(mirror, { recursive: true });
  symlinkSync(join(disk, "1.git"), mirror);
  symlinkSync(join(folder, "2.git"), join(dataDir, "mirrors/2.git"));
  const [file, restored] = [join(folder, "one.tar"), join(folder, "restored")];
  assert.deepEqual(await errand(dataDir, "backup", file).then(({ code, err }) => [code, err]), [0, ""]);
  assert.deepEqual(await errand(restored, "restore", file).then(({ code }) => code), 0);
  for (const name of ["1.git", "2.git"]) {
    assert.ok(lstatSync(join(restored, "mirrors", name)).isDirectory());
    assert.equal(git(join(restored, "mirrors", name), "log", "--format=%s"), "first");
  }
  symlinkSync(join(folder, "unmounted"), join(dataDir, "mirrors/3.git"));
  const { code, err } = await errand(dataDir, "backup", join(folder, "two.tar"));
  assert.deepEqual(
    [code === 0, err.includes(`The mirror ${join(dataDir, "mirrors/3.git")} could not be copied`)],
    [false, true],
  );
});

test("an archive with numbers that are too high, or a store that is none, is refused in words about the backup", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const [file, inside, target] = [join(folder, "one.tar"), join(folder, "inside"), join(folder, "target")];
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  mkdirSync(inside);
  execFileSync("tar", ["--extract", "--file", file, "--directory", inside]);
  const refused = async (said: RegExp) => {
    const packed = join(folder, "packed.tar");
    execFileSync("tar", ["--create", "--file", packed, "--directory", inside, "--", ...readdirSync(inside)]);
    await appendChecksum(packed);
    const { code, err } = await errand(target, "restore", packed);
    assert.match(err, said);
    assert.deepEqual([code !== 0, err.trimEnd().includes("\n"), err.includes(".restore-")], [true, false, false], err);
  };
  const named = (path: string) => join(inside, "mirrors", path);
  mkdirSync(named("9999999999999999999999.git"));
  await refused(/The mirrors contain an id of repositories that is too high: 1e\+22/);
  rmSync(named("9999999999999999999999.git"), { recursive: true });
  mkdirSync(named("1.git/errand"), { recursive: true });
  writeFileSync(named("1.git/errand/run-400000000.json"), "{}");
  await refused(/The mirrors contain an id of runs that is too high: 400000000/);
  rmSync(named("1.git/errand/run-400000000.json"));
  const store = join(inside, "errand.db");
  const sound = readFileSync(store);
  for (const [change, said] of [
    ["pragma user_version = 0", /version 0, but only those from .* \(in the backup\)/],
    ["pragma user_version = -1", /version -1, but only those from .* \(in the backup\)/],
    ["pragma application_id = 1", /The store in the backup is not an Errand store/],
    ["pragma foreign_keys = off; drop table runs", /The store in the backup is not complete: it has no table of runs/],
  ] as const) {
    writeFileSync(store, sound);
    const database = new DatabaseSync(store);
    database.exec(`pragma journal_mode = delete; ${change}`);
    database.close();
    await refused(said);
  }
});

test("leftovers of a killed backup are removed by the next one, a stopped one leaves none, and only one runs at a time", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const left = join(dataDir, ".backup-killed");
  mkdirSync(left);
  writeFileSync(join(left, "secret.key"), "0123456789abcdef\n");
  const release = await takeLock(join(dataDir, "backup.lock"), 0);
  const meanwhile = await errand(dataDir, "backup", join(folder, "one.tar"));
  assert.match(meanwhile.err, /Another backup is running/);
  assert.ok(existsSync(left), "it may be the other one's");
  release?.();
  writeFileSync(join(folder, "one.tar.partial"), "of another");
  assert.match((await errand(dataDir, "backup", join(folder, "one.tar"))).err, /one\.tar\.partial already exists/);
  assert.equal(readFileSync(join(folder, "one.tar.partial"), "utf8"), "of another");
  assert.equal((await errand(dataDir, "backup", join(folder, "two.tar"))).code, 0);
  const stages = () => readdirSync(dataDir).filter((name) => name.startsWith(".backup-"));
  assert.deepEqual(stages(), []);

  // The backup waits for the mirror, and is stopped there.
  const lock = join(dataDir, "mirrors/1.git.lock");
  writeFileSync(lock, JSON.stringify({ id: "test", pid: process.pid, host: hostname() }));
  const stopped = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), "backup", join(folder, "three.tar")], {
    env: envOf(dataDir),
    stdio: "ignore",
  });
  const ended = once(stopped, "exit");
  while (stages().length === 0 || !existsSync(join(dataDir, stages()[0] ?? "", "mirrors"))) await wait(20);
  stopped.kill("SIGINT");
  assert.deepEqual(await ended, [130, null]);
  assert.deepEqual(stages(), []);
  assert.deepEqual(readdirSync(folder).sort(), ["one.tar.partial", "two.tar"]);
  rmSync(lock);
});

test("restore accepts no links, pipes or other files from an archive, and no folder with files of later runs", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const file = join(folder, "one.tar");
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  const [inside, target] = [join(folder, "inside"), join(folder, "target")];
  mkdirSync(inside);
  execFileSync("tar", ["--extract", "--file", file, "--directory", inside]);
  renameSync(join(inside, "errand.db"), join(folder, "elsewhere.db"));
  chmodSync(join(folder, "elsewhere.db"), 0o644);
  symlinkSync(join(folder, "elsewhere.db"), join(inside, "errand.db"));
  const names = readdirSync(inside);
  execFileSync("tar", ["--create", "--file", join(folder, "link.tar"), "--directory", inside, "--", ...names]);
  await appendChecksum(join(folder, "link.tar"));
  const linked = await errand(target, "restore", join(folder, "link.tar"));
  assert.match(linked.err, /errand\.db does not belong in one/);
  assert.equal(statSync(join(folder, "elsewhere.db")).mode & 0o777, 0o644);
  rmSync(join(inside, "errand.db"));
  copyFileSync(join(dataDir, "errand.db"), join(inside, "errand.db"));
  for (const [path, make] of Object.entries({
    "mirrors/2.git": (at: string) => symlinkSync(folder, at),
    "mirrors/1.git/packed-refs.lock": (at: string) => execFileSync("mkfifo", [at]),
    "errand.db-wal": (at: string) => writeFileSync(at, ""),
    "homes.json": (at: string) => writeFileSync(at, "{}"),
  })) {
    make(join(inside, path));
    const packed = join(folder, `${path.replaceAll("/", " ")}.tar`);
    execFileSync("tar", ["--create", "--file", packed, "--directory", inside, "--", ...readdirSync(inside)]);
    await appendChecksum(packed);
    const { code, err } = await errand(target, "restore", packed);
    assert.deepEqual([code, err], [2, `errand: ${packed} is not an Errand backup: ${path} does not belong in one\n`]);
    rmSync(join(inside, path));
  }

  mkdirSync(join(target, "homes/7"), { recursive: true });
  // A link into a disk that is not mounted: others could be put in place before it.
  symlinkSync(join(folder, "unmounted"), join(target, "mirrors"));
  assert.match((await errand(target, "restore", file)).err, /already contains mirrors, homes/);
  for (const name of ["homes", "mirrors"]) rmSync(join(target, name), { recursive: true });
  assert.equal((await errand(target, "restore", file)).code, 0);
});

test("after a killed restore, no empty store is started in its place, and the next one cleans up and names what is left", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const file = join(folder, "one.tar");
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  // Killed between its renames.
  const [target, stage] = [join(folder, "target"), join(folder, "target/.restore-killed")];
  mkdirSync(stage, { recursive: true });
  copyFileSync(join(dataDir, "errand.db"), join(stage, "errand.db"));
  for (const name of ["secret.key", "agents.json"]) writeFileSync(join(target, name), "");
  const started = await errand(target, "start");
  assert.deepEqual([started.code, started.out], [1, ""]);
  assert.equal(
    started.err,
    `errand: A restore into ${target} was cut off: run it again, or delete ${stage} to start without it\n`,
  );
  assert.ok(!existsSync(join(target, "errand.db")));
  const release = await takeLock(join(target, "service.lock"), 0);
  assert.match((await errand(target, "restore", file)).err, /Another Errand is running/);
  assert.ok(existsSync(stage), "it may be the other one's");
  release?.();
  assert.match(
    (await errand(target, "restore", file)).err,
    /already contains secret\.key, agents\.json: move them away/,
  );
  assert.match((await errand(target, "start")).err, /was cut off/, "not beside what is in place");
  for (const name of ["secret.key", "agents.json"]) rmSync(join(target, name));
  assert.equal((await errand(target, "restore", file)).code, 0);
  assert.ok(!existsSync(stage));
});

test("restore is refused beside what SQLite would apply to the restored store, and names all of it", async (t) => {
  const { dataDir, store, access, run, folder } = await openFolder(t);
  const file = join(folder, "one.tar");
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  await store.external.append(access, run.id, messages(100));
  // As a killed service leaves a folder, after its store was moved away.
  const killed = join(folder, "killed");
  mkdirSync(killed);
  copyFileSync(join(dataDir, "errand.db-wal"), join(killed, "errand.db-wal"));
  const { code, out, err } = await errand(killed, "restore", file);
  const why = (names: string, which: string) =>
    `errand: ${killed} already contains ${names}: move ${which} away, or set ERRAND_DATA_DIR to an empty folder\n`;
  assert.deepEqual([code, out, err], [2, "", why("errand.db-wal", "it")]);
  assert.ok(!existsSync(join(killed, "errand.db")));
  const names = ["errand.db", "search.db"].flatMap((name) => ["-wal", "-shm", "-journal"].map((side) => name + side));
  for (const name of names) writeFileSync(join(killed, name), "");
  assert.equal((await errand(killed, "restore", file)).err, why(names.join(", "), "them"));
});

test("doctor says that stored secrets cannot be decrypted after a restore without the key", async (t) => {
  const { dataDir, store, access, folder } = await openFolder(t);
  rmSync(join(dataDir, "secret.key"));
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  const sealed = seal.seal("sk-of-the-model", "agent key");
  await store.agentKeys.put(access, { variable: "MODEL_API_KEY", repositoryId: null, sealed });
  const [id] = await store.sealKeyIds();
  assert.equal(id, seal.keyId());
  assert.match((await errand(dataDir, "doctor")).out, /^ok {2}secret key {3}decrypts every stored secret$/m);
  await errand(dataDir, "backup", join(folder, "one.tar"));
  const target = join(folder, "restored");
  await errand(target, "restore", join(folder, "one.tar"));
  const { code, out } = await errand(target, "doctor");
  assert.equal(code, 1);
  assert.match(
    out,
    new RegExp(`^--  secret key   stored secrets cannot be decrypted: .* key ${id}, and there is no key\\.`, "m"),
  );
  assert.ok(!existsSync(join(target, "secret.key")), "none is made by asking");
});

test("the key stays out of a backup unless it is requested", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  for (const [name, words, has] of [
    ["plain.tar", [], false],
    ["key.tar.gz", ["--with-key"], true],
  ] as const) {
    const made = await errand(dataDir, "backup", join(folder, name), ...words);
    assert.deepEqual([made.code, made.err], [0, ""]);
    const target = join(folder, `of ${name}`);
    const { code, err } = await errand(target, "restore", join(folder, name));
    assert.equal(code, 0);
    assert.equal(existsSync(join(target, "secret.key")), has);
    assert.equal(err === "", has, "what is missing is said");
    if (has) assert.equal(statSync(join(target, "secret.key")).mode & 0o777, 0o600);
  }
});

test("a backup or restore that is not possible is reported in one line, and leaves everything as it is", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const file = join(folder, "one.tar");
  assert.equal((await errand(dataDir, "backup", file)).code, 0);
  const empty = join(folder, "empty");
  const refused = async (data: string, words: string[], said: RegExp) => {
    const { code, out, err } = await errand(data, ...words);
    assert.deepEqual([code !== 0, out, err.trimEnd().includes("\n")], [true, "", false], err);
    assert.match(err, said);
  };
  await refused(dataDir, ["backup"], /usage: backup FILE/);
  // A command that is refused before it holds a folder needs no separate process, which takes half a second.
  const refusedHere = (data: string, words: string[], said: RegExp) =>
    assert.rejects(
      runCommand(words, envOf(data)),
      (error) => error instanceof UsageError && said.test(error.message) && !error.message.includes("\n"),
      words.join(" "),
    );
  await refusedHere(dataDir, ["backup", file], /already exists/);
  await refusedHere(dataDir, ["backup", join(folder, "none/x.tar")], /the folder .* does not exist/);
  await refusedHere(empty, ["backup", join(folder, "two.tar")], /there is no store/);
  await refusedHere(empty, ["restore"], /usage: restore FILE/);
  await refusedHere(empty, ["restore", join(folder, "two.tar")], /does not exist/);
  await refusedHere(empty, ["restore", folder], /is not a file/);
  execFileSync("mkfifo", [join(folder, "pipe.tar")]);
  await refusedHere(empty, ["restore", join(folder, "pipe.tar")], /is not a file/);
  await refused(file, ["restore", file], /file already exists, mkdir/);
  await refused(dataDir, ["restore", file], /already contains .*: move them away/);
  // Cut off, changed, of another kind.
  const whole = readFileSync(file);
  for (const [name, bytes] of Object.entries({
    "cut.tar": whole.subarray(0, whole.length / 2),
    "text.tar": Buffer.from("no archive".repeat(1000)),
    "empty.tar": Buffer.alloc(10_240),
  })) {
    writeFileSync(join(folder, name), bytes);
    await refused(empty, ["restore", join(folder, name)], /is not a complete backup|is not a backup|damaged/);
  }
  const torn = Buffer.from(whole);
  const store = torn.indexOf("SQLite format 3");
  torn.fill(7, store + 3 * 8192, store + 6 * 8192);
  writeFileSync(join(folder, "torn.tar"), torn);
  await refused(empty, ["restore", join(folder, "torn.tar")], /damaged/);
  assert.deepEqual(
    readdirSync(empty).filter((name) => !name.includes(".lock")),
    [],
  );
  assert.equal((await errand(empty, "restore", file)).code, 0);
  const release = await takeLock(join(empty, "service.lock"), 0);
  await refused(empty, ["restore", file], /Another Errand is running/);
  await refused(empty, ["compact"], /Another Errand is running/);
  release?.();
});

function unpacked(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes);
  } catch {
    return null;
  }
}

test("a backup with any bit changed, with a file more or less, or cut anywhere is refused before anything is put in place", async (t) => {
  const { dataDir, store, access, run, folder } = await openFolder(t);
  await store.external.append(access, run.id, messages(50));
  const changed = join(folder, "changed");
  let tries = 0;
  const refuse = async (bytes: Buffer, what: string) => {
    writeFileSync(changed, bytes);
    // This process holds each folder until it ends.
    tries += 1;
    const empty = join(folder, `empty ${tries}`);
    const said = await runCommand(["restore", changed], envOf(empty)).then(
      () => null,
      (error: unknown) => (error instanceof UsageError ? error.message : String(error)),
    );
    assert.match(String(said), /is damaged|is not a complete backup|is not a backup/, what);
    const left = readdirSync(empty).filter((name) => !name.includes(".lock"));
    assert.deepEqual(left, [], what);
  };
  for (const name of ["plain.tar", "small.tar.gz"]) {
    const file = join(folder, name);
    assert.equal((await errand(dataDir, "backup", file)).code, 0);
    const whole = readFileSync(file);
    // Everywhere; and the file that describes it, the line at the end, and the padding before it.
    const count = countOf({ short: 30, long: 300 });
    const places = Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * whole.length) / count));
    const manifest = whole.indexOf('{"errand":"backup"');
    const named = ["store_version", "created_at", "checksum", "sha256"].map((word) => whole.indexOf(word, manifest));
    for (const at of [...places, whole.length - 1, whole.length - 20, whole.length - 80, whole.length - 95, ...named]) {
      if (at < 0) continue;
      const flipped = Buffer.from(whole);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      // The compressed form can say the same in another way.
      if (name.endsWith(".gz") && unpacked(flipped)?.equals(gunzipSync(whole))) continue;
      await refuse(flipped, `${name}, bit ${at % 8} of byte ${at} of ${whole.length}`);
    }
    for (const cut of [1, 20, 86, 600, 12_000]) await refuse(whole.subarray(0, -cut), `${name} without ${cut} bytes`);
    await refuse(Buffer.concat([whole, Buffer.from("\n")]), `${name} with a byte more`);
    assert.equal(execFileSync("tar", ["--test-label", "--file", file], { encoding: "utf8", stdio: "pipe" }), "");
  }
  const inside = join(folder, "inside");
  mkdirSync(inside);
  execFileSync("tar", ["--extract", "--file", join(folder, "plain.tar"), "--directory", inside]);
  for (const change of [
    () => writeFileSync(join(inside, "mirrors/1.git/more"), ""),
    () => rmSync(join(inside, "mirrors/1.git/HEAD")),
  ]) {
    change();
    execFileSync("tar", ["--create", "--file", changed, "--directory", inside, "--", ...readdirSync(inside)]);
    await refuse(readFileSync(changed), "another archive of changed files");
  }
  const target = join(folder, "target");
  execFileSync("gzip", [join(folder, "plain.tar")]);
  assert.equal((await errand(target, "restore", join(folder, "plain.tar.gz"))).code, 0, "compressed later");
});

test("a backup of a version without checksums is restored, and a sentence says what was not checked", async (t) => {
  const { dataDir, folder } = await openFolder(t);
  const [file, inside, target] = [join(folder, "one.tar"), join(folder, "inside"), join(folder, "target")];
  assert.equal((await errand(dataDir, "backup", file, "--with-key")).code, 0);
  mkdirSync(inside);
  execFileSync("tar", ["--extract", "--file", file, "--directory", inside]);
  const { checksum, ...older } = JSON.parse(readFileSync(join(inside, "backup.json"), "utf8"));
  assert.equal(checksum, "sha256");
  writeFileSync(join(inside, "backup.json"), JSON.stringify(older));
  execFileSync("tar", [
    "--create",
    "--file",
    join(folder, "older.tar"),
    "--directory",
    inside,
    "--",
    ...readdirSync(inside),
  ]);
  const { code, err } = await errand(target, "restore", join(folder, "older.tar"));
  assert.deepEqual(
    [code, err],
    [0, "An older version made this backup, without a checksum: damage inside it may go unnoticed.\n"],
  );
});

test("compact rewrites a store without gaps, and leaves nothing of what was deleted", async (t) => {
  const { dataDir, store, access, run } = await openFolder(t);
  await store.external.append(access, run.id, messages(3000));
  await store.close();
  const file = join(dataDir, "errand.db");
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = delete; pragma secure_delete = off");
  database.exec("delete from entries where id % 2 = 0; pragma journal_mode = wal");
  database.close();
  assert.ok(readFileSync(file).includes("message 1000"));
  const before = statSync(file).size;
  const { code, out, err } = await errand(dataDir, "compact");
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /errand\.db: [\d.]+ [KM]B before, [\d.]+ [KM]B now\n/);
  assert.ok(statSync(file).size < before);
  const bytes = readFileSync(file);
  const kept = new DatabaseSync(file);
  assert.deepEqual(
    [
      kept.prepare("pragma auto_vacuum").get()?.auto_vacuum,
      kept.prepare("pragma journal_mode").get()?.journal_mode,
      kept.prepare("select count(*) as n from entries").get()?.n,
    ],
    [2, "wal", 1500],
  );
  kept.close();
  assert.deepEqual([bytes.includes('"message 999"'), bytes.includes('"message 1000"')].sort(), [false, true]);
});
