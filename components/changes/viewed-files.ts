"use client";

import { useCallback, useMemo, useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { type PatchFile, pathOf } from "#lib/entry/patch.ts";

/** Files ticked as viewed. For each run, most recently ticked first: path and fingerprint of each file. */
export type Viewed = readonly (readonly [runId: number, files: readonly (readonly [path: string, print: string])[]])[];

/** Number of runs whose ticks are kept in this browser. */
const runsMax = 50;

const kept = new StoredChoice<string>({ key: "errand.viewed", parse: (stored) => stored ?? "" });

/** Files of a run that are ticked as viewed and have not changed since, and a setter. Stored in this browser. */
export function useViewedFiles(
  runId: number,
  files: readonly PatchFile[],
): { viewed: ReadonlySet<PatchFile>; setViewed: (file: PatchFile, isViewed: boolean) => void } {
  const text = useSyncExternalStore(kept.subscribe, kept.read, () => "");
  const prints = useMemo(() => new Map(readViewed(text).find(([id]) => id === runId)?.[1]), [text, runId]);
  const viewed = useMemo(
    () => new Set(files.filter((file) => prints.has(pathOf(file)) && prints.get(pathOf(file)) === fingerprintOf(file))),
    [files, prints],
  );
  const setViewed = useCallback(
    (file: PatchFile, isViewed: boolean) => {
      const print = isViewed ? fingerprintOf(file) : null;
      kept.choose(JSON.stringify(withViewed(readViewed(kept.read()), { runId, path: pathOf(file), print })));
    },
    [runId],
  );
  return { viewed, setViewed };
}

/** Parses stored ticks. Returns none if the text cannot be read. */
export function readViewed(text: string): Viewed {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRun) : [];
  } catch {
    return [];
  }
}

/**
 * Ticks one file of a run, or unticks it if `print` is null. Drops the run whose last tick is the oldest if there are too many.
 */
export function withViewed(
  viewed: Viewed,
  { runId, path, print }: { runId: number; path: string; print: string | null },
): Viewed {
  const files = new Map(viewed.find(([id]) => id === runId)?.[1]);
  if (print === null) files.delete(path);
  else files.set(path, print);
  const others = viewed.filter(([id]) => id !== runId);
  return files.size === 0 ? others : [[runId, [...files] as const] as const, ...others].slice(0, runsMax);
}

/** Fingerprint of a file's change: the change's counts and a 32-bit FNV-1a hash. */
export function fingerprintOf({ hunks, oldPath, newBytes, oldBytes, added, removed }: PatchFile): string {
  let sum = 0x811c9dc5;
  const take = (text: string) => {
    for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  };
  take(`${oldPath} ${oldBytes} ${newBytes}`);
  for (const { oldStart, newStart, lines } of hunks) {
    take(`${oldStart} ${newStart}`);
    for (const { kind, text } of lines) take(`${kind} ${text}\n`);
  }
  return `${added}-${removed}-${(sum >>> 0).toString(36)}`;
}

function isRun(value: unknown): value is Viewed[number] {
  return Array.isArray(value) && typeof value[0] === "number" && Array.isArray(value[1]) && value[1].every(isFile);
}

function isFile(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}
