import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { isHostName } from "#lib/host-name.ts";
import { maskCredentials } from "./git.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A checked source: the place that a registered repository is fetched from. */
export interface Source {
  /** Argument for git: an absolute path, a URL, or `user@host:path`. Never begins with "-". */
  location: string;
  /** Whether it is a folder of this machine. */
  local: boolean;
  /** For messages: without credentials. */
  shown: string;
}

/** Longest source in characters. */
const sourceLengthMax = 4096;

/**
 * Takes an absolute path, file://, https://, http://, ssh://, git:// or `[user@]host:path`. Throws WorkspaceError `source_invalid`
 * with the broken rule; does not read the disk.
 */
export function parseSource(source: string): Source {
  const refuse = (why: string) => new WorkspaceError("source_invalid", why);
  if (source.trim() === "") throw refuse("The source of a repository must not be empty.");
  if (source.length > sourceLengthMax) {
    throw refuse(`The source of a repository must be at most ${sourceLengthMax} characters long.`);
  }
  if (source.includes("\0")) throw refuse("The source of a repository must not contain a NUL character.");
  if (source.startsWith("-")) throw refuse('The source of a repository must not begin with "-".');
  if (isAbsolute(source)) return { location: source, local: true, shown: source };
  if (/^file:/i.test(source)) return parseFileUrl(source);
  const shown = maskCredentials(source);
  const helper = /^([a-z0-9+.-]*)::/i.exec(source);
  if (helper) throw refuse(`The transport "${helper[1]}::" is not allowed. Use a path, https, ssh, http, git or file.`);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(source);
  if (scheme) {
    if (!/^(https?|ssh|git)$/i.test(scheme[1] ?? "")) {
      throw refuse(`The transport "${scheme[1]}://" is not allowed. Use a path, https, ssh, http, git or file.`);
    }
    const url = URL.parse(source);
    const host = url?.hostname ?? "";
    if (url === null || host === "") throw refuse(`"${shown}" is not a valid URL.`);
    if (/\s|\p{Cc}/u.test(source)) throw refuse("A URL must not contain spaces or control characters.");
    if (host.startsWith("-") || url.username.startsWith("-")) throw refuse('A host must not begin with "-".');
    if (isIP(host.replace(/^\[|\]$/g, "")) === 0 && !isHostName(host.replace(/\.$/, ""))) {
      throw refuse(`"${shown}" has a host that cannot exist.`);
    }
    return { location: source, local: false, shown };
  }
  if (/^([\w.+][\w.+-]*@)?[a-z0-9][a-z0-9.-]*:[^-\s]\P{Cc}*$/iu.test(source)) {
    return { location: source, local: false, shown };
  }
  throw refuse(`"${shown}" is neither an absolute path nor a URL of a git repository.`);
}

function parseFileUrl(source: string): Source {
  try {
    const location = fileURLToPath(source);
    if (location.includes("\0")) throw new TypeError("NUL");
    return { location, local: true, shown: location };
  } catch {
    throw new WorkspaceError("source_invalid", `"${source}" is not a valid file:// URL of this machine.`);
  }
}
