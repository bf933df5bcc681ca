import { z } from "zod";
import { invitationDaysDefault, invitationDaysMax } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant, Text } from "#lib/contract/text.ts";
import { Role, User } from "./organization.ts";
import { GivenPassword } from "./password.ts";
import { Email, FullName } from "./person.ts";

/** An open invitation as admins see it: the code itself is shown once, at creation. */
export const Invitation = z.object({
  id: z.int().describe("The invitation's id, for withdrawing it"),
  role: Role.describe("The role that it gives").meta({ example: "member" }),
  note: z.string().nullable().describe("Note on who it is for, by whoever created it").meta({ example: "Grace" }),
  hint: z.string().describe("The last four characters of the code").meta({ example: "8fWd" }),
  created_at: Instant.describe("When it was created"),
  expires_at: Instant.describe("When its link stops working").meta({ example: "2026-03-02T09:00:00.000Z" }),
  user_id: z.int().describe("Id of the person who created it"),
  user_name: z.string().nullable().describe("Their name, or null").meta({ example: "Grace Hopper" }),
});
z.globalRegistry.add(Invitation, { id: "Invitation" });
export type Invitation = z.infer<typeof Invitation>;

/** Request body of `POST invitations`. */
export const CreateInvitation = z.object({
  role: Role.default("member").describe("Role of the new member; at most your own"),
  days: z.int().min(1).max(invitationDaysMax).default(invitationDaysDefault).describe("Days until it expires"),
  note: Text(100).nullish().describe("Who it is for; shown in the list of open invitations"),
});
z.globalRegistry.add(CreateInvitation, { id: "CreateInvitation", example: { role: "member", days: 7, note: "Grace" } });
export type CreateInvitation = z.infer<typeof CreateInvitation>;

/** A new invitation, with its code. */
export const CreatedInvitation = Invitation.extend({
  code: z.string().describe("Lets one person in; shown in this response only"),
  url: z.string().describe("The page for accepting it"),
});
z.globalRegistry.add(CreatedInvitation, {
  id: "CreatedInvitation",
  example: { code: "mX7tQ2vB9kLs4nZc8fWd", url: "https://errand.example.com/invite/mX7tQ2vB9kLs4nZc8fWd" },
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

/** An invitation as the holder of its code sees it. */
export const OpenInvitation = z.object({
  organization_id: z.int().describe("The organization that the invitation is for"),
  organization_name: z.string().describe("That organization's name").meta({ example: "Acme" }),
  role: Role.describe("The role that it gives").meta({ example: "member" }),
  invited_by: z.string().nullable().describe("Name of the person who created it, or null"),
  expires_at: Instant.describe("When the link stops working").meta({ example: "2026-03-02T09:00:00.000Z" }),
});
z.globalRegistry.add(OpenInvitation, { id: "OpenInvitation", example: { invited_by: "Grace Hopper" } });
export type OpenInvitation = z.infer<typeof OpenInvitation>;

/** Request body of `POST accept`. */
export const AcceptInvitation = z.object({
  full_name: FullName.nullish().describe("For a new person").meta({ example: "Grace Hopper" }),
  email: Email.nullish()
    .describe("For a new person, or for an existing account. Without it, whoever is signed in with this browser joins")
    .meta({ example: "grace@example.com" }),
  password: GivenPassword.nullish().describe(
    "The password of the account with this address; if there is none, a new password of at least 10 characters",
  ),
});
z.globalRegistry.add(AcceptInvitation, { example: { password: "a long sentence you remember" } });
export type AcceptInvitation = z.infer<typeof AcceptInvitation>;

export const listInvitations = defineOperation({
  id: "listInvitations",
  summary: "List the open invitations, newest first",
  description: "Accepted, withdrawn and expired invitations are not included.",
  scope: "org:admin",
  params: OrgParams,
  query: Paging,
  result: Page(Invitation),
});

export const createInvitation = defineOperation({
  id: "createInvitation",
  summary: "Invite someone by link",
  description:
    "The response contains the link; it is not shown again. It lets one person in, until it expires. No email is sent: pass the link on yourself. " +
    "Nobody can invite to a higher role than their own: that gives 403. If you lose the right to invite, your open invitations end.",
  scope: "org:admin",
  params: OrgParams,
  body: CreateInvitation,
  result: CreatedInvitation,
  idempotent: "once",
});

export const deleteInvitation = defineOperation({
  id: "deleteInvitation",
  summary: "Withdraw an invitation",
  description: "Its link stops working at once.",
  scope: "org:admin",
  params: OrgParams.extend({ invitation_id: Id.describe("The invitation") }),
  result: Invitation,
});

const CodeParams = z.object({ code: z.string().describe("The code of the link").meta({ example: "CODE" }) });

export const getInvitation = defineOperation({
  id: "getInvitation",
  summary: "See what an invitation is for",
  description: "A 404 says whether the invitation was accepted, was withdrawn, or has expired.",
  scope: null,
  rateClass: "none",
  bearsSecret: true,
  refusals: ["rate_limited"],
  params: CodeParams,
  result: OpenInvitation,
});

export const acceptInvitation = defineOperation({
  id: "acceptInvitation",
  summary: "Accept an invitation",
  description:
    "A new person gives their name, email address and password, and is signed in with this browser. An existing account joins: signed " +
    "in with the body `{}`, otherwise with the account's address and password. An invitation works once. A 404 says whether it was accepted, withdrawn, " +
    "or has expired; a 409, that the account already belongs to the organization, and leaves the invitation open.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  bearsSecret: true,
  changesSession: true,
  refusals: ["conflict"],
  params: CodeParams,
  body: AcceptInvitation,
  result: z.object({
    user: User.describe("The person, signed in with this browser"),
    organization_id: z.int().describe("The organization they joined"),
  }),
});
