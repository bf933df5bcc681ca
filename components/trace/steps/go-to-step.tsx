"use client";

import { type SubmitEvent, useState } from "react";
import { formatCount } from "#components/shell/format-number.ts";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogHeader, DialogTitle } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";

type GoToStepProps = {
  open: boolean;
  totalLogs: number;
  onClose: () => void;
  /**
   * Called at once with an existing step. The dialog is still open and has the focus. It closes once the list has scrolled,
   * because closing it first would delay the step.
   */
  onGo: (seq: number, onThere: () => void) => void;
  /** Called when the dialog has closed; the caller sets the focus. */
  onGone: (seq: number) => void;
};

/** Dialog that asks for the number of a step. */
export function GoToStep({ open, totalLogs, onClose, onGo, onGone }: GoToStepProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    // Not modal: closing it must not make the browser restyle the whole page before the step is shown.
    <Dialog
      open={open}
      modal={false}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <DialogContent
        closeHidden
        className="max-w-xs"
        onCloseAutoFocus={(event) => {
          if (chosen === null) return;
          event.preventDefault();
          setChosen(null);
          onGone(chosen);
        }}
      >
        <StepForm
          totalLogs={totalLogs}
          onChosen={(seq) => {
            setChosen(seq);
            onGo(seq, () => requestAnimationFrame(() => setTimeout(onClose)));
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

function StepForm({ totalLogs, onChosen }: { totalLogs: number; onChosen: (seq: number) => void }) {
  const [text, setText] = useState("");
  const [isRefused, setRefused] = useState(false);
  const offset = useSeqOffset();
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const digits = text.replace(/[\s,.#]/g, "");
    const seq = /^\d{1,9}$/.test(digits) ? Number(digits) - offset : 0;
    if (seq >= 1 && seq <= totalLogs) onChosen(seq);
    else setRefused(true);
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-3">
      <DialogHeader>
        <DialogTitle>Go to step</DialogTitle>
      </DialogHeader>
      <div className="flex gap-2">
        <Input
          aria-label="Step number"
          aria-invalid={isRefused}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setRefused(false);
          }}
        />
        <Button type="submit">Go</Button>
      </div>
      <DialogDescription className={isRefused ? "text-destructive" : undefined} role={isRefused ? "alert" : undefined}>
        A number from {formatCount(1 + offset)} to {formatCount(totalLogs + offset)}
      </DialogDescription>
    </form>
  );
}
