import type { PullSettings, PullTarget } from "#lib/contract/repositories/pull-settings.ts";
import { integrationTitles } from "#lib/contract/words.ts";

/** Reason no pull request can be opened, with the page where this can be changed. */
export type Obstacle = { title: string; detail: string; place: { label: string; href: string } };

type Known = {
  repoId: number;
  settings: Pick<PullSettings, "mode"> & { target: Pick<PullTarget, "kind" | "type" | "connected"> };
  /** False if the organization has turned pull requests off. */
  isEnabled: boolean;
};

/** The obstacle known before the service is asked, or null. */
export function obstacleOf({ repoId, settings: { mode, target }, isEnabled }: Known): Obstacle | null {
  if (!isEnabled) {
    return {
      title: "Pull requests are turned off for this organization",
      detail: "An admin can turn them on for everybody.",
      place: { label: "Organization settings", href: "/settings/organization" },
    };
  }
  if (mode === "off") {
    return {
      title: "Pull requests are turned off for this repository",
      detail: "You can turn them on in the repository's settings.",
      place: { label: "Repository settings", href: `/repositories/${repoId}#pull-requests-heading` },
    };
  }
  if (target.kind === "unclear") {
    return {
      title: "It is not clear which code host has the repository",
      detail: "Several connected hosts have the name in its address. Add it again with its http address.",
      place: { label: "Repositories", href: "/repositories" },
    };
  }
  if (target.kind === "host" && target.type !== null && !target.connected) {
    const host = integrationTitles[target.type];
    return {
      title: `${host} is not connected`,
      detail:
        "An admin has to connect it once for the whole organization. Until then, nothing is pushed or opened there.",
      place: { label: "Integrations", href: "/settings/integrations" },
    };
  }
  return null;
}
