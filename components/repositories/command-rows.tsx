"use client";

import { Plus, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { isSubmitKey } from "#components/keys/submit-key.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { type DraftRow, newRow } from "./setup-draft.ts";

type CommandRowsProps = {
  label: string;
  hint: string;
  value: DraftRow[];
  error: string | undefined;
  readOnly: boolean;
  onChange: (rows: DraftRow[]) => void;
};

/**
 * The commands of one kind, one row each, executed from top to bottom. Enter starts the next row, Shift+Enter a new line in the
 * same command, Backspace removes an empty row, Alt with an arrow key moves a row.
 */
export function CommandRows({ label, hint, value: rows, error, readOnly, onChange }: CommandRowsProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [focused, setFocused] = useState<number | null>(null);

  useEffect(() => {
    if (focused === null) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${focused}"]`)?.focus();
    setFocused(null);
  }, [focused]);
  // After that effect, which gives the focus to another row if there is one.
  const keptFocus = useKeptFocus(add);

  const insert = (at: number) => {
    const row = newRow(rows);
    onChange(rows.toSpliced(at, 0, row));
    setFocused(row.id);
  };
  const remove = (at: number) => {
    onChange(rows.toSpliced(at, 1));
    setFocused(rows[at - 1]?.id ?? rows[at + 1]?.id ?? null);
  };
  const move = (at: number, to: number) => {
    const row = rows[at];
    if (row === undefined || to < 0 || to >= rows.length) return;
    onChange(rows.toSpliced(at, 1).toSpliced(to, 0, row));
    setFocused(row.id);
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    if (readOnly || isComposing(event.nativeEvent)) return;
    const isEmpty = rows[at]?.text === "";
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) insert(at + 1);
    else if (isSubmitKey(event)) list.current?.closest("form")?.requestSubmit();
    else if (event.key === "Backspace" && isEmpty) remove(at);
    else if (event.altKey && event.key === "ArrowUp") move(at, at - 1);
    else if (event.altKey && event.key === "ArrowDown") move(at, at + 1);
    else return;
    event.preventDefault();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: the button to add a row stands beside the name, which a legend does not allow.
    <div
      role="group"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-hint`}
      className="grid min-w-0 gap-1.5"
      {...keptFocus}
    >
      <div className="flex min-h-control-sm items-center justify-between gap-2">
        <p className="min-w-0">
          <span id={`${id}-name`} className="mr-2 font-medium text-sm">
            {label}
          </span>
          <span id={`${id}-hint`} className="text-[13px] text-muted-foreground">
            {hint}
          </span>
        </p>
        {readOnly ? (
          rows.length === 0 && <span className="text-[13px]">None</span>
        ) : (
          <Button
            ref={add}
            variant="ghost"
            size="sm"
            aria-label={`Add ${label.toLowerCase()} command`}
            onClick={() => insert(rows.length)}
          >
            <Plus aria-hidden /> Add
          </Button>
        )}
      </div>
      {rows.length > 0 && (
        <ul ref={list} className="grid gap-1.5">
          {rows.map((row, at) => (
            <li key={row.id} className="flex items-start gap-1">
              <Textarea
                data-row={row.id}
                rows={1}
                value={row.text}
                readOnly={readOnly}
                aria-label={`${label} command ${at + 1}`}
                aria-invalid={error !== undefined || undefined}
                onChange={(event) =>
                  onChange(rows.map((one) => (one.id === row.id ? { ...one, text: event.target.value } : one)))
                }
                onKeyDown={(event) => onKey(event, at)}
                autoCapitalize="none"
                spellCheck={false}
                className="min-h-control resize-none font-mono text-[13px]"
              />
              {!readOnly && (
                <IconButton label={`Remove ${label.toLowerCase()} command ${at + 1}`} onClick={() => remove(at)}>
                  <X />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <p role="alert" className="text-[13px] text-destructive">
          {error}
        </p>
      )}
    </div>
  );
}
