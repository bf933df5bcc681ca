import { hash } from "node:crypto";
import { isFreshFromLinear, readLinearEvent } from "#lib/chat/linear-events.ts";
import { challengeOf, readSlackEvent, slackDeliveryOf } from "#lib/chat/slack-events.ts";
import type { IntegrationRow } from "#lib/store/integrations.ts";
import { readForgejoEvent } from "./forgejo/events.ts";
import { readGithubEvent } from "./github/events.ts";
import { readGitlabEvent } from "./gitlab/events.ts";
import type { Heard } from "./heard.ts";
import { type HostEvent, mentions, replayOf } from "./host-event.ts";
import {
  type Headers,
  isSentByGitlab,
  isSignedByForgejo,
  isSignedByGithub,
  isSignedByLinear,
  isSignedBySlack,
} from "./signatures.ts";

/** Whether the integration's service sent these bytes. */
export function isSent(
  type: IntegrationRow["type"],
  { header, bytes, secret, nowMs }: { header: Headers; bytes: Uint8Array; secret: string; nowMs: number },
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

/** Content of a delivery. `heard` is null, with the reason, if there is nothing to do. */
export type Delivery =
  | { kind: "stale" }
  | { kind: "hello"; challenge: string | null }
  | { kind: "event"; deliveryId: string; name: string; saidKey: string | null; heard: Heard | null; note: string };

/** Reads a delivery whose signature was verified. */
export function readDelivery(
  integration: Pick<IntegrationRow, "type" | "account" | "settings" | "createdAt">,
  { header, bytes, payload, nowMs }: { header: Headers; bytes: Uint8Array; payload: unknown; nowMs: number },
): Delivery {
  const digest = hash("sha256", bytes, "hex");
  const event = (name: string, deliveryId: string | null, found: HostEvent | null): Delivery => {
    const refusal = found === null ? `${name}: nothing is done with it` : refusalOf(found, integration, nowMs);
    return {
      kind: "event",
      deliveryId: (deliveryId ?? digest).slice(0, 200),
      name: name.slice(0, 100),
      saidKey: found === null || refusal !== null ? null : found.key,
      heard: found === null || refusal !== null ? null : { from: "host", event: found },
      note: refusal ?? name,
    };
  };
  switch (integration.type) {
    case "github": {
      const name = header("x-github-event") ?? "unknown";
      if (name === "ping") return { kind: "hello", challenge: null };
      return event(name, header("x-github-delivery"), readGithubEvent(name, payload));
    }
    case "gitlab": {
      const name = header("x-gitlab-event") ?? "unknown";
      const id = header("webhook-id") ?? header("idempotency-key") ?? header("x-gitlab-event-uuid");
      return event(name, id, readGitlabEvent(name, payload));
    }
    case "forgejo": {
      const name = header("x-forgejo-event") ?? header("x-gitea-event") ?? "unknown";
      const id = header("x-forgejo-delivery") ?? header("x-gitea-delivery");
      return event(name, id, readForgejoEvent(name, payload, digest));
    }
    case "slack": {
      const challenge = challengeOf(payload);
      if (challenge !== null) return { kind: "hello", challenge };
      const read = readSlackEvent(payload);
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
        return ignored("comment", id, "does not mention the service");
      }
      return chat("comment", id, { from: "chat", ...said });
    }
  }
}

function ignored(name: string, deliveryId: string, note: string): Delivery {
  return { kind: "event", deliveryId: deliveryId.slice(0, 200), name, saidKey: null, heard: null, note };
}

function chat(name: string, deliveryId: string, heard: Extract<Heard, { from: "chat" }>): Delivery {
  return { kind: "event", deliveryId: deliveryId.slice(0, 200), name, saidKey: heard.event.key, heard, note: name };
}

/** In Slack and Linear, an account ends with its id in parentheses. */
function isOwn(author: { id: string; isBot: boolean }, { account }: Pick<IntegrationRow, "account">): boolean {
  return author.isBot || author.id === "" || account?.endsWith(`(${author.id})`) === true;
}

/** Why a message is ignored, or null. */
function refusalOf(
  event: HostEvent,
  { account, settings, createdAt }: Pick<IntegrationRow, "account" | "settings" | "createdAt">,
  nowMs: number,
): string | null {
  const own = account?.toLowerCase() ?? null;
  if (event.author.login.toLowerCase() === own) return "said by the service itself";
  if (event.author.isBot) return "said by a bot";
  const names = [settings.mention, ...(account === null ? [] : [account.replace(/\[bot\]$/, "")])];
  if (!mentions(event.body, names)) return "does not mention the service";
  return replayOf(event, createdAt, nowMs);
}
