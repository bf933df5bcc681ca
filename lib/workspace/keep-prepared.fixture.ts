import { keepPrepared } from "./prepared-checkouts.ts";
import { testEnv } from "./test-repository.ts";

/** A process that keeps a run's prepared checkout, to be killed in the middle. Its argument, in JSON, says which. */
const { place, checkout, home } = JSON.parse(process.argv[2] ?? "");
const signal = AbortSignal.timeout(600_000);
await keepPrepared({ place, checkout, home, tree: "tree", secrets: ["secret"], bytesMax: 1e9, env: testEnv, signal });
process.stdout.write("kept\n");
