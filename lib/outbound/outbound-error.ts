/**
 * Why there was no response: the address cannot be used, it is private, its name is unknown, nobody listens there, its
 * certificate is not trusted, it took too long, or the connection or the response broke off.
 */
export type OutboundReason = "address" | "private" | "not_found" | "unreachable" | "certificate" | "timeout" | "broken";

/**
 * A request to a given address that got no response. The message is a sentence that may be shown; it contains no resolved
 * address.
 */
export class OutboundError extends Error {
  readonly reason: OutboundReason;

  constructor(reason: OutboundReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OutboundError";
    this.reason = reason;
  }
}

const notFound = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "ENODATA"]);
const unreachable = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL", "EACCES", "ETIMEDOUT"]);
const certificate =
  /^(?:CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;

/** The error of a request to `host`, in words. */
export function outboundErrorOf(error: unknown, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  if (notFound.has(code)) return new OutboundError("not_found", `The name "${host}" was not found.`, error);
  if (unreachable.has(code)) return new OutboundError("unreachable", `Nothing answers at "${host}" (${code}).`, error);
  if (certificate.test(code)) {
    return new OutboundError("certificate", `The certificate of "${host}" is not trusted (${code}).`, error);
  }
  const detail = code === "" ? "" : ` (${code})`;
  return new OutboundError("broken", `The connection to "${host}" broke before it answered${detail}.`, error);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : "";
}
