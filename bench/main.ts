import { benchAnalysis, benchAnalysisOfMillion } from "./analysis.ts";
import { benchBombs } from "./bombs.ts";
import { benchChatty } from "./chatty.ts";
import { benchCompare } from "./compare.ts";
import { benchEgress } from "./egress.ts";
import { benchFootprint } from "./footprint.ts";
import { benchGit } from "./git.ts";
import { benchHour } from "./hour.ts";
import { benchIngest } from "./ingest.ts";
import { benchIsolation } from "./isolation.ts";
import { benchLive } from "./live.ts";
import { benchLogs } from "./logs.ts";
import { benchPrepared } from "./prepared.ts";
import { benchRuns } from "./runs.ts";
import { benchSigns } from "./signs.ts";
import { benchWait } from "./wait.ts";

const benches: Record<string, () => Promise<void>> = {
  logs: benchLogs,
  live: benchLive,
  chatty: benchChatty,
  ingest: benchIngest,
  analysis: benchAnalysis,
  footprint: benchFootprint,
  egress: benchEgress,
  git: benchGit,
  signs: benchSigns,
  isolation: benchIsolation,
  prepared: benchPrepared,
};

/** Too long, or too hard on the machine, to run with the others. */
const longBenches: Record<string, () => Promise<void>> = {
  "analysis-of-a-million": benchAnalysisOfMillion,
  bombs: benchBombs,
};

const wanted = process.argv.slice(2);
if (wanted[0] === "compare") {
  await benchCompare(wanted.slice(1));
  process.exit(process.exitCode);
}
const compared: Record<string, (commit: string | null, minutes?: number) => Promise<void>> = {
  runs: benchRuns,
  wait: benchWait,
  hour: benchHour,
};
const bench = Object.hasOwn(compared, wanted[0] ?? "") ? compared[wanted[0] ?? ""] : undefined;
if (bench !== undefined) {
  const [, commit = "-", minutes] = wanted;
  await bench(commit === "-" ? null : commit, minutes === undefined ? undefined : Number(minutes));
  process.exit();
}
const known = { ...benches, ...longBenches };
const unknown = wanted.find((name) => !Object.hasOwn(known, name));
if (unknown !== undefined) {
  process.stderr.write(`errand: there is no benchmark "${unknown}"; there are: ${Object.keys(known).join(", ")}\n`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(known)) {
  if (wanted.length === 0 ? Object.hasOwn(benches, name) : wanted.includes(name)) await bench();
}
