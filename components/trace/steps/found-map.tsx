"use client";

import { type ComponentProps, useMemo } from "react";
import type { HitMarks } from "#components/trace/minimap/hit-marks.tsx";
import type { TraceFinder } from "#components/trace/reader/trace-finder.ts";
import { useFinderPart } from "./find/use-finder-part.ts";
import { Minimap } from "./step-islands.tsx";

type FoundMapProps = Omit<ComponentProps<typeof Minimap>, "marks"> & { finder: TraceFinder };

/** The map of the run, with the hits of the open search. A component of its own, so that hits do not render the steps again. */
export function FoundMap({ finder, ...map }: FoundMapProps) {
  const found = useFinderPart(finder, () => (finder.snapshot.isOpen ? finder.snapshot.found : null));
  const marks = useMemo((): HitMarks | null => {
    if (found === null || found.matching_logs === 0 || found.buckets.length === 0) return null;
    return { counts: found.buckets, totalLogs: found.total_logs };
  }, [found]);
  return <Minimap {...map} marks={marks} />;
}
