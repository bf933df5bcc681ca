import { readConfig } from "#lib/config.ts";
import { createLogger } from "#lib/logger.ts";
import { openEngine } from "#lib/runtime.ts";

/** The engine process: tells its supervisor when it is ready, or in one line why it cannot start. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger("engine", config.logLevel);
  const { engine, start, listed, close } = await openEngine(config, logger);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await engine.stop();
    await close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void stop());
  // The supervisor is gone: whoever stopped it wants the engine stopped too.
  process.on("disconnect", () => void stop());
  await listed;
  start();
  process.send?.({ kind: "ready", listening: null });
}

main().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  if (process.send === undefined) process.stderr.write(`errand: ${message}\n`);
  else process.send({ kind: "fatal", message });
  setTimeout(() => process.exit(1), 100);
});
