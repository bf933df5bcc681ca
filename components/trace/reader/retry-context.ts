import { createContext } from "react";
import type { Run } from "#lib/contract/runs/run.ts";

/** A run whose last turn the reader may retry if it failed, and a callback for the new turn. */
export type Retry = { run: Run; onRun: (run: Run, prompt: string) => void };

/** Null if nothing can be retried: the run has not ended, or the reader may not continue it. */
export const RetryContext = createContext<Retry | null>(null);
