import { keepPrepared } from "./prepared-checkouts.ts";
import { testEnv } from "./test-repository.ts";

/** A process that keeps what a run's setup made, to be killed while it does: its argument says which, as JSON. */
const { place, checkout, home } = JSON.parse(process.argv[2] ?? "");
const signal = AbortSignal.timeout(600_000);
await keepPrepared({ place, checkout, home, tree: "tree", secrets: ["secret"], bytesMax: 1e9, env: testEnv, signal });
process.stdout.write("kept\n");
