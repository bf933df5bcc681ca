import { findSessionSecret } from "#lib/auth/session-cookie.ts";
import type { ServiceContext } from "#lib/service/service-context.ts";
import type { Call } from "./call.ts";
import type { HttpRuntime } from "./runtime-access.ts";
import { secrets } from "./secrets.ts";

/** What a service function works with: the parts of the process, and what of the request is not its input. */
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
    keptWork: runtime.keptWork,
    outbound: runtime.outbound,
    passwords: runtime.passwords,
    oidc: runtime.oidc,
    runLimits: runtime.runLimits,
    logger: runtime.logger,
    now: runtime.now,
    secrets,
    rates: runtime.limits.settings,
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
