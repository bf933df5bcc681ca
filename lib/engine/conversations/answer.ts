import { slackMessages } from "#lib/chat/slack-text.ts";
import { HostError } from "#lib/host/call-host.ts";
import { ReplyPlace } from "#lib/host/incoming-message.ts";
import { type OpenedIntegration, openIntegration } from "#lib/host/open-integration.ts";
import { markdownFor, type Outgoing, partsOf } from "#lib/host/outgoing.ts";
import type { IntegrationRow } from "#lib/store/integrations.ts";
import type { ReplyRow } from "#lib/store/replies.ts";
import { type ConversationParts, giveUpMs, maskFor, reasonOf, retryMs } from "./parts.ts";
import { answerOf } from "./words.ts";

/** Clocks of hosts differ: our comment may have a time before the request for it. */
const clockSkewMs = 600_000;

/**
 * Sends a reply to a conversation exactly once: if an earlier attempt may have arrived although its response was lost, the service
 * is first asked whether it has the reply. If the service cannot be reached now, the reply is retried later.
 */
export async function answer(parts: ConversationParts, reply: ReplyRow, signal: AbortSignal): Promise<void> {
  const { store, logger } = parts;
  const integration = await store.integrations.findById(reply.integrationId);
  if (integration === null) return;
  try {
    const place = ReplyPlace.parse(JSON.parse(reply.place));
    const text = await textOf(parts, integration, reply, place);
    const opened = openIntegration(integration, parts);
    const remoteId = await send(opened, place, text, reply, signal);
    await store.conversations.settleReply(reply.id, { remoteId, note: null });
    logger.info({ integration: integration.id, reply: reply.id, run: reply.runId }, "answered");
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error, parts, reply.tries);
    if (reason === null) return store.conversations.settleReply(reply.id, { remoteId: null, note: "internal error" });
    logger.warn({ integration: integration.id, reply: reply.id, reason }, "an answer could not be written");
    const isGone = error instanceof HostError && (error.status === 404 || error.status === 410 || error.status === 422);
    if (isGone || parts.now().getTime() - Date.parse(reply.createdAt) > giveUpMs) {
      await store.conversations.settleReply(reply.id, { remoteId: null, note: reason });
    } else {
      const waitMs = error instanceof HostError ? error.waitMs : null;
      await store.conversations.postponeReply(reply.id, Math.max(waitMs ?? 0, retryMs(reply.tries)));
    }
  }
}

async function textOf(
  parts: ConversationParts,
  integration: IntegrationRow,
  reply: ReplyRow,
  place: ReplyPlace,
): Promise<Outgoing> {
  const { store, origin } = parts;
  if (reply.text !== null) return [{ own: reply.text }];
  const end =
    reply.runId === null || reply.turn === null ? null : await store.conversations.findEnd(reply.runId, reply.turn);
  if (end === null || reply.runId === null) throw new Error(`the reply ${reply.id} is due, and its turn has not ended`);
  const asker = place.from === "host" ? place.asker : null;
  const mask = await maskFor(parts, integration, reply.runId);
  return answerOf(end, { runUrl: `${await origin()}/runs/${reply.runId}`, asker, mask });
}

/** Posts it and returns its id in the service. */
async function send(
  opened: OpenedIntegration,
  place: ReplyPlace,
  text: Outgoing,
  { key, tries, createdAt }: ReplyRow,
  signal: AbortSignal,
): Promise<string> {
  const since = new Date(Date.parse(createdAt) - clockSkewMs);
  if (opened.kind === "host" && place.from === "host") {
    const mark = `<!-- errand ${key} -->`;
    const written = tries > 1 ? await opened.host.findReply(place.thread, mark, since, signal) : null;
    return (written ?? (await opened.host.reply(place.thread, [...partsOf(text), { own: mark }], signal))).id;
  }
  if (opened.kind === "slack" && place.from === "slack") {
    let first: string | null = null;
    for (const [index, message] of slackMessages(text).entries()) {
      const messageKey = index === 0 ? key : `${key}-${index + 1}`;
      const written = tries > 1 ? await opened.slack.find(place, messageKey, since, signal) : null;
      const id = written ?? (await opened.slack.post(place, message, messageKey, signal));
      first ??= id;
    }
    return first ?? "";
  }
  if (opened.kind === "linear" && place.from === "linear") {
    await opened.linear.comment(place, markdownFor("linear", text), key, signal);
    return key;
  }
  throw new HostError("The integration has been replaced by another one.", 410);
}
