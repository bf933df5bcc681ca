import { createServer } from "node:http";
import { join } from "node:path";
import next from "next";
import { readConfig } from "#lib/config.ts";
import { setRuntime } from "#lib/http/runtime-access.ts";
import { createLogger } from "#lib/logger.ts";
import { openWebRuntime } from "#lib/runtime/web.ts";

// The same routes of app/v1 as the product serves, but through Next's own pipeline.
const config = readConfig();
const { runtime } = await openWebRuntime(config, createLogger("web", "warn"), "http://127.0.0.1");
setRuntime(runtime);
const pages = next({ dev: false, dir: join(import.meta.dirname, "../.."), hostname: "127.0.0.1", port: 0 });
await pages.prepare();
const handle = pages.getRequestHandler();
const server = createServer((request, response) => void handle(request, response));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(`http://127.0.0.1:${address.port}`);
});
