import type { Scope } from "#lib/contract/operation.ts";

/** A page of the settings; with `scope` it is for those whose role has it. */
export type SettingsSection = { label: string; href: string; scope?: Scope };

/** The pages of the settings, in the order of their links. A new page is one more line here. */
export const settingsSections: readonly SettingsSection[] = [
  { label: "API tokens", href: "/settings/tokens" },
  { label: "Members", href: "/settings/members" },
  { label: "Integrations", href: "/settings/integrations" },
  { label: "Webhooks", href: "/settings/webhooks", scope: "org:admin" },
  { label: "Organization", href: "/settings/organization" },
  { label: "Audit log", href: "/settings/audit", scope: "org:admin" },
  { label: "Profile", href: "/settings/profile" },
];
