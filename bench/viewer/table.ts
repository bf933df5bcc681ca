import type { Appending } from "./appending.ts";
import type { Changes } from "./changes.ts";
import type { Finding } from "./finding.ts";
import type { Hostile } from "./hostile.ts";
import type { Jumps } from "./jumps.ts";
import type { Opening } from "./opening.ts";
import type { Peer } from "./peers.ts";
import type { Scrolling } from "./scrolling.ts";
import type { Served } from "./serving.ts";

/** Figures of one trace; a part left out is absent. */
export type Measured = {
  entries: number;
  opening?: Opening;
  jumps?: Jumps;
  finding?: Finding;
  scrolling?: Scrolling;
  appending?: Appending;
  peer?: Peer | null;
  serving?: { outline: Served; timeline: Served | null };
};

type Value = { text: string; value: number; bound: number };
type Row = { title: string; cell: (measured: Measured) => Value[] | null | undefined };

const isLarge = ({ entries }: Measured) => entries >= 1_000_000;
const seconds = (ms: number, bound: number): Value => ({ text: `${(ms / 1000).toFixed(2)} s`, value: ms, bound });
const milliseconds = (ms: number, bound: number): Value => ({ text: `${ms.toFixed(0)} ms`, value: ms, bound });
const megabytes = (bytes: number, bound: number): Value => ({
  text: `${(bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1)} MB`,
  value: bytes,
  bound,
});
const percent = (share: number) => `${(share * 100).toFixed(1)}%`;

function findValues(of: Measured, { firstMs, countMs }: { firstMs: number; countMs: number }): Value[] {
  const isSmall = of.entries < 1000;
  return [seconds(firstMs, isSmall ? 200 : 300), seconds(countMs, isSmall ? 200 : isLarge(of) ? 3000 : 500)];
}

const rows: Row[] = [
  {
    title: "first card painted, warm / cold",
    cell: (of) => of.opening && [seconds(of.opening.warmMs, 400), seconds(of.opening.coldMs, isLarge(of) ? 1000 : 900)],
  },
  {
    title: "bytes on the wire until then (warm)",
    cell: (of) => of.opening && [megabytes(of.opening.warmBytes, 0.25e6)],
  },
  {
    title: "jump to the end, to entry N, to a marked error",
    cell: (of) => {
      const bound = isLarge(of) ? 150 : 100;
      const { jumps } = of;
      return jumps && [jumps.endMs, jumps.entryMs, jumps.errorMs].map((ms) => milliseconds(ms, bound));
    },
  },
  {
    title: "find: first hit shown / complete count",
    cell: (of) => of.finding && findValues(of, of.finding.rare),
  },
  {
    title: "the same for a word of most entries",
    cell: (of) => of.finding && findValues(of, of.finding.common),
  },
  {
    title: "the same for a phrase of such words, which occurs in code",
    cell: (of) => of.finding && findValues(of, of.finding.phrase),
  },
  {
    title: "JS heap after 5,000 entries scrolled, typed arrays apart",
    cell: (of) =>
      of.scrolling && [
        megabytes(of.scrolling.heapBytes, 40e6),
        { text: `(+ ${(of.scrolling.bufferBytes / 1e6).toFixed(1)} MB)`, value: 0, bound: 1 },
      ],
  },
  {
    title: "DOM nodes",
    cell: (of) =>
      of.scrolling && [{ text: of.scrolling.nodesMax.toLocaleString("en"), value: of.scrolling.nodesMax, bound: 5000 }],
  },
  {
    title: "frames over 25 ms, scrolling at 300 px a frame, beside an empty page's own",
    cell: ({ scrolling, entries }) => {
      if (scrolling === undefined) return null;
      const { slowShare, emptySlowShare } = scrolling;
      const bound = entries >= 1_000_000 ? 0.03 : 0.02;
      return [
        { text: `${percent(slowShare)}, empty ${percent(emptySlowShare)}`, value: slowShare - emptySlowShare, bound },
      ];
    },
  },
  {
    title: "append to card at 50 entries/s, p95",
    cell: (of) => of.appending && [milliseconds(of.appending.p95Ms, 150)],
  },
];

const furtherRows: Row[] = [
  {
    title: "the list answers keys, warm / cold",
    cell: ({ opening }) => opening && [seconds(opening.warmReadyMs, Infinity), seconds(opening.coldReadyMs, Infinity)],
  },
  {
    title: "bytes on the wire until the first card, cold",
    cell: ({ opening }) => opening && [megabytes(opening.coldBytes, Infinity)],
  },
  {
    title: "script of the page, gzip / fetched by need",
    cell: ({ opening }) =>
      opening && [kilobytes(opening.scriptBytes, 270 * 1024), kilobytes(opening.lateScriptBytes, Infinity)],
  },
  {
    title: "outline",
    cell: ({ serving }) =>
      serving && [kilobytes(serving.outline.bytes, 100_000), milliseconds(serving.outline.ms, 300)],
  },
  {
    title: "timeline",
    cell: ({ serving }) =>
      serving?.timeline && [kilobytes(serving.timeline.bytes, Infinity), milliseconds(serving.timeline.ms, Infinity)],
  },
  {
    title: "Inspect AI's viewer: first text, warm / cold",
    cell: ({ peer }) => peer && [secondsOrNever(peer.warmMs), secondsOrNever(peer.coldMs)],
  },
  { title: "Inspect AI's viewer: to the end", cell: ({ peer }) => peer && [secondsOrNever(peer.endMs)] },
  { title: "append to card, p50", cell: ({ appending }) => appending && [milliseconds(appending.p50Ms, Infinity)] },
];

function secondsOrNever(ms: number | null): Value {
  return ms === null ? { text: "not within 60 s", value: 0, bound: 1 } : seconds(ms, Infinity);
}

function kilobytes(bytes: number, bound: number): Value {
  return { text: `${(bytes / 1000).toFixed(0)} KB`, value: bytes, bound };
}

/** Prints a Markdown table with one column per trace; a value beyond its bound is bold if bounds apply. */
export function printTable(title: string, all: Measured[], which: "rows" | "further", withBounds: boolean): void {
  const lines = (which === "rows" ? rows : furtherRows).flatMap(({ title, cell }) => {
    const cells = all.map((measured) => {
      const values = cell(measured);
      if (values === null || values === undefined) return "–";
      return values
        .map(({ text, value, bound }) => (withBounds && value > bound ? `**${text}**` : text))
        .join(" / ")
        .replace(" / (", " (");
    });
    return cells.every((text) => text === "–") ? [] : [`| ${[title, ...cells].join(" | ")} |`];
  });
  const heads = all.map(({ entries }) => `${entries.toLocaleString("en")}`);
  process.stdout.write(
    `\n${title}\n\n| | ${heads.join(" | ")} entries |\n|---|${all.map(() => "---|").join("")}\n${lines.join("\n")}\n`,
  );
}

/** Prints what the exhausting texts cost, the most expensive of them by name. */
export function printHostile({ entries, medianMs, p95Ms, worst, plainMs }: Hostile): void {
  const ms = (value: number) => (value > 50 ? `**${value.toFixed(0)} ms**` : `${value.toFixed(0)} ms`);
  const lines = worst.map((one) => `- ${one.name}: ${ms(one.ms)}`);
  process.stdout.write(
    `\nMain thread for each of ${entries} entries with an exhausting text, beyond the ${plainMs.toFixed(0)} ms of a plain one: ` +
      `median ${ms(medianMs)}, p95 ${ms(p95Ms)}. The dearest:\n\n${lines.join("\n")}\n`,
  );
}

/** Prints the figures of a large diff; a value beyond its bound is bold. */
export function printChanges({ files, lines, ...of }: Changes): void {
  const told = ({ text, value, bound }: Value) => (value > bound ? `**${text}**` : text);
  const rows = [
    `first file, by a press on the tab / by the address: ${told(seconds(of.pressedMs, 500))} / ${told(seconds(of.openedMs, Infinity))}`,
    `longest frame while scrolling: ${told(milliseconds(of.longestFrameMs, 100))} (over 25 ms: ${percent(of.slowShare)})`,
    `JS heap after that: ${told(megabytes(of.heapBytes, 60e6))}`,
  ];
  const size = `${files.toLocaleString("en")} files with ${lines.toLocaleString("en")} lines`;
  process.stdout.write(`\nChanges of ${size}:\n\n${rows.map((row) => `- ${row}`).join("\n")}\n`);
}
