import { mintPersonCode } from "#lib/auth/person-code.ts";
import { hashSecret } from "#lib/auth/secret.ts";
import { mintSession, sessionSeconds } from "#lib/auth/session-cookie.ts";
import { mintShare } from "#lib/auth/share-secret.ts";
import { mintToken } from "#lib/auth/token-secret.ts";
import type { Secrets } from "#lib/service/service-context.ts";

/** Creates and hashes secrets for service functions. */
export const secrets: Secrets = {
  mintToken,
  mintSession,
  mintShare,
  mintPersonCode,
  hashSecret,
  sessionSeconds,
};
