const headBytesMax = 64 * 1024;
const tailBytesMax = 192 * 1024;

/**
 * The kept part of a command's output: all of it up to 256 KB, beyond that the first 64 KB and the last 192 KB, so that memory
 * stays bounded.
 */
export class OutputWindow {
  readonly #head = Buffer.alloc(headBytesMax);
  // A ring: the byte after the newest one is the oldest. One buffer, as a program may write byte by byte.
  readonly #ring = Buffer.alloc(tailBytesMax);
  #totalBytes = 0;

  append(chunk: Buffer): void {
    const headBytes = chunk.copy(this.#head, Math.min(this.#totalBytes, headBytesMax));
    this.#totalBytes += headBytes;
    const rest = chunk.subarray(headBytes);
    // Only the end of a chunk larger than the ring would remain.
    this.#totalBytes += Math.max(0, rest.length - tailBytesMax);
    const kept = rest.subarray(-tailBytesMax);
    const at = (this.#totalBytes - headBytesMax) % tailBytesMax;
    const wrapped = kept.subarray(kept.copy(this.#ring, Math.max(0, at)));
    wrapped.copy(this.#ring);
    this.#totalBytes += kept.length;
  }

  /** The kept text. If bytes were left out, a line in its middle says how many; otherwise `droppedBytes` is 0. */
  read(): { text: string; droppedBytes: number } {
    if (this.#totalBytes <= headBytesMax + tailBytesMax) {
      return { text: Buffer.concat([this.#headPart(), this.#tailPart()]).toString(), droppedBytes: 0 };
    }
    const head = withoutBrokenEnd(this.#headPart());
    const tail = withoutBrokenStart(this.#tailPart());
    const droppedBytes = this.#totalBytes - head.length - tail.length;
    const note = `\n… ${droppedBytes.toLocaleString("en-US")} bytes of output left out here …\n`;
    return { text: head.toString() + note + tail.toString(), droppedBytes };
  }

  /** The last at most `bytesMax` (up to 192 KB) bytes of the output so far, cut at whole characters. */
  readTail(bytesMax: number): string {
    const tailPart = this.#tailPart();
    const kept = tailPart.length >= bytesMax ? tailPart : Buffer.concat([this.#headPart(), tailPart]);
    const tail = withoutBrokenEnd(kept.subarray(-bytesMax));
    return (this.#totalBytes > bytesMax ? withoutBrokenStart(tail) : tail).toString();
  }

  #headPart(): Buffer {
    return this.#head.subarray(0, this.#totalBytes);
  }

  #tailPart(): Buffer {
    const tailBytes = Math.max(0, this.#totalBytes - headBytesMax);
    if (tailBytes <= tailBytesMax) return this.#ring.subarray(0, tailBytes);
    const oldest = tailBytes % tailBytesMax;
    return Buffer.concat([this.#ring.subarray(oldest), this.#ring.subarray(0, oldest)]);
  }
}

function withoutBrokenStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start += 1;
  return bytes.subarray(start);
}

function withoutBrokenEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead + length > bytes.length ? bytes.subarray(0, lead) : bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
