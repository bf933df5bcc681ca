import { benchAnalysis } from "./analysis.ts";
import { benchFootprint } from "./footprint.ts";
import { benchIngest } from "./ingest.ts";
import { benchLive } from "./live.ts";
import { benchLogs } from "./logs.ts";
import { benchSigns } from "./signs.ts";

const benches: Record<string, () => Promise<void>> = {
  logs: benchLogs,
  live: benchLive,
  ingest: benchIngest,
  analysis: benchAnalysis,
  footprint: benchFootprint,
  signs: benchSigns,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) {
  process.stderr.write(`errand: there is no benchmark "${unknown}"; there are: ${Object.keys(benches).join(", ")}\n`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
