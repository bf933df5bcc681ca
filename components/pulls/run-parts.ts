// One fetch for what a run's page shows and asks of a pull request, which most runs have none of.
export { OpenPullDialog } from "./open-pull-dialog.tsx";
export { PullFact } from "./pull-fact.tsx";
