import type { HostKind, HostThread } from "./host.ts";
import { commentEventName, commentPayload } from "./stand-in/comment-payload.fixture.ts";
import { HostServer, type Pushed } from "./stand-in/host-server.fixture.ts";
import {
  hostLogin,
  hostToken,
  type KeptCheck,
  type Person,
  type RepositoryRules,
} from "./stand-in/host-state.fixture.ts";
import {
  checkPayload,
  type PullAct,
  pullPayload,
  type ReviewThread,
  reviewPayloads,
} from "./stand-in/pull-payload.fixture.ts";
import { hostHookSecret, type SentEvent, signedEvent } from "./stand-in/signed-event.fixture.ts";

export { type Fault, type Pushed, secondaryLimit } from "./stand-in/host-server.fixture.ts";
export { hostHookSecret, hostLogin, hostToken };

/**
 * A code host for tests: a real HTTP server that responds to the service's requests as GitHub, GitLab or Forgejo does, with git
 * behind it, people and their permissions, pull requests and checks, and such a host's signed events.
 *
 * ```ts
 * const host = await CodeHost.open("github");          // close() it at the end
 * const source = await host.createRepository("team/app", { "a.txt": "one\n" });   // https remote: user x-access-token, hostToken
 * host.addPerson("ada", "write");
 * host.onPush = ({ branch, after }) => void host.setCheck("team/app", after, { name: "build", conclusion: "failure", log: "…" });
 * await host.pushAs("ada", "team/app", "errand/run-1", { "a.txt": "two\n" });     // a person's push, not the service's
 * host.faults.push(503, secondaryLimit(60), "lost");   // the next three calls of the API
 * host.isGone = true;                                  // nothing answers, not even git
 * for (const event of host.takeEvents()) await connected.send(event);             // signed; send one twice, or the last first
 * ```
 *
 * Every change (a push, a pull request, a check) leaves its event in `takeEvents()`; comments and reviews are made by
 * `commentEvent` and `reviewEvents`. Rules of a repository: `setRules` (no drafts, no pull requests, read only, archived, hidden),
 * `protect` (branches, workflow files, everything), `lacks` (rights that the credential does not have).
 */
export class CodeHost extends HostServer {
  #events: SentEvent[] = [];

  static async open(kind: HostKind): Promise<CodeHost> {
    const host = new CodeHost(kind);
    await host.listen();
    return host;
  }

  /** Serves a bare repository for reading and writing with the host's token, as git's smart protocol. */
  servePushable(fullName: string, folder: string): void {
    this.git.adopt(fullName, folder);
  }

  /** Makes a repository with one commit on its default branch. Returns the address of its remote. */
  async createRepository(
    fullName: string,
    files: Record<string, string | Uint8Array> = { "a.txt": "one\n" },
    rules: Partial<RepositoryRules> = {},
  ): Promise<string> {
    this.setRules(fullName, rules);
    await this.git.make(fullName, this.rulesOf(fullName).defaultBranch, files);
    return `${this.baseUrl}/${fullName}.git`;
  }

  /** Refuses pushes to these branches, those that change workflow files (`workflows`), or all in these words (`refusal`). */
  protect(fullName: string, rules: { branches?: string[]; workflows?: boolean; refusal?: string | null }): void {
    this.git.protect(fullName, rules);
  }

  /** A person commits files on a branch (created from the default one), without the service. Returns the commit. */
  async pushAs(
    login: string,
    fullName: string,
    branch: string,
    files: Record<string, string | Uint8Array | null>,
  ): Promise<string> {
    const from = this.rulesOf(fullName).defaultBranch;
    const commit = await this.git.commit(fullName, branch, { author: login, message: `by ${login}`, files, from });
    await this.#heard({ fullName, branch, after: commit });
    return commit;
  }

  /** Sets the newest check of this name at a commit. A running one that ends stays the same; another one gets a new id. */
  setCheck(
    fullName: string,
    commit: string,
    check: { name: string; conclusion: KeptCheck["conclusion"] } & Partial<
      Pick<KeptCheck, "app" | "isStatus" | "log" | "annotations" | "status">
    >,
  ): KeptCheck {
    const now = new Date().toISOString();
    const known = this.checksOf(fullName, commit).find(({ name }) => name === check.name);
    const isSame = known !== undefined && known.conclusion === null;
    const kept: KeptCheck = {
      id: isSame ? known.id : this.nextId(),
      repository: fullName,
      commit,
      app: this.kind === "gitlab" ? "gitlab-ci" : "github-actions",
      isStatus: false,
      log: null,
      annotations: [],
      startedAt: isSame ? known.startedAt : now,
      completedAt: check.conclusion === null ? null : now,
      ...check,
      status: check.conclusion !== null ? "completed" : (check.status ?? "running"),
    };
    if (isSame) this.checks.splice(this.checks.indexOf(known), 1);
    this.checks.push(kept);
    const found = this.pullsOf(fullName).find((pull) => pull.isOpen && pull.commit === commit);
    const place = { baseUrl: this.baseUrl, branch: found?.branch ?? "main", number: found?.number ?? null };
    this.#keep(checkPayload(this, kept, place));
    return kept;
  }

  /** A person merges, closes or reopens a pull request. */
  async actOn(
    fullName: string,
    number: number,
    act: Exclude<PullAct, "opened" | "synchronize">,
    login: string,
  ): Promise<void> {
    const pull = this.findPull(fullName, number);
    if (pull === null) throw new Error(`The stand-in has no pull request ${number} in ${fullName}.`);
    const commit = await this.headOf(fullName, pull);
    if (act === "merged" && this.git.folderOf(fullName) !== null) {
      await this.git.merge(fullName, { branch: pull.branch, into: pull.baseBranch, author: login });
    }
    this.changePull(number, { isOpen: act === "reopened", commit, ...(act === "merged" ? { isMerged: true } : {}) });
    await this.#keepPull(fullName, number, act, login);
  }

  /** The signed event of a comment that somebody writes, as the host sends it. */
  commentEvent(said: {
    login: string;
    body: string;
    thread?: Partial<HostThread>;
    title?: string;
    opening?: string;
    at?: Date;
  }): SentEvent {
    const thread: HostThread = { repository: "team/app", subject: "issue", number: 7, replyTo: null, ...said.thread };
    const id = this.nextId();
    const payload = commentPayload(this.kind, {
      thread,
      id,
      person: this.#known(said.login),
      about: { title: said.title ?? "It is broken", body: said.opening ?? "It does not start." },
      url: `${this.baseUrl}/${thread.repository}/${thread.number}#${id}`,
      body: said.body,
      at: (said.at ?? this.now()).toISOString(),
    });
    return this.signed(commentEventName(this.kind), payload);
  }

  /** The signed events of a review, in the host's order. */
  async reviewEvents(
    fullName: string,
    number: number,
    review: {
      login: string;
      verdict: "approved" | "changes_requested" | "commented";
      body: string;
      threads?: readonly ReviewThread[];
    },
  ): Promise<SentEvent[]> {
    const pull = this.findPull(fullName, number);
    if (pull === null) throw new Error(`The stand-in has no pull request ${number} in ${fullName}.`);
    const { threads = [], verdict, body, login } = review;
    const ids = [this.nextId(), ...threads.map(() => this.nextId())];
    const commit = await this.headOf(fullName, pull);
    const url = `${this.baseUrl}/${fullName}/pull/${number}`;
    const by = this.#known(login);
    const at = this.now().toISOString();
    this.reviews.push({ id: ids[0] ?? 0, number, login, verdict, body, threads, submittedAt: at });
    const payloads = reviewPayloads(this, { fullName, pull, by, ids, verdict, body, threads, commit, url, at });
    return payloads.map(({ name, payload }) => this.signed(name, payload));
  }

  /** Any event, signed. */
  signed(name: string, payload: object): SentEvent {
    return signedEvent(this.kind, name, payload);
  }

  /** The events of all changes since the last call, oldest first. */
  takeEvents(): SentEvent[] {
    return this.#events.splice(0);
  }

  #known(login: string): Person & { login: string } {
    return { login, ...(this.people.get(login) ?? { id: 999_999, permission: "none" as const }) };
  }

  #keep({ name, payload }: { name: string; payload: object }): void {
    this.#events.push(this.signed(name, payload));
  }

  async #keepPull(fullName: string, number: number, act: PullAct, login: string): Promise<void> {
    const pull = this.findPull(fullName, number);
    if (pull === null) return;
    const commit = await this.headOf(fullName, pull);
    this.changePull(number, { commit });
    const url = `${this.baseUrl}/${fullName}/pull/${number}`;
    this.#keep(pullPayload(this, { fullName, pull, act, by: this.#known(login), commit, url }));
  }

  protected override async opened(fullName: string, number: number): Promise<void> {
    await this.#keepPull(fullName, number, "opened", hostLogin);
  }

  protected override async pushed(pushed: Pushed): Promise<void> {
    await this.#heard(pushed);
  }

  /** Applies the effects of a push: open pull requests of the branch have a new commit, or are closed with it. */
  async #heard({ fullName, branch, after }: Omit<Pushed, "before">, login = hostLogin): Promise<void> {
    for (const pull of this.pullsOf(fullName).filter(
      (one) => one.isOpen && one.branch === branch && one.fork === null,
    )) {
      if (after === null && this.kind !== "gitlab") {
        this.changePull(pull.number, { isOpen: false });
        await this.#keepPull(fullName, pull.number, "closed", login);
      } else if (after !== null) await this.#keepPull(fullName, pull.number, "synchronize", login);
    }
  }
}
