import type { Role } from "#lib/contract/people/organization.ts";

/** Permissions of each role, worded to follow "you can". */
export const roleCan: Record<Role, string> = {
  viewer: "read runs and repositories",
  member: "read and start runs, and add repositories",
  admin: "do all that members can, and manage people and settings",
  owner: "do everything, including adding and removing owners",
};

/** A role with its article: `a viewer`, `an owner`. */
export function roleWithArticle(role: Role): string {
  return `${role === "admin" || role === "owner" ? "an" : "a"} ${role}`;
}

/** The text of {@link roleCan} as a sentence of its own. */
export function roleLine(role: Role): string {
  const words = roleCan[role];
  return words.charAt(0).toUpperCase() + words.slice(1);
}
