/**
 * The work on pull requests in a separate process, for tests that kill it. Argument: JSON of the data folder and a clock that
 * runs `speed` times as fast from `epochMs` on. Prints `ready`.
 */
import { openStore } from "#lib/store/open-store.ts";
import { PullRequests } from "./pull-requests.ts";
import { pullPartsUnderTest } from "./pulls-parts.fixture.ts";

const { dataDir, epochMs, speed } = JSON.parse(process.argv[2] ?? "{}") as {
  dataDir: string;
  epochMs: number;
  speed: number;
};
const now = () => new Date(epochMs + (Date.now() - epochMs) * speed);
const store = await openStore({ file: `${dataDir}/errand.db`, now });
new PullRequests(pullPartsUnderTest(store, dataDir, now)).start();
process.stdout.write("ready\n");
