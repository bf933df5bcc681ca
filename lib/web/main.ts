import { rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import next from "next";
import { collectWhenIdle } from "#lib/collect-when-idle.ts";
import { type Config, localUrl, readConfig } from "#lib/config.ts";
import { setRuntime } from "#lib/http/runtime-access.ts";
import { createLogger, type Logger } from "#lib/logger.ts";
import { shownLoginCommand } from "#lib/login-command.ts";
import { holdFolder, settleDeadEngine } from "#lib/runtime/folder.ts";
import { signInLines } from "#lib/runtime/sign-in-link.ts";
import { openWebRuntime } from "#lib/runtime/web.ts";
import type { Store } from "#lib/store/store.ts";
import { type ChildMessage, type SupervisorMessage, whenToStop } from "#lib/supervised.ts";
import { startFront } from "./front.ts";

const root = resolve(import.meta.dirname, "../..");

/** The web process: tells its supervisor where it listens, or in one line why it cannot start. */
async function main(): Promise<void> {
  let stop: () => Promise<void> = async () => undefined;
  whenToStop(() => stop());
  const config = readConfig();
  await holdFolder(config, "web");
  const logger = createLogger("web", config.logLevel);
  const { host, port, allowedHosts, corsOrigins, trustedProxies, publicUrl, mode } = config;
  const dev = mode === "development";
  const { runtime, close } = await openWebRuntime(config, logger, publicUrl ?? localUrl(host, port));
  setRuntime(runtime);

  const pages = await withoutTimings(async () => {
    const made = next({ dev, dir: root, hostname: host, port });
    await made.prepare();
    return made;
  });
  const front = await startFront({
    host,
    port,
    next: pages.getRequestHandler(),
    dev,
    appDir: join(root, "app"),
    allowedHosts,
    corsOrigins,
    trustedProxies,
    publicUrl,
    logger,
  });
  // With PORT=0 the address is known only now.
  runtime.publicUrl = front.url;
  runtime.loginCommand = shownLoginCommand(config.dataDir, front.url);
  await keepAddress(config.dataDir, front.url, logger);

  stop = async () => {
    await front.close();
    await pages.close();
    await close();
  };
  collectWhenIdle();
  serveSupervisor(config, { store: runtime.store, origin: front.url, logger });
  tell({ kind: "ready", listening: { url: front.url, port: front.port } });
}

const tell = (message: ChildMessage) => process.send?.(message);

/** Does what the supervisor, which has no store, asks for. */
function serveSupervisor(
  config: Pick<Config, "dataDir">,
  { store, origin, logger }: { store: Store; origin: string; logger: Logger },
): void {
  const settle = async () => {
    try {
      for (const run of await settleDeadEngine(config, store)) logger.warn({ run }, "the run's engine died");
    } catch (error) {
      logger.error({ err: error }, "the engine died; its runs end when it starts again");
    }
  };
  process.on("message", async (message: SupervisorMessage) => {
    if (message.kind === "engine_ended") await settle();
    else if (message.kind === "sign_in")
      tell({ kind: "sign_in", lines: await signInLines({ store, owner: message.owner, origin, logger }) });
  });
}

/** Keeps the address for commands. On a full disk they go by the earlier one. */
async function keepAddress(dataDir: string, url: string, logger: Pick<Logger, "error">): Promise<void> {
  const file = join(dataDir, "address");
  try {
    await writeFile(`${file}.new`, `${url}\n`);
    await rename(`${file}.new`, file);
  } catch (error) {
    logger.error({ err: error }, "the address could not be kept for commands");
  }
}

/** Drops Next's timing of reading its settings: people starting the service do not need it. */
async function withoutTimings<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = (...words: unknown[]) => {
    if (!/Running next\.config\.\w+ took/.test(words.join(" "))) log(...words);
  };
  try {
    return await work();
  } finally {
    console.log = log;
  }
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (process.send === undefined) process.stderr.write(`errand: ${message}\n`);
  else tell({ kind: "fatal", message });
  setTimeout(() => process.exit(1), 100);
});
