import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { RateLimits } from "./rate-limits.ts";
import { SavedRateLog } from "./saved-rate-log.ts";

// A process that admits a request every few milliseconds, says when, and is killed by its test.
const [file = ""] = process.argv.slice(2);
const clocks = { now: () => performance.now(), wall: () => Date.now() };
const log = await SavedRateLog.open(file, rateSettingsDefault, clocks, () => process.exit(1));
const limits = new RateLimits(log, rateSettingsDefault);
setInterval(() => {
  const at = Date.now();
  void limits.admit({ kind: "token", key: "token:1" }, "ingest").then(() => process.stdout.write(`${at}\n`));
}, 5);
