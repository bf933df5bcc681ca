import { z } from "zod";
import type { ChatEvent } from "./chat-event.ts";
import type { SlackPlace } from "./slack.ts";

const Challenge = z.object({ type: z.literal("url_verification"), challenge: z.string().max(1000) });
const Callback = z.object({ type: z.literal("event_callback"), event_id: z.string() });
const Mention = z.object({
  authorizations: z.array(z.object({ user_id: z.string().nullish() })).nullish(),
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

/** What a person said to the bot (https://docs.slack.dev/reference/events/app_mention), whose id is given if it is known; null for other events. */
export function readSlackEvent(
  payload: unknown,
  botId: string | null = null,
): { event: ChatEvent; place: SlackPlace } | null {
  const read = Mention.safeParse(payload).data;
  if (read === undefined) return null;
  const mention = read.event;
  const bot = botId ?? read.authorizations?.[0]?.user_id ?? null;
  const { user, text, ts, thread_ts, channel, bot_id } = mention;
  const threadTs = thread_ts ?? ts;
  return {
    event: {
      key: `${channel}:${ts}`,
      conversation: `${channel}:${threadTs}`,
      place: channel,
      author: { id: user, name: user, isBot: bot_id !== undefined },
      body: typedText(text, bot),
      title: null,
      url: null,
    },
    place: { from: "slack", channel, threadTs },
  };
}

/**
 * Slack's text as people typed it, without the mention of the bot itself
 * (https://docs.slack.dev/messaging/formatting-message-text#parsing-retrieved-messages): links are their addresses, channels and
 * groups their names, entities characters. `bot`: its id, or null; then the first mention is taken for it.
 */
function typedText(text: string, bot: string | null): string {
  const first = /<@([A-Z0-9]+)/.exec(text)?.[1];
  return text
    .replace(/<([^<>\n]+)>/g, (code, inner: string) => {
      const [target = "", label] = inner.split(/\|(.*)/s);
      const [kind, id] = [target[0], target.slice(1)];
      if (kind === "@") return id === (bot ?? first) ? "" : `@${label || id}`;
      if (kind === "#") return `#${label || id}`;
      if (kind === "!")
        return /^(?:here|channel|everyone)$/.test(id) ? `@${id}` : label || `@${id.replace(/^subteam\^/, "")}`;
      if (/^(?:mailto|tel):/i.test(target)) return label || target.replace(/^\w+:/, "");
      return /^[a-z][a-z0-9+.-]*:/i.test(target) ? target : code;
    })
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .trim();
}
