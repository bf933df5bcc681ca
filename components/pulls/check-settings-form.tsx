"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { usePutCheckSettings } from "#lib/client/pull-queries.ts";
import { checkSuiteBounds } from "#lib/contract/bounds.ts";
import type { ShownCheckSuiteSettings } from "#lib/contract/check-suite.ts";
import { type CheckDraft, type ChecksDraft, changesOf, draftOf, problemOf } from "./check-draft.ts";
import { CheckFields, RoundsSelect } from "./check-fields.tsx";

type CheckSettingsFormProps = {
  orgId: number;
  repoId: number;
  settings: ShownCheckSuiteSettings;
  refusal: string | null;
};

/** Settings for handing failed checks to the agent; all changes are saved together. */
export function CheckSettingsForm({ orgId, repoId, settings, refusal }: CheckSettingsFormProps) {
  /** The edited draft, and the settings that it began with. */
  const [edits, setEdits] = useState<{ draft: ChecksDraft; start: ShownCheckSuiteSettings } | null>(null);
  const [isTried, setTried] = useState(false);
  const put = usePutCheckSettings(orgId, repoId);
  const draft = edits?.draft ?? draftOf(settings);
  const edit = (part: Partial<ChecksDraft>) =>
    setEdits({ draft: { ...draft, ...part }, start: edits?.start ?? settings });
  const editCheck = (key: number, part: Partial<CheckDraft>) =>
    edit({ checks: draft.checks.map((check) => (check.key === key ? { ...check, ...part } : check)) });
  const isDisabled = refusal !== null;
  const errors = fieldMessages(put.error, ["check_retry_count", "high_priority_apps"]);
  const problems = new Map(draft.checks.map((check) => [check.key, problemOf(check, draft)]));
  const isFull = draft.checks.length >= checkSuiteBounds.namesMax;

  function add() {
    const key = Math.max(-1, ...draft.checks.map((check) => check.key)) + 1;
    setTried(false);
    edit({ checks: [...draft.checks, { key, name: "", isIgnored: false, retries: null, prompt: "" }] });
  }
  function save(event: FormEvent) {
    event.preventDefault();
    if (isDisabled || put.isPending || edits === null) return;
    setTried(true);
    if ([...problems.values()].some((problem) => problem !== null)) return;
    put.mutate(changesOf(draft, edits.start), {
      onSuccess: (start) => {
        // What was edited while this was being saved is not saved yet.
        setEdits((now) => (now === null || now.draft === draft ? null : { draft: now.draft, start }));
        setTried(false);
        toast({ title: "Check settings saved" });
      },
    });
  }
  return (
    <form noValidate onSubmit={save} aria-label="Checks" className="grid grid-cols-1 gap-4">
      <fieldset disabled={isDisabled} className="grid min-w-0 gap-4">
        <Field
          label="Fix rounds"
          error={errors.check_retry_count}
          hint="How many times the agent may try to fix the failed checks of a pull request."
          className="max-w-60"
        >
          <RoundsSelect value={draft.retries} onChange={(retries) => edit({ retries: retries ?? 0 })} />
        </Field>
        {draft.checks.length > 0 && (
          <ul aria-label="Checks with their own settings" className="grid grid-cols-1 gap-3">
            {draft.checks.map((check) => (
              <li key={check.key}>
                <CheckFields
                  check={check}
                  known={settings.available_check_suite_names}
                  problem={isTried ? (problems.get(check.key) ?? null) : null}
                  isDisabled={isDisabled}
                  onChange={(part) => editCheck(check.key, part)}
                  onRemove={() => edit({ checks: draft.checks.filter(({ key }) => key !== check.key) })}
                />
              </li>
            ))}
          </ul>
        )}
        {!isDisabled && (
          <div className="grid justify-items-start gap-1">
            <RefusableButton
              variant="outline"
              size="sm"
              refusal={isFull ? `At most ${checkSuiteBounds.namesMax} checks can have their own settings.` : null}
              onClick={add}
            >
              <Plus aria-hidden />
              Add a check
            </RefusableButton>
            <p className="text-[13px] text-muted-foreground">
              Ignore a check, or set its own number of fix rounds or its own prompt.
            </p>
          </div>
        )}
        <Field
          label="High-priority apps"
          error={errors.high_priority_apps}
          hint="One per line, as the code host names them. Their failed checks go to the agent at once, without waiting for the other checks."
          className="max-w-120"
        >
          <Textarea
            value={draft.apps}
            onChange={({ target }) => edit({ apps: target.value })}
            spellCheck={false}
            className="min-h-16"
          />
        </Field>
      </fieldset>
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {put.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The check settings could not be saved" {...describeError(put.error)} />
      )}
      <div className="flex flex-wrap gap-2">
        <RefusableButton
          type="submit"
          refusal={refusal ?? (edits !== null ? null : "No changes to save")}
          pending={put.isPending}
        >
          Save
        </RefusableButton>
        {edits !== null && (
          <Button
            variant="outline"
            aria-disabled={put.isPending || undefined}
            onClick={() => {
              // What has begun cannot be taken back.
              if (put.isPending) return;
              setEdits(null);
              setTried(false);
              put.reset();
            }}
          >
            Discard changes
          </Button>
        )}
      </div>
    </form>
  );
}
