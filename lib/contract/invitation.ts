import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Role, User } from "./organization.ts";
import { Page, Paging } from "./page.ts";
import { GivenPassword } from "./password.ts";
import { Email, FullName } from "./person.ts";
import { Instant, Text } from "./text.ts";

const tag = "People";

/** How long an invitation may be open, in days. */
export const invitationDaysMax = 30;
export const invitationDaysDefault = 7;

/** An open invitation as admins see it: the code itself is shown once, at creation. */
export const Invitation = z.object({
  id: z.int().describe("The invitation's id, for withdrawing it"),
  role: Role.describe("The role that it gives"),
  note: z.string().nullable().describe("Who it is for, in the words of whoever made it"),
  hint: z.string().describe("The last four characters of the code"),
  created_at: Instant.describe("When it was made"),
  expires_at: Instant.describe("When its link stops working"),
  user_id: z.int().describe("Who made it"),
  user_name: z.string().nullable().describe("Their name, or null"),
});
export type Invitation = z.infer<typeof Invitation>;

/** Request body of `POST invitations`. */
export const CreateInvitation = z.object({
  role: Role.default("member").describe("What the person may do; at most your own role"),
  days: z.int().min(1).max(invitationDaysMax).default(invitationDaysDefault).describe("Days until it expires"),
  note: Text(100).nullish().describe("Who it is for; shown in the list of open invitations"),
});
export type CreateInvitation = z.infer<typeof CreateInvitation>;

/** A new invitation, with its code. */
export const CreatedInvitation = Invitation.extend({
  code: z.string().describe("Lets one person in; shown in this answer alone"),
  url: z.string().describe("The page on which it is accepted"),
});
export type CreatedInvitation = z.infer<typeof CreatedInvitation>;

/** An invitation as whoever has its code sees it. */
export const OpenInvitation = z.object({
  organization_id: z.int().describe("The organization that it lets in to"),
  organization_name: z.string().describe("That organization's name"),
  role: Role.describe("The role that it gives"),
  invited_by: z.string().nullable().describe("Name of the person who made it, or null"),
  expires_at: Instant.describe("When the link stops working"),
});
export type OpenInvitation = z.infer<typeof OpenInvitation>;

/** Request body of `POST accept`. */
export const AcceptInvitation = z.object({
  full_name: FullName.nullish().describe("Of a new person"),
  email: Email.nullish().describe(
    "Of a new person, or of an account that exists. Without it, whoever is signed in with this browser joins",
  ),
  password: GivenPassword.nullish().describe(
    "The password of the account that has the address; where there is none, the new person's, of 10 characters at least",
  ),
});
export type AcceptInvitation = z.infer<typeof AcceptInvitation>;

export const listInvitations = defineOperation({
  id: "listInvitations",
  method: "GET",
  path: `${O}/invitations`,
  tag,
  summary: "List the open invitations, newest first",
  description: "Accepted, withdrawn and expired ones are not among them.",
  scope: "org:admin",
  params: OrgParams,
  query: Paging,
  result: Page(Invitation),
});

export const createInvitation = defineOperation({
  id: "createInvitation",
  method: "POST",
  path: `${O}/invitations`,
  tag,
  summary: "Invite somebody by link",
  description:
    "The answer holds the link; it is not shown again. It lets one person in, until it expires. No mail is sent: pass the link on yourself. " +
    "Nobody invites to more than they have: a stronger role is 403. Where you lose the right to invite, your open invitations end.",
  scope: "org:admin",
  params: OrgParams,
  body: CreateInvitation,
  result: CreatedInvitation,
});

export const deleteInvitation = defineOperation({
  id: "deleteInvitation",
  method: "DELETE",
  path: `${O}/invitations/{invitation_id}`,
  tag,
  summary: "Withdraw an invitation",
  description: "Its link stops working at once.",
  scope: "org:admin",
  params: OrgParams.extend({ invitation_id: Id }),
  result: Invitation,
});

const CodeParams = z.object({ code: z.string() });

export const getInvitation = defineOperation({
  id: "getInvitation",
  method: "GET",
  path: "/v1/invitations/{code}",
  tag,
  summary: "See what an invitation is for",
  description: "404 says whether it was accepted, withdrawn, or has expired.",
  scope: null,
  rateClass: "none",
  bearsSecret: true,
  params: CodeParams,
  result: OpenInvitation,
});

export const acceptInvitation = defineOperation({
  id: "acceptInvitation",
  method: "POST",
  path: "/v1/invitations/{code}/accept",
  tag,
  summary: "Accept an invitation",
  description:
    "A new person says their name, email address and password, and is signed in with this browser. Whoever has an account joins with it: signed " +
    "in with an empty body, else with the account's address and password. An invitation works once. 404 says whether it was accepted, withdrawn, " +
    "or has expired; 409 that the account belongs to the organization already, and leaves the invitation open.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  bearsSecret: true,
  params: CodeParams,
  body: AcceptInvitation,
  result: z.object({
    user: User.describe("The person, signed in with this browser"),
    organization_id: z.int().describe("The organization that they joined"),
  }),
});
