import { z } from "zod";
import { defineOperation, Id, O, OrgParams, repeatable } from "./define-operation.ts";
import { Page, Paging } from "./page.ts";
import { Instant, JsonObject } from "./text.ts";

/**
 * Every act that the audit log knows, with its words on pages. What changes who may do what, what others can read, or what runs
 * execute is among them; creating and steering runs is not.
 */
export const auditActs = {
  "session.signed_in": "Signed in",
  "session.signed_out": "Signed out",
  "session.failed": "Failed to sign in",
  "session.ended": "Ended sessions",
  "sign_in_link.made": "Made a sign-in link",
  "password.set": "Set a password",
  "password.reset_made": "Made a reset link",
  "password.reset_used": "Used a reset link",
  "identity.linked": "Linked a sign-in provider",
  "invitation.created": "Invited someone",
  "invitation.withdrawn": "Withdrew an invitation",
  "invitation.accepted": "Accepted an invitation",
  "member.added": "Added a member",
  "member.changed": "Changed a member",
  "member.role_changed": "Changed a role",
  "member.removed": "Removed a member",
  "token.created": "Created a token",
  "token.revoked": "Revoked a token",
  "share.created": "Shared a run",
  "share.withdrawn": "Withdrew a share link",
  "repository.added": "Added a repository",
  "repository.changed": "Changed a repository",
  "repository.removed": "Removed a repository",
  "repository.checks_changed": "Changed check settings",
  "setup.accepted": "Accepted setup commands",
  "setup.deleted": "Deleted setup commands",
  "setup.proposal_discarded": "Discarded proposed setup commands",
  "setup.requested": "Started a setup run",
  "setup.rebuilt": "Rebuilt a prepared environment",
  "pull_request.changed": "Changed a pull request",
  "organization.created": "Created the organization",
  "organization.changed": "Changed settings",
  "integration.changed": "Changed an integration",
  "integration.removed": "Removed an integration",
  "integration.tested": "Tested an integration",
  "oauth_token.revoked": "Revoked an OAuth token",
  "slack_link.created": "Made a Slack link",
  "webhook.changed": "Changed the webhook",
  "webhook.removed": "Removed the webhook",
  "webhook.tested": "Tested the webhook",
  "webhook.resent": "Sent a delivery again",
} as const;
export type AuditAct = keyof typeof auditActs;
export const AuditAct = z.enum(Object.keys(auditActs) as [AuditAct, ...AuditAct[]]);

/** Who acted: a person who is not signed in (yet), an API token, a browser session, or the service and its command line. */
export const AuditActor = z.enum(["person", "token", "session", "system"]);
export type AuditActor = z.infer<typeof AuditActor>;

/** One act. Records are never changed or removed. */
export const AuditRecord = z.object({
  id: z.int().describe("The record's number; later ones are higher"),
  created_at: Instant.describe("When it happened"),
  act: AuditAct.describe("Kind of act"),
  actor: AuditActor.describe(
    "Kind of actor: a person not signed in (yet), an API token, a browser session, or the service and its command line",
  ),
  user_id: z.int().nullable().describe("Id of the person who acted, or null"),
  user_name: z.string().nullable().describe("Their name when it happened, or null"),
  token_id: z.int().nullable().describe("The token that was used, or null"),
  token_name: z.string().nullable().describe("Its name when it happened, or null"),
  object_type: z.string().nullable().describe("The kind of thing acted on: token, share, repository, user …"),
  object_id: z.int().nullable().describe("The id of the thing acted on, or null"),
  object_name: z.string().nullable().describe("Its name when it happened"),
  address: z.string().nullable().describe("Network address of the client; of IPv6 its /64 network"),
  user_agent: z.string().nullable().describe("User-Agent header of the client, or null"),
  details: JsonObject.describe("What else is worth knowing; never a secret"),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** How the log is given: a page of JSON, or everything that matches as a file. */
export const AuditFormat = z.enum(["json", "jsonl", "csv"]);
export type AuditFormat = z.infer<typeof AuditFormat>;

const ActList = z.string().transform((value, context): AuditAct[] => {
  const acts: AuditAct[] = [];
  for (const word of value.split(",").map((part) => part.trim())) {
    const act = AuditAct.safeParse(word);
    if (act.success) acts.push(act.data);
    else context.addIssue({ code: "custom", message: `must be one of ${AuditAct.options.join(", ")}` });
  }
  return acts;
});

export const AuditQuery = Paging.extend({
  act: ActList.optional().meta({
    description: "One act, or several separated by commas or repeated",
    [repeatable]: true,
  }),
  actor: AuditActor.optional().describe("Only acts of this kind of actor"),
  user_id: Id.optional().describe("Who acted, by whichever token or session"),
  token_id: Id.optional().describe("Only acts by this token"),
  since: z.iso.datetime({ offset: true }).optional().describe("At this instant or later"),
  until: z.iso.datetime({ offset: true }).optional().describe("Before this instant"),
  format: AuditFormat.default("json").describe("jsonl and csv give all that matches as a file, without paging"),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const listAudit = defineOperation({
  id: "listAudit",
  method: "GET",
  path: `${O}/audit`,
  tag: "Organizations and users",
  summary: "Read the audit log, newest first",
  description:
    "Every privileged act in the organization: who, what, on what, from where, when. A record is written in the transaction of " +
    "its act and is never changed or removed. Signing in is recorded in each organization of the person.",
  scope: "org:admin",
  params: OrgParams,
  query: AuditQuery,
  result: Page(AuditRecord),
  otherTypes: ["application/jsonl", "text/csv"],
});
