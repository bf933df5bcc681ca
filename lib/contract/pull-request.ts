import { z } from "zod";
import { defineOperation, Id, OrgParams } from "./define-operation.ts";

const tag = "Pull requests";

/** Request body of `PATCH prs`. */
export const EditPullRequest = z.object({
  state: z
    .enum(["open", "closed", "draft", "ready_for_review"])
    .describe("New state of the pull request; ready_for_review marks a draft as ready"),
});
export type EditPullRequest = z.infer<typeof EditPullRequest>;

/** A pull request after the change, in the reference service's shape. */
export const EditedPullRequest = z.object({
  success: z.boolean().describe("Whether the code host has changed it"),
  url: z.string().nullable().describe("Its page on the code host, or null"),
  number: z.int().nullable().describe("Its number on the code host, or null"),
  title: z.string().nullable().describe("Its title, or null"),
  state: z.string().nullable().describe("Its current state, or null"),
  error: z.string().nullable().describe("Why it was not changed, or null"),
});
export type EditedPullRequest = z.infer<typeof EditedPullRequest>;

const shared = {
  tag,
  description: "This version's runs open no pull requests yet, so none is found.",
  scope: "repos:write",
  rateClass: "edit",
  body: EditPullRequest,
  result: EditedPullRequest,
} as const;

export const editPullRequest = defineOperation({
  ...shared,
  id: "editPullRequest",
  summary: "Change the state of a pull request",
  params: OrgParams.extend({ pr_id: Id }),
});

export const editRepositoryPullRequest = defineOperation({
  ...shared,
  id: "editRepositoryPullRequest",
  summary: "Change the state of a repository's pull request",
  params: OrgParams.extend({ repo_id: Id, pr_id: Id }),
});
