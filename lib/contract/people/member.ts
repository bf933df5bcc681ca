import { z } from "zod";
import { resetHours } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";
import { Role, User } from "./organization.ts";
import { NewPassword } from "./password.ts";

const MemberParams = OrgParams.extend({ user_id: Id.describe("The person") });

/** A link with which one person sets a new password. */
export const PasswordReset = z.object({
  user_id: z.int().describe("Id of the person whose password it resets"),
  code: z.string().describe("Sets a new password once; shown in this response only"),
  url: z.string().describe("The page for using it"),
  expires_at: Instant.describe("When the link stops working").meta({ example: "2026-03-02T09:00:00.000Z" }),
});
z.globalRegistry.add(PasswordReset, {
  example: { code: "mX7tQ2vB9kLs4nZc8fWd", url: "https://errand.example.com/reset/mX7tQ2vB9kLs4nZc8fWd" },
});
export type PasswordReset = z.infer<typeof PasswordReset>;

/** The person a reset link is for, as the holder of its code sees them. */
export const OpenReset = z.object({
  full_name: z.string().nullable().describe("The person's name, or null").meta({ example: "Grace Hopper" }),
  email: z.string().nullable().describe("Their email address, or null").meta({ example: "grace@example.com" }),
  expires_at: Instant.describe("When the link stops working").meta({ example: "2026-03-02T09:00:00.000Z" }),
});
export type OpenReset = z.infer<typeof OpenReset>;

/** Request body of `PATCH users/{user_id}`. */
export const UpdateMember = z.object({ role: Role.describe("The new role").meta({ example: "admin" }) });
export type UpdateMember = z.infer<typeof UpdateMember>;

export const updateMember = defineOperation({
  id: "updateMember",
  summary: "Change a person's role",
  description:
    "Nobody can change the role of someone above them, or give a role above their own: both give 403. The last owner cannot be demoted: 409.",
  scope: "org:admin",
  refusals: ["conflict"],
  params: MemberParams,
  body: UpdateMember,
  result: User,
  ifMatch: true,
  tagged: true,
});

export const removeMember = defineOperation({
  id: "removeMember",
  summary: "Remove a person from the organization",
  description:
    "Their tokens for this organization are revoked, and the invitations, share links and reset links they created end. If they belong to no other organization, " +
    "their sessions end; open streams close within 5 seconds. Their runs stay, shown with their name. A turn under way continues; " +
    "their messages that have not started are held until someone sends them, and a queued run with no other message is cancelled. " +
    "Nobody can remove someone above them: 403. The last owner cannot be removed: 409.",
  scope: "org:admin",
  refusals: ["conflict"],
  notTried: "It removes a person from the organization.",
  params: MemberParams,
  result: User,
  ifMatch: true,
});

export const createPasswordReset = defineOperation({
  id: "createPasswordReset",
  summary: "Create a link that resets a person's password",
  description:
    `The response contains the link; it is not shown again. It works once, for ${resetHours} hours, and replaces any earlier one. No email is sent: pass the link on ` +
    "yourself. Only owners can create one for an owner. Because it opens the whole account, you need this right in every organization of the person. " +
    "Anything else gives 403.",
  scope: "org:admin",
  params: MemberParams,
  result: PasswordReset,
  idempotent: "once",
});

const CodeParams = z.object({ code: z.string().describe("The code of the link").meta({ example: "CODE" }) });

export const getPasswordReset = defineOperation({
  id: "getPasswordReset",
  summary: "See whose password a reset link resets",
  description: "404 if the link was used, replaced by a newer one, or has expired.",
  scope: null,
  rateClass: "none",
  bearsSecret: true,
  refusals: ["rate_limited"],
  params: CodeParams,
  result: OpenReset,
});

export const resetPassword = defineOperation({
  id: "resetPassword",
  summary: "Set a new password with a reset link",
  description:
    "The link works once. All the person's sessions end, and this browser is signed in. API tokens keep working. 404 if the link was used, " +
    "replaced by a newer one, or has expired.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  bearsSecret: true,
  changesSession: true,
  params: CodeParams,
  body: z.object({ password: NewPassword }),
  result: z.object({ user: User.describe("The person, signed in with this browser") }),
});
