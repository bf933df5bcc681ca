"use client";

import type { ReactNode } from "react";
import { EntryPanel } from "#components/trace/entry/entry-panel.tsx";
import type { Joined } from "#components/trace/entry/parts/joined.tsx";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { EntryGroup, FoundGroup } from "./groups/entry-groups.ts";
import { GroupHeader } from "./groups/group-header.tsx";

export type EntryItemProps = {
  entry: LogEntry;
  /** Position in the list, from 0. */
  index: number;
  /** Number of entries in the list, for screen readers; null while uncertain. */
  setSize: number | null;
  /** Group of the entry; its first member also shows the group's header. */
  found: FoundGroup | null;
  isMarked: boolean;
  onMark: (seq: number) => void;
  onToggle: (group: EntryGroup) => void;
  /** Content of the card if it is not the whole entry. */
  renderCard: ((entry: LogEntry, nextSeq: number | null) => ReactNode) | undefined;
  /** For `renderCard`. */
  nextSeq: number | null;
} & Joined;

/** An entry in the list: its card, and the group's header if it is the first of its group. */
export function EntryItem(props: EntryItemProps) {
  const { entry, index, setSize, found, isMarked, onMark, onToggle, renderCard, nextSeq, link, isJoined } = props;
  const isFirst = found !== null && index === found.group.first;
  return (
    <>
      {isFirst && <GroupHeader {...found} {...{ entry, onMark, onToggle }} count={setSize} />}
      {(!isFirst || found.isOpen) && (
        <EntryPanel {...{ entry, index, isMarked, onMark, renderCard, nextSeq, link, isJoined }} count={setSize} />
      )}
    </>
  );
}
