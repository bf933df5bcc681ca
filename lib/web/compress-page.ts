import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, createGzip, createZstdCompress, type Gzip, type ZstdCompress } from "node:zlib";
import { type ContentEncoding, chooseEncoding } from "./content-encoding.ts";

const bytesMin = 1024;
const texts =
  /^(?:text\/(?!event-stream)|application\/(?:javascript|json|manifest\+json|xml)\b|image\/svg\+xml|font\/(?:ttf|otf))/i;

// zstd's default would end the frame, and start another one for the rest.
const flushes: Record<ContentEncoding, number> = { gzip: constants.Z_SYNC_FLUSH, zstd: constants.ZSTD_e_flush };

type Compressor = Gzip | ZstdCompress;
type Write = ServerResponse["write"];
type End = ServerResponse["end"];

/**
 * Compresses Next's output if the client accepts that and the content is text: pages as they stream (each flush is sent at
 * once), scripts and styles. Must be called before anything is written.
 */
export function compressPage(request: IncomingMessage, response: ServerResponse): void {
  const accepted = request.headers["accept-encoding"];
  const encoding = typeof accepted === "string" ? chooseEncoding(accepted) : null;
  if (encoding === null || request.method === "HEAD") return;
  const writeHead = response.writeHead.bind(response);
  const write: Write = response.write.bind(response);
  const end: End = response.end.bind(response);
  // undefined until the headers show whether this response is worth it.
  let compressor: Compressor | null | undefined;

  const decide = () => {
    if (compressor !== undefined) return;
    compressor = isWorthIt(response) ? openCompressor(encoding) : null;
    if (compressor === null) return;
    response.setHeader("content-encoding", encoding);
    response.appendHeader("vary", "accept-encoding");
    response.removeHeader("content-length");
    const opened = compressor;
    opened.on("data", (piece: Buffer) => {
      if (write(piece)) return;
      opened.pause();
      response.once("drain", () => opened.resume());
    });
    opened.on("end", () => end());
    opened.on("error", (error) => response.destroy(error));
    response.once("close", () => opened.destroy());
  };

  Object.assign(response, {
    writeHead(status: number, ...rest: unknown[]) {
      response.statusCode = status;
      const reason = typeof rest[0] === "string" ? rest[0] : undefined;
      setHeaders(response, reason === undefined ? rest[0] : rest[1]);
      decide();
      return reason === undefined ? writeHead(status) : writeHead(status, reason);
    },
    write(piece: string | Uint8Array, ...rest: unknown[]) {
      if (!response.headersSent) decide();
      if (!compressor) return Reflect.apply(write, response, [piece, ...rest]);
      const { text, done } = argumentsOf(rest);
      const more = compressor.write(piece, text, done);
      if (!more) compressor.once("drain", () => response.emit("drain"));
      return more;
    },
    end(...given: unknown[]) {
      if (!response.headersSent) decide();
      if (!compressor) return Reflect.apply(end, response, given);
      const [piece, ...rest] = typeof given[0] === "function" ? [undefined, given[0]] : given;
      const { text, done } = argumentsOf(rest);
      if (typeof piece === "string") compressor.write(piece, text);
      else if (piece instanceof Uint8Array) compressor.write(piece);
      if (done !== undefined) response.once("finish", done);
      compressor.end();
      return response;
    },
    // Next calls this after each streamed part of a page.
    flush() {
      if (compressor && !compressor.writableEnded) compressor.flush(flushes[encoding]);
    },
  });
}

function isWorthIt(response: ServerResponse): boolean {
  const { statusCode } = response;
  if (statusCode < 200 || statusCode === 204 || statusCode === 206 || statusCode === 304) return false;
  if (response.hasHeader("content-encoding")) return false;
  if (String(response.getHeader("cache-control") ?? "").includes("no-transform")) return false;
  const length = response.getHeader("content-length");
  if (length !== undefined && Number(length) < bytesMin) return false;
  return texts.test(String(response.getHeader("content-type") ?? ""));
}

function openCompressor(encoding: ContentEncoding): Compressor {
  if (encoding === "gzip") return createGzip({ level: 4 });
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } });
}

function setHeaders(response: ServerResponse, headers: unknown): void {
  if (Array.isArray(headers)) {
    for (let index = 0; index + 1 < headers.length; index += 2) {
      response.setHeader(String(headers[index]), headers[index + 1]);
    }
  } else if (typeof headers === "object" && headers !== null) {
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
  }
}

function argumentsOf(rest: unknown[]): { text: BufferEncoding; done: (() => void) | undefined } {
  const last = rest.at(-1);
  const first = rest[0];
  return {
    text: typeof first === "string" && Buffer.isEncoding(first) ? first : "utf8",
    done: typeof last === "function" ? () => last() : undefined,
  };
}
