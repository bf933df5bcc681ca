import type { Role } from "#lib/contract/organization.ts";

/** What each role may do, in a few words. */
export const roleWords: Record<Role, string> = {
  viewer: "Reads runs and repositories",
  member: "Also starts runs and adds repositories",
  admin: "Also manages people and settings",
  owner: "Everything, and makes other owners",
};
