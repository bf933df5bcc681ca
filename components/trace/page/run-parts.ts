// One fetch for what belongs to a run of one's own, beside its trace.
export { Composer } from "./composer.tsx";
export { RunActions } from "./run-actions.tsx";
export { RunFacts } from "./run-facts.tsx";
