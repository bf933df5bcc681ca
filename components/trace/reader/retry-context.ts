import { createContext } from "react";
import type { Run } from "#lib/contract/run.ts";

/** A run whose last turn its reader may try again if it failed, and what happens with the new turn. */
export type Retry = { run: Run; onRun: (run: Run, prompt: string) => void };

/** Null where nothing can be tried again: the run has not ended, or its reader may not continue it. */
export const RetryContext = createContext<Retry | null>(null);
