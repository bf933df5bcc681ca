import { createContext } from "react";
import type { Run } from "#lib/contract/run.ts";

/** The failed turn of a run that its reader may try again: the entry that ended it, and what happens with the new turn. */
export type Retry = { seq: number; orgId: number; runId: number; onRun: (run: Run, prompt: string) => void };

/** Null where nothing can be tried again: the run has not failed, or its reader may not continue it. */
export const RetryContext = createContext<Retry | null>(null);
