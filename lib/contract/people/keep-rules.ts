const dayMs = 24 * 3_600_000;

/** Bounds of the retention settings: days, and gigabytes (2^30 bytes). */
export const keepBounds = { daysMax: 3650, gbMax: 100_000 } as const;

/** Days for which files of ended runs are kept by default. */
export const keepCheckoutsDaysDefault = 30;

/** How many times as long files are kept that contain work which is in no branch. */
export const keepLeftOutTimes = 3;

/** What an organization keeps, for how long, and how much of it; null: no limit. */
export type KeepSettings = {
  keepRunsDays: number | null;
  keepRunsGb: number | null;
  keepCheckoutsDays: number | null;
};

/** The limits of such settings at a given time, in milliseconds since 1970 and in bytes. */
export function rulesAt({ keepRunsDays, keepRunsGb, keepCheckoutsDays }: KeepSettings, nowMs: number) {
  return {
    runsBefore: keepRunsDays === null ? null : nowMs - keepRunsDays * dayMs,
    runBytesMax: keepRunsGb === null ? null : keepRunsGb * 2 ** 30,
    filesLeftOutBefore: keepCheckoutsDays === null ? null : nowMs - keepCheckoutsDays * keepLeftOutTimes * dayMs,
    filesBefore: keepCheckoutsDays === null ? null : nowMs - keepCheckoutsDays * dayMs,
  };
}
