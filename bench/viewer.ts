import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { machineTicks, stolenShare } from "./machine-share.ts";
import { measureAppending } from "./viewer/appending.ts";
import { measureChanges } from "./viewer/changes.ts";
import { signIn } from "./viewer/chromium.ts";
import { measureFinding } from "./viewer/finding.ts";
import { measureHostile } from "./viewer/hostile.ts";
import { measureJumps } from "./viewer/jumps.ts";
import type { Bench } from "./viewer/measure.ts";
import { measureOpening } from "./viewer/opening.ts";
import { readOptions } from "./viewer/options.ts";
import { measureInspect } from "./viewer/peers.ts";
import { measureScrolling } from "./viewer/scrolling.ts";
import { measureServing } from "./viewer/serving.ts";
import { type Measured, printChanges, printHostile, printTable } from "./viewer/table.ts";
import { openGrowingTrace, openTrace } from "./viewer/traces.ts";

// The trace viewer in a real browser on the built product. Each part's file says what it measures, from which moment to which.

const options = readOptions(process.argv.slice(2));
/** The peer reads a whole log at once: a million entries are 4 GB, more than a browser gives a page. */
const peerEntriesMax = 100_000;
/** A stolen share of the machine's time above this is printed. */
const stolenTold = 0.02;
const wants = (part: string) => options.parts === null || options.parts.includes(part);
const product = await Product.start({
  // More entries are reported in a minute than a token may report.
  ERRAND_RATE_INGEST: "0",
  ...(options.dataDir === null ? {} : { ERRAND_DATA_DIR: options.dataDir }),
});
try {
  const api = await ApiClient.create(product);
  const cookies = await signIn(product.signInLink);
  const plain: Measured[] = [];
  const throttled: Measured[] = [];
  for (const entries of options.sizes) {
    const trace = await openTrace(product, api, entries);
    const growing = await openGrowingTrace(product, api, entries);
    const bench = { api, trace, growing, cookies, rounds: options.rounds, slowdown: 1 };
    plain.push(await measure(entries, bench));
    if (options.throttled) {
      // The appended entries have made the longest trace longer.
      const now = { ...bench, trace: await openTrace(product, api, entries) };
      throttled.push(await measure(entries, { ...now, rounds: Math.min(3, options.rounds), slowdown: 4 }));
    }
  }
  const first = options.sizes[0];
  const hostile =
    wants("hostile") && first !== undefined
      ? await measureHostile({ api, cookies, trace: await openTrace(product, api, first) })
      : null;
  const changes =
    wants("changes") && first !== undefined
      ? await measureChanges({ api, cookies, rounds: options.rounds, trace: await openTrace(product, api, first) })
      : null;
  printTable(`Trace viewer, medians of ${options.rounds}; bold: beyond the bound`, plain, "rows", true);
  printTable("Beside it", plain, "further", true);
  if (hostile !== null) printHostile(hostile);
  if (changes !== null) printChanges(changes);
  if (options.throttled) printTable("At 4 times less processor, for information", throttled, "rows", false);
} finally {
  await product.stop();
}

async function measure(entries: number, bench: Bench): Promise<Measured> {
  const measured: Measured = { entries };
  const step = async <T>(part: string, work: (bench: Bench) => Promise<T>, keep: (result: T) => void) => {
    if (!wants(part)) return;
    const startedAt = performance.now();
    const before = await machineTicks();
    const result = await work(bench);
    const stolen = stolenShare(before, await machineTicks());
    keep(result);
    const took = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stderr.write(
      `bench:viewer: ${entries} entries${bench.slowdown > 1 ? " at 4x" : ""}, ${part} (${took} s${stolen < stolenTold ? "" : `; ${(stolen * 100).toFixed(0)}% of the processors' time was kept back by the host`}): ${JSON.stringify(result)}\n`,
    );
  };
  await step("open", measureOpening, (opening) => Object.assign(measured, { opening }));
  await step("jump", measureJumps, (jumps) => Object.assign(measured, { jumps }));
  await step("find", measureFinding, (finding) => Object.assign(measured, { finding }));
  await step("scroll", measureScrolling, (scrolling) => Object.assign(measured, { scrolling }));
  if (bench.slowdown === 1) await step("server", measureServing, (serving) => Object.assign(measured, { serving }));
  const { peers } = options;
  if (peers !== null && bench.slowdown === 1 && entries <= peerEntriesMax) {
    const peer = await measureInspect(bench, peers);
    if (peer !== null) measured.peer = peer;
  }
  await step("append", measureAppending, (appending) => Object.assign(measured, { appending }));
  return measured;
}
