"use client";

import { type ReactNode, useRef } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogCancel, DialogFooter, KeepOpen } from "#components/ui/dialog.tsx";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError } from "#lib/client/client-error.ts";
import type { FormState } from "./use-saved-form.ts";

type SaveBarProps = {
  form: FormState;
  /** Label of the button that saves. */
  label?: string;
  /** Label of the button that discards the edits, and what it does instead of showing what is saved. Null: there is none. */
  discardLabel?: string | null;
  onDiscard?: () => void;
  /** Title of the error if the request failed. */
  failure: string;
  /** Who saved what, if it was saved while this was being edited. */
  conflict?: string;
  /** Further buttons. */
  children?: ReactNode;
};

/** The end of a form for something that is saved: why it was not saved, and the buttons that save and discard. */
export function SaveBar({ form, label = "Save", discardLabel = "Discard changes", failure, ...more }: SaveBarProps) {
  const { conflict, onDiscard = form.discard, children } = more;
  const { isSaving } = form;
  const save = useRef<HTMLButtonElement>(null);
  // The discard button goes once it was used.
  const keptFocus = useKeptFocus(save);
  return (
    <>
      {form.isConflict && (
        <Alert variant="warning" role="alert">
          <AlertTitle>{conflict}</AlertTitle>
          <AlertDescription>Your edits are based on an earlier version, and are not saved yet.</AlertDescription>
          <div className="flex flex-wrap gap-2 pt-1">
            <Button variant="outline" size="sm" onClick={onDiscard}>
              Show theirs
            </Button>
            <Button variant="outline" size="sm" onClick={form.keepMine}>
              Keep mine
            </Button>
          </div>
        </Alert>
      )}
      <FormError {...form} title={failure} />
      <div className="flex flex-wrap items-center gap-2" {...keptFocus}>
        <RefusableButton ref={save} type="submit" refusal={form.refusal} pending={isSaving}>
          {label}
        </RefusableButton>
        {(form.isChanged || isSaving) && discardLabel !== null && (
          // A request that was sent cannot be cancelled.
          <Button variant="outline" aria-disabled={isSaving || undefined} onClick={isSaving ? undefined : onDiscard}>
            {discardLabel}
          </Button>
        )}
        {children}
      </div>
    </>
  );
}

type DialogSaveBarProps = { form: FormState; label: string; failure: string; autoFocus?: boolean; disabled?: boolean };

/** The same in a dialog, which stays open while it is being saved. */
export function DialogSaveBar({ form, label, failure, ...button }: DialogSaveBarProps) {
  return (
    <>
      <KeepOpen while={form.isSaving} />
      <FormError {...form} title={failure} />
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" pending={form.isSaving} {...button}>
          {label}
        </Button>
      </DialogFooter>
    </>
  );
}

type FormErrorProps = Pick<FormState, "error" | "onRetry" | "errors"> & { title: string };

/** Why a request failed, as far as no field says so. */
export function FormError({ error, onRetry, errors, title }: FormErrorProps) {
  if (errors[""] !== undefined) return <ErrorAlert title="The request was refused" detail={errors[""]} />;
  if (error === null || Object.keys(errors).length > 0) return null;
  return <ErrorAlert title={title} {...describeError(error)} onRetry={onRetry} />;
}
