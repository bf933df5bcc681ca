import { findPullTarget } from "#lib/host/pull-target.ts";
import { isFolderSource } from "#lib/shown-source.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";

/**
 * Names derived from a source: its last part without `.git`; and, as full name, the whole path of an address, with every group,
 * below the address of its connected code host, or of a folder the last two parts. Never empty.
 */
export function nameOfSource(
  source: string,
  integrations: readonly IntegrationRow[] = [],
): { name: string; fullName: string } {
  const parts = pathOf(source)
    .split("/")
    .filter((part) => part !== "" && part !== ".git");
  const name = (parts.pop() ?? "").replace(/\.git$/i, "") || "repository";
  const target = findPullTarget(integrations, source);
  const groups = target.kind === "host" ? target.fullName.split("/").length - 1 : parts.length;
  const above = isFolderSource(source) ? 1 : groups;
  return { name, fullName: [...(above === 0 ? [] : parts.slice(-above)), name].join("/") };
}

function pathOf(source: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? URL.parse(source) : null;
  if (url !== null) return decoded(url.pathname);
  // user@host:owner/name, the short form of ssh
  return source.startsWith("/") ? source : source.slice(source.indexOf(":") + 1);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
