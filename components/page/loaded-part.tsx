import type { ReactNode } from "react";
import { ErrorState } from "#components/shell/error-state.tsx";
import { Loading } from "#components/shell/loading.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { describeError } from "#lib/client/client-error.ts";

type LoadedPartProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  /** A phrase such as "the network rules". */
  what: string;
  /** Lines of the skeleton. */
  lines?: number;
  /** Level of the failure's heading, if the part is what its page is about. */
  heading?: "h2" | "h3";
  children: (data: Data) => ReactNode;
};

/** A part of a page that needs data: shows a skeleton while it loads, and the error if it fails. */
export function LoadedPart<Data>({ query, what, lines, heading, children }: LoadedPartProps<Data>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <Loading label={`Loading ${what}`} lines={lines} className="px-0" />;
  const failure = {
    title: `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`,
    ...describeError(error),
    onRetry: () => void refetch(),
  };
  return heading === undefined ? <ErrorAlert {...failure} /> : <ErrorState heading={heading} {...failure} />;
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
