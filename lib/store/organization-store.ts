// The store's organizations, their people and repositories.
import type { CheckSuiteSettings } from "#lib/contract/check-suite.ts";
import type { Role } from "#lib/contract/organization.ts";
import type { SetupStatus } from "#lib/contract/setup.ts";
import type { Access } from "./access.ts";
import type { SettingsRow } from "./organization-settings.ts";
import type { Listed, Window } from "./window.ts";

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

export type OrganizationStore = {
  /** The first organization with its owner; created once, on the first start. Later calls return the existing one. */
  ensureFirst(names: { organization: string; fullName: string; email: string | null }): Promise<{
    organizationId: number;
    userId: number;
    created: boolean;
  }>;
  /** Organizations in which the user is a member, by id. */
  listOfUser(userId: number, window: Window): Promise<Listed<OrganizationRow>>;
  findOrganization(organizationId: number): Promise<OrganizationRow | null>;
  /** The user's role in the organization, or null if they are not a member. */
  findRole(organizationId: number, userId: number): Promise<Role | null>;
  /** A person, regardless of organization; `role` is null. */
  findPerson(userId: number): Promise<UserRow | null>;
  listUsers(access: Access, window: Window): Promise<Listed<UserRow>>;
  findUser(access: Access, userId: number): Promise<UserRow | null>;
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

export type RepositoryStore = {
  /**
   * Adds it, or returns the existing one with the same organization and source (`created` false). `opensHost`: agents may reach the
   * host of its source from now on, which is up to admins; default false.
   */
  add(
    access: Access,
    repository: Pick<RepositoryRow, "name" | "fullName" | "description" | "source" | "defaultBranch"> & {
      opensHost?: boolean;
    },
  ): Promise<{ repository: RepositoryRow; created: boolean }>;
  find(access: Access, repositoryId: number): Promise<RepositoryRow | null>;
  /** By name, then id. `q`: text in name, full name or source, ignoring case (by JavaScript's toLowerCase). */
  list(access: Access, filter: { q?: string }, window: Window): Promise<Listed<RepositoryRow>>;
  /** Changes the given fields. Null if the repository is not visible. */
  update(
    access: Access,
    repositoryId: number,
    changes: { name?: string; fullName?: string; description?: string | null; fetchSubmodules?: boolean },
  ): Promise<RepositoryRow | null>;
  /** Check settings; null if nobody has set any, and if it is not visible. */
  findChecks(access: Access, repositoryId: number): Promise<CheckSuiteSettings | null>;
  /** Stores all check settings. The repository must belong to the organization. */
  putChecks(access: Access, repositoryId: number, settings: CheckSuiteSettings): Promise<void>;
  /** Stores the mirror's latest state. */
  setDefaultBranch(repositoryId: number, defaultBranch: string | null): Promise<void>;
};
