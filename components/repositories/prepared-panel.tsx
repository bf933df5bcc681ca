import Link from "next/link";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { useRebuildSetup } from "#lib/client/pages/setup-mutations.ts";
import type { Repository } from "#lib/contract/repositories/repository.ts";
import type { Setup } from "#lib/contract/repositories/setup.ts";
import type { PreparedCheckout } from "#lib/contract/runs/prepared-checkout.ts";
import { formatBytes } from "#lib/format-bytes.ts";

/** The setup cache with which later runs begin: its size and age, and a button to rebuild it. */
export function PreparedPanel({
  orgId,
  repository,
  setup,
  refusal,
}: {
  orgId: number;
  repository: Repository;
  setup: Setup;
  refusal: string | null;
}) {
  const rebuild = useRebuildSetup(orgId, repository.id);
  const { prepared } = setup;
  const isUsable = prepared.some(({ state }) => state === "ready");
  return (
    <section aria-labelledby="prepared-heading" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="prepared-heading" className="font-medium text-sm">
          Setup cache
        </h3>
        {isUsable && (
          <RefusableButton
            refusal={refusal}
            variant="outline"
            size="sm"
            pending={rebuild.isPending}
            onClick={() => rebuild.mutate()}
          >
            Rebuild
          </RefusableButton>
        )}
      </div>
      <p className="text-pretty text-[13px] text-muted-foreground">
        {prepared.length === 0
          ? "Empty. Errand keeps the files that install and build create in a run behind the wall on the default branch. Later runs with the same lockfiles start with them."
          : "Runs behind the wall with the same lockfiles start with the files that install and build created."}
        {prepared.length > 0 && !isUsable && " The next run on the default branch rebuilds it."}
      </p>
      {prepared.length > 0 && (
        <ul className="grid divide-y divide-border border-border border-y text-sm">
          {prepared.map((one) => (
            <Kept key={one.key} one={one} />
          ))}
        </ul>
      )}
      {rebuild.error !== null && (
        <ErrorAlert title="The rebuild could not be started" {...describeError(rebuild.error)} />
      )}
    </section>
  );
}

const stateWords: Record<PreparedCheckout["state"], string> = {
  ready: "Ready",
  building: "Preparing",
  stale: "Outdated",
  failed: "Not saved",
};

function Kept({ one }: { one: PreparedCheckout }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1.5">
      <span className="w-20 font-medium">{stateWords[one.state]}</span>
      <code className="text-muted-foreground">{one.key.slice(0, 12)}</code>
      {one.bytes > 0 && <span className="tabular-nums">{sizeOf(one)}</span>}
      <span className="text-muted-foreground">
        <Link href={`/runs/${one.agent_run_id}`} className="text-link underline underline-offset-4 hover:no-underline">
          run #{one.agent_run_id}
        </Link>
        , <RelativeTime at={one.made_at} />
        {one.used_at !== one.made_at && (
          <>
            , used <RelativeTime at={one.used_at} />
          </>
        )}
      </span>
      {one.error !== null && <span className="basis-full text-pretty text-muted-foreground">{one.error}</span>}
    </li>
  );
}

function sizeOf({ bytes, files }: PreparedCheckout): string {
  return `${formatBytes(bytes)}, ${formatCountOf(files, "file")}`;
}
