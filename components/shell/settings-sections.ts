import type { Role } from "#lib/contract/people/organization.ts";
import { type Scope, scopesOf } from "#lib/contract/people/role-scopes.ts";

/** A page of the settings; with `scope`, for roles that have it. */
type SettingsSection = { label: string; href: string; scope?: Scope };

/** Pages of the settings, in the order of their links. To add a page, add a line here. */
const settingsSections: readonly SettingsSection[] = [
  { label: "API tokens", href: "/settings/tokens" },
  { label: "Members", href: "/settings/members" },
  { label: "Agents", href: "/settings/agents" },
  { label: "Integrations", href: "/settings/integrations" },
  { label: "Webhooks", href: "/settings/webhooks", scope: "org:admin" },
  { label: "Isolation", href: "/settings/isolation" },
  { label: "Storage", href: "/settings/storage" },
  { label: "Organization", href: "/settings/organization" },
  { label: "Audit log", href: "/settings/audit", scope: "org:admin" },
  { label: "Profile", href: "/settings/profile" },
];

/** The sections that this role may use. */
export function settingsSectionsOf(role: Role): SettingsSection[] {
  const scopes = scopesOf(role);
  return settingsSections.filter(({ scope }) => scope === undefined || scopes.includes(scope));
}
