"use client";

import { useCallback, useEffect, useRef } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { useSelectedRows } from "#components/text/selected-rows.ts";
import type { FeedController } from "./feed-controller.ts";
import { HeldItems } from "./held-items.ts";

type HoldSelectionProps = { controller: FeedController; onHeld: (items: readonly number[]) => void };

/** Keeps the items where the selection begins and ends on the page: `onHeld` gets them. */
export function HoldSelection({ controller, onHeld }: HoldSelectionProps) {
  useEffect(() => {
    controller.held = new HeldItems();
    let before = "";
    const hold = () => {
      const selection = document.getSelection();
      const ends = [selection?.anchorNode ?? null, selection?.focusNode ?? null];
      const now = ends.flatMap((end) => controller.indexOf(end) ?? []);
      if (now.join() !== before) onHeld(now);
      before = now.join();
    };
    // Somebody may have clicked before this script was loaded.
    hold();
    document.addEventListener("selectionchange", hold);
    return () => document.removeEventListener("selectionchange", hold);
  }, [controller, onHeld]);
  return null;
}

type UnrenderedItemsProps = { from: number; to: number; textOf: (index: number) => string | null };

/** Stands for the items from..to (exclusive): a copied selection has their texts. */
export function UnrenderedItems({ from, to, textOf }: UnrenderedItemsProps) {
  const element = useRef<HTMLDivElement>(null);
  useSelectedRows(
    element,
    useCallback(() => textOfItems(from, to, textOf), [from, to, textOf]),
  );
  return <div ref={element} />;
}

/** The texts of the items from..to (exclusive), with a line wherever some are not at hand. */
function textOfItems(from: number, to: number, textOf: (index: number) => string | null): string {
  const texts: string[] = [];
  let missing = 0;
  const tellMissing = () => {
    if (missing > 0) texts.push(`[${formatCountOf(missing, "step", "steps")} not copied: not loaded. Export has all.]`);
    missing = 0;
  };
  for (let index = from; index < to; index += 1) {
    const text = textOf(index);
    if (text === null) missing += 1;
    else {
      tellMissing();
      texts.push(text);
    }
  }
  tellMissing();
  return texts.join("\n\n");
}
