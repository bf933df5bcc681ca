import { flushCompileCache } from "node:module";
import { collectWhenIdle } from "#lib/collect-when-idle.ts";
import { readConfig } from "#lib/config.ts";
import { createLogger } from "#lib/logger.ts";
import { openEngine } from "#lib/runtime/engine.ts";
import { holdFolder } from "#lib/runtime/folder.ts";
import { whenToStop } from "#lib/supervised.ts";

/** The engine process: tells its supervisor when it is ready, or in one line why it cannot start. */
async function main(): Promise<void> {
  let stop: () => Promise<void> = async () => undefined;
  whenToStop(() => stop());
  const config = readConfig();
  await holdFolder(config, "engine");
  const logger = createLogger("engine", config.logLevel);
  const { engine, start, listed, close } = await openEngine(config, logger);
  stop = async () => {
    await engine.stop();
    await close();
  };
  await listed;
  await start();
  collectWhenIdle();
  process.send?.({ kind: "ready", listening: null });
  // Node saves what it compiled at its exit only, and a killed engine has none.
  flushCompileCache();
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (process.send === undefined) process.stderr.write(`errand: ${message}\n`);
  else process.send({ kind: "fatal", message });
  setTimeout(() => process.exit(1), 100);
});
