import { passwordCost, passwordsAt } from "#lib/auth/password.ts";
import type { Config } from "#lib/config.ts";
import type { RunLimits } from "#lib/contract/runs/run-limits.ts";
import { branchPusher, mirrorReader, workReader } from "#lib/git/mirrors.ts";
import type { HttpRuntime } from "#lib/http/runtime-access.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { SavedRateLog } from "#lib/limits/saved-rate-log.ts";
import type { Logger } from "#lib/logger.ts";
import { openidProvider } from "#lib/oidc/openid-provider.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { openFindThreads } from "#lib/search/find-threads.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { openAnalysisThread } from "#lib/service/analysis-threads.ts";
import { createCaches } from "#lib/service/caches.ts";
import { endLeftSessions } from "#lib/service/claude-sessions.ts";
import { describeApi } from "#lib/service/description.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { ChangeSignal } from "#lib/tail/change-signal.ts";
import { inspectSource } from "./commands.ts";
import { changesNoter } from "./note-changes.ts";

const indexFailureWords =
  "the search index could not be read, so entries were searched without it; if this comes again, delete search.db: it is rebuilt";

/** Dependencies of the web process; parts that only other processes need are not loaded. `close` writes what is still unsaved. */
export async function openWebRuntime(
  config: Config,
  logger: Logger,
  publicUrl: string,
): Promise<{ runtime: HttpRuntime; close(): Promise<void> }> {
  const { storeFile, queueMax, rates, rateLogFile } = config;
  const store = await openStore({ file: storeFile, queueMax });
  await endLeftSessions({ store });
  const clocks = { now: () => performance.now(), wall: () => Date.now() };
  const rateLog = await SavedRateLog.open(rateLogFile, rates, clocks, (fields, message) =>
    logger.warn(fields, message),
  );
  const seal = createSeal(config.secretKey, (fields, message) => logger.warn(fields, message));
  const runtime: HttpRuntime = {
    store,
    scanner: openFindThreads(config, (reason) => logger.warn({ reason }, indexFailureWords)),
    caches: createCaches(store),
    changes: new ChangeSignal(store),
    keysUnderWay: new Set(),
    analyst: openAnalysisThread(config),
    seal,
    publicUrl,
    logger,
    now: () => new Date(),
    limits: new RateLimits(rateLog, rates),
    outbound: createOutbound(config.outboundAllow),
    passwords: passwordsAt(passwordCost),
    oidc: config.oidc === null ? null : { provider: openidProvider(config.oidc), rules: config.oidc },
    describe: describeApi(rates, runLimitsOf(config)),
    inspectRepository: (source, organizationId, signal) =>
      inspectSource(source, signal, config, { store, organizationId, seal }),
    readMirror: mirrorReader(config),
    pushBranch: branchPusher(config),
    noteChanges: changesNoter(config, store, seal),
    keptWork: workReader(config),
  };
  const close = async () => {
    await rateLog.close();
    await store.close();
  };
  return { runtime, close };
}

function runLimitsOf({ queueMax, concurrency, limits }: Config): RunLimits {
  const { turnMs, questionMs } = limits;
  return { queued: queueMax, atOnce: concurrency, turnSeconds: turnMs / 1000, questionSeconds: questionMs / 1000 };
}
