// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { probeLayers } from "./layers-probe.ts";
import { temporaryFolder, testEnv } from "./test-repository.ts";
import { type Cast, casts, firstFile, makeScene } from "./wall.fixture.ts";
import { prepareForWall, type Wall } from "./wall.ts";
import { fixOf, probeWall } from "./wall-probe.ts";
import { calls, commands, probes, scriptOf, works } from "./wall-probes.fixture.ts";

/** The wall without some of its arguments. */
const without =
  (...parts: string[][]) =>
  (wall: Wall): Wall => ({ ...wall, args: parts.reduce(cut, wall.args) });
/** The wall with a writable mount. */
const writable = (path: string) => (wall: Wall) => {
  const at = wall.args.findIndex((word, at) => word === "--ro-bind" && wall.args[at + 2] === path);
  assert.ok(at >= 0, `${path} is mounted`);
  return { ...wall, args: wall.args.with(at, "--bind") };
};

function cut(args: string[], part: string[]): string[] {
  const at = args.findIndex((_, at) => part.every((word, index) => args[at + index] === word));
  assert.ok(at >= 0, `the wall has ${part.join(" ")}`);
  return args.toSpliced(at, part.length);
}

/** The wall whose filter no longer compares with this number, the number of a call or a command. */
const permitting = (number: number) => (wall: Wall) => {
  const at = Number(wall.args[wall.args.indexOf("--seccomp") + 1]) - firstFile;
  const filter = Buffer.from(wall.files[at] ?? "");
  const places = Array.from({ length: filter.length / 8 }, (_, place) => place * 8 + 4);
  const [found] = places.filter((place) => filter.readUInt32LE(place) === number);
  assert.ok(found !== undefined, `the filter has ${number}`);
  filter.writeUInt32LE(0xffffffff, found);
  return { ...wall, files: wall.files.with(at, filter) };
};

/** The wall without the first words before its command, up to `last`. */
const withoutUpTo = (last: string) => (wall: Wall) => ({
  ...wall,
  before: wall.before.slice(wall.before.indexOf(last) + 1),
});

/** The wall without a step of the script that limits its command. */
const withoutStep = (step: RegExp) => (wall: Wall) => {
  const before = wall.before.map((word) => word.replace(step, ""));
  assert.notDeepEqual(before, wall.before, `the wall has ${step}`);
  return { ...wall, before };
};

const { holds } = await probeWall({ dataDir: tmpdir(), env: testEnv, user: null, hidden: [] });
const hasLayers = (await probeLayers({ dataDir: tmpdir(), env: testEnv, user: null, hidden: [] })).holds;
test("the wall holds here", { skip: holds ? false : "bubblewrap is missing here or not permitted" }, () =>
  assert.ok(holds),
);

const isRoot = casts.length > 1;
type Mutation = [what: string, change: (wall: Wall) => Wall, reached: string[], broken?: string[]];

/** What each argument of the wall prevents: without it these targets are reached, or this work fails. */
const mutations: Record<Cast, Mutation[]> = {
  "service's own user": [
    [
      "namespaces",
      without(["--unshare-all"], ["--hostname", "errand"]),
      ["a port of the machine", "an abstract socket", "shared memory of the machine", "the machine's name"],
    ],
    ["--new-session", without(["--new-session"]), ["a session of the service"]],
    ["--hostname", without(["--hostname", "errand"]), ["the machine's name"]],
    ["read-only /", without(["--remount-ro", "/"]), ["writing to /etc", "writing to the root folder"]],
    [
      "--seccomp",
      (wall) => without(["--seccomp", wall.args[wall.args.indexOf("--seccomp") + 1] ?? ""])(wall),
      ["a user namespace", "a key of the service's session", "a new key", "io_uring"],
    ],
    ["refusing leases", permitting(commands.setLease), ["holding up whoever opens a file of the machine"]],
    ["refusing F_NOTIFY", permitting(commands.notify), ["signals about a folder of the machine"]],
    ["refusing fanotify", permitting(calls.fanotify_init), ["watching a file system"]],
    ["refusing quotactl", permitting(calls.quotactl), ["flushing file systems"]],
    [
      "refusing keys of encrypted folders",
      permitting(commands.removeEncryptionKey),
      ["locking encrypted folders of the service's user"],
    ],
    ["the size of /tmp", without(["--size", "2147483648"]), ["memory by /tmp"]],
    ["the size of /dev/shm", without(["--size", "1073741824"]), ["memory by /dev/shm"]],
    ["the size of files", withoutStep(/^ulimit -f .*$/m), ["files without end"]],
    ["the number of processes", withoutStep(/^ulimit -u .*$/m), ["processes without end"]],
    ["nice", (wall) => ({ ...wall, enter: wall.enter.slice(3) }), ["the service's share of the processor"]],
    ["the rank", withoutStep(/^echo .*$/m), ["the service's place when memory runs out"]],
    ["read-only hooks", writable("/workspace/.git/hooks"), ["a git hook"]],
    [
      "a mount of .git",
      (wall) => without(["--bind", `${wall.args[wall.args.indexOf("/workspace/.git") - 1]}`, "/workspace/.git"])(wall),
      ["another .git in place"],
    ],
    ["read-only settings of git", writable("/workspace/.git/config"), ["git's settings"]],
    ["read-only objects", writable("/workspace/.git/errand-shared"), ["objects of other runs"]],
    [
      "hidden folders",
      (wall) => without(["--tmpfs", hiddenIn(wall)])(wall),
      ["a data folder within a folder of tools"],
    ],
    ["a read-only program", (wall) => writable(toolsOf(wall))(wall), ["writing to an agent's program"]],
    ["--proc", without(["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]), [], ["its own processes"]],
    ["--dev", without(["--dev", "/dev"]), [], ["a pipe, a terminal, random bytes"]],
  ],
  "root's service, agent's own user": [
    ["--unshare-net", without(["--unshare-net"]), ["a port of the machine", "an abstract socket", "a network device"]],
    ["--unshare-pid", without(["--unshare-pid"]), ["a process of the machine"]],
    ["--unshare-ipc", without(["--unshare-ipc"]), ["shared memory of the machine"]],
    ["--unshare-uts", without(["--unshare-uts"], ["--hostname", "errand"]), ["the machine's name"]],
    ["setpriv", withoutUpTo("--inh-caps=-all"), ["a privilege"]],
  ],
  "nobody's service": [],
};
if (isRoot) {
  // What only root can do.
  mutations["service's own user"].push(
    ["--cap-drop", without(["--cap-drop", "ALL"]), ["a privilege", "mounting"]],
    ["read-only /proc/sys", without(["--ro-bind", "/proc/sys", "/proc/sys"]), ["a setting of the kernel"]],
    ["read-only /usr", writable("/usr"), ["writing to the system"]],
    ...(existsSync("/opt") ? [["read-only /opt", writable("/opt"), ["writing to tools"]] as Mutation] : []),
  );
}

for (const cast of holds ? casts : []) {
  test(`behind the wall, as ${cast}`, async (t) => {
    const { run, probe } = await makeScene(t, cast);
    await t.test("none of the probes gets out", async () => {
      assert.deepEqual(await run(scriptOf(probes)), { lines: [], error: "" });
      assert.ok(Object.keys(probes).length >= 40);
    });
    await t.test("work continues", async () => {
      assert.deepEqual(await run(scriptOf(works)), { lines: Object.keys(works), error: "" });
    });
    for (const [what, change, reached, broken = []] of mutations[cast]) {
      await t.test(`without ${what} it has a hole`, async () => {
        assert.deepEqual((await run(probe(...reached, ...broken), change)).lines, reached);
      });
    }
  });
}

test("a .git whose objects are gone keeps the rest closed", {
  skip: holds ? false : "the wall does not hold here",
}, async (t) => {
  const { run, options } = await makeScene(t, "service's own user");
  const closed = ["a git hook", "git's settings", "objects of other runs"];
  const tried = Object.fromEntries(closed.map((name) => [name, probes[name] ?? ""]));
  assert.deepEqual(await run("mv .git/objects .git/away; ls .git/objects 2>/dev/null"), { lines: [], error: "" });
  await prepareForWall(options);
  assert.deepEqual(await run(scriptOf(tried)), { lines: [], error: "" });
});

/** Only a process of user nobody could mount layers for nobody's service. */
for (const cast of holds && hasLayers ? casts.filter((cast) => cast !== "nobody's service") : []) {
  test(`behind the wall with layers mounted, as ${cast}`, async (t) => {
    const { run, mountLayers } = await makeScene(t, cast);
    await t.test("none of the probes gets out, and work continues", async (t) => {
      await mountLayers(t);
      const use =
        "cat node_modules/kept ~/.npm/kept; for at in node_modules ~/.npm; do echo own > $at/own; rm $at/kept; done";
      const seen = ["kept in the checkout", "kept in the home"];
      assert.deepEqual(await run(use), { lines: seen, error: "" });
      const unmounting = scriptOf({ unmounting: "umount node_modules || umount ~/.npm" });
      assert.deepEqual(await run(scriptOf(probes)), { lines: [], error: "" });
      assert.deepEqual(await run(unmounting), { lines: [], error: "" });
      assert.deepEqual(await run(scriptOf(works)), { lines: Object.keys(works), error: "" });
      assert.deepEqual(await run("ls node_modules ~/.npm | grep -v :"), { lines: ["own", "own"], error: "" });
    });
  });
}

const toolsOf = ({ args }: Wall) => args.find((word) => word.endsWith("/tools")) ?? "";
const hiddenIn = ({ args }: Wall) => args.find((word) => word.endsWith("/tools/data")) ?? "";

test("whatever prevents the wall is reported with the command that fixes it", async (t) => {
  const dataDir = temporaryFolder(t);
  const bin = temporaryFolder(t);
  const probe = (path: string) => probeWall({ dataDir, env: { PATH: path }, user: null, hidden: [dataDir] });
  const path = testEnv.PATH ?? "";
  assert.deepEqual(await probe(bin), {
    holds: false,
    why: "The program bwrap is not installed.",
    fix: "sudo apt install bubblewrap",
  });
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n");
  chmodSync(join(bin, "bwrap"), 0o755);
  const refused = await probe(`${bin}:${path}`);
  assert.ok(!refused.holds);
  assert.equal(refused.why, "bwrap: setting up uid map: Permission denied");
  assert.deepEqual([readdirSync(dataDir), readdirSync(join(dataDir, "agents"))], [["agents"], []], "nothing is left");
});

test("the command that fixes the wall follows from the kernel's settings", () => {
  const kernel = { isRoot: false, inContainer: false };
  const said = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted";
  assert.match(fixOf(said, { ...kernel, apparmor: "1", most: "100" }), /bwrap-userns-restrict/);
  assert.match(fixOf(said, { ...kernel, apparmor: "1", isRoot: true }), /^Allow user namespaces/);
  assert.match(fixOf(said, { ...kernel, clone: "0" }), /^sudo sysctl -w kernel.unprivileged_userns_clone=1$/);
  assert.match(fixOf(said, { ...kernel, most: "0" }), /^sudo sysctl -w user.max_user_namespaces=/);
  assert.match(fixOf(said, { ...kernel, inContainer: true }), /--security-opt seccomp=unconfined/);
  assert.match(fixOf("bwrap: something else", kernel), /^Look at what bubblewrap says/);
});
