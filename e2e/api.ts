import type { Product } from "./product.ts";

export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

const tokens = new WeakMap<Product, Map<string, Promise<string>>>();

/** A client with a token and plain fetch, like a script. */
export class ApiClient {
  readonly #origin: string;
  readonly #token: string;

  private constructor(origin: string, token: string) {
    this.#origin = origin;
    this.#token = token;
  }

  /** One token per role and product, because the command that makes one takes a second. */
  static async create(product: Product, role = "owner"): Promise<ApiClient> {
    const known = tokens.get(product) ?? new Map<string, Promise<string>>();
    tokens.set(product, known);
    const token = known.get(role) ?? product.cli("token", "create", "--name", `e2e ${role}`, "--role", role);
    known.set(role, token);
    return new ApiClient(product.url, await token);
  }

  /** `path` is relative to the organization, or absolute if it begins with /v1. */
  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.fetch(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    // Every answer of the API but the diff and the stream is a JSON object.
    return { status: response.status, body: JSON.parse(text) as Record<string, unknown>, headers: response.headers };
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const url = path.startsWith("/v1") ? path : `/v1/organizations/1${path}`;
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${this.#token}` };
    return fetch(`${this.#origin}${url}`, { ...init, headers });
  }

  /** The events of a run's stream until it ends: `entry` with its seq, `run`, `progress`, `end`. */
  async *follow(runId: number, after?: number): AsyncGenerator<{ event: string; id: number | null; data: unknown }> {
    const query = after === undefined ? "" : `?after=${after}`;
    const response = await this.fetch(`/agent/run/${runId}/logs/stream${query}`);
    if (response.body === null) throw new Error("The stream has no body.");
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
        const event = field("event");
        if (event === undefined) continue;
        const id = field("id");
        yield { event, id: id === undefined ? null : Number(id), data: JSON.parse(field("data") ?? "null") };
      }
    }
  }
}
