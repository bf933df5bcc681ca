import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/** Current address of the service, and a token for it. */
export type Service = { url: string; token: string };

/** Result of a request that changed nothing, or whose effect is unknown. */
type Unanswered = { isUnanswered: true };

const organization = "/v1/organizations/1";
const patienceMs = 60_000;

/**
 * A client that records what was acknowledged: texts of entries by run, and runs. Unanswered requests are sent again with the
 * same Idempotency-Key, as the API asks of clients, so the service must end up with the ledger's contents, once and in order.
 */
export class Ledger {
  readonly #service: () => Service;
  /** Texts of the acknowledged entries, in order. */
  readonly appended = new Map<number, string[]>();
  readonly created: number[] = [];
  /** Number of requests without a response, or with one that asks to retry. */
  unanswered = 0;

  constructor(service: () => Service) {
    this.#service = service;
  }

  /** Creates a run. Returns its id once it is acknowledged. */
  async create(body: { prompt: string; agent: string }): Promise<number> {
    const { id } = await this.ask("POST", "/agent/run", body);
    this.created.push(Number(id));
    return Number(id);
  }

  /** Appends actions with these texts. Resolves when they are acknowledged. */
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

  /** The response, after as many attempts as necessary. Throws for one that another attempt would not change. */
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
      // Only these two ask a client to retry: the service is starting or stopping, or the same request is still in progress.
      if (response.status === 503 || response.status === 409) return { isUnanswered: true };
      throw new Refused(`${method} ${path}: ${response.status} ${text}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return { isUnanswered: true };
    }
  }
}

class Refused extends Error {}
