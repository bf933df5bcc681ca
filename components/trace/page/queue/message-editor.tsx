"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { isComposing } from "#components/keys/composing.ts";
import { isSubmitKey } from "#components/keys/submit-key.ts";
import { Button } from "#components/ui/button.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { promptCharactersMax } from "#lib/contract/bounds.ts";

type MessageEditorProps = {
  label: string;
  text: string;
  saveLabel: string;
  isSaving: boolean;
  /** The problem that prevents saving. */
  problem: ReactNode;
  onText: (text: string) => void;
  onSave: () => void;
  onCancel: () => void;
};

/** Editor for a queued message: Ctrl or ⌘ with Enter saves; Escape cancels, except while it is being saved. */
export function MessageEditor(props: MessageEditorProps) {
  const { label, text, saveLabel, isSaving, problem, onText, onSave, onCancel } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const isTooLong = text.length > promptCharactersMax;
  const isReady = text.trim() !== "" && !isTooLong && !isSaving;
  const cancel = () => {
    // What has begun cannot be taken back.
    if (!isSaving) onCancel();
  };
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onSave();
      }}
    >
      <Textarea
        ref={field}
        dir="auto"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Escape") {
            event.preventDefault();
            cancel();
          } else if (isSubmitKey(event)) {
            event.preventDefault();
            if (isReady) onSave();
          }
        }}
        readOnly={isSaving}
        rows={2}
        aria-label={label}
        aria-invalid={isTooLong || undefined}
        aria-keyshortcuts="Control+Enter Meta+Enter Escape"
        className="max-h-[30dvh] min-h-9 resize-none"
      />
      {isTooLong && (
        <p role="alert" className="text-[13px] text-destructive">
          The message must have at most {promptCharactersMax} characters.
        </p>
      )}
      {problem}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" disabled={!isReady} pending={isSaving}>
          {saveLabel}
        </Button>
        <Button variant="outline" size="sm" aria-disabled={isSaving || undefined} onClick={cancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
