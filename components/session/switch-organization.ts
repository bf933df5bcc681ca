import { toastFailure } from "#components/page/toast-failure.ts";
import { toast } from "#components/ui/toast-store.ts";

const noteKey = "errand-switched-to";

/**
 * Switches to another organization of the person and reloads `path`, so that nothing read in the old one stays in memory. The
 * page then names the new organization (see {@link showSwitchMessage}). Rejects if the switch was refused.
 */
export async function switchOrganization(organization: { id: number; name: string }, path: string): Promise<void> {
  const { chooseOrganizationHere } = await import("#lib/client/pages/mutations.ts");
  await chooseOrganizationHere(organization.id);
  try {
    sessionStorage.setItem(noteKey, organization.name);
  } catch {
    // Storage may be refused; the sidebar shows the name anyway.
  }
  // Reloads even if the address stays the same.
  if (path === window.location.pathname + window.location.search + window.location.hash) window.location.reload();
  else window.location.assign(path);
}

/** {@link switchOrganization} from a menu: goes to the runs, and shows errors. */
export async function switchFromMenu(organization: { id: number; name: string }): Promise<void> {
  try {
    await switchOrganization(organization, "/runs");
  } catch (error) {
    toastFailure(`Could not switch to ${organization.name}`)(error);
  }
}

/** After a switch, shows a one-time message with the name of the new organization. */
export function showSwitchMessage(): void {
  try {
    const name = sessionStorage.getItem(noteKey);
    if (name === null) return;
    sessionStorage.removeItem(noteKey);
    toast({ title: `You are now in ${name}` });
  } catch {
    // Nothing was stored.
  }
}
