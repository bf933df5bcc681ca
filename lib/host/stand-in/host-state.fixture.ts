import type { HostKind, HostPermission, HostThread } from "#lib/host/host.ts";
import type { HostAnnotation, HostCheck } from "#lib/host/pull-host.ts";
import { HostedGit } from "./hosted-git.fixture.ts";

/** Every dialect. */
export const hostKindsUnderTest = ["github", "gitlab", "forgejo"] as const satisfies readonly HostKind[];

/** The token that a stand-in accepts, and its account. */
export const hostToken = "stand-in-token-4711";
export const hostLogin = "errand-bot";
/** Id of the account of a GitHub App. */
export const hostBotId = 2_000_411;

export type Person = { id: number; permission: HostPermission; isBot?: boolean };

/**
 * A pull request. `fork` names its branch's repository if that is another one. `isDeleted`: its branch was deleted; GitLab leaves
 * the merge request open, others close it. Without `repository` it is in every one.
 */
export type Pull = {
  branch: string;
  baseBranch: string;
  fork: string | null;
  isOpen: boolean;
  isDeleted?: boolean;
  isMerged?: boolean;
  repository?: string;
  title?: string;
  body?: string;
  draft?: boolean;
  author?: string;
  reviewers?: string[];
  /** The last commit of its branch, for when that is gone. */
  commit?: string;
};

export type KeptComment = HostThread & { id: number; author: string; body: string; createdAt: string };

/**
 * A check run or job; `isStatus`: a commit status of GitHub. Each further run of the same name at the commit is a separate check.
 */
export type KeptCheck = {
  id: number;
  repository: string;
  commit: string;
  name: string;
  app: string;
  isStatus: boolean;
  status: HostCheck["status"];
  conclusion: HostCheck["conclusion"];
  log: string | null;
  annotations: readonly HostAnnotation[];
  startedAt: string;
  completedAt: string | null;
};

export type KeptReview = {
  id: number;
  number: number;
  login: string;
  verdict: "approved" | "changes_requested" | "commented";
  body: string;
  threads: readonly { path: string; line: number; body: string }[];
  submittedAt: string;
};

/** Rules that a test changes for a repository. Absent: the host's default. */
export type RepositoryRules = {
  defaultBranch: string;
  /** Its plan has no drafts (GitHub). */
  refusesDrafts: boolean;
  /** A rule of the repository refuses new pull requests. */
  refusesPulls: boolean;
  /** The credential may read it, but not push to it. */
  readOnly: boolean;
  /** The credential's account is no administrator of it: Forgejo does not tell it the rights of others. */
  notAdmin: boolean;
  archived: boolean;
  /** The credential cannot see it: 404. */
  hidden: boolean;
  /** It was renamed or given to somebody else: git and the API redirect to its new address (GitHub). */
  moved: boolean;
  /** The credential may not even read it, as before single sign-on: 403 (GitHub). */
  closed: boolean;
};

/** State of a stand-in, independent of its dialect. */
export class HostState {
  readonly kind: HostKind;
  readonly people = new Map<string, Person>();
  readonly comments: KeptComment[] = [];
  /** By number. */
  readonly pulls = new Map<number, Pull>();
  readonly checks: KeptCheck[] = [];
  readonly reviews: KeptReview[] = [];
  readonly git: HostedGit;
  /** The host's clock. */
  now: () => Date = () => new Date();
  /** Rights that the credential lacks: calls that need one are refused with 403. */
  readonly lacks = new Set<"pulls" | "checks">();
  /** For a GitHub App: its public key; the App's own calls must be signed with the private one. */
  appKey: string | null = null;
  /** The token that is accepted now. {@link endTokens} ends it: an App can make another one. */
  token = hostToken;

  endTokens(): void {
    this.token = `${this.token}-next`;
  }
  readonly #rules = new Map<string, Partial<RepositoryRules>>();
  #ids = 100;

  constructor(kind: HostKind) {
    this.kind = kind;
    this.git = new HostedGit(kind);
  }

  /** A new id, larger than all before. */
  nextId(): number {
    return this.#ids++;
  }

  addPerson(login: string, permission: HostPermission, more: { isBot?: boolean } = {}): void {
    this.people.set(login, { id: this.nextId(), permission, ...more });
  }

  rulesOf(fullName: string): RepositoryRules {
    const given = this.#rules.get(fullName.toLowerCase());
    const refusals = {
      refusesDrafts: false,
      refusesPulls: false,
      archived: false,
      hidden: false,
      moved: false,
      closed: false,
    };
    return { defaultBranch: "main", readOnly: false, notAdmin: false, ...refusals, ...given };
  }

  /** Changes rules of a repository. */
  setRules(fullName: string, rules: Partial<RepositoryRules>): void {
    const key = fullName.toLowerCase();
    this.#rules.set(key, { ...this.#rules.get(key), ...rules });
  }

  /** A pull request of this repository with its number; null if there is none. */
  findPull(fullName: string, number: number): (Pull & { number: number }) | null {
    const pull = this.pulls.get(number);
    if (pull === undefined || (pull.repository ?? fullName).toLowerCase() !== fullName.toLowerCase()) return null;
    return { number, ...pull };
  }

  /** Pull requests of this repository, newest first. */
  pullsOf(fullName: string): (Pull & { number: number })[] {
    const found = [...this.pulls.keys()].flatMap((number) => this.findPull(fullName, number) ?? []);
    return found.sort((one, other) => other.number - one.number);
  }

  /** Stores a new pull request. */
  openPull(pull: Pull & { repository: string }): Pull & { number: number } {
    const taken = [...this.pulls.keys(), ...this.comments.map(({ number }) => number)];
    const number = Math.max(0, ...taken) + 1;
    this.pulls.set(number, pull);
    return { number, ...pull };
  }

  changePull(number: number, change: Partial<Pull>): void {
    const pull = this.pulls.get(number);
    if (pull === undefined) throw new Error(`The stand-in has no pull request ${number}.`);
    this.pulls.set(number, { ...pull, ...change });
  }

  /** Commit of a pull request's branch, even if that was deleted; a made-up one if there is no git repository. */
  async headOf(fullName: string, pull: Pull): Promise<string> {
    return (await this.git.headOf(pull.fork ?? fullName, pull.branch)) ?? pull.commit ?? "0".repeat(40);
  }

  /** The newest check of each name at a commit. */
  checksOf(fullName: string, commit: string): KeptCheck[] {
    const byName = new Map<string, KeptCheck>();
    for (const check of this.checks) {
      if (check.repository.toLowerCase() === fullName.toLowerCase() && check.commit === commit) {
        byName.set(`${check.isStatus} ${check.name}`, check);
      }
    }
    return [...byName.values()];
  }
}
