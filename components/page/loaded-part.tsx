import type { ReactNode } from "react";
import { Loading } from "#components/shell/loading.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { describeError } from "#lib/client/client-error.ts";

type QueryResult<Data> = { data: Data | undefined; error: Error | null; refetch: () => unknown };

/**
 * A part of a page that needs data: shows a skeleton while it loads, and the error if it fails. `what` is a phrase such as "the
 * network".
 */
export function LoadedPart<Data>({
  query,
  what,
  children,
}: {
  query: QueryResult<Data>;
  what: string;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <Loading label={`Loading ${what}`} className="px-0" />;
  return <ErrorAlert title={`Could not load ${what}`} {...describeError(error)} onRetry={() => void refetch()} />;
}

/** A titled part of a page. */
export function Section({
  id,
  title,
  note,
  children,
}: {
  id: string;
  title: string;
  /** One or two sentences under the title. */
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section
      aria-labelledby={`${id}-heading`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 border-border border-t pt-4"
    >
      <div className="grid gap-1">
        <h2 id={`${id}-heading`} className="font-semibold text-base/6">
          {title}
        </h2>
        {note !== undefined && <p className="text-pretty text-muted-foreground text-sm">{note}</p>}
      </div>
      {children}
    </section>
  );
}
