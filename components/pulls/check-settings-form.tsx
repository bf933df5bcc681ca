"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { TextareaField } from "#components/form/fields.tsx";
import { newKey } from "#components/form/merged.ts";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { Field } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { usePutCheckSettings } from "#lib/client/pages/pull-queries.ts";
import { checkSuiteBounds } from "#lib/contract/bounds.ts";
import type { ShownCheckSuiteSettings } from "#lib/contract/repositories/check-suite.ts";
import { type CheckDraft, draftOf, problemOf, settingsOf } from "./check-draft.ts";
import { CheckFields, RoundsSelect } from "./check-fields.tsx";

type CheckSettingsFormProps = {
  orgId: number;
  repoId: number;
  settings: ShownCheckSuiteSettings;
  refusal: string | null;
};

/** Settings for handing failed checks to the agent; all changes are saved together. */
export function CheckSettingsForm({ orgId, repoId, settings, refusal }: CheckSettingsFormProps) {
  const [isTried, setTried] = useState(false);
  const form = useSavedForm({
    saved: draftOf(settings),
    bodyOf: settingsOf,
    mutation: usePutCheckSettings(orgId, repoId),
    requestOf(changes, { values: draft }) {
      const isWhole = draft.checks.every((check) => problemOf(check, draft) === null);
      setTried(!isWhole);
      return isWhole ? changes : null;
    },
    onSaved: () => toast({ title: "Check settings saved" }),
    refusal,
  });
  const { values, edit, errors } = form;
  const { checks } = values;
  const editCheck = (key: string, part: Partial<CheckDraft>) =>
    edit({ checks: checks.map((check) => (check.key === key ? { ...check, ...part } : check)) });
  const isDisabled = refusal !== null;
  const isFull = checks.length >= checkSuiteBounds.namesMax;

  function add() {
    setTried(false);
    edit({ checks: [...checks, { key: newKey(), name: "", isIgnored: false, retries: null, prompt: "" }] });
  }
  return (
    <form {...form.attributes} aria-label="Checks" className="grid grid-cols-1 gap-4">
      <fieldset disabled={isDisabled} className="grid min-w-0 gap-4">
        <Field
          label="Fix rounds"
          error={errors.check_retry_count}
          hint="How many times the agent may try to fix the failed checks of a pull request."
          className="max-w-60"
        >
          <RoundsSelect
            value={values.check_retry_count}
            onChange={(count) => edit({ check_retry_count: count ?? 0 })}
          />
        </Field>
        {checks.length > 0 && (
          <ul aria-label="Checks with their own settings" className="grid grid-cols-1 gap-3">
            {checks.map((check) => (
              <li key={check.key}>
                <CheckFields
                  check={check}
                  known={settings.available_check_suite_names}
                  problem={isTried ? problemOf(check, values) : null}
                  isDisabled={isDisabled}
                  onChange={(part) => editCheck(check.key, part)}
                  onRemove={() => edit({ checks: checks.filter(({ key }) => key !== check.key) })}
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
        <TextareaField
          {...form.field("high_priority_apps")}
          label="High-priority apps"
          hint="One per line, as the code host names them. Their failed checks go to the agent at once, without waiting for the other checks."
          className="max-w-120"
          spellCheck={false}
          areaClassName="min-h-16"
        />
      </fieldset>
      <SaveBar form={form.state} failure="The check settings could not be saved" />
    </form>
  );
}
