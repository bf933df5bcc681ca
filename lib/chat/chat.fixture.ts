import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const chatToken = "xoxb-stand-in-chat-token";
export const chatSecret = "stand-in-signing-secret";

type Posted = { ts: string; channel: string; thread: string | null; text: string; key: string };

/** Messages sent to either service. */
type Sent = {
  channel?: string;
  thread_ts?: string;
  text?: string;
  metadata?: { event_payload: { key: string } };
  limit?: number;
  cursor?: string;
  query?: string;
  variables?: { input: Record<string, string> };
};

/** Slack and Linear for tests: a real HTTP server that accepts messages as they do, and sends their signed events. */
export class ChatServer {
  readonly posted: Posted[] = [];
  /** The responses to the next requests are lost after the work was done. */
  lost = 0;
  /** Words with which Slack, and messages with which Linear refuses the next messages. */
  readonly refusals: string[] = [];
  readonly #server: Server;
  #clock = 1_700_000_000;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async open(): Promise<ChatServer> {
    const server = new ChatServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Somebody mentions the bot in Slack; `at` is when the request is signed. */
  slackMention(said: { user: string; text: string; channel?: string; thread?: string; bot?: boolean; at?: number }) {
    const ts = `${this.#clock++}.000100`;
    return this.slackEvent(
      {
        type: "event_callback",
        event_id: `Ev${randomUUID()}`,
        event: {
          type: "app_mention",
          user: said.user,
          text: `<@U0BOT> ${said.text}`,
          ts,
          channel: said.channel ?? "C1",
          ...(said.thread === undefined ? {} : { thread_ts: said.thread }),
          ...(said.bot === true ? { bot_id: "B1" } : {}),
        },
      },
      said.at,
    );
  }

  /** Any event of Slack, signed. */
  slackEvent(payload: object, at = Date.now()) {
    const body = JSON.stringify(payload);
    const timestamp = String(Math.floor(at / 1000));
    const signature = createHmac("sha256", chatSecret).update(`v0:${timestamp}:${body}`).digest("hex");
    const headers = {
      "content-type": "application/json",
      "x-slack-request-timestamp": timestamp,
      "x-slack-signature": `v0=${signature}`,
    };
    return { headers, body };
  }

  /** Somebody comments in Linear. */
  linearComment(said: { user: string; body: string; issue?: string; at?: number }) {
    const id = randomUUID();
    const body = JSON.stringify({
      type: "Comment",
      action: "create",
      webhookTimestamp: said.at ?? Date.now(),
      url: `https://linear.example/${id}`,
      data: {
        id,
        body: said.body,
        user: { id: said.user, name: said.user },
        issue: { id: said.issue ?? "issue-1", title: "It is broken", team: { key: "ENG" } },
      },
    });
    const signature = createHmac("sha256", chatSecret).update(body).digest("hex");
    const headers = {
      "content-type": "application/json",
      "linear-signature": signature,
      "linear-delivery": randomUUID(),
    };
    return { headers, body };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    request.setEncoding("utf8");
    for await (const piece of request) text += piece;
    const sent = JSON.parse(text || "{}");
    const isKnown = request.headers.authorization === `Bearer ${chatToken}`;
    const json =
      request.url === "/graphql" ? this.#linear(sent, isKnown) : this.#slack(request.url ?? "", sent, isKnown);
    if (this.lost > 0) {
      this.lost -= 1;
      request.socket.destroy();
      return;
    }
    response.writeHead(request.url === "/graphql" && !isKnown ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(json));
  }

  #slack(path: string, sent: Sent, isKnown: boolean) {
    if (!isKnown) return { ok: false, error: "invalid_auth" };
    switch (path) {
      case "/api/auth.test":
        return { ok: true, user: "errand", user_id: "U0BOT", team: "Team" };
      case "/api/chat.postMessage": {
        const { channel = "", thread_ts = null, text = "", metadata } = sent;
        const refused = this.refusals.shift() ?? (text.length > 40_000 ? "msg_too_long" : undefined);
        if (refused !== undefined) return { ok: false, error: refused };
        const ts = `${this.#clock++}.000200`;
        this.posted.push({ ts, channel, thread: thread_ts, text, key: metadata?.event_payload.key ?? "" });
        return { ok: true, ts };
      }
      case "/api/conversations.history":
        return pageOf(this.posted.toReversed(), sent);
      case "/api/conversations.replies":
        return pageOf(this.posted, sent);
      default:
        return { ok: false, error: "unknown_method" };
    }
  }

  #linear({ query, variables }: Sent, isKnown: boolean) {
    if (!isKnown) return { errors: [{ message: "Authentication required" }] };
    if (String(query).includes("viewer")) return { data: { viewer: { id: "U0BOT", name: "Errand" } } };
    const refused = this.refusals.shift();
    if (refused !== undefined) return { errors: [{ message: refused }] };
    const { id, issueId, parentId, body } = variables?.input ?? {};
    if (this.posted.some(({ key }) => key === id)) return { errors: [{ message: "Comment id already exists" }] };
    this.posted.push({ ts: "", channel: issueId ?? "", thread: parentId ?? null, text: body ?? "", key: id ?? "" });
    return { data: { commentCreate: { success: true } } };
  }
}

/** A page of a channel's messages, in this order. */
function pageOf(messages: readonly Posted[], { channel, limit = 100, cursor = "0" }: Sent) {
  const all = messages.filter((message) => message.channel === channel);
  const end = Number(cursor) + limit;
  return {
    ok: true,
    messages: all.slice(Number(cursor), end).map(({ ts, key }) => ({ ts, metadata: { event_payload: { key } } })),
    response_metadata: { next_cursor: end < all.length ? String(end) : "" },
  };
}
