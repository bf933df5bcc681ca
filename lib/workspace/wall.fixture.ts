import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { getPriority, hostname } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { attachPrepared, forgetLayers } from "./attached-layers.ts";
import { createCheckout } from "./checkout.ts";
import { toProcessEnv } from "./environment.ts";
import type { AgentUser } from "./hand-over.ts";
import { handOver } from "./hand-over.ts";
import { preparedPath } from "./prepared-checkouts.ts";
import { makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { buildWall, prepareForWall, type Wall, type WallOptions, wallEnvironment } from "./wall.ts";
import { probes, scriptOf, withSessionKey, works } from "./wall-probes.fixture.ts";

/** The users of the service and the agent. */
export type Cast = "service's own user" | "root's service, agent's own user" | "nobody's service";

/** The casts that this process has the rights for. */
export const casts: Cast[] =
  process.getuid?.() === 0
    ? ["service's own user", "root's service, agent's own user", "nobody's service"]
    : ["service's own user"];

/** Descriptor of the wall's first file. */
export const firstFile = 4;

const nobody: AgentUser = { uid: 65534, gid: 65534 };

const prepared = { repositoryId: 1, key: randomBytes(32).toString("hex") };

/** A machine with a secret in every place that the wall must hide from an agent. */
export async function makeScene(t: TestContext, cast: Cast) {
  const base = temporaryFolder(t);
  const data = join(base, "data");
  makeRepository(join(base, "source"));
  writeFiles(base, {
    "home/notes": "secret\n",
    "home/.ssh/id_ed25519": "secret\n",
    "data/errand.db": "secret\n",
    "data/secret.key": "secret\n",
    "data/homes/2/session": "secret\n",
    "data/checkouts/2/file": "secret\n",
    "data/homes/1/.profile": "\n",
    [`data/${preparedPath(prepared)}/manifest.json`]: JSON.stringify({
      ...{ key: prepared.key, tree: "tree", copies: [], bytes: 1, files: 1 },
      layers: [
        { place: "checkout", path: "node_modules" },
        { place: "home", path: ".npm" },
      ],
    }),
    [`data/${preparedPath(prepared)}/layers/0/kept`]: "kept in the checkout\n",
    [`data/${preparedPath(prepared)}/layers/1/kept`]: "kept in the home\n",
    "tools/tool": "#!/bin/sh\necho tool\n",
    "tools/data/secret": "secret\n",
  });
  chmodSync(join(base, "tools/tool"), 0o755);
  const checkout = await createCheckout({
    ...{ dataDir: data, runId: 1, repoId: 1, source: join(base, "source"), baseBranch: null, env: testEnv },
  });
  const options: WallOptions = {
    checkout: checkout.path,
    home: join(data, "homes/1"),
    readable: [join(base, "tools")],
    user: cast === "root's service, agent's own user" ? { uid: 54_321, gid: 54_321 } : null,
    network: null,
    hidden: [data, join(base, "home"), join(base, "tools/data")],
  };
  await prepareForWall(options);
  if (options.user !== null) await handOver([join(data, "prepared/1")], options.user);
  const asNobody = cast === "nobody's service";
  const before = asNobody ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"] : [];
  if (asNobody) execFileSync("chown", ["-R", `${nobody.uid}:${nobody.gid}`, base]);
  const found = await occupyMachine(t, base, before);

  /** What the script reached, one line each; `change` may remove something from the wall first. */
  const run = async (script: string, change: (wall: Wall) => Wall = (wall) => wall) => {
    const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };
    const wall = change(await buildWall("/bin/bash", env, firstFile, options));
    const command = [
      ...before,
      ...withSessionKey,
      ...wall.enter,
      "bwrap",
      ...wall.args,
      "--",
      ...wall.before,
      "bash",
      "-c",
      script,
    ];
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      env: toProcessEnv({ ...wallEnvironment(env), ...found, BASE: base }),
      stdio: ["ignore", "pipe", "pipe", "ignore", ...wall.files.map(() => "pipe" as const)],
    });
    for (const [at, file] of wall.files.entries()) {
      const stream = child.stdio[firstFile + at];
      if (stream instanceof Writable) stream.on("error", () => undefined).end(file);
    }
    const [out, error] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, "close")]);
    return { lines: out.split("\n").filter((line) => line !== ""), error };
  };
  /** Mounts prepared folders in the checkout and the home until the test `t` ends. */
  const mountLayers = async (t: TestContext) => {
    const folders = { dataDir: data, runId: 1, checkout: checkout.path, home: options.home, env: testEnv };
    const attached = await attachPrepared(folders, { dataDir: data, ...prepared });
    assert.ok(attached);
    options.layers = attached.space;
    t.after(async () => {
      await attached.space.close();
      await forgetLayers(folders);
    });
  };
  return { base, options, run, mountLayers, probe: (...names: string[]) => scriptOf(chosen(names)) };
}

function chosen(names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, probes[name] ?? works[name] ?? `echo no probe "${name}"`]));
}

function textOf(stream: ChildProcess["stdout"]): Promise<string> {
  return stream === null ? Promise.resolve("") : text(stream);
}

/** Sets up targets other than files that an agent must not reach. Returns the variables by which probes find them. */
async function occupyMachine(t: TestContext, base: string, before: string[]): Promise<Record<string, string>> {
  const shared = `errand-wall-${process.pid}-${Date.now()}`;
  const [own, port, abstract, socket] = [before, createServer(), createServer(), createServer()];
  writeFileSync(`/dev/shm/${shared}`, "secret");
  t.after(() => rmSync(`/dev/shm/${shared}`));
  await Promise.all([
    listen(t, port, { port: 0, host: "127.0.0.1" }),
    listen(t, abstract, { path: `\0${shared}` }),
    listen(t, socket, { path: join(base, "socket") }),
  ]);
  chmodSync(join(base, "socket"), 0o777);
  const [first = "", ...others] = [...own, "ipcmk", "-M", "4096", "-p", "0666"];
  const segment = execFileSync(first, others, { encoding: "utf8" }).match(/\d+/)?.[0] ?? "";
  t.after(() => execFileSync("ipcrm", ["-m", segment]));
  const address = port.address();
  const service = await startService(t, base, before);
  return {
    SHARED: shared,
    ABSTRACT: shared,
    PORT: String(typeof address === "object" ? address?.port : ""),
    SEGMENT: segment,
    SERVICE: String(service),
    HOST: hostname(),
    NICE: String(getPriority()),
  };
}

function listen(t: TestContext, server: Server, where: object): Promise<void> {
  t.after(() => server.close());
  return new Promise((resolve) => server.listen(where, resolve));
}

/** A process of the service's user called "service", with a secret in its environment. */
async function startService(t: TestContext, base: string, before: string[]): Promise<number> {
  mkdirSync(join(base, "bin"), { recursive: true, mode: 0o755 });
  const program = join(base, "bin/service");
  copyFileSync("/usr/bin/sleep", program);
  chmodSync(program, 0o755);
  const [first = "", ...others] = [...before, program, "1000"];
  const child = spawn(first, others, { env: toProcessEnv({ PATH: testEnv.PATH, SERVICE_SECRET: "secret" }) });
  t.after(() => child.kill("SIGKILL"));
  await once(child, "spawn");
  return child.pid ?? 0;
}
