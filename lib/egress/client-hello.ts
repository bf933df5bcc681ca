import { Transform } from "node:stream";

/** The host that a TLS client names in its first message. */
export type ServerName = { name: string | null } | "unfinished" | "not_tls";

const handshake = 22;
/** Types of records: change of cipher, alert, handshake, data, heartbeat. */
const recordTypes = [20, 21, handshake, 23, 24];
const clientHello = 1;
const helloBytesMax = 65_536;

/**
 * Reads the server name in the first bytes of a TLS client (RFC 8446, 4.1.2; RFC 6066, 3); null if there is none. The message may
 * be split into several records. Throws RangeError if TLS begins in another way, which a server might still accept: with another
 * record or message, or with a message of more than 64 KiB (OpenSSL accepts 128 KiB).
 */
export function readServerName(bytes: Buffer): ServerName {
  const [first = handshake] = bytes;
  if (!recordTypes.includes(first)) return "not_tls";
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== handshake) throw new RangeError("Another record than the message's.");
    if (at + 5 > bytes.length) break;
    const length = bytes.readUInt16BE(at + 3);
    parts.push(bytes.subarray(at + 5, at + 5 + length));
    at += 5 + length;
  }
  const message = Buffer.concat(parts);
  if (message.length > 0 && message[0] !== clientHello) throw new RangeError("Another message than the first one.");
  if (message.length < 4) return "unfinished";
  const end = 4 + message.readUIntBE(1, 3);
  if (end > helloBytesMax) throw new RangeError("The message is too long.");
  return message.length < end ? "unfinished" : { name: nameIn(message.subarray(4, end)) };
}

/** Throws RangeError for a message that ends too early. */
function nameIn(hello: Buffer): string | null {
  // Version and random bytes, then session, cipher suites and compression methods, each after its length.
  let at = 34;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  if (at === hello.length) return null;
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at < end; ) {
    const kind = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    // The list of names holds one, of the kind "host name".
    if (kind === 0) return hello.toString("latin1", at + 9, at + 9 + hello.readUInt16BE(at + 7));
    at += 4 + length;
  }
  return null;
}

/** The alert for a refused name: `unrecognized_name`. */
export const nameRefused = Buffer.from([21, 3, 3, 0, 2, 2, 112]);

/**
 * Passes a client's bytes on once `mayAsk` allows the name in them; otherwise ends with an error. Protocols other than TLS, and
 * clients that name no host, pass.
 */
export function helloGuard(mayAsk: (name: string) => boolean): Transform {
  const state: { held: Buffer | null } = { held: Buffer.alloc(0) };
  return new Transform({
    transform(chunk: Buffer, _, done) {
      if (state.held === null) return done(null, chunk);
      state.held = Buffer.concat([state.held, chunk]);
      const { held } = state;
      try {
        const found = readServerName(held);
        if (found === "unfinished") return held.length > helloBytesMax ? done(new Error("no TLS")) : done();
        if (found !== "not_tls" && found.name !== null && !mayAsk(found.name)) return done(new Error("another name"));
      } catch (error) {
        return done(error instanceof Error ? error : new Error(String(error)));
      }
      state.held = null;
      done(null, held);
    },
    flush(done) {
      done(null, state.held);
    },
  });
}
