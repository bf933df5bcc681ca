import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** Bytes read in one round of the event loop: about a hundred of the shortest requests. */
const pieceBytes = 4096;
/**
 * A chunk that takes longer than this is followed by a pause of twice its time, so that one run gets at most a third of the
 * engine.
 */
const usualMs = 2;

/**
 * Connections of one run, which together may read one chunk per round of the event loop. Without this, Node would parse thousands
 * of simultaneous requests of one run before anything else; this way the engine has time for other runs.
 */
export class PacedConnections {
  readonly #waiting: (() => void)[] = [];

  /** The connection, paced. Destroying it destroys the socket. */
  add(socket: Socket): Duplex {
    return new PacedSocket(socket, (work) => this.#next(work));
  }

  #next(work: () => void): void {
    this.#waiting.push(work);
    if (this.#waiting.length === 1) setImmediate(() => this.#round());
  }

  #round(): void {
    // Counted as waiting while a chunk is processed, so that reads requested meanwhile wait for the next round.
    const startedAt = performance.now();
    this.#waiting[0]?.();
    const tookMs = performance.now() - startedAt;
    const proceed = () => {
      this.#waiting.shift();
      if (this.#waiting.length > 0) setImmediate(() => this.#round());
    };
    if (tookMs > usualMs) setTimeout(proceed, tookMs * 2);
    else proceed();
  }
}

class PacedSocket extends Duplex {
  readonly #socket: Socket;
  readonly #next: (work: () => void) => void;
  #held: Buffer = Buffer.alloc(0);
  #isWanted = false;
  #isWaiting = false;
  #hasEnded = false;

  constructor(socket: Socket, next: (work: () => void) => void) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.#next = next;
    socket.pause();
    socket.on("data", (chunk: Buffer) => {
      socket.pause();
      this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
      this.#give();
    });
    socket.once("end", () => {
      this.#hasEnded = true;
      this.#give();
    });
    socket.on("error", () => this.destroy());
    socket.once("close", () => this.destroy());
  }

  override _read(): void {
    this.#isWanted = true;
    this.#give();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#held = Buffer.alloc(0);
    this.#socket.destroy();
    done(error);
  }

  #give(): void {
    if (!this.#isWanted || this.#isWaiting || this.destroyed) return;
    if (this.#held.length === 0) {
      if (this.#hasEnded) this.push(null);
      else this.#socket.resume();
      return;
    }
    this.#isWaiting = true;
    this.#next(() => {
      this.#isWaiting = false;
      if (this.destroyed) return;
      const piece = this.#held.subarray(0, pieceBytes);
      this.#held = this.#held.subarray(pieceBytes);
      this.#isWanted = false;
      this.push(piece);
    });
  }
}
