import { z } from "zod";
import type { ChatEvent } from "./chat-event.ts";
import type { LinearPlace } from "./linear.ts";

const Issue = z.object({ id: z.string(), title: z.string(), team: z.object({ key: z.string() }).nullish() });
const Comment = z.object({
  type: z.literal("Comment"),
  action: z.literal("create"),
  url: z.string().nullish(),
  data: z.object({
    id: z.string(),
    body: z.string(),
    parentId: z.string().nullish(),
    botActor: z.unknown().nullish(),
    user: z.object({ id: z.string(), name: z.string() }).nullish(),
    issue: Issue.nullish(),
  }),
});
const AgentSession = z.object({
  type: z.literal("AgentSessionEvent"),
  action: z.literal("created"),
  agentSession: z.object({
    id: z.string(),
    url: z.string().nullish(),
    creator: z.object({ id: z.string(), name: z.string() }).nullish(),
    comment: z.object({ id: z.string(), body: z.string() }).nullish(),
    issue: Issue,
  }),
});
const Sent = z.object({ webhookTimestamp: z.number() });

/** How far Linear's clock may differ: older events may be replays. */
const windowMs = 60_000;

/** Whether the event was sent within the last minute, a check that Linear requires (https://linear.app/developers/webhooks). */
export function isFreshFromLinear(payload: unknown, nowMs: number): boolean {
  const sent = Sent.safeParse(payload).data?.webhookTimestamp;
  return sent !== undefined && Math.abs(nowMs - sent) <= windowMs;
}

/** What a person said in Linear: a comment, or a mention of the agent. Null for other events. */
export function readLinearEvent(payload: unknown): { event: ChatEvent; place: LinearPlace; isMention: boolean } | null {
  const comment = Comment.safeParse(payload).data;
  if (comment?.data.issue != null) {
    const { id, body, parentId, botActor, user, issue } = comment.data;
    return {
      event: {
        key: `comment:${id}`,
        conversation: `issue:${issue.id}`,
        place: issue.team?.key ?? "",
        author: { id: user?.id ?? "", name: user?.name ?? "", isBot: botActor != null || user == null },
        body,
        title: issue.title,
        url: comment.url ?? null,
      },
      place: { from: "linear", issueId: issue.id, parentId: parentId ?? id },
      isMention: false,
    };
  }
  const session = AgentSession.safeParse(payload).data?.agentSession;
  if (session === undefined) return null;
  const { creator, issue } = session;
  return {
    event: {
      key: session.comment == null ? `session:${session.id}` : `comment:${session.comment.id}`,
      conversation: `issue:${issue.id}`,
      place: issue.team?.key ?? "",
      author: { id: creator?.id ?? "", name: creator?.name ?? "", isBot: creator == null },
      body: session.comment?.body ?? issue.title,
      title: issue.title,
      url: session.url ?? null,
    },
    place: { from: "linear", issueId: issue.id, parentId: session.comment?.id ?? null },
    isMention: true,
  };
}
