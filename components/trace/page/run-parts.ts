// One chunk for the parts of a run's page that only members of the organization see, besides the trace.
export { Composer } from "./composer.tsx";
export { RunActions } from "./run-actions.tsx";
export { RunFacts } from "./run-facts.tsx";
