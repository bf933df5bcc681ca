import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Encrypts secrets that are needed again later (a host's token, a webhook's signing secret, an agent's API key), so that the
 * store alone reveals none of them. AES-256-GCM; the encrypted form is `e1.KEYID.NONCE.TEXT` and names the key, so that keys can be changed.
 */
export type Seal = {
  /**
   * Encrypts a text. `context` says what it belongs to ("webhook:12") and is needed to decrypt it, so that it cannot be moved
   * to another row. Throws {@link SealError} if there is no usable key.
   */
  seal(text: string, context: string): string;
  /** Decrypts a text. Throws {@link SealError} for another key, another context or a changed text. */
  unseal(sealed: string, context: string): string;
  /** Whether a text can be decrypted. */
  canUnseal(sealed: string, context: string): boolean;
  /** Id of the key in use, as encrypted texts name it; null if there is none yet. Throws {@link SealError} if it cannot be read. */
  keyId(): string | null;
};

/**
 * A secret that cannot be encrypted or decrypted. The message is one line for the log and the operator: it names keys, files and
 * places of secrets, which nobody else may read.
 */
export class SealError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SealError";
  }
}

/** Source of the key: the setting ERRAND_SECRET_KEY, or a file created on first use. */
export type KeySource = { key: Uint8Array | null; file: string };

const form = "e1";
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Reasons remembered, so that each is told once: whoever knows the address of an integration's events can cause one at any time. */
const toldMax = 1000;

/**
 * Encryption for this installation. The key is read on first use and cached. `warn` is told why a secret cannot be decrypted, once
 * per reason.
 */
export function createSeal(
  source: KeySource,
  warn: (fields: { reason: string }, message: string) => void = () => undefined,
): Seal {
  const told = new Set<string>();
  let kept: { key: Uint8Array; id: string } | null = null;
  const keyFor = (mayMake: boolean) => {
    if (kept !== null) return kept;
    const key = source.key ?? readKeyFile(source.file) ?? (mayMake ? makeKeyFile(source.file) : null);
    if (key === null) {
      throw new SealError(
        `the key that encrypts the stored secrets is gone: put back ${source.file}, or set ERRAND_SECRET_KEY`,
      );
    }
    kept = { key, id: keyIdOf(key) };
    return kept;
  };
  const seal: Seal = {
    keyId: () => (kept === null && source.key === null && readKeyFile(source.file) === null ? null : keyFor(false).id),
    canUnseal(sealed, context) {
      try {
        seal.unseal(sealed, context);
        return true;
      } catch (error) {
        if (error instanceof SealError) return false;
        throw error;
      }
    },
    seal(text, context) {
      const { key, id } = keyFor(true);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return [form, id, nonce.toString("base64url"), bytes.toString("base64url")].join(".");
    },
    unseal(sealed, context) {
      try {
        return opened(sealed, context);
      } catch (error) {
        if (error instanceof SealError && !told.has(error.message)) {
          if (told.size >= toldMax) told.clear();
          told.add(error.message);
          warn({ reason: error.message }, "a stored secret cannot be decrypted");
        }
        throw error;
      }
    },
  };
  const opened = (sealed: string, context: string) => {
    const [version, sealedBy, nonceText, bytesText] = sealed.split(".");
    const nonce = Buffer.from(nonceText ?? "", "base64url");
    const bytes = Buffer.from(bytesText ?? "", "base64url");
    if (version !== form || nonce.length !== nonceBytes || bytes.length < tagBytes) {
      throw new SealError(`${context}: this is no sealed secret`);
    }
    const { key, id } = keyFor(false);
    if (sealedBy !== id) {
      throw new SealError(
        `${context}: sealed with key ${sealedBy}, but the key in use is ${id}: set ERRAND_SECRET_KEY to the earlier one, or enter the secret again`,
      );
    }
    const split = bytes.length - tagBytes;
    try {
      const opener = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
      opener.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(split));
      return Buffer.concat([opener.update(bytes.subarray(0, split)), opener.final()]).toString("utf8");
    } catch {
      throw new SealError(`${context}: the sealed secret was changed, or belongs to something else: enter it again`);
    }
  };
  return seal;
}

/** The 32 bytes of a key in hexadecimal or base64 (with or without padding, or URL-safe); null if it is neither. */
export function parseSecretKey(text: string): Uint8Array | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === keyBytes ? bytes : null;
}

/** Distinguishes keys without revealing them. */
function keyIdOf(key: Uint8Array): string {
  return hash("sha256", Buffer.concat([Buffer.from("errand key id\0"), key]), "hex").slice(0, 8);
}

function readKeyFile(file: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (isError(error, "ENOENT")) return null;
    throw new SealError(`${file} cannot be read: ${error instanceof Error ? error.message : "unknown"}`);
  }
  const key = parseSecretKey(text.trim());
  if (key === null) throw new SealError(`${file} must hold 32 bytes in base64 or hexadecimal`);
  return key;
}

/** Creates the file atomically: the link fails if another process was faster, and then that one's key counts. */
function makeKeyFile(file: string): Uint8Array {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    // Otherwise the build would include the whole project for a path it cannot resolve.
    const opened = openSync(/* turbopackIgnore: true */ draft, "wx", 0o600);
    try {
      writeSync(opened, `${randomBytes(keyBytes).toString("base64")}\n`);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!isError(error, "EEXIST")) throw error;
    }
    syncFolder(dirname(file));
  } catch (error) {
    throw new SealError(`${file} cannot be made: ${error instanceof Error ? error.message : "unknown"}`);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKeyFile(file);
  if (key === null) throw new SealError(`${file} was taken away while it was made`);
  return key;
}

/** A power cut must not leave secrets in the store without their key. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
