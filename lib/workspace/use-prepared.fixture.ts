import { once } from "node:events";
import { attachPrepared } from "./attached-layers.ts";
import { startContained } from "./contain.ts";
import { testEnv } from "./test-repository.ts";
import { wallEnvironment } from "./wall.ts";

/**
 * A service with a run at work in its prepared checkout, to be killed. Its argument, in JSON, says which. Prints a line when the
 * run is at work.
 */
const { place, run } = JSON.parse(process.argv[2] ?? "");
const { dataDir, checkout, home } = run;
const attached = await attachPrepared({ ...run, env: testEnv }, place);
const layers = attached?.space ?? null;
const wall = { checkout, home, readable: [], user: null, network: null, hidden: [dataDir], layers };
const script = "(trap '' TERM; while :; do sleep 0.05; done) & setsid sleep 1000 & cat node_modules/dep/1.js; wait";
const env = wallEnvironment({ PATH: "/usr/local/bin:/usr/bin:/bin" });
const { stdout } = await startContained({
  dataDir,
  command: "/bin/bash",
  args: ["-c", script],
  cwd: checkout,
  env,
  wall,
});
await once(stdout, "data");
process.stdout.write("at work\n");
setInterval(() => undefined, 1000);
