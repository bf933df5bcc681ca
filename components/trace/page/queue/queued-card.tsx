"use client";

import { LoaderCircle, Pencil, X } from "lucide-react";
import type { ReactNode } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { VisibleText } from "#components/text/visible-text.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";

type QueuedCardProps = {
  turn: Pick<QueuedTurn, "prompt" | "model" | "image_count" | "attachments" | "user_id" | "user_name" | "delivery">;
  /** The current person; another author is named. */
  userId: number;
  /** The message is on its way to the agent. */
  isStarting?: boolean;
  /** Null if it is not possible. */
  onEdit: (() => void) | null;
  onRemove: (() => void) | null;
  isRemoving?: boolean;
};

/** A message that has not reached the agent. */
export function QueuedCard({ turn, userId, isStarting = false, onEdit, onRemove, isRemoving }: QueuedCardProps) {
  const facts = [
    turn.user_name !== null && turn.user_id !== userId ? turn.user_name : null,
    turn.model,
    turn.image_count > 0 ? formatCountOf(turn.image_count, "image") : null,
    ...turn.attachments.map(({ name }) => name),
  ].filter((fact) => fact !== null);
  return (
    <div className="flex items-start gap-2 rounded-lg border border-border bg-card py-1.5 pr-1.5 pl-3">
      <div className="grid min-w-0 flex-1 gap-0.5 py-1">
        <div
          dir="auto"
          className="max-h-24 overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]"
          {...(mayScroll(turn.prompt) ? scrolledByKeyboard : {})}
        >
          <VisibleText text={turn.prompt} />
        </div>
        {facts.length > 0 && (
          <p className="truncate text-muted-foreground text-xs">
            <VisibleText text={facts.join(" · ")} />
          </p>
        )}
      </div>
      {isStarting ? (
        <Chip icon={turning}>Starting</Chip>
      ) : (
        turn.delivery !== "next_turn" && (
          <Chip icon={turn.delivery === "on_its_way" ? turning : null}>
            {turn.delivery === "on_its_way" ? "On its way to the agent" : "At its next step"}
          </Chip>
        )
      )}
      {onEdit !== null && (
        <IconButton label="Edit message" size="icon-sm" onClick={onEdit}>
          <Pencil />
        </IconButton>
      )}
      {onRemove !== null && (
        <IconButton label="Remove message" size="icon-sm" pending={isRemoving} onClick={onRemove}>
          {!isRemoving && <X />}
        </IconButton>
      )}
    </div>
  );
}

const turning = <LoaderCircle aria-hidden className="size-3.5 animate-turn text-status-running" />;

/** True if the text may have more lines than the card shows, also on a phone. */
function mayScroll(text: string): boolean {
  return text.length > 120 || text.split("\n", 5).length > 4;
}

function Chip({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="flex h-control-sm shrink-0 items-center gap-1.5 px-1.5 text-muted-foreground text-xs">
      {icon}
      {children}
    </span>
  );
}
