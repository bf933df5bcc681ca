import { z } from "zod";

/**
 * The only table of error codes (/docs, "Errors"): what a client may see, with its HTTP status. Anything that is not an {@link
 * ApiError} leaves the service as `internal`.
 */
export const errorTable = {
  bad_request: { status: 400, title: "Bad request" },
  invalid_parameters: { status: 400, title: "Invalid parameters" },
  unauthenticated: { status: 401, title: "Authentication required" },
  forbidden: { status: 403, title: "Not allowed" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request not received in time" },
  conflict: { status: 409, title: "Not possible in this state" },
  no_agent_ready: { status: 409, title: "No agent ready" },
  precondition_failed: { status: 412, title: "Changed meanwhile" },
  body_too_large: { status: 413, title: "Body too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  misdirected: { status: 421, title: "Unknown host" },
  idempotency_mismatch: { status: 422, title: "Idempotency key reused" },
  rate_limited: { status: 429, title: "Too many requests" },
  queue_full: { status: 429, title: "Queue full" },
  headers_too_large: { status: 431, title: "Headers too large" },
  internal: { status: 500, title: "Internal error" },
  store_damaged: { status: 500, title: "Store damaged" },
  unavailable: { status: 503, title: "Not available now" },
  disk_full: { status: 507, title: "Disk full" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One invalid field. `loc` is its path, beginning with its origin: path, query or body. */
export const FieldError = z.object({
  loc: z.array(z.union([z.string(), z.number()])).describe("Path of the field; its first part is path, query or body"),
  msg: z.string().describe("What is wrong, with the bound if there is one"),
  type: z.string().describe("Kind of error, for programs"),
});
z.globalRegistry.add(FieldError, { id: "FieldError" });
export type FieldError = z.infer<typeof FieldError>;

/** Body of every error response (RFC 9457), with `message` and `status_code` for clients of the reference service. */
export const Problem = z.object({
  type: z.string().describe("Always about:blank; see `code`"),
  title: z.string().describe("The kind of problem, in words"),
  status: z.int().describe("The HTTP status"),
  detail: z.string().describe("What is wrong with this request, as a sentence"),
  instance: z.string().describe("The requested path"),
  request_id: z.string().describe("The request's id, as in X-Request-Id"),
  code: z.string().describe("The kind of problem, for programs"),
  message: z.string().describe("The same as detail, for older clients; of a rate limit, the reference service's words"),
  status_code: z.int().describe("The same as status, for older clients"),
  errors: z.array(FieldError).optional().describe("Invalid fields, if any; the first 100 of them"),
  agent_run_id: z.int().optional().describe("The run that prevents it"),
});
z.globalRegistry.add(Problem, { id: "Problem" });
export type Problem = z.infer<typeof Problem>;

/** An error that a caller may see. `detail` is a whole sentence that names the field and the bound, if any. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[];
  readonly headers: Record<string, string>;
  /** An invalid token, sign-in code or share link was presented: such failures are counted by address. */
  readonly isFailedAuthentication: boolean;
  /** The run that prevents the request, or null. */
  readonly agentRunId: number | null;
  /** What `message` says; null: the same as `detail`. */
  readonly olderMessage: string | null;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      fields?: FieldError[];
      headers?: Record<string, string>;
      agentRunId?: number;
      olderMessage?: string;
      isFailedAuthentication?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = "ApiError";
    this.code = code;
    this.fields = more.fields ?? [];
    this.headers = more.headers ?? {};
    this.isFailedAuthentication = more.isFailedAuthentication ?? false;
    this.agentRunId = more.agentRunId ?? null;
    this.olderMessage = more.olderMessage ?? null;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** A 400 for one field of the body, for rules that the schema alone cannot check. */
export function invalidField(
  path: (string | number)[],
  msg: string,
  more: { isFailedAuthentication?: boolean } = {},
): ApiError {
  return new ApiError("invalid_parameters", `${path.join(".")}: ${msg}`, {
    fields: [{ loc: ["body", ...path], msg, type: "value_error" }],
    ...more,
  });
}

/** The only 404: the same words for what does not exist and for what the caller may not see (/docs, "Authentication"). */
export function notFound(
  noun:
    | "Agent"
    | "Agent run"
    | "Log entry"
    | "Claude Code session"
    | "Repository"
    | "Delivery"
    | "File"
    | "Pull request"
    | "User"
    | "Webhook"
    | "Token"
    | "Question"
    | "Share link"
    | "Turn"
    | "Integration"
    | "Link"
    | "Invitation"
    | "Key"
    | "Reset link",
): ApiError {
  return new ApiError("not_found", `${noun} not found.`);
}
