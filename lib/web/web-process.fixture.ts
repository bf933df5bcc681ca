import { join } from "node:path";
import { setRuntime } from "#lib/http/runtime-access.ts";
import { endLeftSessions } from "#lib/service/claude-sessions.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { appDir, runtimeUnderTest, wideRates } from "./api-under-test.ts";
import { startFront } from "./front.ts";

// A web process without pages over the store of a folder: says where it listens, and is killed by its test.
const [folder = ""] = process.argv.slice(2);
const store = await openStore({ file: join(folder, "errand.db") });
const log = (fields: object) => process.stderr.write(`${JSON.stringify(fields)}\n`);
const runtime = runtimeUnderTest(store, folder, { rates: wideRates, now: () => new Date(), log });
setRuntime(runtime);
await endLeftSessions({ store });
const front = await startFront({
  host: "127.0.0.1",
  port: 0,
  next: async (_, response) => void response.end(),
  dev: false,
  appDir,
  allowedHosts: [],
  publicUrl: null,
  logger: { ...runtime.logger, info: () => {} },
});
process.stdout.write(`${front.port}\n`);
