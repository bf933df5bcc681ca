import { z } from "zod";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant } from "#lib/contract/text.ts";
import { roles } from "#lib/contract/words.ts";
import { SignInWay } from "./person.ts";

export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const Organization = z.object({
  id: z.int().describe("The organization's id"),
  name: z.string().describe("The organization's name").meta({ example: "Acme" }),
  settings: z
    .object({
      enable_pr_creation: z.boolean().describe("Whether runs open pull requests"),
      enable_rules_detection: z.boolean().describe("Whether agents are pointed to a repository's own rule files"),
    })
    .describe("The settings the reference service has; GET settings returns all"),
});
z.globalRegistry.add(Organization, { id: "Organization" });
export type Organization = z.infer<typeof Organization>;

/** A person. `github_*` are present for clients of the reference service; `role` is the one in the caller's organization. */
export const User = z.object({
  id: z.int().describe("The person's id"),
  email: z.string().nullable().describe("Email address they sign in with, or null"),
  github_user_id: z
    .string()
    .describe(
      "The number that GitHub gave them; empty if it is not known (for tokens with `status_style: reference`, `id`). GitHub is asked when the username is set",
    ),
  github_username: z
    .string()
    .describe(
      "Their name on GitHub, as they set it; empty if it is not set (for tokens with `status_style: reference`, name or email)",
    ),
  avatar_url: z.string().nullable().describe("Always null: pictures are not stored"),
  full_name: z.string().nullable().describe("Their name, or null").meta({ example: "Grace Hopper" }),
  role: z
    .string()
    .nullable()
    .describe(
      "Role in the organization: viewer, member, admin, owner, or the reference service's MEMBER and ADMIN; null if none",
    ),
  is_admin: z.boolean().nullable().describe("Whether the role is admin or owner; null if they have no role"),
  last_seen_at: Instant.nullable()
    .describe("When they or one of their tokens for the organization last made a request; to the minute")
    .meta({ example: "2026-01-31T10:30:00.000Z" }),
  sign_in_ways: z.array(SignInWay).describe("How they can sign in; people without a password use a sign-in link"),
});
z.globalRegistry.add(User, {
  id: "User",
  example: {
    email: "grace@example.com",
    github_user_id: "1024",
    github_username: "grace",
    role: "member",
    is_admin: false,
  },
});
export type User = z.infer<typeof User>;

export const listOrganizations = defineOperation({
  id: "listOrganizations",
  isReference: true,
  summary: "List the caller's organizations",
  scope: "any",
  query: Paging,
  result: Page(Organization),
});

export const getMe = defineOperation({
  id: "getMe",
  isReference: true,
  summary: "Get the caller",
  scope: "any",
  result: User,
});

export const listUsers = defineOperation({
  id: "listUsers",
  isReference: true,
  summary: "List the people in an organization",
  scope: "org:read",
  params: OrgParams,
  query: Paging,
  result: Page(User),
});

export const getUser = defineOperation({
  id: "getUser",
  isReference: true,
  summary: "Get a person in an organization",
  scope: "org:read",
  params: OrgParams.extend({ user_id: Id.describe("The person") }),
  result: User,
});
