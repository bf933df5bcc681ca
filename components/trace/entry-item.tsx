"use client";

import type { ReactNode } from "react";
import type { LogEntry } from "#lib/contract/entry.ts";
import { EntryPanel, type EntryPanelProps } from "./entry-panel.tsx";
import type { EntryGroup } from "./group/entry-groups.ts";
import { GroupHeader } from "./group/group-header.tsx";
import type { FoundGroup } from "./group/list-groups.ts";

export type EntryItemProps = {
  entry: LogEntry;
  /** The place in the list, from 0. */
  index: number;
  /** How many entries the list has, for screen readers; null while that is not certain. */
  setSize: number | null;
  /** The group that the entry belongs to; above its first one stands the line of the group. */
  found: FoundGroup | null;
  isMarked: boolean;
  onMark: (seq: number) => void;
  onToggle: (group: EntryGroup) => void;
  /** What the card shows, where it is not the whole entry. */
  renderCard: ((entry: LogEntry, next: LogEntry | null) => ReactNode) | undefined;
  /** The entry after this one, for `renderCard`. */
  next: LogEntry | null;
} & Pick<EntryPanelProps, "link" | "isJoined">;

/** An entry in the list: its card, and the line of its group where it is the group's first. */
export function EntryItem(props: EntryItemProps) {
  const { entry, index, setSize, found, isMarked, onMark, onToggle, renderCard, next, link, isJoined } = props;
  const isFirst = found !== null && index === found.group.first;
  return (
    <>
      {isFirst && <GroupHeader {...found} {...{ entry, onMark, onToggle }} count={setSize} />}
      {(!isFirst || found.isOpen) && (
        <EntryPanel {...{ entry, index, isMarked, onMark, renderCard, next, link, isJoined }} count={setSize} />
      )}
    </>
  );
}
