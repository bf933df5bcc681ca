/** A field of a protobuf message: its number, and its value by wire type. */
export type WireField = { tag: number; value: WireValue };
export type WireValue =
  | { kind: "varint"; number: number }
  /** Eight bytes, little-endian. */
  | { kind: "fixed64"; view: DataView }
  | { kind: "bytes"; bytes: Uint8Array };

/**
 * Fields of a message in protobuf's wire format (protobuf.dev, "Encoding"), in order; 32-bit ones are skipped. Numbers above
 * 2^53 are not exact. Throws for invalid bytes.
 */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0;

  const take = (length: number): number => {
    const start = at;
    at += length;
    if (at > bytes.length) throw new Error("it ends in the middle of a field");
    return start;
  };
  const varint = (): number => {
    // The lower 49 of the 64 bits, and the other 15, which have the sign: as a BigInt, each byte would cost an allocation.
    let low = 0;
    let high = 0;
    for (let place = 0; place < 10; place += 1) {
      const byte = bytes[take(1)] ?? 0;
      if (place < 7) low += (byte & 0x7f) * 128 ** place;
      else high |= (byte & 0x7f) << (7 * (place - 7));
      if (byte < 0x80) return ((high << 17) >> 17) * 2 ** 49 + low;
    }
    throw new Error("a number of it has more than ten bytes");
  };

  while (at < bytes.length) {
    const key = varint();
    const tag = Math.floor(key / 8);
    switch (key % 8) {
      case 0:
        yield { tag, value: { kind: "varint", number: varint() } };
        break;
      case 1:
        yield { tag, value: { kind: "fixed64", view: new DataView(bytes.buffer, bytes.byteOffset + take(8), 8) } };
        break;
      case 2: {
        const length = varint();
        if (length < 0) throw new Error("a field of it has a negative length");
        const start = take(length);
        yield { tag, value: { kind: "bytes", bytes: bytes.subarray(start, at) } };
        break;
      }
      case 5:
        take(4);
        break;
      default:
        throw new Error("it has a field of an unknown kind");
    }
  }
}
