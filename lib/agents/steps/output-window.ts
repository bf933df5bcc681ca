const headBytesMax = 64 * 1024;
const tailBytesMax = 192 * 1024;

/**
 * What is kept of a command's output: all of it up to 256 KB, beyond that the first 64 KB and the last 192 KB, so that
 * memory stays bounded however much a command prints.
 */
export class OutputWindow {
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #totalBytes = 0;

  append(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    const headPart = chunk.subarray(0, headBytesMax - this.#headBytes);
    if (headPart.length > 0) {
      this.#head.push(headPart);
      this.#headBytes += headPart.length;
    }
    const tailPart = chunk.subarray(headPart.length);
    if (tailPart.length === 0) return;
    this.#tail.push(tailPart);
    this.#tailBytes += tailPart.length;
    for (let first = this.#tail[0]; first && this.#tailBytes - first.length >= tailBytesMax; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  /** The kept text. Where bytes were left out, a line in its middle says how many; `droppedBytes` is 0 otherwise. */
  read(): { text: string; droppedBytes: number } {
    if (this.#totalBytes <= headBytesMax + tailBytesMax) {
      return { text: Buffer.concat([...this.#head, ...this.#tail]).toString(), droppedBytes: 0 };
    }
    const head = withoutBrokenEnd(Buffer.concat(this.#head));
    const tail = withoutBrokenStart(Buffer.concat(this.#tail).subarray(-tailBytesMax));
    const droppedBytes = this.#totalBytes - head.length - tail.length;
    const note = `\n… ${droppedBytes.toLocaleString("en-US")} bytes of output left out here …\n`;
    return { text: head.toString() + note + tail.toString(), droppedBytes };
  }

  /** The last at most `bytesMax` (up to 192 KB) bytes of the output so far, cut at whole characters. */
  readTail(bytesMax: number): string {
    const kept = Buffer.concat(this.#tailBytes >= bytesMax ? this.#tail : [...this.#head, ...this.#tail]);
    const tail = withoutBrokenEnd(kept.subarray(-bytesMax));
    return (tail.length < kept.length ? withoutBrokenStart(tail) : tail).toString();
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
