import { z } from "zod";
import { defineOperation, RepositoryParams } from "#lib/contract/define-operation.ts";
import { BranchName } from "#lib/contract/runs/pull-request.ts";
import { FilledText } from "#lib/contract/text.ts";
import { localChecks, pullModes } from "#lib/contract/words.ts";

/** Name that the service commits as. Git cannot write the characters that enclose an address. */
const CommitName = FilledText(100).regex(/^[^<>\r\n]+$/, "must not contain < or >, or more than one line");
const CommitEmail = FilledText(254).regex(/^[^\s<>@]+@[^\s<>@]+$/, "must be an email address");

const commitNameWords = "Name that Errand commits as; null: Errand, or if both are null the connected GitHub App";
const commitEmailWords =
  "Email address that it commits as; null: errand@localhost, or if both are null the connected GitHub App's. Hosts show a signature as verified only with an address of the account that has the key";

/** A repository's settings for pull requests of its runs. */
export const PullSettings = z.object({
  mode: z
    .enum(pullModes)
    .describe(
      "off: its runs open none; manual: when someone asks for it (`POST …/pull-request`), and nothing leaves Errand before that; automatic: after every completed turn that changed something",
    )
    .meta({ example: "manual" }),
  base_branch: z
    .string()
    .nullable()
    .describe("The branch that pull requests merge into; null: the one that the run started from"),
  draft: z.boolean().describe("Whether they are opened as drafts, where the code host has these"),
  request_review: z
    .boolean()
    .describe("Whether the person who started the run is asked for a review, if their account on the host is known"),
  local_checks: z
    .enum(localChecks)
    .describe(
      "When the test and lint commands of the repository's setup check the work, isolated like the run's agent: never; without_host: after the push, where the remote has no checks of its own; before_push: before every push, and what fails is not pushed",
    ),
  commit_name: z.string().nullable().describe(commitNameWords),
  commit_email: z.string().nullable().describe(commitEmailWords),
  signing: z
    .enum(["none", "ssh"])
    .describe(
      "ssh: Errand's commits are signed with a key of this repository; commits made by agents themselves are not. Commits are not signed by the code host, because that would replace the commits that Errand checked",
    ),
});
export type PullSettings = z.infer<typeof PullSettings>;

/** Settings of a repository for which nobody has set any. */
export const pullSettingsDefaults: PullSettings = {
  mode: "manual",
  base_branch: null,
  draft: true,
  request_review: true,
  local_checks: "without_host",
  commit_name: null,
  commit_email: null,
  signing: "none",
};

/** Target of the repository's pull requests. */
export const PullTarget = z.object({
  kind: z
    .enum(["host", "remote", "folder", "unclear"])
    .describe(
      "host: a code host with pull requests; remote, folder: a plain git remote or folder, which gets the branch; unclear: several connected hosts may have the repository, by its ssh address, so none is used",
    ),
  type: z.enum(["github", "gitlab", "forgejo"]).nullable().describe("Kind of the code host; null for others"),
  connected: z.boolean().describe("Whether the host's integration is connected, without which none is opened"),
  account: z.string().nullable().describe("The account that opens them there; null if it is not known"),
  account_kind: z
    .string()
    .nullable()
    .describe("app: everybody may approve its pull requests; user: whoever the account belongs to cannot; or null"),
});
z.globalRegistry.add(PullTarget, { example: { account: "errand[bot]", account_kind: "app" } });
export type PullTarget = z.infer<typeof PullTarget>;

/** The settings, with their target. */
export const ShownPullSettings = PullSettings.extend({
  signing_key: z
    .string()
    .nullable()
    .describe(
      "Public key of the signatures, to be added to the account on the code host; null: none was made. Not a setting",
    ),
  target: PullTarget.describe("Where the repository's pull requests go; not a setting"),
});
export type ShownPullSettings = z.infer<typeof ShownPullSettings>;

/** Request body of `PUT pull-settings`: absent fields stay as they are. */
export const PutPullSettings = z.object({
  mode: PullSettings.shape.mode.optional().meta({ example: "automatic" }),
  base_branch: BranchName.nullable()
    .optional()
    .describe("The branch that pull requests merge into; null: the one that the run started from")
    .meta({ example: "main" }),
  draft: PullSettings.shape.draft.optional(),
  request_review: PullSettings.shape.request_review.optional(),
  local_checks: PullSettings.shape.local_checks.optional(),
  commit_name: CommitName.nullable().optional().describe(commitNameWords),
  commit_email: CommitEmail.nullable().optional().describe(commitEmailWords),
  signing: PullSettings.shape.signing.optional(),
});
export type PutPullSettings = z.infer<typeof PutPullSettings>;

export const getPullSettings = defineOperation({
  id: "getPullSettings",
  summary: "Get a repository's settings for pull requests",
  scope: "repos:read",
  params: RepositoryParams,
  result: ShownPullSettings,
});

export const putPullSettings = defineOperation({
  id: "putPullSettings",
  summary: "Change a repository's settings for pull requests",
  description:
    "Fields left out stay as they are. The first `signing: ssh` makes the repository's key. One that can no longer be decrypted is replaced by the next request that leaves signing on.",
  scope: "repos:write",
  rateClass: "edit",
  params: RepositoryParams,
  body: PutPullSettings,
  result: ShownPullSettings,
  ifMatch: true,
  tagged: true,
});
