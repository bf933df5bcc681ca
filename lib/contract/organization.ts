import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Page, Paging } from "./page.ts";
import { SignInWay } from "./person.ts";
import { Instant } from "./text.ts";

/** What a person may do in an organization, weakest first. */
export const Role = z.enum(["viewer", "member", "admin", "owner"]);
export type Role = z.infer<typeof Role>;

export const Organization = z.object({
  id: z.int().describe("The organization's id"),
  name: z.string().describe("The organization's name"),
  settings: z
    .object({
      enable_pr_creation: z
        .boolean()
        .describe("Whether runs may open pull requests; kept, and without effect in this version"),
      enable_rules_detection: z.boolean().describe("Whether agents are pointed to the rule files of a repository"),
    })
    .describe("The settings that the reference service knows; GET settings has all"),
});
export type Organization = z.infer<typeof Organization>;

/** A person. `github_*` are there for clients of the reference service; `role` is the one in the caller's organization. */
export const User = z.object({
  id: z.int().describe("The person's id"),
  email: z.string().nullable().describe("Address that they sign in with, or null"),
  github_user_id: z.string().describe("Always empty: no GitHub account is asked for"),
  github_username: z.string().describe("Always empty: no GitHub account is asked for"),
  avatar_url: z.string().nullable().describe("Always null: no pictures are kept"),
  full_name: z.string().nullable().describe("Their name, or null"),
  role: z
    .string()
    .nullable()
    .describe(
      "Role in the organization: viewer, member, admin, owner, or the reference service's MEMBER and ADMIN; null without one",
    ),
  is_admin: z.boolean().nullable().describe("Whether the role is admin or owner; null without a role"),
  last_seen_at: Instant.nullable().describe(
    "When they or one of their tokens of the organization asked last; to the minute",
  ),
  sign_in_ways: z.array(SignInWay).describe("How they can sign in; people without a password use a printed link"),
});
export type User = z.infer<typeof User>;

const tag = "Organizations and users";

export const listOrganizations = defineOperation({
  id: "listOrganizations",
  method: "GET",
  path: "/v1/organizations",
  tag,
  summary: "List the organizations of the caller",
  scope: "any",
  query: Paging,
  result: Page(Organization),
});

export const getMe = defineOperation({
  id: "getMe",
  method: "GET",
  path: "/v1/users/me",
  tag,
  summary: "Get the caller",
  scope: "any",
  result: User,
});

export const listUsers = defineOperation({
  id: "listUsers",
  method: "GET",
  path: `${O}/users`,
  tag,
  summary: "List the people of an organization",
  scope: "org:read",
  params: OrgParams,
  query: Paging,
  result: Page(User),
});

export const getUser = defineOperation({
  id: "getUser",
  method: "GET",
  path: `${O}/users/{user_id}`,
  tag,
  summary: "Get a person of an organization",
  scope: "org:read",
  params: OrgParams.extend({ user_id: Id }),
  result: User,
});
