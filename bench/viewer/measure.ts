import type { ApiClient } from "../../e2e/api.ts";
import type { signIn } from "./chromium.ts";
import type { Trace } from "./traces.ts";

/** Input of each part of the measurement. */
export type Bench = {
  api: ApiClient;
  trace: Trace;
  /** The trace to append to. */
  growing: Trace;
  cookies: Awaited<ReturnType<typeof signIn>>;
  rounds: number;
  /** How many times less processor the page gets: 1 or 4. */
  slowdown: number;
};
