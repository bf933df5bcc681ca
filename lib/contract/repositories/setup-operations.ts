import { z } from "zod";
import { defineOperation, OrgParams, RepositoryParams } from "#lib/contract/define-operation.ts";
import { AcceptSetup, GenerateSetup, Setup } from "./setup.ts";

/** Common to operations on the setup of one repository. */
const ofRepository = { scope: "repos:write", tagged: true, params: RepositoryParams, result: Setup } as const;

export const getSetup = defineOperation({
  ...ofRepository,
  id: "getSetup",
  summary: "Get a repository's setup commands",
  description:
    "Includes the last proposal and the run that made it. Proposed commands are untrusted text until they are accepted.",
  scope: "repos:read",
});

export const acceptSetup = defineOperation({
  ...ofRepository,
  id: "acceptSetup",
  summary: "Accept setup commands",
  description:
    "Replaces all lists; those left out become empty. From then on, runs in this repository execute install and build before the agent's first turn and maintenance before later turns: behind the wall if the run's agent is, otherwise with the permissions of the user Errand runs as. Behind the wall, what install and build made is saved as the setup cache, and runs with the same lockfiles start from it. This closes any open proposal. 403 if someone other than an admin adds to `env` or `network`, or changes install, build or maintenance and leaves anything in `env` or `network`. 412 if If-Match names an older version, 409 if `version` does.",
  ifMatch: true,
  refusals: ["conflict"],
  body: AcceptSetup,
});

export const deleteSetup = defineOperation({
  ...ofRepository,
  id: "deleteSetup",
  summary: "Remove a repository's setup commands",
  description: "Later runs start in a plain checkout. 412 if If-Match names an older version.",
  ifMatch: true,
});

export const discardProposal = defineOperation({
  ...ofRepository,
  id: "discardProposal",
  summary: "Discard the proposed setup commands",
  description: "The accepted setup stays as it is.",
});

export const rebuildSetup = defineOperation({
  ...ofRepository,
  id: "rebuildSetup",
  summary: "Rebuild the setup cache",
  description:
    "Earlier caches are no longer used: the next run on the default branch runs the commands and saves a new one. Runs that have started keep theirs. 409 if no setup is accepted.",
  refusals: ["conflict"],
  idempotent: "repeatable",
});

export const generateSetup = defineOperation({
  id: "generateSetup",
  isReference: true,
  summary: "Find a repository's setup commands and try them",
  description:
    "Starts a run that reads the files of the default branch, tries the commands they suggest, and proposes those that work. The repository's commands run on the server as agents do: behind the wall, or with the permissions of the user Errand runs as. Nothing is saved until it is accepted. One such run per repository at a time: 409 with the `agent_run_id` of the one in progress. 409 also if the source cannot be read now.",
  scope: "repos:write",
  rateClass: "setup",
  refusals: ["conflict"],
  params: OrgParams,
  body: GenerateSetup,
  result: z.object({
    agent_run_id: z.int().describe("The run that looks for commands"),
    status: z.string().describe("Its status").meta({ example: "completed" }),
    url: z.string().describe("Its page on the dashboard").meta({ example: "https://errand.example.com/runs/1" }),
  }),
  idempotent: "repeatable",
});
