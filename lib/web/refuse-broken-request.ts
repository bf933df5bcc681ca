import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorCode, errorTable } from "#lib/contract/error.ts";
import { problemType } from "#lib/http/problem.ts";
import { requestIdOf } from "#lib/http/request-id.ts";

const problems: Record<string, { code: ErrorCode; detail: string }> = {
  HPE_HEADER_OVERFLOW: { code: "headers_too_large", detail: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { code: "request_timeout", detail: "The request did not arrive in time." },
};
const invalid: { code: ErrorCode; detail: string } = {
  code: "bad_request",
  detail: "This is not a valid HTTP request.",
};

/** Responds to what node:http could not parse as a request, in the form of every other error, and closes the connection. */
export function refuseBrokenRequest(error: Error, socket: Duplex): void {
  const cause = "code" in error ? String(error.code) : "";
  if (cause === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, detail } = problems[cause] ?? invalid;
  const { status, title } = errorTable[code];
  const id = requestIdOf(null);
  const body = JSON.stringify({
    type: "about:blank",
    title,
    status,
    detail,
    instance: "",
    request_id: id,
    code,
    message: detail,
    status_code: status,
  });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: ${problemType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
