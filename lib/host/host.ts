import { z } from "zod";
import type { Send } from "./call-host.ts";
import type { InstallationTokens } from "./installation-tokens.ts";
import type { Outgoing } from "./outgoing.ts";
import type { HostPerson } from "./person.ts";
import type { PullHost } from "./pull-host.ts";

/** Kinds of code hosts. */
export type HostKind = "github" | "gitlab" | "forgejo";

/** Credentials for a host: a person's or a machine user's token, or a GitHub App. */
export type HostCredential =
  | { kind: "token"; token: string }
  | { kind: "app"; appId: number; privateKey: string; installationId: number };

/** Account of the credential. `login` is the author of its comments; `botId`: the id of a GitHub App's account, if known. */
export type HostIdentity = { login: string; kind: "app" | "user"; botId?: number };

/** A person's permission in a repository; `write` and `admin` may ask for work. */
export type HostPermission = "none" | "read" | "write" | "admin";

/**
 * A conversation: an issue or a pull request of a repository. `replyTo` names the comment or discussion in it that a reply
 * belongs to; null for the conversation itself.
 */
export const HostThread = z.object({
  repository: z.string(),
  subject: z.enum(["issue", "pull"]),
  number: z.int(),
  replyTo: z.string().nullable(),
});
export type HostThread = z.infer<typeof HostThread>;

/** A posted comment. */
export type WrittenComment = { id: string; url: string | null };

/**
 * State of a pull request. `isOwn`: its branch is in the repository it asks to change, not in a fork or missing. `isGone`: it
 * is open, but its own branch was deleted; GitHub and Forgejo close such a pull request.
 */
export type HostPull = {
  isOpen: boolean;
  head: { branch: string; isOwn: boolean; isGone: boolean };
  baseBranch: string;
};

/** A review as its author submitted it. `remarks` are about lines of the files as they were then; `line` counts from 1. */
export type HostReview = {
  verdict: "approved" | "changes_requested" | "commented" | null;
  body: string;
  remarks: { path: string; line: number | null; body: string }[];
};

/** Calls to a host. Every call throws a HostError or an OutboundError whose message may be shown. */
export type Host = {
  /** Calls about pull requests and checks, with the same credential. */
  pulls: PullHost;
  /** Asks for the credential's account; this shows whether the credential works. */
  identity(signal: AbortSignal): Promise<HostIdentity>;
  /** Token that git sends as the password for the host's repositories; if there is another, not the one that was `refused`. */
  gitToken(signal: AbortSignal, refused?: string): Promise<string>;
  /** What to do if the host does not accept the credential, if not to enter another token. */
  unauthorizedHint?: string | undefined;
  /** The person with this name; null if there is none. */
  person(login: string, signal: AbortSignal): Promise<HostPerson | null>;
  /** Asks for the person's current permission in the repository. */
  permission(repository: string, person: HostPerson, signal: AbortSignal): Promise<HostPermission>;
  /** The pull request; null if the credential cannot see it. */
  pull(repository: string, number: number, signal: AbortSignal): Promise<HostPull | null>;
  /**
   * A review of a pull request, by its id; on hosts whose events do not name it, the one of its author with this verdict and text
   * that was the newest at `saidAt` (by the host's clock), or else their newest. Null if the credential cannot see it, and on hosts
   * that have none.
   */
  review(
    repository: string,
    number: number,
    of: { id: string | null; login: string; verdict: HostReview["verdict"]; body: string; saidAt: string | null },
    signal: AbortSignal,
  ): Promise<HostReview | null>;
  /** Posts a reply to the thread. */
  reply(thread: HostThread, body: Outgoing, signal: AbortSignal): Promise<WrittenComment>;
  /**
   * The comment of the thread posted since then that contains the text; null if there is none. Shows whether a reply arrived.
   */
  findReply(thread: HostThread, text: string, since: Date, signal: AbortSignal): Promise<WrittenComment | null>;
};

/**
 * Address of a host, and credentials. `baseUrl` is the address that people open, without a trailing slash. `tokens`: shared
 * tokens of GitHub Apps; without it, tokens are created for this host alone.
 */
export type HostSettings = { baseUrl: string; credential: HostCredential; send: Send; tokens?: InstallationTokens };
