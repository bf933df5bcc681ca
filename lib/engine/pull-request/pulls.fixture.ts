import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { inspect } from "node:util";
import { hashSecret } from "#lib/auth/secret.ts";
import type { CheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";
import { checkSuiteDefaults } from "#lib/contract/repositories/check-suite.ts";
import { type PullSettings, pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { Conversations } from "#lib/engine/conversations/conversations.ts";
import type { ConversationParts } from "#lib/engine/conversations/parts.ts";
import { openEngine, sh } from "#lib/engine/engine.fixture.ts";
import type { EngineParts } from "#lib/engine/engine-parts.ts";
import { createRunWorkspace } from "#lib/engine/run-workspace.ts";
import { CodeHost, hostHookSecret, hostLogin, hostToken } from "#lib/host/code-host.fixture.ts";
import { sourceCredentialsFrom } from "#lib/host/git-authorization.ts";
import type { HostKind } from "#lib/host/host.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { isAuthentic, readDelivery } from "#lib/host/read-delivery.ts";
import type { SentEvent } from "#lib/host/stand-in/signed-event.fixture.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import type { RunRow } from "#lib/store/store.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import type { PullParts } from "./parts.ts";
import { PullRequests } from "./pull-requests.ts";
import { allowed, pullPartsUnderTest } from "./pulls-parts.fixture.ts";

const fullName = "team/app";
/** Long enough for a machine several times slower than usual: only a test that fails waits so long. */
const deadlineMs = 300_000;

type SentRequest = { method: string; url: string; body?: string };

/** A prompt for the built-in agent that writes this into `a.txt`. */
export const writes = (text: string) => sh(`echo ${text} > a.txt`);

/**
 * An engine with the real built-in agent, a stand-in of a code host with git behind it, and the work on pull requests, which is
 * taken step by step on a clock that `settle` moves.
 */
export async function openPulls(
  t: TestContext,
  kind: HostKind = "github",
  changes: Partial<PullParts> = {},
  engineChanges: Partial<EngineParts> = {},
) {
  const host = await CodeHost.open(kind);
  t.after(() => host.close());
  const source = await host.createRepository(fullName, { "a.txt": "one\n" });
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const environment = { PATH: process.env.PATH ?? "" };
  const dataDir = await mkdtemp(join(tmpdir(), "errand-pulls-"));
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group", allowed });
  const seal = createSeal({ key: null, file: `${dataDir}/secret.key` });
  const findCredential: EngineParts["findCredential"] = (...asked) =>
    sourceCredentialsFrom(store, { seal, send: real.send })(...asked);
  const log: string[] = [];
  const logged: string[] = [];
  const logAs = (level: string) => (fields: object, message: string) =>
    void logged.push(`${level} ${message} ${inspect(fields, { depth: 20 })}`);
  const logger = { info: logAs("info"), warn: logAs("warn"), error: logAs("error") };
  const opened = await openEngine(t, { workspace, findCredential, logger, ...engineChanges }, { now, dataDir });
  const { store, access, engine, create, entries } = opened;
  const place = { organizationId: access.organizationId, type: kind } as const;
  /** Connects the host, with this token. */
  const connect = (token: string) => {
    const secretSealed = seal.seal(JSON.stringify({ token }), sealContextOf(place, "secret"));
    return store.integrations.put(access, kind, { baseUrl: host.baseUrl, secretSealed });
  };
  const integration = await connect(hostToken);
  const check = { active: true, account: hostLogin, accountKind: "user" } as const;
  await store.integrations.noteCheck(integration.id, integration.revision, check);
  const named = { name: "app", fullName, description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...named, source });
  /** Called before each request to the host, and when its answer is there. */
  const spy: Record<"onSend" | "onAnswer", (request: SentRequest) => unknown> = {
    onSend: () => undefined,
    onAnswer: () => undefined,
  };
  const real = pullPartsUnderTest(store, dataDir, now);
  const error = (fields: object, message: string) => {
    log.push(`${message} ${JSON.stringify(fields)} ${Object(fields).err}`);
    logger.error(fields, message);
  };
  const parts: PullParts = {
    ...real,
    send: async (request) => {
      await spy.onSend(request);
      const answer = await real.send(request);
      await spy.onAnswer(request);
      return answer;
    },
    logger: { ...logger, error },
    ...changes,
  };
  const pulls = new PullRequests(parts);
  t.after(() => pulls.stop());
  /** A folder as a repository, whose accepted setup has these commands. */
  const addFolder = async (commands: object = {}) => {
    const folder = join(temporaryFolder(t), "source");
    makeRepository(folder);
    const named = { name: "plain", fullName: "plain", description: null, defaultBranch: "main" };
    const { repository } = await store.repositories.add(access, { ...named, source: folder });
    await store.setups.change(access, repository.id, SetupCommands.parse(commands), null);
    return { folder, repository };
  };
  /** The part of the engine that hears what is said on the host, not yet started. */
  const listener = (more: Partial<ConversationParts> = {}) => {
    const chooseForRun = async () =>
      ({ agent: "steps", model: null, permissionMode: "auto", turnTimeoutS: null }) as const;
    const conversations = new Conversations({ ...parts, chooseForRun, hashSecret, ...more });
    t.after(() => conversations.stop());
    return conversations;
  };
  /** Takes an event of the host as the web process does. */
  const receive = async ({ headers, body }: SentEvent, { conversations } = store) => {
    const header = (name: string) => headers[name] ?? null;
    const bytes = Buffer.from(body);
    const nowMs = now().getTime();
    if (!isAuthentic(kind, { header, bytes, secret: hostHookSecret, nowMs })) throw new Error("it is not signed");
    const row = await store.integrations.findById(integration.id);
    const delivery = row === null ? null : readDelivery(row, { header, bytes, payload: JSON.parse(body), nowMs });
    if (delivery?.kind !== "event") throw new Error("it is no event");
    const { deliveryId, name, saidKey, message, note } = delivery;
    const said = message === null ? null : JSON.stringify(message);
    return conversations.keep(integration.id, { deliveryId, kind: name, saidKey, note, body: said });
  };
  const find = async (runId: number): Promise<RunRow> => {
    const run = await store.runs.find(access, runId);
    if (run === null) throw new Error(`run ${runId} is gone`);
    return run;
  };
  /** Works until `isSo`, by default until the run has ended; moves the clock while the run is evaluated. */
  const settle = async (runId: number, isSo = ({ status }: RunRow) => isEnd(status)): Promise<RunRow> => {
    for (const endsAt = Date.now() + deadlineMs; Date.now() < endsAt; ) {
      await pulls.processDue();
      const run = await find(runId);
      if (isSo(run)) return run;
      // The engine uses the store's clock too, so its lease must not expire.
      const isAtWork = run.status !== "evaluating" || run.queuedTurns > 0 || run.pull?.stage === "testing";
      if (isAtWork) await new Promise((resolve) => setTimeout(resolve, 25));
      else aheadMs += 10_000;
    }
    throw new Error(`run ${runId} did not get there: ${JSON.stringify(await find(runId))} ${log.join("\n")}`);
  };
  return {
    ...{
      host,
      store,
      access,
      dataDir,
      engine,
      create,
      entries,
      pulls,
      parts,
      repository,
      integration,
      fullName,
      find,
      settle,
      log,
      logged,
      spy,
      connect,
      addFolder,
      receive,
      listener,
    },
    advance: (ms: number) => {
      aheadMs += ms;
    },
    start: (prompt: string, repositoryId = repository.id, baseBranch: string | null = null) =>
      create(prompt, { repositoryId, baseBranch }),
    request: async (runId: number) => {
      const asked = await store.pulls.request(access, runId, {
        title: null,
        body: null,
        draft: null,
        baseBranch: null,
      });
      if ("refused" in asked) throw new Error(asked.refused);
      return asked;
    },
    putSettings: (given: Partial<PullSettings>, repositoryId = repository.id) =>
      store.pulls.putSettings(access, repositoryId, { ...pullSettingsDefaults, ...given }),
    putChecks: (given: Partial<CheckSuiteSettings>, repositoryId = repository.id) =>
      store.repositories.putChecks(access, repositoryId, { ...checkSuiteDefaults, ...given }),
    /** The kinds of the entries about the pull request, each with its verdict or state. */
    told: async (runId: number) =>
      (await entries(runId)).flatMap(({ message_type, observation }) => {
        const about = Object(observation);
        return /PR_|COMMIT_/.test(message_type)
          ? [`${message_type} ${about.verdict ?? about.round ?? about.code ?? about.number}`]
          : [];
      }),
  };
}
