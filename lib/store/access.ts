import type { Role } from "#lib/contract/organization.ts";

/**
 * On whose behalf a store call reads or writes. Authorization lives in the data layer: every call that touches an
 * organization's rows takes this, and a row of another organization is as absent as one that does not exist.
 */
export type Access = {
  organizationId: number;
  /** Who asks; null for the engine's own work. */
  userId: number | null;
  /** What they are here, which decides what they may do to whose run (run-acts.ts); absent for the service's own work. */
  role?: Role;
};
