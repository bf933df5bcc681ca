import { z } from "zod";
import type { Send } from "./call-host.ts";

/** The kinds of servers that keep code and talk about it. */
export type HostKind = "github" | "gitlab" | "forgejo";

/** What proves to a host who is calling: a person's or a machine user's token, or a GitHub App. */
export type HostCredential =
  | { kind: "token"; token: string }
  | { kind: "app"; appId: number; privateKey: string; installationId: number };

/** Who the credential acts as. `login` is the name that its comments bear. */
export type HostIdentity = { login: string; kind: "app" | "user" };

/** What a person may do in a repository; `write` and `admin` may ask for work. */
export type HostPermission = "none" | "read" | "write" | "admin";

/** Somebody on a host. Hosts ask for one or the other, so both are carried. */
export type HostPerson = { id: number; login: string };

/**
 * A conversation: an issue or a pull request of a repository. `replyTo` names the comment or discussion inside of it that an answer
 * belongs to; null for the conversation itself.
 */
export const HostThread = z.object({
  repository: z.string(),
  subject: z.enum(["issue", "pull"]),
  number: z.int(),
  replyTo: z.string().nullable(),
});
export type HostThread = z.infer<typeof HostThread>;

/** A comment that was written. */
export type WrittenComment = { id: string; url: string | null };

/** Where a pull request stands. `isOwn`: its branch is in the repository that it asks to change, not in a fork or in none any more. */
export type HostPull = { isOpen: boolean; head: { branch: string; isOwn: boolean }; baseBranch: string };

/** What the service asks of a host. Every call throws a HostError or an OutboundError whose message may be shown. */
export type Host = {
  /** Asks who the credential belongs to; the measure of whether it works. */
  identity(signal: AbortSignal): Promise<HostIdentity>;
  /** Asks the host what the person may do in the repository now. */
  permission(repository: string, person: HostPerson, signal: AbortSignal): Promise<HostPermission>;
  /** The pull request; null where the credential does not see it. */
  pull(repository: string, number: number, signal: AbortSignal): Promise<HostPull | null>;
  /** Writes an answer into the thread. */
  reply(thread: HostThread, body: string, signal: AbortSignal): Promise<WrittenComment>;
  /** The comment of the thread written since then that holds the text; null where there is none. Tells whether an answer arrived. */
  findReply(thread: HostThread, text: string, since: Date, signal: AbortSignal): Promise<WrittenComment | null>;
};

/** Where a host is and who calls it. `baseUrl` is the address that people open, without a slash at its end. */
export type HostSettings = { baseUrl: string; credential: HostCredential; send: Send };

/** The name and the repository that a remote address leads to, both in small letters; null where it leads to no host. */
export function placeOfRemote(source: string): { host: string; fullName: string } | null {
  const url = /^(?:https?|ssh|git):\/\//i.test(source) ? URL.parse(source) : null;
  const short = url === null ? /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(source) : null;
  const host = url?.hostname ?? short?.[1];
  const path = url?.pathname ?? short?.[2];
  if (host === undefined || path === undefined || source.startsWith("/")) return null;
  const fullName = path
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/i, "")
    .toLowerCase();
  return fullName.includes("/") ? { host: host.toLowerCase(), fullName } : null;
}

/** Whether a remote address leads to this repository of the host at this address. Ports differ between ssh and https. */
export function isRemoteOf(source: string, baseUrl: string, fullName: string): boolean {
  const place = placeOfRemote(source);
  const base = URL.parse(baseUrl);
  if (place === null || base === null) return false;
  // A host may be served below a path, which its remotes have too over https.
  const prefix = base.pathname.replace(/^\/+|\/+$/g, "").toLowerCase();
  const wanted = fullName.toLowerCase();
  const isSameName = place.fullName === wanted || (prefix !== "" && place.fullName === `${prefix}/${wanted}`);
  // GitHub and others serve ssh at a name of its own on port 443.
  return isSameName && [base.hostname.toLowerCase(), `ssh.${base.hostname.toLowerCase()}`].includes(place.host);
}
