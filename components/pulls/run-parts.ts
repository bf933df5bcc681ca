// One chunk for the parts of a run's page about pull requests, which most runs do not have.
export { OpenPullDialog } from "./open-pull-dialog.tsx";
export { PullFact } from "./pull-fact.tsx";
