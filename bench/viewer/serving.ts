import { median } from "../report.ts";
import type { Bench } from "./measure.ts";

/** Cost of one request: bytes of the body, and the median time to its last byte. */
export type Served = { bytes: number; ms: number };

/** Measures without a browser the outline (of 240 parts, as the map requests, and of 200, the default) and the timeline. */
export async function measureServing(bench: Bench): Promise<{ outline: Served; timeline: Served | null }> {
  const logs = `/agent/run/${bench.trace.runId}/logs`;
  const outline = await served(bench, `${logs}/outline?buckets=240`);
  if (outline === null) throw new Error("There is no outline.");
  return { outline, timeline: await served(bench, `${logs}/timeline`) };
}

async function served({ api, rounds }: Bench, path: string): Promise<Served | null> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    const answer = await api.fetch(path);
    // Older versions have no such operation and take its name for a seq.
    if (answer.status === 400 || answer.status === 404) return null;
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    bytes = (await answer.arrayBuffer()).byteLength;
    times.push(performance.now() - startedAt);
  }
  return { bytes, ms: median(times) };
}
