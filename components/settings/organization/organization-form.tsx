"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { unsavedOf } from "#components/page/edits.ts";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useSession } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useChangeSettings } from "#lib/client/organization-mutations.ts";
import { rulesCharactersMax } from "#lib/contract/bounds.ts";
import type { OrganizationSettings } from "#lib/contract/organization-settings.ts";
import { isAtLeast } from "#lib/contract/role-scopes.ts";
import { RunDefaults } from "./run-defaults.tsx";
import { changesOf, draftOf, type SettingsDraft } from "./settings-draft.ts";

const fields = [
  "name",
  "rules",
  "enable_rules_detection",
  "enable_pr_creation",
  "default_agent",
  "default_model",
  "default_permission_mode",
  "default_turn_timeout_s",
] as const;

/** The settings as a form; all changes are saved together. */
export function OrganizationForm({ orgId, settings }: { orgId: number; settings: OrganizationSettings }) {
  const router = useRouter();
  const { role } = useSession();
  const [edits, setEdits] = useState<Partial<SettingsDraft>>({});
  const edit = (part: Partial<SettingsDraft>) => setEdits((now) => ({ ...now, ...part }));
  const draft = { ...draftOf(settings), ...edits };
  const change = useChangeSettings(orgId);
  const changes = changesOf(draft, settings);
  const isChanged = Object.keys(changes).length > 0;
  const errors = fieldMessages(change.error, fields);
  const mayChange = isAtLeast(role, "admin");
  const refusal = mayChange ? null : `Your role here is ${role}. Only admins and owners can change the settings.`;

  function save(event: FormEvent) {
    event.preventDefault();
    if (!mayChange || !isChanged) return;
    change.mutate(changes, {
      onSuccess: (saved) => {
        setEdits((now) => unsavedOf(now, edits));
        toast({ title: "Settings saved" });
        // The sidebar shows the organization's name, rendered by the server.
        if (saved.name !== settings.name) router.refresh();
      },
    });
  }

  return (
    <form noValidate onSubmit={save} className="grid gap-6">
      {refusal !== null && <p className="text-muted-foreground">{refusal}</p>}
      {/* Disabled if the person may not save it. */}
      <fieldset disabled={!mayChange} className="grid min-w-0 gap-6">
        <Field label="Name" required error={errors.name} className="max-w-90">
          <Input
            value={draft.name}
            onChange={(event) => edit({ name: event.target.value })}
            maxLength={100}
            autoComplete="off"
          />
        </Field>
        <Section title="Rules for agents">
          <Field
            label="Rules"
            error={errors.rules}
            hint={`Sent to the agent with the first message of every run, and to clients that ask for them. ${formatCount(draft.rules.length)} of ${formatCount(rulesCharactersMax)} characters.`}
          >
            <Textarea
              value={draft.rules}
              onChange={(event) => edit({ rules: event.target.value })}
              maxLength={rulesCharactersMax}
              className="min-h-40 font-mono text-[13px]"
              placeholder="Run the tests before you finish. Ask before you add a dependency."
            />
          </Field>
          <InlineField
            label="Point agents to a repository's own rule files"
            hint="The first message names AGENTS.md, CLAUDE.md, .cursorrules and the like."
            error={errors.enable_rules_detection}
          >
            <Checkbox
              checked={draft.rulesDetection}
              onCheckedChange={(checked) => edit({ rulesDetection: checked === true })}
            />
          </InlineField>
        </Section>
        <Section title="Defaults for new runs">
          <RunDefaults orgId={orgId} draft={draft} onChange={edit} errors={errors} disabled={!mayChange} />
        </Section>
        <Section title="Pull requests">
          <InlineField
            label="Allow runs to open pull requests"
            hint="Each repository decides when: automatically or on request. When off, runs open no new pull requests; those in progress continue."
            error={errors.enable_pr_creation}
          >
            <Checkbox
              checked={draft.prCreation}
              onCheckedChange={(checked) => edit({ prCreation: checked === true })}
            />
          </InlineField>
        </Section>
      </fieldset>
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {change.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="The settings could not be saved" {...describeError(change.error)} />
      )}
      <div>
        <RefusableButton
          type="submit"
          refusal={refusal ?? (isChanged ? null : "No changes to save")}
          pending={change.isPending}
        >
          Save
        </RefusableButton>
      </div>
    </form>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-border border-t pt-4">
      <h2 className="font-semibold text-base/6">{title}</h2>
      {children}
    </section>
  );
}
