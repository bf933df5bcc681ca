import { z } from "zod";
import { callHost, HostError, type Send } from "#lib/host/call-host.ts";
import { maskSent } from "#lib/host/mask-sent.ts";

const Said = z.object({ ok: z.boolean(), error: z.string().optional(), ts: z.string().optional() });
const Whoami = Said.extend({
  user: z.string().optional(),
  user_id: z.string().optional(),
  team: z.string().optional(),
});
const Replies = Said.extend({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        metadata: z.object({ event_payload: z.record(z.string(), z.unknown()).optional() }).optional(),
      }),
    )
    .optional(),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
});
/** Pages of 100 messages in which a message is looked for. */
const pagesMax = 10;

/** A place in Slack: a channel, and the message that starts its thread; null for the channel itself. */
export const SlackPlace = z.object({ from: z.literal("slack"), channel: z.string(), threadTs: z.string().nullable() });
export type SlackPlace = z.infer<typeof SlackPlace>;

/** Calls to Slack (https://docs.slack.dev/apis/web-api/). */
export type Slack = {
  /** Account of the bot token. */
  identity(signal: AbortSignal): Promise<{ userId: string; login: string }>;
  /**
   * Posts a message; `key` is stored in its metadata, so that it can be found again. Returns its timestamp, which is Slack's
   * id.
   */
  post(
    thread: Pick<SlackPlace, "channel" | "threadTs">,
    text: string,
    key: string,
    signal: AbortSignal,
  ): Promise<string>;
  /** The message with that key posted since then; null if there is none. */
  find(
    thread: Pick<SlackPlace, "channel" | "threadTs">,
    key: string,
    since: Date,
    signal: AbortSignal,
  ): Promise<string | null>;
};

/** Slack at an address, with a bot token. */
export function openSlack({ baseUrl, token, send }: { baseUrl: string; token: string; send: Send }): Slack {
  const ask = async <Schema extends typeof Said>(
    method: string,
    body: unknown,
    schema: Schema,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> => {
    const headers = { authorization: `Bearer ${token}` };
    const call = { title: "Slack", send, headers, signal };
    const said = await callHost(call, { method: "POST", url: `${baseUrl}/api/${method}`, body }, schema);
    // Slack responds with 200 to requests it refuses, with a word for the reason.
    if (said.ok) return said;
    const word = maskSent(said.error ?? "unknown_error", headers);
    const status = refusals.has(word) ? 401 : finals.test(word) ? 422 : 400;
    throw new HostError(refusalOf(word), status, null, revoked.has(word) ? "revoked" : null);
  };
  return {
    async identity(signal) {
      const { user, user_id } = await ask("auth.test", {}, Whoami, signal);
      if (user_id === undefined) throw new HostError("The address responds, but not like Slack.");
      return { userId: user_id, login: user ?? user_id };
    },

    async post({ channel, threadTs }, text, key, signal) {
      const metadata = { event_type: "errand_message", event_payload: { key } };
      const where = threadTs === null ? { channel } : { channel, thread_ts: threadTs };
      const message = { ...where, text, metadata, unfurl_links: false, unfurl_media: false };
      const { ts } = await ask("chat.postMessage", message, Said, signal);
      return ts ?? "";
    },

    async find({ channel, threadTs }, key, since, signal) {
      const oldest = String(since.getTime() / 1000);
      const common = { channel, oldest, inclusive: true, limit: 100, include_all_metadata: true };
      // A channel is listed from the newest message, a thread from the oldest.
      const [method, where] =
        threadTs === null ? ["conversations.history", common] : ["conversations.replies", { ...common, ts: threadTs }];
      let page = {};
      for (let count = 0; count < pagesMax; count++) {
        const { messages, response_metadata } = await ask(method, { ...where, ...page }, Replies, signal);
        const found = messages?.find(({ metadata }) => metadata?.event_payload?.key === key);
        if (found !== undefined) return found.ts;
        const cursor = response_metadata?.next_cursor ?? "";
        if (cursor === "") break;
        page = { cursor };
      }
      return null;
    },
  };
}

const refusals = new Set(["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"]);
const revoked = new Set(["account_inactive", "token_revoked"]);
/** Refusals that trying again does not change (https://docs.slack.dev/reference/methods/chat.postMessage#errors). */
const finals =
  /^(?:msg_too_long|no_text|channel_not_found|is_archived|is_inactive|not_in_channel|user_not_in_channel|restricted_action.*|no_permission|missing_scope|access_denied|cannot_reply_to_message|thread_not_found|(?:ekm|team)_access_(?:denied|not_granted)|not_allowed_token_type|method_not_supported_for_channel_type)$/;

function refusalOf(error: string): string {
  const word = error.slice(0, 60);
  return refusals.has(word) ? `Slack does not accept the bot token (${word}).` : `Slack refused: ${word}.`;
}
