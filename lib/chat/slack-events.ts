import { z } from "zod";
import type { ChatEvent } from "./chat-event.ts";
import type { SlackPlace } from "./slack.ts";

const Challenge = z.object({ type: z.literal("url_verification"), challenge: z.string().max(1000) });
const Callback = z.object({ type: z.literal("event_callback"), event_id: z.string() });
const Mention = z.object({
  event: z.object({
    type: z.literal("app_mention"),
    user: z.string(),
    text: z.string(),
    ts: z.string(),
    thread_ts: z.string().optional(),
    channel: z.string(),
    bot_id: z.string().optional(),
  }),
});

/** Text that Slack expects back when the address is set up; null for other events. */
export function challengeOf(payload: unknown): string | null {
  return Challenge.safeParse(payload).data?.challenge ?? null;
}

/** Id of the event; it is signed with the body. Null if there is none. */
export function slackDeliveryOf(payload: unknown): string | null {
  return Callback.safeParse(payload).data?.event_id ?? null;
}

/** What a person said to the bot (https://docs.slack.dev/reference/events/app_mention); null for other events. */
export function readSlackEvent(payload: unknown): { event: ChatEvent; place: SlackPlace } | null {
  const mention = Mention.safeParse(payload).data?.event;
  if (mention === undefined) return null;
  const { user, text, ts, thread_ts, channel, bot_id } = mention;
  const threadTs = thread_ts ?? ts;
  return {
    event: {
      key: `${channel}:${ts}`,
      conversation: `${channel}:${threadTs}`,
      place: channel,
      author: { id: user, name: user, isBot: bot_id !== undefined },
      body: plainText(text),
      title: null,
      url: null,
    },
    place: { from: "slack", channel, threadTs },
  };
}

/** Slack's text as people typed it: the first mention removed, links as their addresses, entities as characters. */
function plainText(text: string): string {
  return text
    .replace(/<@[A-Z0-9]+(?:\|[^>]*)?>/, "")
    .replace(/<(https?:[^|>]+)(?:\|[^>]*)?>/g, "$1")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .trim();
}

/**
 * Markdown in Slack's format, which is links only: it contains no mention, so that a reply notifies nobody. The bounds keep a text
 * of many brackets from being read to its end for each of them.
 */
export function inSlack(text: string): string {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escaped.replace(/\[([^[\]\n]{1,300})\]\((https?:[^)\s]{1,2000})\)/g, "<$2|$1>");
}
