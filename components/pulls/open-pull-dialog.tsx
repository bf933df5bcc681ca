"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "#components/ui/dialog.tsx";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { pullSettingsQuery } from "#lib/client/pages/pull-queries.ts";
import type { ShownPullSettings } from "#lib/contract/repositories/pull-settings.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { integrationTitles } from "#lib/contract/words.ts";
import { ObstacleAlert } from "./obstacle-alert.tsx";
import { OpenPullForm } from "./open-pull-form.tsx";
import { obstacleOf } from "./pull-obstacle.ts";

type OpenPullDialogProps = { orgId: number; run: Run; repoId: number; onClose: () => void };

/** Opens or updates a run's pull request, or shows what prevents it. */
export function OpenPullDialog({ orgId, run, repoId, onClose }: OpenPullDialogProps) {
  const settings = useQuery({ ...pullSettingsQuery(orgId, repoId), staleTime: 0 });
  const organization = useQuery(settingsQuery(orgId));
  const number = run.pull_request?.number ?? null;
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{number === null ? "Open a pull request" : `Update pull request #${number}`}</DialogTitle>
          <DialogDescription>{purposeOf(settings.data, number, run)}</DialogDescription>
        </DialogHeader>
        <LoadedPart query={settings} what="the repository's settings">
          {(loaded) => {
            const isEnabled = organization.data?.enable_pr_creation ?? true;
            const obstacle = obstacleOf({ repoId, settings: loaded, isEnabled });
            return obstacle === null ? (
              <OpenPullForm {...{ orgId, run, repoId, settings: loaded, onDone: onClose }} />
            ) : (
              <>
                <ObstacleAlert obstacle={obstacle} />
                <DialogFooter>
                  <DialogCancel>Close</DialogCancel>
                </DialogFooter>
              </>
            );
          }}
        </LoadedPart>
      </DialogContent>
    </Dialog>
  );
}

function purposeOf(settings: ShownPullSettings | undefined, number: number | null, run: Run): string {
  const place = run.repo_full_name ?? "the repository";
  const type = settings?.target.type ?? null;
  if (settings !== undefined && type === null) {
    const kind = settings.target.kind === "folder" ? "a folder" : "a plain git remote";
    return `${place} is ${kind}, which has no pull requests. The branch can be pushed to it.`;
  }
  const host = type === null ? "" : ` on ${integrationTitles[type]}`;
  const work =
    number === null
      ? `Opens a pull request in ${place}${host} with this run's work.`
      : `Pushes new commits to ${place}${host}.`;
  return `${work} Errand follows its checks and hands failed ones to the agent.`;
}
