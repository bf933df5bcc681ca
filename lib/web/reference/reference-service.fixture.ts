import assert from "node:assert/strict";
import type { z } from "zod";
import { MessageType } from "#lib/contract/logs/entry.ts";
import type { StatusStyle } from "#lib/contract/people/token.ts";
import { type RateSettings, rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import type { Front } from "#lib/web/front.ts";
import { PreparedState } from "#lib/web/prepared-state.fixture.ts";
import { endedRun, ran } from "#lib/web/shared-run.fixture.ts";

/** A response as a client of the reference service reads it; `body` is undefined if it is not JSON. */
export type Reply = { status: number; headers: Headers; text: string; body: unknown };

/** A client's request: a method, a path with its query, and its JSON body. */
export type Client = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** Path of the organization used here. */
export const O = "/v1/organizations/1";

/** The whole service behind its HTTP front, for requests as clients of the reference service send them. */
export class ReferenceService {
  readonly api: ApiUnderTest;
  readonly state: PreparedState;
  readonly #front: Front;
  readonly #clock: { ms: number };

  private constructor(api: ApiUnderTest, front: Front, clock: { ms: number }) {
    this.api = api;
    this.state = new PreparedState(api);
    this.#front = front;
    this.#clock = clock;
  }

  static async open(): Promise<ReferenceService> {
    const clock = { ms: Date.now() };
    const api = await ApiUnderTest.open({ now: () => new Date(clock.ms) });
    return new ReferenceService(api, await api.serve(), clock);
  }

  async close(): Promise<void> {
    await this.#front.close();
    await this.api.close();
  }

  /** Where the front listens. */
  get url(): string {
    return this.#front.url;
  }

  /** Applies the default rate limits from now on, by a clock that only {@link pass} moves. */
  limit(settings: RateSettings = rateSettingsDefault): void {
    this.api.runtime.limits = new RateLimits(new MemoryRateLog(() => this.#clock.ms), settings);
  }

  pass(seconds: number): void {
    this.#clock.ms += seconds * 1000;
  }

  /** A token of the first organization's owner, with the reference service's vocabulary unless `style` says otherwise. */
  token(style: StatusStyle = "reference"): Promise<string> {
    return this.api.token("owner", { style });
  }

  /** A client that sends these headers with every request; a body goes as JSON. */
  client(headers: Record<string, string>): Client {
    return async (method, path, body, more = {}) => {
      const sent = new Headers({ ...headers, ...more });
      if (body !== undefined && !sent.has("content-type")) sent.set("content-type", "application/json");
      const init: RequestInit = { method, headers: sent, redirect: "manual" };
      if (body !== undefined) init.body = JSON.stringify(body);
      const answer = await fetch(`${this.url}${path}`, init);
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
    };
  }

  /** A client with a token of {@link token}. */
  async signedIn(headers: Record<string, string> = {}, style: StatusStyle = "reference"): Promise<Client> {
    return this.client({ authorization: `Bearer ${await this.token(style)}`, ...headers });
  }

  /** An ended run with an entry of each type that a log may have. */
  async runOfEveryKind(): Promise<number> {
    await this.state.endedRun(0);
    return await endedRun(
      this.api,
      MessageType.options.map((message_type) => ({
        ...ran("built", "make"),
        message_type,
        thought: "I build it.",
        observation: message_type === "ERROR" ? { code: "failed", message: "It failed." } : "It builds.",
      })),
    );
  }

  /** Makes Claude Code a ready agent with models, besides the built-in one. */
  async haveClaude(): Promise<void> {
    await this.api.store.agents.replaceAll([
      listedAgent("claude", { title: "Claude Code", models: ["opus", "sonnet"], is_default: true }),
      listedAgent("steps", { title: "Built-in steps", has_model: false }),
    ]);
  }
}

/**
 * Checks a success for what a client needs of it: exactly 200, JSON, and the fields with their types. Returns what was read.
 */
export function needs<Schema extends z.ZodType>(reply: Reply, schema: Schema): z.output<Schema> {
  assert.equal(reply.status, 200, reply.text.slice(0, 500));
  assert.match(reply.headers.get("content-type") ?? "", /^application\/json/);
  return schema.parse(reply.body);
}

/**
 * Checks an error for what the clients read of one: `message` (Raycast), `detail` (CLI, bridge) and `status_code` (the models).
 */
export function refused(reply: Reply, status: number): { message: string } {
  assert.equal(reply.status, status, reply.text.slice(0, 500));
  assert.match(reply.headers.get("content-type") ?? "", /json/);
  const { message, status_code, detail } = Object(reply.body);
  assert.ok(typeof message === "string" && message !== "", reply.text);
  assert.equal(status_code, status);
  // A limit is named in `detail`.
  const limit = /^Rate limit exceeded: \d+ requests? in \d+ s \(\w+\)\. Try again in \d+ s\.$/;
  if (message === "Rate limit exceeded. Please try again later.") assert.match(detail, limit);
  else assert.equal(detail, message);
  return { message };
}

/** Seconds after which a client may try again. Many read them with int(): a fraction or a date would crash them. */
export function retryAfter({ headers }: Reply): number {
  const told = headers.get("retry-after") ?? "";
  assert.match(told, /^[1-9]\d*$/);
  return Number(told);
}
