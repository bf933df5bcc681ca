import assert from "node:assert/strict";
import { test } from "node:test";
import { wallFilter } from "./wall-filter.ts";

interface Call {
  number: number;
  args: bigint[];
}

/** struct seccomp_data of a call. */
function dataOf(arch: number, { number, args }: Call): Buffer {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(arch, 4);
  for (const [at, value] of args.entries()) data.writeBigUInt64LE(value, 16 + at * 8);
  return data;
}

/** What the kernel does with a call: runs the filter's instructions. */
function decide(filter: Buffer, data: Buffer): number {
  let word = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const [code, value] = [filter.readUInt16LE(at), filter.readUInt32LE(at + 4)];
    if (code === 0x06) return value;
    if (code === 0x20) {
      word = data.readUInt32LE(value);
      continue;
    }
    const isSo = code === 0x15 ? word === value : code === 0x35 ? word >= value : (word & value) !== 0;
    at += 8 * filter.readUInt8(at + (isSo ? 2 : 3));
  }
  throw new Error("the filter has no end");
}

const processors = [
  { name: "x64", arch: 0xc000003e, fcntl: 72, ioctl: 16, openat: 257 },
  { name: "arm64", arch: 0xc00000b7, fcntl: 25, ioctl: 29, openat: 56 },
];
const [allow, refused, unknown, absent] = [0x7fff0000, 0x00050001, 0x00050016, 0x00050026];

for (const { name, arch, fcntl, ioctl, openat } of processors) {
  test(`the filter refuses commands by 32 bits of their argument, as the kernel reads it, on ${name}`, () => {
    const filter = wallFilter(name);
    assert.ok(filter);
    const answer = (number: number, command: number, asked = arch) =>
      [0n, 1n << 32n, 0xffffffffn << 32n].map((high) =>
        decide(filter, dataOf(asked, { number, args: [3n, BigInt(command) + high, 1n] })),
      );
    const always = (value: number) => [value, value, value];
    for (const command of [1024, 1026, 1039, 1040, 0xffffffff])
      assert.deepEqual(answer(fcntl, command), always(unknown));
    // Duplicates, flags, locks, owners, pipe sizes, seals.
    for (const command of [0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 36, 37, 38, 1025, 1027, 1030, 1031, 1033, 1038]) {
      assert.deepEqual(answer(fcntl, command), always(allow));
    }
    for (const command of [0xc0506617, 0xc0406618, 0xc0406619])
      assert.deepEqual(answer(ioctl, command), always(refused));
    // A terminal's settings, the bytes that wait, an encryption policy.
    for (const command of [0x5401, 0x541b, 0x40086602, 0xc0096616])
      assert.deepEqual(answer(ioctl, command), always(allow));
    assert.deepEqual(answer(openat, 1024), always(allow));
    assert.deepEqual(answer(221, 1024, 0x40000003), always(absent), "32-bit programs make no calls");
  });
}
