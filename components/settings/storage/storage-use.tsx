"use client";

import Link from "next/link";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { RepositoryUse, StorageUse as Use } from "#lib/contract/repositories/storage.ts";
import { formatBytes } from "#lib/format-bytes.ts";

const parts = [
  { label: "Logs", of: (use: RepositoryUse) => use.log_bytes },
  { label: "Checkouts", of: (use: RepositoryUse) => use.checkout_bytes },
  { label: "Mirror", of: (use: RepositoryUse) => use.mirror_bytes },
  { label: "Setup cache", of: (use: RepositoryUse) => use.prepared_bytes },
] as const;

/** Disk usage of repositories and their runs, as a table that becomes a list on narrow screens. */
export function StorageUse({ use }: { use: Use }) {
  if (use.measured_at === null) {
    return (
      <p className="text-muted-foreground text-sm">
        Nothing has been measured yet. The engine measures each run a few seconds after it ends.
      </p>
    );
  }
  return (
    <div className="grid gap-3">
      <p className="text-sm">
        <span className="font-medium tabular-nums">{formatBytes(use.total_bytes)}</span> in total, measured{" "}
        <RelativeTime at={use.measured_at} />
      </p>
      <table className="w-full text-sm max-md:block [&_td]:py-2 max-md:[&_td]:py-0.5 [&_th]:py-2">
        <thead className="text-muted-foreground text-[13px] max-md:sr-only">
          <tr className="border-border border-b">
            <th scope="col" className="text-left font-normal">
              Repository
            </th>
            {parts.map(({ label }) => (
              <th key={label} scope="col" className="w-24 text-right font-normal">
                {label}
              </th>
            ))}
            <th scope="col" className="w-24 text-right font-normal">
              Total
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {use.repositories.map((row) => (
            <Row key={row.repo_id ?? 0} use={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ use }: { use: RepositoryUse }) {
  const total = parts.reduce((sum, { of }) => sum + of(use), 0);
  return (
    <tr className="border-border border-b align-baseline max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:py-1">
      <th scope="row" className="min-w-0 text-left font-normal max-md:col-span-2">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          {use.repo_id === null ? (
            <span>No repository</span>
          ) : (
            <Link
              href={`/repositories/${use.repo_id}`}
              prefetch={false}
              className="min-w-0 underline-offset-4 [overflow-wrap:anywhere] hover:underline"
            >
              {use.repo_full_name}
            </Link>
          )}
          <span className="text-[13px] text-muted-foreground tabular-nums">{formatCountOf(use.runs, "run")}</span>
        </span>
      </th>
      {[...parts, { label: "Total", of: () => total }].map(({ label, of }) => (
        <td
          key={label}
          className={cn(
            "whitespace-nowrap text-right tabular-nums max-md:flex max-md:justify-between max-md:text-[13px]",
            of(use) === 0 && label !== "Total" && "max-md:hidden",
          )}
        >
          <span aria-hidden className="text-muted-foreground md:hidden">
            {label}
          </span>
          <span className={of(use) === 0 ? "text-muted-foreground" : undefined}>{formatBytes(of(use))}</span>
        </td>
      ))}
    </tr>
  );
}
