"use client";

import type { ReactNode } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  KeepOpen,
} from "#components/ui/dialog.tsx";
import { describeError } from "#lib/client/client-error.ts";

type ConfirmDialogProps = {
  /** A question that names the object of the action. */
  title: string;
  /** The effects, and anything that cannot be undone. */
  description: ReactNode;
  /** Further details, below the description. */
  children?: ReactNode;
  /** Label of the confirming button. */
  action: string;
  /** Label of the other button. */
  dismiss?: string;
  /** False for an action that destroys nothing. */
  isDestructive?: boolean;
  /** The mutation that `onConfirm` starts. Its error is shown, and reset when the dialog is closed. */
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  /** Title of that error. */
  failure: string;
  /** True while a second click must do nothing; by default, while the mutation is pending. */
  isBusy?: boolean;
  onConfirm: () => void;
  /** Called when the dialog is dismissed, which is not possible while it is busy. The caller removes it, also after success. */
  onClose: () => void;
  onCloseAutoFocus?: (event: Event) => void;
};

/** Asks for confirmation. Open as long as it is rendered. */
export function ConfirmDialog({
  title,
  description,
  children,
  action,
  dismiss = "Cancel",
  isDestructive = true,
  mutation,
  failure,
  isBusy = mutation.isPending,
  onConfirm,
  onClose,
  onCloseAutoFocus,
}: ConfirmDialogProps) {
  function close() {
    if (mutation.error !== null) mutation.reset();
    onClose();
  }
  return (
    <Dialog open onOpenChange={close}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus}>
        <KeepOpen while={isBusy} />
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        {children}
        {mutation.error !== null && <ErrorAlert title={failure} {...describeError(mutation.error)} />}
        <DialogFooter>
          <DialogCancel>{dismiss}</DialogCancel>
          <Button variant={isDestructive ? "destructive" : "default"} pending={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
