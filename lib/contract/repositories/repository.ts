import { z } from "zod";
import { defineOperation, OrgParams, RepositoryParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { FilledText, Instant, NameText, Text } from "#lib/contract/text.ts";
import { SetupStatus } from "./setup.ts";

/** A repository that runs can work in. `source` is the path or address that the service mirrors it from. */
export const Repository = z.object({
  id: z.int().describe("The repository's id"),
  name: z.string().describe("Display name").meta({ example: "shop" }),
  full_name: z.string().describe("Name with its owner, all its groups or its folder").meta({ example: "acme/shop" }),
  description: z.string().nullable().describe("Description for people, or null"),
  github_id: z
    .string()
    .describe("Always empty: not read from the source. Present for clients of the reference service"),
  organization_id: z.int().describe("The organization it belongs to"),
  visibility: z.string().nullable().describe("Always null: not read from the source"),
  archived: z.boolean().nullable().describe("Always null: not read from the source").meta({ example: null }),
  setup_status: SetupStatus.describe(
    "State of its setup commands: none accepted, a proposal to decide on, ready, or failed when last tried or used",
  ).meta({ example: "ready" }),
  language: z.string().nullable().describe("Always null: not read from the source"),
  source: z.string().describe("Source of the mirror: a path or address, without secrets"),
  default_branch: z.string().nullable().describe("Null for a repository without commits").meta({ example: "main" }),
  fetch_submodules: z
    .boolean()
    .describe(
      "Whether checkouts of new runs get the files of its submodules, as plain files whose changes are not committed",
    ),
  created_at: Instant.describe("When it was added"),
});
z.globalRegistry.add(Repository, {
  id: "Repository",
  example: { description: "The shop's web site", github_id: "", source: "https://git.example.com/acme/shop.git" },
});
export type Repository = z.infer<typeof Repository>;

/** Request body of POST repos. */
export const CreateRepository = z.object({
  source: FilledText(4096).describe("An absolute path on the server, or an https, ssh or git URL"),
  name: NameText(200).nullish().describe("Display name; by default the last part of the source"),
  description: FilledText(1000).nullish().describe("Description for people"),
});
z.globalRegistry.add(CreateRepository, { id: "CreateRepository", example: { source: "/srv/git/project" } });
export type CreateRepository = z.infer<typeof CreateRepository>;

/** Request body of PATCH repos: fields left out stay as they are. */
export const UpdateRepository = z
  .object({
    name: NameText(200).optional().describe("Display name"),
    description: FilledText(1000).nullable().optional().describe("null removes it"),
    fetch_submodules: z.boolean().optional().describe("Whether checkouts of new runs get the files of its submodules"),
  })
  .refine(
    (changes) => Object.values(changes).some((value) => value !== undefined),
    "must have at least one of name, description and fetch_submodules",
  );
z.globalRegistry.add(UpdateRepository, { example: { description: "The shop's web site" } });
export type UpdateRepository = z.infer<typeof UpdateRepository>;

export const listRepositories = defineOperation({
  id: "listRepositories",
  isReference: true,
  aliases: ["/v1/organizations/{org_id}/repositories"],
  summary: "List repositories, by name",
  scope: "repos:read",
  params: OrgParams,
  query: Paging.extend({ q: Text(200).optional().describe("Text in the name or source, ignoring case") }),
  result: Page(Repository),
});

export const createRepository = defineOperation({
  id: "createRepository",
  summary: "Add a repository",
  description:
    "Errand checks that it can read the source, and keeps its own mirror. A source that was added before gives that repository, unchanged: name and description have no effect then. A private repository of a connected code host is read with the integration's credential.",
  scope: "repos:write",
  params: OrgParams,
  body: CreateRepository,
  result: Repository,
  idempotent: "repeatable",
});

export const getRepository = defineOperation({
  id: "getRepository",
  summary: "Get a repository",
  scope: "repos:read",
  params: RepositoryParams,
  result: Repository,
});

export const updateRepository = defineOperation({
  id: "updateRepository",
  summary: "Change a repository's name or description",
  description:
    "The source stays the same: to use another one, add another repository. The default branch is the source's own.",
  scope: "repos:write",
  params: RepositoryParams,
  body: UpdateRepository,
  result: Repository,
  ifMatch: true,
  tagged: true,
});

export const deleteRepository = defineOperation({
  id: "deleteRepository",
  summary: "Delete a repository with all its runs",
  description:
    "Permanently deletes its runs, as DELETE agent/run does, and its setup commands, rules, keys, mirror and setup caches. The source itself is not touched. 409, and nothing is deleted, while one of its runs is live. Many runs take a while: if you get no response, send the request again, and the rest is deleted.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: RepositoryParams,
  result: z.object({
    repo_id: z.int().describe("The deleted repository"),
    deleted_runs: z.int().describe("How many runs were deleted with it").meta({ example: 12 }),
  }),
});

export const listBranches = defineOperation({
  id: "listBranches",
  summary: "List a repository's branches, as they are in its source now",
  description: "At most 1,000 names.",
  scope: "repos:read",
  refusals: ["conflict"],
  params: RepositoryParams,
  result: z
    .object({
      default_branch: z
        .string()
        .nullable()
        .describe("The source's default branch; null for a repository without commits"),
      branches: z.array(z.string()).describe("Names of branches"),
    })
    .meta({ example: { default_branch: "main", branches: ["main", "next"] } }),
});
