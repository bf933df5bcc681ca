import type { FieldError } from "#lib/contract/error.ts";

/**
 * A failed request. `code` is one of the contract's error table, or `unreachable` if there was no response, or
 * `unexpected_answer` if the response was not the service's own (a proxy's page, for example). `status` is 0 without a
 * response.
 */
export class ClientError extends Error {
  readonly code: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly fields: FieldError[];
  /** Delay after which the same request may succeed, or null if the server did not say. */
  readonly retryAfterMs: number | null;
  /** The run that is in the way, if the response named one. */
  readonly agentRunId: number | null;
  /** The only thing Next reveals to the browser about an error thrown while rendering a page: the request's id. */
  digest: string | undefined;

  constructor(
    code: string,
    detail: string,
    more: {
      status?: number;
      requestId?: string | null;
      fields?: FieldError[];
      retryAfterMs?: number | null;
      agentRunId?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = "ClientError";
    this.code = code;
    this.status = more.status ?? 0;
    this.requestId = more.requestId ?? null;
    this.fields = more.fields ?? [];
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.agentRunId = more.agentRunId ?? null;
    this.digest = this.requestId ?? undefined;
  }

  /** The message: a sentence that names the field and the bound, if any. */
  get detail(): string {
    return this.message;
  }

  /** The same request may succeed later without anyone changing anything. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** How to show any thrown value: a sentence, and the request's id if there is one. */
export function describeError(error: unknown): { detail: string; requestId: string | null } {
  if (error instanceof ClientError) return { detail: error.message, requestId: error.requestId };
  return { detail: error instanceof Error ? error.message : String(error), requestId: null };
}

/**
 * Messages of a 400 by the body's field: the first part of the path after `body`. Those for no field of `names` are under `""`,
 * so that none is lost.
 */
export function fieldMessages<Name extends string>(
  error: unknown,
  names: readonly Name[],
): Partial<Record<Name | "", string>> {
  if (!(error instanceof ClientError)) return {};
  const messages: Partial<Record<Name | "", string>> = {};
  for (const { loc, msg } of error.fields) {
    const name = loc[0] === "body" ? names.find((known) => known === loc[1]) : undefined;
    const key = name ?? "";
    const text = name === undefined ? `${loc.join(".")}: ${msg}` : msg;
    messages[key] = messages[key] === undefined ? text : `${messages[key]}; ${text}`;
  }
  return messages;
}
