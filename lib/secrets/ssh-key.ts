import { generateKeyPairSync, randomBytes } from "node:crypto";

/** A key for signing commits: the private part as OpenSSH's file, the public one as a line for a host's settings. */
export type SshKey = { privateKey: string; publicKey: string };

const type = "ssh-ed25519";

/** Creates an Ed25519 key without a passphrase, in OpenSSH's format (https://cvsweb.openbsd.org/src/usr.bin/ssh/PROTOCOL.key). */
export function createSshKey(comment: string): SshKey {
  const { x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  if (x === undefined || d === undefined) throw new Error("an Ed25519 key has two parts");
  const [open, secret] = [Buffer.from(x, "base64url"), Buffer.from(d, "base64url")];
  const published = Buffer.concat([text(type), text(open)]);
  const check = randomBytes(4);
  const inner = Buffer.concat([check, check, published, text(Buffer.concat([secret, open])), text(comment)]);
  // Padded with 1, 2, 3 … to whole blocks of 8 bytes.
  const padding = Buffer.from(Array.from({ length: (8 - (inner.length % 8)) % 8 }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    ...[text("none"), text("none"), text("")],
    uint32(1),
    text(published),
    text(Buffer.concat([inner, padding])),
  ]);
  const lines = file.toString("base64").match(/.{1,70}/g) ?? [];
  const privateKey = `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join("\n")}\n-----END OPENSSH PRIVATE KEY-----\n`;
  return { privateKey, publicKey: `${type} ${published.toString("base64")} ${comment}` };
}

function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
