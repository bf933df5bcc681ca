import { IntegrationSettings } from "#lib/contract/integrations/integration.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { HostKind } from "./host.ts";
import { sealContextOf } from "./open-integration.ts";

/** Encrypts the secrets of {@link integrationUnderTest}. */
export const sealUnderTest = createSeal({ key: Buffer.alloc(32, 1), file: "" });

/** A connected code host with the token `of <type>`. */
export function integrationUnderTest(type: HostKind, baseUrl: string | null): IntegrationRow {
  const place = { organizationId: 1, type };
  return {
    ...{ ...place, id: { github: 1, gitlab: 2, forgejo: 3 }[type], baseUrl },
    ...{ account: null, accountKind: null, accountId: null, installationId: null, hookSecretSealed: null },
    ...{ active: true, checkedAt: null, error: null, errorRepository: null, revision: 1, createdAt: "", changedAt: "" },
    settings: IntegrationSettings.parse({}),
    secretSealed: sealUnderTest.seal(JSON.stringify({ token: `of ${type}` }), sealContextOf(place, "secret")),
  };
}
