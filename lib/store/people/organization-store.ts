import type { Role } from "#lib/contract/people/organization.ts";
import type { SetupStatus } from "#lib/contract/repositories/setup.ts";
import type { SettingsRow } from "./organization-settings.ts";

export type OrganizationRow = { id: number; name: string; settings: SettingsRow };
/** `lastSeenAt` is of their sessions and of their tokens for the organization, to the minute. */
export type UserRow = {
  id: number;
  email: string | null;
  fullName: string | null;
  githubUsername: string | null;
  /** Digits; null if GitHub was not asked. */
  githubUserId: string | null;
  role: Role | null;
  hasPassword: boolean;
  /** Whether a sign-in provider knows them. */
  hasIdentity: boolean;
  lastSeenAt: string | null;
};

export type RepositoryRow = {
  id: number;
  organizationId: number;
  name: string;
  fullName: string;
  description: string | null;
  source: string;
  defaultBranch: string | null;
  createdAt: string;
  setupStatus: SetupStatus;
  /** New checkouts get the files of its submodules. */
  fetchSubmodules: boolean;
};
