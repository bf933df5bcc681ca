import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { errorEntry } from "#lib/engine/ending-entries.ts";
import { HostError } from "#lib/host/call-host.ts";
import type { Host } from "#lib/host/host.ts";
import { conversationOf } from "#lib/host/host-event.ts";
import { isOutage } from "#lib/host/outage.ts";
import type { Outgoing, Title } from "#lib/host/outgoing.ts";
import { findOwnPull } from "#lib/host/own-pull.ts";
import type { HostPullRequest, NewPullRequest } from "#lib/host/pull-host.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { PullStep } from "#lib/store/pulls/pulls.ts";
import { checkedWords } from "./checked-words.ts";
import { pullEntry } from "./entries.ts";
import { failureCodeOf, failureHints, hintOf } from "./failure-hints.ts";
import { linkRuns } from "./linked-runs.ts";
import { openTarget } from "./open-target.ts";
import type { PullParts } from "./parts.ts";
import { bodyOf, titleOf } from "./pull-words.ts";
import { findRequester, type Requester } from "./requester.ts";
import { notesOf } from "./watch-notes.ts";
import { endingStep, failingStep, type PullWork, type TakeStep } from "./work.ts";

/** The first look at the checks: hosts start them a moment after the push. */
const firstLook = { kind: "again", waitMs: 15_000 } as const;

/**
 * INITIAL_PR_GENERATION: opens the pull request, or takes over one already open for the branch, which an attempt without a
 * response may have left. One that is already known is updated.
 */
export const openPull: TakeStep = async (parts, work, signal) => {
  const { pull, repository } = work;
  const target = await openTarget(parts, pull, repository);
  if (target.kind === "unusable") return failingStep(parts, work, target);
  if (target.kind !== "host") {
    const message = "The code host is no longer connected.";
    return failingStep(parts, work, { code: "not_connected", message, hint: "Connect it under Integrations." });
  }
  const { host, integration, fullName } = target;
  if (pull.number !== null) {
    const step = await bringUpToDate(parts, work, { host, integration, fullName, number: pull.number }, signal);
    if (step !== null) return step;
  }
  const info = pull.baseBranch === null ? await host.pulls.repository(fullName, signal) : null;
  const baseBranch = pull.baseBranch ?? info?.defaultBranch ?? null;
  if (baseBranch === null) {
    const message = unseen(fullName);
    return failingStep(parts, work, {
      code: "repository_not_found",
      message,
      hint: failureHints.repository_not_found ?? null,
    });
  }
  const requester = await findRequester(parts, work, integration);
  const { headBranch, isDraft } = pull;
  const text = await textOf(parts, work, integration, requester);
  const wanted = { headBranch, baseBranch, draft: isDraft, ...text };
  try {
    const { made, reused } = await findOrOpen(host, fullName, wanted, signal);
    const settings = await parts.store.pulls.findSettings({ ...work.repository, userId: null }, work.repository.id);
    const asksReview = (settings ?? pullSettingsDefaults).request_review;
    // One of our own that is not yet written here was left by an attempt that was cut short.
    const isOwn = made.author.toLowerCase() === integration.account?.toLowerCase();
    const isNew = !reused || (pull.openedAt === null && isOwn);
    const asked = { integration, host, fullName, made };
    const refusal =
      isNew && asksReview && requester !== null && requester.login !== null
        ? await askForReview(parts, asked, requester.login, signal)
        : null;
    const step = await opened(parts, work, { integration, fullName, made, reused });
    return refusal === null ? step : { ...step, entries: [...(step.entries ?? []), refusal] };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HostError) || isOutage(error)) throw error;
    const { status } = error;
    const code = failureCodeOf(error) ?? "refused";
    const message = code === "repository_not_found" ? unseen(fullName) : error.message;
    return failingStep(parts, work, { code, status, message, hint: hintOf(error, code) });
  }
};

const unseen = (fullName: string) => `${fullName} does not exist, or the integration's account cannot see it.`;

async function findOrOpen(
  host: Host,
  fullName: string,
  wanted: NewPullRequest,
  signal: AbortSignal,
): Promise<{ made: HostPullRequest; reused: boolean }> {
  const find = async () => {
    const found = await host.pulls.findPull(fullName, wanted.headBranch, signal);
    return found?.state === "open" ? { made: found, reused: true } : null;
  };
  const known = await find();
  if (known !== null) return known;
  try {
    return { made: await host.pulls.openPull(fullName, wanted, signal), reused: false };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    // Private repositories on free plans have no drafts, which cannot be found out beforehand.
    if (error.reason === "no_drafts" && wanted.draft) {
      return findOrOpen(host, fullName, { ...wanted, draft: false }, signal);
    }
    const rival = error.reason === "duplicate" ? await find() : null;
    if (rival === null) throw error;
    return rival;
  }
}

async function textOf(
  parts: PullParts,
  { pull, run }: PullWork,
  integration: IntegrationRow,
  requester: Requester | null,
): Promise<{ title: Title; body: Outgoing }> {
  const runUrl = `${await parts.origin()}/runs/${run.id}`;
  const login = requester?.login ?? null;
  const isOwnAccount = login !== null && login === integration.account?.toLowerCase();
  const checked = checkedWords(notesOf(pull).tested, pull.headCommit);
  const facts = { body: pull.body, requestedBy: requester?.name ?? null, asker: login, runUrl, isOwnAccount, checked };
  const given = pull.title === null ? null : ({ by: "person", text: parts.mask(pull.title) } as const);
  return { title: given ?? titleOf(run, parts.mask), body: bodyOf(run, facts, parts.mask) };
}

/** A review that cannot be requested blocks nothing: it is told by an entry, which is returned, and at the integration. */
async function askForReview(
  parts: PullParts,
  {
    integration,
    host,
    fullName,
    made,
  }: { integration: IntegrationRow; host: Host; fullName: string; made: HostPullRequest },
  login: string,
  signal: AbortSignal,
): Promise<NewEntry | null> {
  const { number, author } = made;
  if (author.toLowerCase() === login) return null;
  let reason: string;
  try {
    const person = await host.person(login, signal);
    if (person !== null && (await host.pulls.requestReview(fullName, number, person, signal))) return null;
    reason = person === null ? "the host knows nobody by that name." : "the host does not let them review it.";
  } catch (error) {
    signal.throwIfAborted();
    parts.logger.warn({ repository: fullName, pull: number, err: error }, "nobody could be asked for a review");
    // The messages of a host's and the HTTP client's errors may be shown.
    reason = error instanceof Error && "reason" in error ? error.message : "internal error.";
    const refusal = { repository: fullName, error: `A review could not be requested: ${reason}` };
    await parts.store.integrations.noteRefusal(integration.id, integration.revision, refusal);
  }
  return errorEntry("review_not_requested", `${login} could not be asked for a review of #${number}: ${reason}`);
}

/** The step that records an open pull request, and then follows its checks. */
export async function opened(
  parts: PullParts,
  work: PullWork,
  found: { integration: IntegrationRow; fullName: string; made: HostPullRequest; reused: boolean },
): Promise<PullStep> {
  const { pull } = work;
  const { integration, fullName, made, reused } = found;
  const { number, url, title, body, draft, baseBranch } = made;
  const key = conversationOf({ repository: fullName, subject: "pull", number, replyTo: null });
  const opened = {
    number,
    url,
    title,
    body,
    draft,
    branch: pull.headBranch,
    commit: pull.headCommit,
    base: baseBranch,
  };
  const openedAt = pull.openedAt ?? parts.now().toISOString();
  const { asked: _, given: __, ...watch } = notesOf(pull);
  const conversation = { integrationId: integration.id, key };
  const linked = await linkRuns(parts, work, { conversation, baseBranch, url });
  return {
    changes: {
      ...{ integrationId: integration.id, fullName, number, url, title, isDraft: draft, baseBranch, openedAt, watch },
      ...{ state: "open", stage: "checking", error: null },
    },
    entries: [pullEntry("INITIAL_PR_GENERATION", parts.now(), { ...opened, reused }), ...linked.entries],
    conversation,
    elsewhere: linked.elsewhere,
    next: firstLook,
  };
}

/**
 * The push has already updated the commits of a known pull request; of the rest, only what somebody gave with a request changes.
 * Null: it is gone.
 */
async function bringUpToDate(
  parts: PullParts,
  work: PullWork,
  {
    host,
    integration,
    fullName,
    number,
  }: { host: Host; integration: IntegrationRow; fullName: string; number: number },
  signal: AbortSignal,
): Promise<PullStep | null> {
  const { pull } = work;
  const own = await findOwnPull(host, { fullName, number, headBranch: pull.headBranch }, signal);
  if (own.kind === "gone") return null;
  if (own.kind === "unseen") {
    const message = unseen(fullName);
    return failingStep(parts, work, {
      code: "repository_not_found",
      message,
      hint: failureHints.repository_not_found ?? null,
    });
  }
  const { there } = own;
  if (there.state !== "open") return overStep(parts, work, there.state);
  const { asked: _, given = [], ...watch } = notesOf(pull);
  const requester = given.includes("body") ? await findRequester(parts, work, integration) : null;
  const change = {
    ...(given.includes("title") && pull.title !== null && pull.title !== there.title
      ? { title: { by: "person" as const, text: parts.mask(pull.title) } }
      : {}),
    ...(given.includes("body") ? { body: (await textOf(parts, work, integration, requester)).body } : {}),
    ...(given.includes("draft") && pull.isDraft !== there.draft ? { draft: pull.isDraft } : {}),
  };
  const isChanged = Object.keys(change).length > 0;
  const { title, draft, baseBranch } = isChanged
    ? await host.pulls.updatePull(fullName, number, change, signal)
    : there;
  const changes = {
    ...{ title, isDraft: draft, baseBranch, error: null, watch },
    stage: "checking",
    state: "open",
  } as const;
  return { changes, next: firstLook };
}

/** The step that ends the work because the pull request was closed or merged. */
export function overStep(parts: PullParts, work: PullWork, state: "closed" | "merged"): PullStep {
  const reason = `It was ${state} on the code host.`;
  const changes = { state, closedAt: parts.now().toISOString() } as const;
  return endingStep(parts, work, { verdict: state, reason }, { changes });
}

/** The step that ends the work because the pull request no longer exists. If somebody asks again, another one is opened. */
export function goneStep(parts: PullParts, work: PullWork): PullStep {
  const reason = "It is no longer on the code host.";
  const changes = { state: "failed", number: null, url: null, openedAt: null } as const;
  return endingStep(parts, work, { verdict: "closed", reason }, { changes });
}
