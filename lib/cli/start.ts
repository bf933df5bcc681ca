import { fileURLToPath } from "node:url";
import type { Config } from "#lib/config.ts";
import { closeInherited } from "#lib/inherited-files.ts";
import { createLogger } from "#lib/logger.ts";
import { loginCommand } from "#lib/login-command.ts";
import { openStoreForCommand } from "#lib/runtime/commands.ts";
import { holdFolder, settleDeadEngine } from "#lib/runtime/folder.ts";
import { prepareFirstStart } from "./first-start.ts";
import { hideFromGit } from "./hide-from-git.ts";
import { keepMark } from "./keep-mark.ts";
import { signInLines } from "./sign-in-link.ts";
import { refuseKilledRestore } from "./stages.ts";
import { type Listening, SupervisedChild } from "./supervised-child.ts";

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
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: String(16 * 1024 * 1024),
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
};

/** A live agent gets 4 s to end its turn, its process 2 s more; everything must be over within 10 s. */
const stopMs = 9000;

/**
 * The supervisor: prepares the data folder, starts web and engine, prints where to go, and stops both on request. Resolves with
 * the exit code when everything has ended.
 */
export async function start(config: Config, mode: "production" | "development"): Promise<number> {
  closeInherited();
  const logger = createLogger("start", config.logLevel);
  await holdFolder(config, "service");
  await refuseKilledRestore(config);
  await hideFromGit(config.dataDir);
  const { store, auth } = await openStoreForCommand(config);
  await store.checkAtStart();
  const owner = await prepareFirstStart(store, config);

  return new Promise((resolve) => {
    let ended = false;
    const finish = async (code: number) => {
      if (ended) return;
      ended = true;
      await Promise.all([web.stop(stopMs), engine.stop(stopMs)]);
      await endMark();
      await store.close();
      resolve(code);
    };
    const endMark = keepMark(store, logger);
    const fatal = (message: string) => {
      process.stderr.write(`errand: ${message}\n`);
      void finish(1);
    };
    const onRestart = (message: string) => logger.error(message);

    const waiting = { web: true, engine: true };
    let address: Listening = { url: "", port: config.port };
    const ready = async (name: "web" | "engine", listening: Listening | null) => {
      const first = waiting.web || waiting.engine;
      waiting[name] = false;
      if (listening !== null) address = listening;
      if (!first || waiting.web || waiting.engine) return;
      const signIn = await signInLines({ store, auth, owner, origin: address.url, logger });
      process.stdout.write(`Errand is ready at ${address.url}\n${signIn}${loginCommand(config.dataDir)}\n`);
    };

    const settle = async () => {
      try {
        for (const run of await settleDeadEngine(config, store)) logger.warn({ run }, "the run's engine died");
      } catch (error) {
        logger.error({ err: error }, "the engine died; its runs end when it starts again");
      }
    };

    const env = { ...allocator, ...process.env, ERRAND_DATA_DIR: config.dataDir, ERRAND_MODE: mode };
    const shared = { onFatal: fatal, onRestart };
    const web = new SupervisedChild({
      ...shared,
      name: "web",
      entry: fileURLToPath(new URL("../web/main.ts", import.meta.url)),
      // With PORT=0, whoever was given the address must find the web process there again after a restart.
      env: () => ({ ...env, PORT: String(address.port) }),
      execArgv: [...webFlags],
      onReady: (listening) => void ready("web", listening),
    });
    const engine = new SupervisedChild({
      ...shared,
      name: "engine",
      entry: fileURLToPath(new URL("../engine/main.ts", import.meta.url)),
      env: () => env,
      execArgv: mode === "development" ? [...engineFlags, "--watch", "--watch-preserve-output"] : engineFlags,
      onReady: () => void ready("engine", null),
      onEnd: () => void settle(),
    });
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void finish(0));
    web.start();
    engine.start();
  });
}
