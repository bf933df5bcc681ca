"use client";

import { useQuery } from "@tanstack/react-query";
import { RawJson } from "#components/trace/entry/parts/raw-json.tsx";
import { useTrace } from "#components/trace/reader/trace-context.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { logEntryQuery } from "#lib/client/pages/log-queries.ts";
import type { CardProps } from "./card-props.ts";

/** The complete JSON of an entry as it is stored, to read and copy. */
export function RawEntry({ entry }: CardProps) {
  const { source } = useTrace();
  const isCut = (entry.clipped ?? []).length > 0;
  const whole = useQuery({ ...logEntryQuery(source, entry.seq), enabled: isCut });
  const shown = isCut ? whole.data : entry;
  if (shown !== undefined) {
    return (
      <div data-raw>
        <RawJson entry={shown} head={40} openKey={`${entry.seq}.json`} />
      </div>
    );
  }
  if (whole.error !== null) {
    return (
      <ErrorAlert
        title="The entry could not be read"
        {...describeError(whole.error)}
        onRetry={() => void whole.refetch()}
      />
    );
  }
  return <Skeleton className="h-40" />;
}
