import type { Role } from "#lib/contract/people/organization.ts";

/**
 * The caller of a store function. Authorization lives in the data layer: every call that touches an organization's rows takes
 * this, and a row of another organization looks like one that does not exist.
 */
export type Access = {
  organizationId: number;
  /** The person or token; null for the engine's own work. */
  userId: number | null;
  /** Their role, which decides what they may do to whose run (run-acts.ts); absent for the service's own work. */
  role?: Role;
};
