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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  const take = (length: number): number => {
    const start = at;
    at += length;
    if (at > bytes.length) throw new Error("it ends in the middle of a field");
    return start;
  };
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[take(1)] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
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
        yield { tag, value: { kind: "fixed64", view: new DataView(view.buffer, view.byteOffset + take(8), 8) } };
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
