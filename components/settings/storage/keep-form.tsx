"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { type FormState, useSavedForm } from "#components/form/use-saved-form.ts";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { fieldMessages } from "#lib/client/client-error.ts";
import { useChangeSettings } from "#lib/client/pages/organization-mutations.ts";
import { keepPreviewQuery } from "#lib/client/pages/storage-queries.ts";
import type { OrganizationSettings } from "#lib/contract/people/organization-settings.ts";
import type { RetentionPreview } from "#lib/contract/repositories/storage.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { type KeepChanges, keepDraftOf, keepFields, limitsOf, wordsOfChanges } from "./keep-draft.ts";

const hints: Record<(typeof keepFields)[number]["field"], string> = {
  keep_runs_days: "Days after a run ends. Leave empty to never delete.",
  keep_runs_gb: "Above this size, the oldest runs are deleted. Leave empty for no limit.",
  keep_checkouts_days:
    "Branches are kept; a continued run starts from its branch. Checkouts with work in no branch are kept three times as long. Leave empty to never remove.",
};

/** Limits on what is kept. Before saving, shows what they would remove now. */
export function KeepForm({ orgId, settings }: { orgId: number; settings: OrganizationSettings }) {
  const [asked, setAsked] = useState<KeepChanges | null>(null);
  const preview = useQuery({ ...keepPreviewQuery(orgId, asked ?? {}), enabled: asked !== null });
  const refusal = useRefusal("org:admin");
  const change = useChangeSettings(orgId);
  const form = useSavedForm({
    saved: keepDraftOf(settings),
    bodyOf: limitsOf,
    mutation: change,
    // Saved once it is confirmed.
    requestOf(changes) {
      if (Object.values(changes).some((limit) => limit === undefined)) return null;
      setAsked(changes);
      // The same question again is not asked by itself.
      if (preview.isError) void preview.refetch();
      return null;
    },
    refusal,
  });
  const limits = limitsOf(form.values);
  const fields = keepFields.map(({ field }) => field);
  const errors = fieldMessages(preview.error, fields);
  const element = useRef<HTMLFormElement>(null);
  const keptFocus = useKeptFocus(element);
  const state: FormState = {
    ...form.state,
    isSaving: asked !== null && preview.isFetching,
    error: asked === null ? null : preview.error,
    onRetry: () => void preview.refetch(),
    errors,
  };

  return (
    <form ref={element} tabIndex={-1} {...form.attributes} className="grid gap-4 rounded-md" {...keptFocus}>
      <fieldset disabled={refusal !== null} className="grid min-w-0 items-start gap-4 sm:grid-cols-3">
        {keepFields.map(({ field, label, unit, empty }) => (
          <TextField
            key={field}
            label={`${label} (${unit})`}
            hint={hints[field]}
            error={
              limits[field] === undefined
                ? `must be a number, such as 1000${unit === "GB" ? " or 1.5" : ""}`
                : errors[field]
            }
            value={form.values[field]}
            onChange={(text) => {
              form.edit({ [field]: text });
              setAsked(null);
            }}
            inputMode="decimal"
            placeholder={empty}
          />
        ))}
      </fieldset>
      <SaveBar form={state} failure="Could not check what this would remove" />
      {asked !== null && preview.data !== undefined && preview.error === null && !preview.isPlaceholderData && (
        <ConfirmKept
          {...{ change }}
          changes={asked}
          preview={preview.data}
          onClose={() => setAsked(null)}
          onSaved={form.state.discard}
        />
      )}
    </form>
  );
}

type ConfirmKeptProps = {
  change: ReturnType<typeof useChangeSettings>;
  changes: KeepChanges;
  preview: RetentionPreview;
  onClose: () => void;
  onSaved: () => void;
};

function ConfirmKept({ change, changes, preview, onClose, onSaved }: ConfirmKeptProps) {
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
