"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useChangeSettings } from "#lib/client/organization-mutations.ts";
import { keepPreviewQuery } from "#lib/client/storage-queries.ts";
import type { OrganizationSettings } from "#lib/contract/organization-settings.ts";
import type { RetentionPreview } from "#lib/contract/storage.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import {
  type KeepChanges,
  type KeepDraft,
  keepChangesOf,
  keepDraftOf,
  keepFields,
  wordsOfChanges,
} from "./keep-draft.ts";

const hints: Record<(typeof keepFields)[number]["field"], string> = {
  keep_runs_days: "Days after a run ends. Leave empty to never delete.",
  keep_runs_gb: "Above this size, the oldest runs are deleted. Leave empty for no limit.",
  keep_checkouts_days:
    "Branches are kept; a continued run starts from its branch. Checkouts with work in no branch are kept three times as long. Leave empty to never remove.",
};

/** Limits on what is kept. Before saving, shows what they would remove now. */
export function KeepForm({ orgId, settings }: { orgId: number; settings: OrganizationSettings }) {
  const [edits, setEdits] = useState<Partial<KeepDraft>>({});
  const [asked, setAsked] = useState<KeepChanges | null>(null);
  const refusal = useRefusal("org:admin");
  const draft = { ...keepDraftOf(settings), ...edits };
  const { changes, unreadable } = keepChangesOf(draft, settings);
  const preview = useQuery({ ...keepPreviewQuery(orgId, asked ?? {}), enabled: asked !== null });
  const errors = fieldMessages(
    preview.error,
    keepFields.map(({ field }) => field),
  );
  const isRefused = Object.keys(errors).length > 0;
  const form = useRef<HTMLFormElement>(null);
  const keptFocus = useKeptFocus(form);
  const isChanged = Object.keys(changes).length > 0 || unreadable.length > 0;

  function ask(event: FormEvent) {
    event.preventDefault();
    if (refusal !== null || !isChanged || unreadable.length > 0) return;
    setAsked(changes);
    // The same question again is not asked by itself.
    if (preview.isError) void preview.refetch();
  }

  return (
    <form ref={form} tabIndex={-1} noValidate onSubmit={ask} className="grid gap-4 rounded-md" {...keptFocus}>
      <fieldset disabled={refusal !== null} className="grid min-w-0 items-start gap-4 sm:grid-cols-3">
        {keepFields.map(({ name, field, label, unit, empty }) => (
          <Field
            key={name}
            label={`${label} (${unit})`}
            hint={hints[field]}
            error={
              unreadable.includes(name)
                ? `must be a number, such as 1000${unit === "GB" ? " or 1.5" : ""}`
                : errors[field]
            }
          >
            <Input
              inputMode="decimal"
              autoComplete="off"
              value={draft[name]}
              placeholder={empty}
              onChange={(event) => {
                setEdits((now) => ({ ...now, [name]: event.target.value }));
                setAsked(null);
              }}
            />
          </Field>
        ))}
      </fieldset>
      {preview.error !== null && !isRefused && asked !== null && (
        <ErrorAlert
          title="Could not check what this would remove"
          {...describeError(preview.error)}
          onRetry={() => void preview.refetch()}
        />
      )}
      <div>
        <RefusableButton
          type="submit"
          refusal={refusal ?? (isChanged ? null : "No changes to save")}
          pending={asked !== null && preview.isFetching}
        >
          Save
        </RefusableButton>
      </div>
      {asked !== null && preview.data !== undefined && preview.error === null && !preview.isPlaceholderData && (
        <ConfirmKept
          {...{ orgId }}
          changes={asked}
          preview={preview.data}
          onClose={() => setAsked(null)}
          onSaved={() => setEdits({})}
        />
      )}
    </form>
  );
}

type ConfirmKeptProps = {
  orgId: number;
  changes: KeepChanges;
  preview: RetentionPreview;
  onClose: () => void;
  onSaved: () => void;
};

function ConfirmKept({ orgId, changes, preview, onClose, onSaved }: ConfirmKeptProps) {
  const change = useChangeSettings(orgId);
  const onConfirm = () =>
    change.mutate(changes, {
      onSuccess: () => {
        toast({ title: "Settings saved" });
        onSaved();
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title="Save these settings?"
      description={`${wordsOfChanges(changes)} ${wordsOf(preview)}`}
      action={preview.runs > 0 ? `Save and delete ${formatCountOf(preview.runs, "run")}` : "Save"}
      isDestructive={preview.runs > 0 || preview.checkouts > 0}
      mutation={change}
      failure="The settings were not saved"
      {...{ onConfirm, onClose }}
    />
  );
}

function wordsOf({ runs, run_bytes, checkouts, checkout_bytes }: RetentionPreview): string {
  const deleted =
    runs === 0
      ? "No runs will be deleted now."
      : `${formatCountOf(runs, "run")} (${formatBytes(run_bytes)}) will be permanently deleted within ten minutes.`;
  const removed =
    checkouts === 0
      ? "No checkouts will be removed now."
      : `${formatCountOf(checkouts, "checkout")} (${formatBytes(checkout_bytes)}) will be removed; branches stay.`;
  return `${deleted} ${removed}`;
}
