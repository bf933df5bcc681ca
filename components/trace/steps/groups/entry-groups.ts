import type { FeedRange } from "#components/feed/feed-range.ts";
import { entryOutcome, entryView } from "#components/trace/entry/parts/entry-meaning.ts";
import { windowSize, windowStart } from "#components/trace/reader/log-windows.ts";
import { type Folding, isGroupOpen } from "#components/trace/reader/reader-state.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { cutText } from "#lib/cut-text.ts";
import { fileNameOf, shortPath } from "#lib/entry/short-path.ts";
import type { ToolView } from "#lib/entry/tool-view.ts";

/** Consecutive steps that only looked at something, shown as one line. */
export type EntryGroup = {
  /** Positions in the list, from 0, inclusive. */
  first: number;
  last: number;
  /** "Explored 7 files", "Searched 3 times, read 4 files". */
  title: string;
  /** The first few files and searches, without duplicates; `more` counts the others. */
  names: string[];
  more: number;
  /** Number of failed members. */
  failures: number;
};

/** The group at a position, and whether it is open. */
export type FoundGroup = { group: EntryGroup; isOpen: boolean };

type ListGroupsOptions = {
  /** The entry at a position, from 0; null if it is not loaded. */
  entryAt: (place: number) => LogEntry | null;
  /** Number of entries from the beginning that may be in groups ({@link settledAfter}). */
  settled: number;
  folding: Folding;
};

/**
 * Current groups of a list. They end at the edges of windows, so each depends only on entries loaded together and never changes
 * because of its neighbors.
 */
export class ListGroups {
  readonly #options: ListGroupsOptions;
  readonly #known = new Map<number, EntryGroup[]>();

  constructor(options: ListGroupsOptions) {
    this.#options = options;
  }

  /** Group at a position; null for a single card. */
  at(place: number): FoundGroup | null {
    const group = groupAround(this.#inWindow(windowStart(place)), place);
    return group === null ? null : { group, isOpen: isGroupOpen(this.#options.folding, group) };
  }

  /** Nearest visible position in a direction. */
  shownFrom(place: number, direction: 1 | -1): number {
    const found = this.at(place);
    if (found === null || found.isOpen || place === found.group.first) return place;
    return direction === 1 ? found.group.last + 1 : found.group.first;
  }

  #inWindow(start: number): EntryGroup[] {
    const { entryAt, settled } = this.#options;
    const known = this.#known.get(start);
    if (known !== undefined) return known;
    const size = Math.max(0, Math.min(windowSize, settled - start));
    const found = groupsIn(
      Array.from({ length: size }, (_, place) => entryAt(start + place)),
      start,
    );
    this.#known.set(start, found);
    return found;
  }
}

/**
 * Number of entries that may be grouped while the items first..last of `count` are rendered. Live entries are not folded before the
 * reader's eyes, only once they are out of view.
 */
export function settledAfter(before: number, { first, last }: FeedRange, count: number): number {
  return Math.max(before, last < windowStart(before) ? count : windowStart(first));
}

const membersMin = 2;
const namesMax = 4;
const nameCharacters = 60;

type Look = { kind: "read" | "search"; name: string; path: string; hasFailed: boolean };

/**
 * Groups among the entries from position `first`, ascending; null stands for an unknown entry. A group has at least two
 * members. Prose of a member is never hidden: an entry with prose comes first in its group, or alone.
 */
export function groupsIn(entries: readonly (LogEntry | null)[], first: number): EntryGroup[] {
  const groups: EntryGroup[] = [];
  let members: Look[] = [];
  const close = (end: number) => {
    if (members.length >= membersMin) groups.push(groupOf(members, first + end - members.length));
    members = [];
  };
  entries.forEach((entry, place) => {
    const look = entry === null ? null : lookOf(entry);
    if (look === null || (entry !== null && isSaying(entry))) close(place);
    if (look !== null) members.push(look);
  });
  close(entries.length);
  return groups;
}

/** The group at a position of the list, or null. */
export function groupAround(groups: readonly EntryGroup[], index: number): EntryGroup | null {
  return groups.find(({ first, last }) => index >= first && index <= last) ?? null;
}

const looks = new WeakMap<LogEntry, { look: Look | null }>();

function lookOf(entry: LogEntry): Look | null {
  // Cached: entries never change, and a window is scanned whenever one of its entries is new.
  const known = looks.get(entry);
  if (known !== undefined) return known.look;
  const look = readLook(entry);
  looks.set(entry, { look });
  return look;
}

function readLook(entry: LogEntry): Look | null {
  // Prose after the end of a tool call belongs with its result.
  if (entry.message_type !== "ACTION" || isText(entry.observation)) return null;
  const view = entryView(entry);
  if (view.kind !== "read" && view.kind !== "search" && view.kind !== "list") return null;
  return {
    kind: view.kind === "read" ? "read" : "search",
    ...namesOf(view),
    hasFailed: entryOutcome(entry) === "failed",
  };
}

function namesOf(view: Extract<ToolView, { kind: "read" | "search" | "list" }>): { name: string; path: string } {
  if (view.kind === "search") return { name: `“${cut(view.query)}”`, path: "" };
  const name = cut(fileNameOf(shortPath(view.path)));
  return { name, path: view.kind === "read" ? view.path : "" };
}

function groupOf(members: readonly Look[], first: number): EntryGroup {
  const names = [...new Set(members.map(({ name }) => name))];
  return {
    first,
    last: first + members.length - 1,
    title: titleOf(members),
    names: names.slice(0, namesMax),
    more: Math.max(0, names.length - namesMax),
    failures: members.filter((member) => member.hasFailed).length,
  };
}

function titleOf(members: readonly Look[]): string {
  const files = new Set(members.filter(({ kind }) => kind === "read").map(({ path }) => path)).size;
  const searches = members.filter(({ kind }) => kind === "search").length;
  const read = files === 1 ? "1 file" : `${files} files`;
  const searched = searches === 1 ? "Searched once" : searches === 2 ? "Searched twice" : `Searched ${searches} times`;
  if (searches === 0) return `Explored ${read}`;
  return files === 0 ? searched : `${searched}, read ${read}`;
}

function isSaying(entry: LogEntry): boolean {
  return isText(entry.thought);
}

function isText(value: unknown): boolean {
  return typeof value === "string" ? value.trim() !== "" : value !== null && value !== undefined;
}

function cut(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return cutText(line, nameCharacters, "…");
}
