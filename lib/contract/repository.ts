import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Page, Paging } from "./page.ts";
import { SetupStatus } from "./setup.ts";
import { FilledText, Instant, Text } from "./text.ts";

const tag = "Repositories";

/** A repository that runs can work on. `source` is the path or address that the service mirrors it from. */
export const Repository = z.object({
  id: z.int().describe("The repository's id"),
  name: z.string().describe("Shown name"),
  full_name: z.string().describe("Name with its owner or folder"),
  description: z.string().nullable().describe("Description for people, or null"),
  github_id: z
    .string()
    .describe("Always present for clients of the reference service; empty where it is not on GitHub"),
  organization_id: z.int().describe("The organization that it belongs to"),
  visibility: z.string().nullable().describe("Always null: the source is not asked"),
  archived: z.boolean().nullable().describe("Always null: the source is not asked"),
  setup_status: SetupStatus.describe(
    "State of its setup commands: none accepted, a proposal to decide on, ready, or failed when last tried or used",
  ),
  language: z.string().nullable().describe("Always null: the source is not asked"),
  source: z.string().describe("Source of the mirror: a path or an address, without its secrets"),
  default_branch: z.string().nullable().describe("Null for a repository without commits"),
  created_at: Instant.describe("When it was added"),
});
export type Repository = z.infer<typeof Repository>;

/** What POST repos takes. */
export const CreateRepository = z.object({
  source: FilledText(4096).describe("An absolute path on the server, or an https, ssh or git address"),
  name: FilledText(200).nullish().describe("Shown name; the last part of the source where absent"),
  description: FilledText(1000).nullish().describe("Description for people"),
});
export type CreateRepository = z.infer<typeof CreateRepository>;

/** What PATCH repos takes: what is left out stays as it is. */
export const UpdateRepository = z
  .object({
    name: FilledText(200).optional().describe("Shown name"),
    description: FilledText(1000).nullable().optional().describe("null takes it away"),
  })
  .refine(
    ({ name, description }) => name !== undefined || description !== undefined,
    "must have at least one of name and description",
  );
export type UpdateRepository = z.infer<typeof UpdateRepository>;

export const listRepositories = defineOperation({
  id: "listRepositories",
  method: "GET",
  path: `${O}/repos`,
  aliases: [`${O}/repositories`],
  tag,
  summary: "List repositories, by name",
  scope: "repos:read",
  params: OrgParams,
  query: Paging.extend({ q: Text(200).optional().describe("Text in the name or source, any case") }),
  result: Page(Repository),
});

export const createRepository = defineOperation({
  id: "createRepository",
  method: "POST",
  path: `${O}/repos`,
  tag,
  summary: "Add a repository",
  description: "The service checks that the source can be read, and keeps its own mirror.",
  scope: "repos:write",
  params: OrgParams,
  body: CreateRepository,
  result: Repository,
});

export const getRepository = defineOperation({
  id: "getRepository",
  method: "GET",
  path: `${O}/repos/{repo_id}`,
  tag,
  summary: "Get a repository",
  scope: "repos:read",
  params: OrgParams.extend({ repo_id: Id }),
  result: Repository,
});

export const updateRepository = defineOperation({
  id: "updateRepository",
  method: "PATCH",
  path: `${O}/repos/{repo_id}`,
  tag,
  summary: "Change a repository's name or description",
  description: "Its source stays: add another repository for another one. The default branch is the source's own.",
  scope: "repos:write",
  params: OrgParams.extend({ repo_id: Id }),
  body: UpdateRepository,
  result: Repository,
});

export const listBranches = defineOperation({
  id: "listBranches",
  method: "GET",
  path: `${O}/repos/{repo_id}/branches`,
  tag,
  summary: "List a repository's branches, as its source has them now",
  description: "At most 1,000 names.",
  scope: "repos:read",
  params: OrgParams.extend({ repo_id: Id }),
  result: z.object({
    default_branch: z
      .string()
      .nullable()
      .describe("The source's default branch; null for a repository without commits"),
    branches: z.array(z.string()).describe("Names of branches"),
  }),
});
