import { findSessionSecret } from "#lib/auth/session-cookie.ts";
import type { ServiceContext } from "#lib/service/service-context.ts";
import type { Call } from "./call.ts";
import type { HttpRuntime } from "./runtime-access.ts";
import { secrets } from "./secrets.ts";

/** Context of a service function: the parts of the process, and those of the request that are not its input. */
export function serviceContextOf(call: Call, runtime: HttpRuntime): ServiceContext {
  return {
    store: runtime.store,
    scanner: runtime.scanner,
    caches: runtime.caches,
    changes: runtime.changes,
    analyst: runtime.analyst,
    seal: runtime.seal,
    publicUrl: runtime.publicUrl,
    inspectRepository: runtime.inspectRepository,
    pushBranch: runtime.pushBranch,
    noteChanges: runtime.noteChanges,
    keptWork: runtime.keptWork,
    outbound: runtime.outbound,
    passwords: runtime.passwords,
    oidc: runtime.oidc,
    describe: runtime.describe,
    logger: runtime.logger,
    now: runtime.now,
    secrets,
    get signal() {
      return call.signal;
    },
    sessionSecret: findSessionSecret(call.header("cookie")),
    lastEventId: call.header("last-event-id"),
    ifMatch: call.header("if-match"),
    get origin() {
      return { address: call.address, userAgent: call.header("user-agent") };
    },
  };
}
