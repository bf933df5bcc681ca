import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** Where the service is at the moment, and a token for it. */
export type Service = { url: string; token: string };

/** An answer that says that nothing was done, or that the client cannot know. */
type Unanswered = { isUnanswered: true };

const organization = "/v1/organizations/1";
const patienceMs = 60_000;

/**
 * A client that writes down what was acknowledged: texts of entries by run, and runs. What was not answered it sends again with the
 * same Idempotency-Key, as the API asks of clients, so the service must end up with what is in the ledger, once and in order.
 */
export class Ledger {
  readonly #service: () => Service;
  /** Texts of the entries that were acknowledged, in order. */
  readonly appended = new Map<number, string[]>();
  readonly created: number[] = [];
  /** Requests without an answer, or with one that said to come again. */
  unanswered = 0;

  constructor(service: () => Service) {
    this.#service = service;
  }

  /** Creates a run; gives its id once that is acknowledged. */
  async create(body: { prompt: string; agent: string }): Promise<number> {
    const { id } = await this.ask("POST", "/agent/run", body);
    this.created.push(Number(id));
    return Number(id);
  }

  /** Appends actions with these texts, until they are acknowledged. */
  async append(runId: number, texts: string[]): Promise<void> {
    const entries = texts.map((text) => ({
      message_type: "ACTION",
      tool_name: "Bash",
      tool_input: { command: text },
      tool_output: { output: text },
    }));
    await this.ask("POST", `/agent/run/${runId}/logs`, { entries });
    this.appended.set(runId, [...(this.appended.get(runId) ?? []), ...texts]);
  }

  /** The answer, however often it takes. Throws for one that another try would not change. */
  async ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const key = randomUUID();
    for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await delay(20)) {
      const answer = await this.#tryOnce(method, path, body, key);
      if (!("isUnanswered" in answer)) return answer;
      this.unanswered += 1;
    }
    throw new Error(`${method} ${path} was not answered for a minute`);
  }

  /** All entries of a run, page by page. */
  async readAll(runId: number): Promise<Record<string, unknown>[]> {
    const all: Record<string, unknown>[] = [];
    for (;;) {
      const { logs } = await this.ask("GET", `/agent/run/${runId}/logs?skip=${all.length}&limit=100`);
      const page = logs as Record<string, unknown>[];
      if (page.length === 0) return all;
      all.push(...page);
    }
  }

  async #tryOnce(
    method: string,
    path: string,
    body: unknown,
    key: string,
  ): Promise<Record<string, unknown> | Unanswered> {
    const { url, token } = this.#service();
    try {
      const response = await fetch(`${url}${organization}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json", "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await response.text();
      if (response.status < 300) return JSON.parse(text) as Record<string, unknown>;
      // Only these two tell a client to come again: the service starts or ends, or the same request is still at work.
      if (response.status === 503 || response.status === 409) return { isUnanswered: true };
      throw new Refused(`${method} ${path}: ${response.status} ${text}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return { isUnanswered: true };
    }
  }
}

class Refused extends Error {}
