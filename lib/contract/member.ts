import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Role, User } from "./organization.ts";
import { NewPassword } from "./password.ts";
import { Instant } from "./text.ts";

const tag = "People";
const MemberParams = OrgParams.extend({ user_id: Id });

/** How long a link that sets a new password works, in hours. */
export const resetHours = 24;

/** A link with which one person sets a new password. */
export const PasswordReset = z.object({
  user_id: z.int().describe("Id of the person whose password it sets"),
  code: z.string().describe("Sets one new password; shown in this answer alone"),
  url: z.string().describe("The page on which it is used"),
  expires_at: Instant.describe("When the link stops working"),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

/** Whose password a link sets, as whoever has its code sees it. */
export const OpenReset = z.object({
  full_name: z.string().nullable().describe("The person's name, or null"),
  email: z.string().nullable().describe("Their address, or null"),
  expires_at: Instant.describe("When the link stops working"),
});
export type OpenReset = z.infer<typeof OpenReset>;

/** Request body of `PATCH users/{user_id}`. */
export const UpdateMember = z.object({ role: Role.describe("The new role") });
export type UpdateMember = z.infer<typeof UpdateMember>;

export const updateMember = defineOperation({
  id: "updateMember",
  method: "PATCH",
  path: `${O}/users/{user_id}`,
  tag,
  summary: "Change a person's role",
  description:
    "Nobody changes the role of somebody above them, or gives more than they have: both are 403. The last owner cannot be lowered: 409.",
  scope: "org:admin",
  params: MemberParams,
  body: UpdateMember,
  result: User,
});

export const removeMember = defineOperation({
  id: "removeMember",
  method: "DELETE",
  path: `${O}/users/{user_id}`,
  tag,
  summary: "Remove a person from the organization",
  description:
    "Their tokens of this organization are revoked, the invitations and reset links that they made end, and where they belong to no other organization " +
    "their sessions end; open streams close within 5 seconds. Their runs stay, shown with their name; those that are queued or running go on. " +
    "Nobody removes somebody above them: 403. The last owner cannot be removed: 409.",
  scope: "org:admin",
  params: MemberParams,
  result: User,
});

export const createPasswordReset = defineOperation({
  id: "createPasswordReset",
  method: "POST",
  path: `${O}/users/{user_id}/reset`,
  tag,
  summary: "Make a link that sets a person's new password",
  description:
    `The answer holds the link; it is not shown again. It works once, for ${resetHours} hours, and ends the one made before. No mail is sent: pass the link on ` +
    "yourself. Only owners make one for an owner; and because it opens the whole account, only somebody who may do so in every organization of the person. " +
    "Anything else is 403.",
  scope: "org:admin",
  params: MemberParams,
  result: PasswordReset,
});

const CodeParams = z.object({ code: z.string() });

export const getPasswordReset = defineOperation({
  id: "getPasswordReset",
  method: "GET",
  path: "/v1/resets/{code}",
  tag,
  summary: "See whose password a reset link sets",
  description: "404 where the link was used, replaced by a newer one, or has expired.",
  scope: null,
  rateClass: "none",
  bearsSecret: true,
  params: CodeParams,
  result: OpenReset,
});

export const resetPassword = defineOperation({
  id: "resetPassword",
  method: "POST",
  path: "/v1/resets/{code}",
  tag,
  summary: "Set a new password by a reset link",
  description:
    "The link works once. All sessions of the person end, and this browser is signed in. API tokens stay as they are. 404 where the link was used, " +
    "replaced by a newer one, or has expired.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  bearsSecret: true,
  params: CodeParams,
  body: z.object({ password: NewPassword }),
  result: z.object({ user: User.describe("The person, signed in with this browser") }),
});
