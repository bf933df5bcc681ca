import type { ApiClient } from "../../e2e/api.ts";
import type { signIn } from "./chromium.ts";
import type { Trace } from "./traces.ts";

/** What a part of the measurement is given. */
export type Bench = {
  api: ApiClient;
  trace: Trace;
  /** The trace that is appended to. */
  growing: Trace;
  cookies: Awaited<ReturnType<typeof signIn>>;
  rounds: number;
  /** How many times less processor the page gets: 1 or 4. */
  slowdown: number;
};
