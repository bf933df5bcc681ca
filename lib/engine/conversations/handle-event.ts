import { ApiError } from "#lib/contract/error.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { HostError } from "#lib/host/call-host.ts";
import type { Host, HostReview } from "#lib/host/host.ts";
import { conversationOf, type HostEvent } from "#lib/host/host-event.ts";
import { IncomingMessage, type ReplyPlace } from "#lib/host/incoming-message.ts";
import { addressOf, checkIntegration, openIntegration } from "#lib/host/open-integration.ts";
import { findPullTarget, type HostTarget } from "#lib/host/pull-target.ts";
import { isByItself } from "#lib/host/read-delivery.ts";
import type { StoredEvent } from "#lib/store/integrations/conversations.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { NewRun } from "#lib/store/store.ts";
import { noteAnswered, noteRefused } from "./integration-notes.ts";
import { afterFailure, type ConversationParts } from "./parts.ts";
import { startingBranch } from "./starting-branch.ts";
import { commentEntry, noRunReplies, originEntry, promptOfChat, promptOfHost } from "./words.ts";

/** Does what an event asks, or records why not. If the service cannot be asked now, the event is retried later. */
export async function handleEvent(parts: ConversationParts, stored: StoredEvent, signal: AbortSignal): Promise<void> {
  const { store, logger } = parts;
  const found = await store.integrations.findById(stored.integrationId);
  // Its events are deleted with the integration.
  if (found === null) return;
  let repository: string | null = null;
  try {
    const what = IncomingMessage.parse(JSON.parse(stored.body));
    const integration = found.account === null ? await askForAccount(parts, found, signal) : found;
    if (isByItself(what, integration)) {
      return await store.conversations.settleEvent(stored.id, { state: "ignored", note: "said by Errand itself" });
    }
    if (what.from === "host") {
      repository = what.event.thread.repository;
      await handleHostMessage(parts, stored, integration, what, signal);
    } else await handleChatMessage(parts, stored, integration, what);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError && error.code === "queue_full") {
      await store.conversations.postponeEvent(stored.id, 30_000);
      return;
    }
    const { reason, waitMs } = afterFailure(error, stored, parts);
    await noteRefused(store, found, { error, repository, reason });
    logger.warn({ integration: found.id, event: stored.id, reason }, "an event could not be handled");
    if (waitMs === null) await store.conversations.settleEvent(stored.id, { state: "failed", note: reason });
    else await store.conversations.postponeEvent(stored.id, waitMs);
  }
}

/**
 * The integration with its account, which is unknown from a new secret until a check succeeds: without it, Errand would take its
 * own comments for requests. Throws a HostError if the check fails.
 */
async function askForAccount(
  parts: ConversationParts,
  row: IntegrationRow,
  signal: AbortSignal,
): Promise<IntegrationRow> {
  const check = await checkIntegration(row, parts, signal);
  const noted = await parts.store.integrations.noteCheck(row.id, row.revision, check);
  if (!check.active) throw new HostError(check.error);
  if (noted === null || noted.account === null) throw new HostError("The integration was changed just now.");
  return noted;
}

async function handleHostMessage(
  parts: ConversationParts,
  stored: StoredEvent,
  integration: IntegrationRow,
  { event }: Extract<IncomingMessage, { from: "host" }>,
  signal: AbortSignal,
): Promise<void> {
  const { store } = parts;
  const opened = openIntegration(integration, parts);
  if (opened.kind !== "host") throw new HostError("The integration is not a code host.");
  const { thread, author } = event;
  const permission = await opened.host.permission(thread.repository, author, signal);
  await noteAnswered(store, integration, thread.repository);
  if (permission !== "write" && permission !== "admin") {
    const note = `@${author.login} may not write to ${thread.repository} (${permission})`;
    await store.conversations.settleEvent(stored.id, { state: "ignored", note });
    return;
  }
  const place: ReplyPlace = { from: "host", thread, asker: author.login };
  const userId = await store.links.findUser(integration.id, author.login.toLowerCase());
  if (userId !== null && !(await mayRun(parts, stored.organizationId, userId))) {
    return store.conversations.say(stored, JSON.stringify(place), noRunReplies.mayNot);
  }
  const { repositoryId, unclear } = await findRepository(parts, integration, thread.repository);
  if (repositoryId === null) {
    const text = unclear ?? noRunReplies.noRepository(thread.repository, opened.hostKind);
    await store.conversations.say(stored, JSON.stringify(place), text);
    return;
  }
  const conversation = conversationOf(thread);
  const known = thread.subject === "pull" ? await store.conversations.findRun(integration.id, conversation) : null;
  const review = await reviewOf(opened.host, event, signal);
  const note = reviewRefusal(event, known !== null, review);
  if (note !== null) return store.conversations.settleEvent(stored.id, { state: "ignored", note });
  // An existing run has already started from its branch.
  const asksHost = thread.subject === "pull" && known === null;
  const pull = asksHost ? await opened.host.pull(thread.repository, thread.number, signal) : null;
  const { baseBranch, note: branchNote } = startingBranch(pull);
  const isContinued = (known ?? (await store.conversations.findRun(integration.id, conversation))) !== null;
  const run = await newRun(parts, stored.organizationId, isContinued, {
    prompt: promptOfHost(event, addressOf(integration), { branches: branchNote, remarks: review?.remarks ?? [] }),
    sourceType: "GITHUB",
    repositoryId,
    baseBranch,
    metadata: { host: opened.hostKind, author: author.login, url: event.url },
  });
  if (run === null) return store.conversations.say(stored, JSON.stringify(place), noRunReplies.noAgent);
  await store.conversations.begin(stored, {
    conversation,
    place: JSON.stringify(place),
    userId,
    unlessBanned: true,
    run,
    entry: commentEntry(event, permission, opened.hostKind, parts.now()),
    origin: originEntry(event, opened.hostKind, parts.now()),
  });
}

/** The review that an event is, or that its remark may belong to; null if there is none. */
async function reviewOf(host: Host, event: HostEvent, signal: AbortSignal): Promise<HostReview | null> {
  const { thread, reviewId: id, verdict, author, body, saidAt } = event;
  const asksForChanges = event.kind === "review" && verdict === "changes_requested";
  const isRemark = event.kind === "thread" && id !== null;
  if (!asksForChanges && !isRemark) return null;
  const of = { id, login: author.login, verdict, body, saidAt };
  return await host.review(thread.repository, thread.number, of, signal);
}

/**
 * Why an event of a review is ignored, or null. A review that asks for changes reaches the run of its pull request as one message
 * with all its remarks; each remark also arrives as an event by itself.
 */
function reviewRefusal(event: HostEvent, hasRun: boolean, review: HostReview | null): string | null {
  if (event.ownOnly && !hasRun) return "asks for changes of a pull request that no run works on";
  const isPart = event.kind === "thread" && hasRun && review?.verdict === "changes_requested";
  return isPart ? "is a part of a review that asks for changes" : null;
}

const linkPhrase = /^link\s+([0-9A-Za-z]{8,40})[\s.]*$/;

async function handleChatMessage(
  parts: ConversationParts,
  stored: StoredEvent,
  integration: IntegrationRow,
  { event, place }: Extract<IncomingMessage, { from: "chat" }>,
): Promise<void> {
  const { store } = parts;
  const where = JSON.stringify(place);
  const say = (text: string) => store.conversations.say(stored, where, text);
  const { mention, repositories } = integration.settings;
  const asked = event.body.replace(new RegExp(`@${mention}\\b`, "i"), "").trim();
  const code = linkPhrase.exec(asked)?.[1];
  if (code !== undefined) {
    const link = await store.links.redeemCode(integration.id, parts.hashSecret(code), event.author.id);
    return say(link === null ? noRunReplies.badCode : noRunReplies.linked(link.userName));
  }
  const userId = await store.links.findUser(integration.id, event.author.id);
  if (userId === null) return say(noRunReplies.unknownPerson(mention));
  if (!(await mayRun(parts, stored.organizationId, userId))) return say(noRunReplies.mayNot);
  const known = await store.conversations.findRun(integration.id, event.conversation);
  const repositoryId = repositories[event.place] ?? null;
  if (known === null && repositoryId === null) return say(noRunReplies.noPlace(event.place));
  if (known === null && (await store.repositories.find(accessOf(stored), repositoryId ?? 0)) === null) {
    return say(noRunReplies.noPlace(event.place));
  }
  const run = await newRun(parts, stored.organizationId, known !== null, {
    prompt: promptOfChat({ ...event, body: asked }),
    sourceType: place.from === "slack" ? "SLACK" : "LINEAR",
    repositoryId,
    baseBranch: null,
    metadata: { author: event.author.name, ...(event.url === null ? {} : { url: event.url }) },
  });
  if (run === null) return say(noRunReplies.noAgent);
  await store.conversations.begin(stored, {
    conversation: event.conversation,
    place: where,
    userId,
    run,
    entry: null,
  });
}

/** Whether the person's role in the organization lets them start runs. */
async function mayRun({ store }: ConversationParts, organizationId: number, userId: number): Promise<boolean> {
  const role = await store.organizations.findRole(organizationId, userId);
  return role !== null && scopesOf(role).includes("runs:write");
}

/** The run that a message starts if it continues none; null if no agent is ready for it. */
async function newRun(
  parts: ConversationParts,
  organizationId: number,
  isContinued: boolean,
  run: Pick<NewRun, "prompt" | "sourceType" | "repositoryId" | "baseBranch" | "metadata">,
): Promise<NewRun | null> {
  try {
    const choice = await parts.chooseForRun(organizationId, isContinued ? null : run.prompt);
    return { ...run, images: [], ...choice };
  } catch (error) {
    if (error instanceof ApiError && error.code === "no_agent_ready") return null;
    throw error;
  }
}

const accessOf = ({ organizationId }: Pick<StoredEvent, "organizationId">) => ({ organizationId, userId: null });
const pageSize = 100;

/**
 * The organization's repository with this remote on the host; null if there is none. `unclear`: why one that may be it, or may be
 * on another host, was not taken.
 */
async function findRepository(
  { store }: ConversationParts,
  integration: IntegrationRow,
  fullName: string,
): Promise<{ repositoryId: number | null; unclear: string | null }> {
  const access = accessOf(integration);
  const integrations = await store.integrations.list(access);
  const isIt = (one: HostTarget) => one.integration?.id === integration.id && one.fullName === fullName.toLowerCase();
  let unclear: string | null = null;
  // Nearly always, its address or name contains the name on the host.
  for (const filter of [{ q: fullName }, {}]) {
    for (let skip = 0, isLast = false; !isLast; skip += pageSize) {
      const { items } = await store.repositories.list(access, filter, { skip, limit: pageSize });
      for (const { id, source } of items) {
        const target = findPullTarget(integrations, source);
        if (target.kind === "host" && isIt(target)) return { repositoryId: id, unclear: null };
        if (target.kind === "unclear" && target.among.some(isIt)) unclear = `Nothing was started: ${target.why}`;
      }
      isLast = items.length < pageSize;
    }
  }
  return { repositoryId: null, unclear };
}
