import { slackMessages } from "#lib/chat/slack-text.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import { errorEntry } from "#lib/engine/ending-entries.ts";
import { HostError } from "#lib/host/call-host.ts";
import { ReplyPlace } from "#lib/host/incoming-message.ts";
import { type OpenedIntegration, openIntegration } from "#lib/host/open-integration.ts";
import { type Outgoing, partsOf } from "#lib/host/outgoing.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { ReplyRow } from "#lib/store/integrations/replies.ts";
import { noteAnswered, noteRefused } from "./integration-notes.ts";
import { afterFailure, type ConversationParts, maskFor } from "./parts.ts";
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
    await noteAnswered(store, integration, labelOf(reply));
    logger.info({ integration: integration.id, reply: reply.id, run: reply.runId }, "answered");
  } catch (error) {
    signal.throwIfAborted();
    const { reason, waitMs } = afterFailure(error, reply, parts);
    if (waitMs === null || isFinal(error)) return giveUp(parts, integration, reply, { error, reason });
    logger.warn({ integration: integration.id, reply: reply.id, reason }, "an answer could not be written");
    if (error instanceof HostError && error.status === 401)
      await noteRefused(store, integration, { error, repository: null, reason });
    await store.conversations.postponeReply(reply.id, waitMs);
  }
}

/** Whether trying again cannot help: deleted, locked, closed to the account, or refused for what it is. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof HostError) || error.waitMs !== null) return false;
  return error.reason === "revoked" || [403, 404, 410, 413, 422].includes(error.status ?? 0);
}

/** Ends a reply that cannot be written, and says so where people look: in the run's log and at the integration. */
async function giveUp(
  { store, logger }: ConversationParts,
  integration: IntegrationRow,
  reply: ReplyRow,
  { error, reason }: { error: unknown; reason: string },
): Promise<void> {
  const { id, runId, turn } = reply;
  logger.warn({ integration: integration.id, reply: id, run: runId, reason }, "a reply was given up");
  const what = turn === null || reply.text !== null ? "A message about this run" : `The answer of turn ${turn}`;
  const title = integrationTitles[integration.type];
  const entry = errorEntry("reply_not_sent", `${what} could not be written in ${title}: ${reason}`);
  await store.conversations.settleReply(id, { remoteId: null, note: reason, entry });
  if (error instanceof HostError && error.status === 401)
    return noteRefused(store, integration, { error, repository: null, reason });
  const said = `A reply could not be written: ${reason}`;
  await store.integrations.noteRefusal(integration.id, integration.revision, {
    repository: labelOf(reply),
    error: said,
  });
}

/** Name of the place of a reply, as the integration's reason shows it. */
function labelOf({ place }: ReplyRow): string {
  const where = ReplyPlace.safeParse(JSON.parse(place)).data;
  if (where?.from === "host") return `${where.thread.repository}#${where.thread.number}`;
  return where?.from === "slack" ? `Channel ${where.channel}` : `Issue ${where?.issueId ?? "unknown"}`;
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
    await opened.linear.comment(place, text, key, signal);
    return key;
  }
  throw new HostError("The integration has been replaced by another one.", 410);
}
