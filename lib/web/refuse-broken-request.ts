import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { problemType } from "#lib/http/problem.ts";
import { requestIdOf } from "#lib/http/request-id.ts";

const statuses: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: "The headers are too large." },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: "The request did not arrive in time." },
};

/** Responds to what node:http could not parse as a request, in the form of every other error, and closes the connection. */
export function refuseBrokenRequest(error: Error, socket: Duplex): void {
  const code = "code" in error ? String(error.code) : "";
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, detail } = statuses[code] ?? { status: 400, detail: "This is not a valid HTTP request." };
  const title = STATUS_CODES[status] ?? "Bad Request";
  const id = requestIdOf(null);
  const body = JSON.stringify({
    type: "about:blank",
    title,
    status,
    detail,
    instance: "",
    request_id: id,
    code: "bad_request",
    message: detail,
    status_code: status,
  });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${problemType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
