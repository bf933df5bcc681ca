import { hash } from "node:crypto";
import { isFreshFromLinear, readLinearEvent } from "#lib/chat/linear-events.ts";
import { challengeOf, readSlackEvent, slackDeliveryOf } from "#lib/chat/slack-events.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import { readForgejoEvent } from "./forgejo/events.ts";
import { readGithubEvent } from "./github/events.ts";
import { readGithubChange } from "./github/host-changes.ts";
import { readGitlabEvent } from "./gitlab/events.ts";
import { readGitlabChange } from "./gitlab/host-changes.ts";
import type { HostChange } from "./host-change.ts";
import { type HostEvent, replayOf } from "./host-event.ts";
import type { IncomingMessage } from "./incoming-message.ts";
import { mentions } from "./mentions.ts";
import {
  type GetHeader,
  isSentByGitlab,
  isSignedByForgejo,
  isSignedByGithub,
  isSignedByLinear,
  isSignedBySlack,
} from "./signatures.ts";

/** Whether the integration's service sent these bytes. */
export function isAuthentic(
  type: IntegrationRow["type"],
  { header, bytes, secret, nowMs }: { header: GetHeader; bytes: Uint8Array; secret: string; nowMs: number },
): boolean {
  switch (type) {
    case "github":
      return isSignedByGithub(header, bytes, secret);
    case "gitlab":
      return isSentByGitlab(header, bytes, secret, nowMs);
    case "forgejo":
      // Newer versions sign like GitHub, too.
      return isSignedByForgejo(header, bytes, secret) || isSignedByGithub(header, bytes, secret);
    case "slack":
      return isSignedBySlack(header, bytes, secret, nowMs);
    case "linear":
      return isSignedByLinear(header, bytes, secret);
  }
}

/**
 * Content of a delivery. `message` is null, with the reason, if nobody asked for anything. `happened`: what to look at. Only the
 * first delivery with the same `saidKey` counts.
 */
export type Delivery =
  | { kind: "stale" }
  | { kind: "hello"; challenge: string | null }
  | {
      kind: "event";
      deliveryId: string;
      name: string;
      saidKey: string | null;
      message: IncomingMessage | null;
      happened: HostChange | null;
      note: string;
    };

/** Reads a delivery whose signature was verified. */
export function readDelivery(
  integration: Pick<IntegrationRow, "type" | "account" | "settings" | "createdAt">,
  { header, bytes, payload, nowMs }: { header: GetHeader; bytes: Uint8Array; payload: unknown; nowMs: number },
): Delivery {
  const digest = hash("sha256", bytes, "hex");
  const event = (
    name: string,
    deliveryId: string | null,
    { found, happened }: { found: HostEvent | null; happened: HostChange | null },
  ): Delivery => {
    const asked = found === null ? null : addressed(found, integration);
    const refusal = asked === null ? `${name}: nothing is done with it` : refusalOf(asked, integration, nowMs);
    const message = asked === null || refusal !== null ? null : asked;
    return {
      kind: "event",
      deliveryId: (deliveryId ?? digest).slice(0, 200),
      name: name.slice(0, 100),
      // No host signs a delivery's id, so the same content sent again under another id counts as the same delivery.
      saidKey: message?.key ?? (happened === null ? null : `happened:${digest}`),
      message: message === null ? null : { from: "host", event: message },
      happened,
      note: message === null && happened !== null ? `${name}: its pull request is looked at` : (refusal ?? name),
    };
  };
  switch (integration.type) {
    case "github": {
      const name = header("x-github-event") ?? "unknown";
      if (name === "ping") return { kind: "hello", challenge: null };
      const read = { found: readGithubEvent(name, payload), happened: readGithubChange(name, payload) };
      return event(name, header("x-github-delivery"), read);
    }
    case "gitlab": {
      const name = header("x-gitlab-event") ?? "unknown";
      const id = header("webhook-id") ?? header("idempotency-key") ?? header("x-gitlab-event-uuid");
      return event(name, id, { found: readGitlabEvent(name, payload), happened: readGitlabChange(name, payload) });
    }
    case "forgejo": {
      const name = header("x-forgejo-event") ?? header("x-gitea-event") ?? "unknown";
      const id = header("x-forgejo-delivery") ?? header("x-gitea-delivery");
      // These events have the form of GitHub's.
      const happened = readGithubChange(name, payload);
      return event(name, id, { found: readForgejoEvent(name, payload, digest), happened });
    }
    case "slack": {
      const challenge = challengeOf(payload);
      if (challenge !== null) return { kind: "hello", challenge };
      const read = readSlackEvent(payload, /\(([^()]+)\)$/.exec(integration.account ?? "")?.[1] ?? null);
      const id = slackDeliveryOf(payload) ?? digest;
      if (read === null) return ignored("event", id, "nothing is done with it");
      if (isOwn(read.event.author, integration)) return ignored("app_mention", id, "said by a bot");
      return chat("app_mention", id, { from: "chat", ...read });
    }
    case "linear": {
      if (!isFreshFromLinear(payload, nowMs)) return { kind: "stale" };
      const read = readLinearEvent(payload);
      const id = header("linear-delivery") ?? digest;
      if (read === null) return ignored("event", id, "nothing is done with it");
      const { isMention, ...said } = read;
      if (isOwn(said.event.author, integration)) return ignored("comment", id, "said by a bot");
      if (!isMention && !mentions(said.event.body, [integration.settings.mention])) {
        return ignored("comment", id, "does not mention Errand");
      }
      return chat("comment", id, { from: "chat", ...said });
    }
  }
}

function ignored(name: string, deliveryId: string, note: string): Delivery {
  const nothing = { saidKey: null, message: null, happened: null };
  return { kind: "event", deliveryId: deliveryId.slice(0, 200), name, ...nothing, note };
}

function chat(name: string, deliveryId: string, message: Extract<IncomingMessage, { from: "chat" }>): Delivery {
  const said = { saidKey: message.event.key, message, happened: null };
  return { kind: "event", deliveryId: deliveryId.slice(0, 200), name, ...said, note: name };
}

/** Whether the service itself wrote the message; false while its account is unknown. */
export function isByItself(message: IncomingMessage, integration: Pick<IntegrationRow, "account">): boolean {
  return message.from === "host"
    ? isOwnLogin(message.event.author, integration)
    : isOwnId(message.event.author, integration);
}

const isOwnLogin = ({ login }: { login: string }, { account }: Pick<IntegrationRow, "account">) =>
  login.toLowerCase() === account?.toLowerCase();

/** In Slack and Linear, `account` ends with its id in parentheses. */
const isOwnId = ({ id }: { id: string }, { account }: Pick<IntegrationRow, "account">) =>
  account?.endsWith(`(${id})`) === true;

/** Whether the author is a bot, unknown or the service itself. */
function isOwn(author: { id: string; isBot: boolean }, integration: Pick<IntegrationRow, "account">): boolean {
  return author.isBot || author.id === "" || isOwnId(author, integration);
}

/** The event with its addressee: a review that asks for changes is addressed to the author of the changes. */
function addressed(event: HostEvent, integration: Pick<IntegrationRow, "account" | "settings">): HostEvent {
  const isOfReview = event.verdict === "changes_requested" && event.thread.subject === "pull";
  return isOfReview && !mentions(event.body, namesOf(integration)) ? { ...event, ownOnly: true } : event;
}

/** The names that the service listens to there. */
function namesOf({ account, settings }: Pick<IntegrationRow, "account" | "settings">): string[] {
  return [settings.mention, ...(account === null ? [] : [account.replace(/\[bot\]$/, "")])];
}

/** Whether a bot may ask for work. None may until the service's own account is known, which may be such a bot. */
function isListed(
  { login }: HostEvent["author"],
  { account, settings }: Pick<IntegrationRow, "account" | "settings">,
): boolean {
  return account !== null && settings.bots.some((bot) => bot.toLowerCase() === login.toLowerCase());
}

/** Why a message is ignored, or null. */
function refusalOf(
  event: HostEvent,
  integration: Pick<IntegrationRow, "account" | "settings" | "createdAt">,
  nowMs: number,
): string | null {
  if (isOwnLogin(event.author, integration)) return "said by Errand itself";
  if (event.author.isBot && !isListed(event.author, integration)) return "said by a bot";
  if (!event.ownOnly && !mentions(event.body, namesOf(integration))) return "does not mention Errand";
  return replayOf(event, integration.createdAt, nowMs);
}
