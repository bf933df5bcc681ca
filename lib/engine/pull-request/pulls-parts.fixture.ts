import { sourceCredentialsFrom } from "#lib/host/git-authorization.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { holdsKey } from "#lib/service/holds-key.ts";
import { maskText } from "#lib/service/mask-secrets.ts";
import type { Store } from "#lib/store/store.ts";
import { pushOrFollow } from "#lib/workspace/follow-branch.ts";
import { measureRun } from "#lib/workspace/measure-changes.ts";
import { readRunWork } from "#lib/workspace/run-work.ts";
import type { PullParts } from "./parts.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The address of stand-ins. */
export const allowed = allowedOf("127.0.0.1");

/** Real parts over a data folder, which may call stand-ins. */
export function pullPartsUnderTest(store: Store, dataDir: string, now: () => Date): PullParts {
  const env = { PATH: process.env.PATH ?? "" };
  const seal = createSeal({ key: null, file: `${dataDir}/secret.key` });
  const { send } = createOutbound(allowed);
  const credentialOf = sourceCredentialsFrom(store, { seal, send });
  return {
    ...{ store, seal, send },
    readWork: (run, signal) => readRunWork({ ...run, dataDir, env, signal }),
    measure: ({ organizationId, ...run }, signal) => {
      const findCredential = (refused?: string) => credentialOf(organizationId, run.source, signal, refused);
      return measureRun({ ...run, findCredential, dataDir, allowed, env, signal });
    },
    push: (run, signal) => pushOrFollow({ ...run, dataDir, allowed, env, signal }),
    holdsKey,
    variablesOf: () => [],
    mask: (text) => maskText(text),
    origin: async () => "https://errand.test",
    now,
    logger: silent,
  };
}
