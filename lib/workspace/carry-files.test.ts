// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { findBubblewrapFlags } from "./bubblewrap.ts";
import { carryFiles } from "./carry-files.ts";
import { toProcessEnv } from "./environment.ts";
import { temporaryFolder, testEnv } from "./test-repository.ts";

const bubblewrap = await findBubblewrapFlags(testEnv);

/** The home of a person with a sign-in, and that of a run's agent. */
function homes(t: TestContext) {
  const base = temporaryFolder(t);
  const [person, home] = [join(base, "person"), join(base, "home")];
  mkdirSync(person);
  mkdirSync(home);
  const from = join(person, "auth.json");
  writeFileSync(from, '{"token": 1}', { mode: 0o640 });
  return {
    base,
    home,
    from,
    path: join(home, ".tool/auth.json"),
    signIns: [{ from, to: ".tool/auth.json", renews: true }],
  };
}

test("a sign-in file is copied in readable by its user only, and copied back when the agent has renewed it", async (t) => {
  const { home, from, path, signIns } = homes(t);
  const carried = await carryFiles([...signIns, { from: `${from}.gone`, to: "gone.json", renews: true }], home);
  assert.equal(readFileSync(path, "utf8"), '{"token": 1}');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.ok(!existsSync(join(home, "gone.json")));
  await carried.carryBack();
  assert.equal(readFileSync(from, "utf8"), '{"token": 1}');
  writeFileSync(path, '{"token": 2}');
  await carried.carryBack();
  assert.equal(readFileSync(from, "utf8"), '{"token": 2}');
  assert.equal(statSync(from).mode & 0o777, 0o640);
  const settings = await carryFiles([{ from, to: ".tool/settings.json", renews: false }], home);
  writeFileSync(join(home, ".tool/settings.json"), '{"token": 3}');
  await settings.carryBack();
  assert.equal(readFileSync(from, "utf8"), '{"token": 2}');
  await carryFiles([{ from: null, to: ".tool/auth.json", renews: true }], home);
  assert.ok(!existsSync(path));
});

test("a file that is no longer a sign-in, or was renewed elsewhere too, is not copied back", async (t) => {
  const { home, from, path, signIns } = homes(t);
  for (const broken of ["", "{", "null", '"text"', `{"long": "${"x".repeat(1024 * 1024)}"}`]) {
    const carried = await carryFiles(signIns, home);
    writeFileSync(path, broken);
    await carried.carryBack();
    assert.equal(readFileSync(from, "utf8"), '{"token": 1}');
  }
  const carried = await carryFiles(signIns, home);
  writeFileSync(path, '{"token": 2}');
  writeFileSync(from, '{"token": 3}');
  await carried.carryBack();
  assert.equal(readFileSync(from, "utf8"), '{"token": 3}');
});

test("a file carried back while the agent is kept counts as the service's user's own, until that changes", async (t) => {
  const { home, from, path, signIns } = homes(t);
  const later = { from: `${from}.later`, to: "later.json", renews: false };
  const carried = await carryFiles([...signIns, later], home);
  for (const token of [2, 3]) {
    writeFileSync(path, JSON.stringify({ token }));
    await carried.carryBack();
    assert.deepEqual(JSON.parse(readFileSync(from, "utf8")), { token });
    assert.ok(await carried.areCurrent());
  }
  writeFileSync(later.from, "{}");
  assert.equal(await carried.areCurrent(), false);
  const again = await carryFiles([...signIns, later], home);
  writeFileSync(from, '{"token": 4}');
  assert.equal(await again.areCurrent(), false);
});

test("a sign-in file that is a link is given to the agent, and what it leads to is renewed", async (t) => {
  const { base, home, from, path, signIns } = homes(t);
  // As in a container that is given secrets: the file is a link through a folder that is one too.
  mkdirSync(join(base, "secrets/1"), { recursive: true });
  renameSync(from, join(base, "secrets/1/auth.json"));
  symlinkSync("1", join(base, "secrets/now"));
  symlinkSync("../secrets/now/auth.json", from);
  const carried = await carryFiles(signIns, home);
  assert.equal(readFileSync(path, "utf8"), '{"token": 1}');
  writeFileSync(path, '{"token": 2}');
  await carried.carryBack();
  assert.ok(await carried.areCurrent());
  assert.equal(readFileSync(join(base, "secrets/1/auth.json"), "utf8"), '{"token": 2}');
  assert.ok(lstatSync(from).isSymbolicLink());
  assert.deepEqual(readdirSync(join(base, "secrets/1")), ["auth.json"]);
  mkdirSync(join(base, "secrets/2"));
  writeFileSync(join(base, "secrets/2/auth.json"), '{"token": 3}');
  symlinkSync("2", join(base, "secrets/next"));
  renameSync(join(base, "secrets/next"), join(base, "secrets/now"));
  assert.equal(await carried.areCurrent(), false);
});

test("symbolic links left by an agent are not followed in either direction", async (t) => {
  const { base, home, from, path, signIns } = homes(t);
  const secret = join(base, "secret.json");
  writeFileSync(secret, '{"secret": true}');
  let carried = await carryFiles(signIns, home);
  renameSync(path, `${path}.old`);
  symlinkSync(secret, path);
  await carried.carryBack();
  assert.equal(readFileSync(from, "utf8"), '{"token": 1}', "nothing is read through a link");
  carried = await carryFiles(signIns, home);
  assert.equal(readFileSync(secret, "utf8"), '{"secret": true}', "nothing is written through a link");
  const elsewhere = join(base, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "auth.json"), '{"token": "theirs"}');
  renameSync(join(home, ".tool"), join(home, ".old"));
  symlinkSync(elsewhere, join(home, ".tool"));
  await carried.carryBack();
  assert.equal(readFileSync(from, "utf8"), '{"token": 1}');
  await carryFiles(signIns, home);
  assert.equal(readFileSync(join(elsewhere, "auth.json"), "utf8"), '{"token": "theirs"}');
  assert.equal(readFileSync(path, "utf8"), '{"token": 1}');
});

test("a sign-in file mounted by itself, as into a container, is written in place, and no copies of it are left", {
  skip: bubblewrap === null ? "bubblewrap does not work here" : false,
}, async (t) => {
  const { home, from, path, signIns } = homes(t);
  const script = `import { writeFileSync } from "node:fs";
    import { carryFiles } from ${JSON.stringify(import.meta.resolve("./carry-files.ts"))};
    const carried = await carryFiles(${JSON.stringify(signIns)}, ${JSON.stringify(home)});
    for (const token of [2, 3]) {
      writeFileSync(${JSON.stringify(path)}, JSON.stringify({ token }));
      await carried.carryBack();
    }`;
  const node = [process.execPath, "--input-type=module", "-e", script];
  execFileSync("bwrap", [...(bubblewrap ?? []), "--bind", from, from, "--", ...node], {
    env: toProcessEnv({ PATH: testEnv.PATH }),
  });
  assert.deepEqual(readdirSync(dirname(from)), ["auth.json"]);
  assert.equal(readFileSync(from, "utf8"), '{"token":3}');
  assert.equal(statSync(from).mode & 0o777, 0o640);
});
