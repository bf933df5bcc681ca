import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { closeInherited } from "#lib/inherited-files.ts";
import { loginCommand } from "#lib/login-command.ts";
import { holdFolder } from "#lib/runtime/folder.ts";
import { keepMark } from "#lib/store/storage/keep-mark.ts";
import { openMark } from "#lib/store/storage/raise-mark.ts";
import type { Listening, Owner } from "#lib/supervised.ts";
import type { Preparation, Settings } from "./prepare-start.ts";
import { SupervisedChild } from "./supervised-child.ts";

/**
 * Nearly everything web and engine allocate becomes garbage at once. By default, Node reserves tens of megabytes for it in each
 * of them at the start, and keeps them. The engine mostly waits for agents, so it may also be slower by some percent for 10 MB
 * less; web serves requests, and has no time to spare.
 */
export const webFlags: readonly string[] = ["--max-semi-space-size=4"];
const engineFlags = ["--max-semi-space-size=1", "--optimize-for-size"];

/**
 * Settings of glibc's allocator, which otherwise keeps freed memory: hundreds of megabytes after large pages and exports. No agent gets
 * them.
 */
const allocator = {
  MALLOC_ARENA_MAX: "1",
  // A page of logs up to 1 MB is built in memory that stays; what is larger goes back to the system at once.
  MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
};

/** A live agent gets 4 s to end its turn, its process 2 s more; everything must be over within 10 s. */
const stopMs = 9000;

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/**
 * The supervisor: has the data folder prepared, starts web and engine, prints where to go, and stops both on request. Resolves with
 * the exit code when everything has ended. It lives as long as the service and does little, so what needs the store or the settings
 * is done in other processes, and modules for rare events are loaded when they are needed.
 */
export async function start(mode: "production" | "development"): Promise<number> {
  closeInherited();
  const prepared = await prepare();
  if (typeof prepared === "number") return prepared;
  const { settings, owner } = prepared;
  const log = async (level: "error" | "debug", fields: object, message: string) => {
    const { createLogger } = await import("#lib/logger.ts");
    createLogger("start", settings.logLevel)[level](fields, message);
  };
  const endMark = keepMark(
    openMark(settings.storeFile),
    (error) => void log("debug", { err: error }, "the high-water mark was not raised"),
  );

  return new Promise((resolve) => {
    let ended = false;
    const finish = async (code: number) => {
      if (ended) return;
      ended = true;
      await Promise.all([web.stop(stopMs), engine.stop(stopMs)]);
      endMark();
      resolve(code);
    };
    const fatal = (message: string) => {
      process.stderr.write(`errand: ${message}\n`);
      void finish(1);
    };
    const onRestart = (message: string) => void log("error", {}, message);

    const waiting = { web: true, engine: true };
    let isShown = false;
    let address: Listening = { url: "", port: settings.port };
    const ready = (name: "web" | "engine", listening: Listening | null) => {
      waiting[name] = false;
      if (listening !== null) address = listening;
      if (!isShown && !waiting.web && !waiting.engine) web.send({ kind: "sign_in", owner });
    };
    const show = (signIn: string) => {
      if (isShown) return;
      isShown = true;
      process.stdout.write(`Errand is ready at ${address.url}\n${signIn}${loginCommand(settings.dataDir)}\n`);
    };

    const env = { ...allocator, ...process.env, ERRAND_DATA_DIR: settings.dataDir, ERRAND_MODE: mode };
    const shared = { onFatal: fatal, onRestart };
    const web = new SupervisedChild({
      ...shared,
      name: "web",
      entry: pathOf("../web/main.ts"),
      // With PORT=0, whoever was given the address must find the web process there again after a restart.
      env: () => ({ ...env, PORT: String(address.port) }),
      execArgv: [...webFlags],
      onReady: (listening) => ready("web", listening),
      onSignIn: show,
    });
    const engine = new SupervisedChild({
      ...shared,
      name: "engine",
      entry: pathOf("../engine/main.ts"),
      env: () => env,
      execArgv: mode === "development" ? [...engineFlags, "--watch", "--watch-preserve-output"] : engineFlags,
      onReady: () => ready("engine", null),
      // If web is not there, the runs end when the engine starts again.
      onEnd: () => web.send({ kind: "engine_ended" }),
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void finish(0));
    web.start();
    engine.start();
  });
}

/** Locks the data folder and has it prepared; returns the exit code if that failed. Throws a one-line StoreError. */
async function prepare(): Promise<{ settings: Settings; owner: Owner } | number> {
  const child = fork(pathOf("./prepare-start.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  // The channel ends after its last message, which may be later than the process.
  const ended = Promise.all([once(child, "exit"), once(child, "disconnect")]);
  let [settings, owner]: [Settings | null, Owner | null] = [null, null];
  let locking: Promise<void> = Promise.resolve();
  child.on("message", (message: Preparation) => {
    if (message.kind === "owner") owner = message.owner;
    else {
      settings = message.settings;
      locking = holdFolder(settings, "service").then(
        () => void child.send("go"),
        (error) => {
          child.disconnect();
          throw error;
        },
      );
      locking.catch(() => undefined);
    }
  });
  const [[code]] = await ended;
  await locking;
  return settings === null || owner === null ? Number(code ?? 1) : { settings, owner };
}
