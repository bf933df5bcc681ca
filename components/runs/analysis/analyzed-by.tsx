import Link from "next/link";

/** Maximum number of linked analyses. */
const shownMax = 3;

/** The runs that analyzed this one, newest first. */
export function AnalyzedBy({ runs }: { runs: readonly number[] }) {
  if (runs.length === 0) return null;
  const shown = runs.slice(0, shownMax);
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-[13px] text-muted-foreground tabular-nums">
      {shown.map((id, place) => (
        <Link key={id} href={`/runs/${id}`} className="rounded-sm text-link underline-offset-2 hover:underline">
          {place === 0 ? `Analyzed by run #${id}` : `#${id}`}
        </Link>
      ))}
      {runs.length > shown.length && <span>+{runs.length - shown.length}</span>}
    </p>
  );
}
