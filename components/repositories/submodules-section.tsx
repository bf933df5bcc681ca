"use client";

import { Section } from "#components/page/loaded-part.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Switch } from "#components/ui/switch.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { useUpdateRepository } from "#lib/client/pages/setup-mutations.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";

/** Whether new runs of a repository get the files of its submodules. */
export function SubmodulesSection({ orgId, repository }: { orgId: number; repository: Repository }) {
  const mayChange = useRefusal("repos:write") === null;
  const update = useUpdateRepository(orgId, repository.id);
  const isOn = update.isPending ? update.variables.fetch_submodules === true : repository.fetch_submodules;
  return (
    <Section
      id="submodules"
      title="Submodules"
      note="Their files are put into the checkout of each new run, at the commits that the repository names. Changes in them are not committed."
    >
      <div className="flex items-center gap-2 text-sm">
        <Switch
          id="fetch-submodules"
          checked={isOn}
          disabled={!mayChange}
          onCheckedChange={(fetch_submodules) => {
            if (!update.isPending) update.mutate({ fetch_submodules });
          }}
        />
        <label htmlFor="fetch-submodules">Fetch submodules</label>
      </div>
      {update.error !== null && (
        <ErrorAlert title="The setting could not be changed" {...describeError(update.error)} />
      )}
    </Section>
  );
}
