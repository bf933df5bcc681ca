import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

export type Sent = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array };
export type Got = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string };

/** A request exactly as written, with no headers except those named (fetch adds its own, and decompresses). */
export async function sendTo(
  port: number,
  path: string,
  { method = "GET", headers = {}, body }: Sent = {},
): Promise<Got> {
  const sent = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false });
  sent.end(body);
  const [response] = await once(sent, "response");
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}
