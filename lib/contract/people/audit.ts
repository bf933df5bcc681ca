import { z } from "zod";
import { defineOperation, Id, OrgParams, repeatable } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant, JsonObject } from "#lib/contract/text.ts";
import { auditActNames } from "./audit-acts.ts";

export const AuditAct = z.enum(auditActNames);
export type AuditAct = z.infer<typeof AuditAct>;

/**
 * Kinds of actors: a person who is not signed in (yet), an API token, a browser session, or Errand and its command line.
 */
export const AuditActor = z.enum(["person", "token", "session", "system"]);
export type AuditActor = z.infer<typeof AuditActor>;

/** One record. Records are never changed or deleted. */
export const AuditRecord = z.object({
  id: z.int().describe("The record's number; later ones are higher"),
  created_at: Instant.describe("When it happened"),
  act: AuditAct.describe("Kind of action").meta({ example: "token.created" }),
  actor: AuditActor.describe(
    "Kind of actor: someone not signed in (yet), an API token, a browser session, or Errand and its command line",
  ).meta({ example: "session" }),
  user_id: z.int().nullable().describe("Id of the person who acted, or null"),
  user_name: z.string().nullable().describe("Their name at the time, or null").meta({ example: "Grace Hopper" }),
  token_id: z.int().nullable().describe("The token that was used, or null").meta({ example: null }),
  token_name: z.string().nullable().describe("Its name at the time, or null"),
  object_type: z.string().nullable().describe("The kind of object: token, share, repository, user …"),
  object_id: z.int().nullable().describe("The object's id, or null").meta({ example: 3 }),
  object_name: z.string().nullable().describe("Its name at the time").meta({ example: "CI" }),
  address: z.string().nullable().describe("The client's network address; for IPv6, its /64 network"),
  user_agent: z.string().nullable().describe("User-Agent header of the client, or null"),
  details: JsonObject.describe("Further details; never a secret").meta({ example: { role: "member" } }),
});
z.globalRegistry.add(AuditRecord, {
  example: {
    object_type: "token",
    address: "192.0.2.7",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  },
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Format of the log: a page of JSON, or all matches as a file. */
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
    description: "One action, or several separated by commas or repeated",
    [repeatable]: true,
  }),
  actor: AuditActor.optional().describe("Only actions by this kind of actor"),
  user_id: Id.optional().describe("Who acted, with whichever token or session"),
  token_id: Id.optional().describe("Only actions with this token"),
  since: z.iso.datetime({ offset: true }).optional().describe("At or after this time"),
  until: z.iso.datetime({ offset: true }).optional().describe("Before this time"),
  format: AuditFormat.default("json").describe("jsonl and csv return all matches as a file, without paging"),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const listAudit = defineOperation({
  id: "listAudit",
  summary: "Read the audit log, newest first",
  description:
    "Every privileged action in the organization: who, what, on what, from where, when. A record is written in the same transaction as " +
    "its action and is never changed or deleted. A sign-in is recorded in each of the person's organizations.",
  scope: "org:admin",
  params: OrgParams,
  query: AuditQuery,
  result: Page(AuditRecord),
  otherTypes: ["application/jsonl", "text/csv"],
});
