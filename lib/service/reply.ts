import { hash } from "node:crypto";
import type { MediaType } from "#lib/contract/operation.ts";

/** Bytes in pieces. `isOwn`: nobody else holds them, so their memory may be released once they are sent. */
export type Pieces = { pieces: Uint8Array[]; isOwn: boolean };

/** JSON text in pieces: stored bodies are never parsed and written again. */
export class StoredJson {
  /** Tag that changes whenever the text does; null if nobody should cache it. */
  readonly validator: string | null;
  /** Reads the text; not called if the client already has it. */
  readonly read: () => Promise<Pieces>;

  constructor(validator: string | null, read: () => Promise<Pieces>) {
    this.validator = validator;
    this.read = read;
  }
}

/** A text as the one piece of {@link StoredJson}. */
export function pieceOf(text: string): Pieces {
  return { pieces: [Buffer.from(text)], isOwn: true };
}

/** A JSON value for something that was stored and will be processed later: 202. */
export class Accepted {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * A JSON value that a client may cache and revalidate with If-None-Match. Its ETag is that of `state`, if the value also has what a
 * read does not return, such as a new secret.
 */
export class Tagged {
  readonly value: unknown;
  readonly state: unknown;

  constructor(value: unknown, state = value) {
    this.value = value;
    this.state = state;
  }
}

/** Tag of a text, which changes whenever the text does. */
export function validatorOf(text: string | Uint8Array): string {
  return hash("sha1", text, "base64url");
}

/** Whether a list of tags (If-None-Match, If-Match) has that of a validator, weak or strong. */
export function hasTag(tags: string, validator: string): boolean {
  const strong = `"${validator}"`;
  return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === strong);
}

/** Text of the operation's own media type, cached by clients like {@link Tagged}. Bytes are sent unchanged. */
export class PlainText {
  readonly text: string | Uint8Array;

  constructor(text: string | Uint8Array) {
    this.text = text;
  }
}

/** Bytes of a media type of their own, for clients that sent one. */
export class Binary {
  readonly type: string;
  readonly bytes: Uint8Array;

  constructor(type: string, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** One event of a stream. `data` is one line of JSON. */
export type StreamEvent = { event: string; id: number | string | null; data: string };

/** A 204: there is nothing more. A browser's EventSource then stops connecting. */
export class NoContent {}

/** Server-sent events, read only as fast as the client takes them. */
export class EventStream {
  readonly events: AsyncIterable<StreamEvent>;
  /** Aborted when the client may read no more: then the connection closes, even if the client has stopped reading. */
  readonly cutOff: AbortSignal;

  constructor(events: AsyncIterable<StreamEvent>, cutOff: AbortSignal) {
    this.events = events;
    this.cutOff = cutOff;
  }
}

/**
 * A file download of any size: its text is generated only as fast as the client reads. An incomplete file must throw.
 */
export class FileStream {
  /** Letters, digits, dots and hyphens only. */
  readonly name: string;
  readonly type: MediaType;
  readonly texts: AsyncIterable<string>;
  /** Aborted when the client may read no more: then the connection closes, even if the client has stopped reading. */
  readonly cutOff: AbortSignal;

  constructor(name: string, type: MediaType, { texts, cutOff }: { texts: AsyncIterable<string>; cutOff: AbortSignal }) {
    this.name = name;
    this.type = type;
    this.texts = texts;
    this.cutOff = cutOff;
  }
}

/** A value with a change of the browser's session: the secret of a new one, or null for its end. */
export class SessionChange {
  readonly value: unknown;
  readonly secret: string | null;

  constructor(value: unknown, secret: string | null) {
    this.value = value;
    this.secret = secret;
  }
}

/** A JSON value that says, with status 200, that nothing was done: a request with an idempotency key has not used it. */
export class NothingDone {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}
