import { keepPrepared } from "./prepared-checkouts.ts";
import { testEnv } from "./test-repository.ts";

/** A process that keeps a run's prepared checkout, to be killed in the middle. Its argument, in JSON, says which. */
const { place, checkout, home } = JSON.parse(process.argv[2] ?? "");
const signal = AbortSignal.timeout(600_000);
const made = { tree: "tree", secrets: ["secret"], leftBytes: 0, begunAt: Date.now() };
await keepPrepared({ place, checkout, home, ...made, bytesMax: 1e9, env: testEnv, signal });
process.stdout.write("kept\n");
