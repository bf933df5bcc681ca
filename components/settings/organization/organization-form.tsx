"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { CheckField, TextareaField, TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { useSession } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { toast } from "#components/ui/toast-store.ts";
import { useChangeSettings } from "#lib/client/pages/organization-mutations.ts";
import type { WithTag } from "#lib/client/request.ts";
import { rulesCharactersMax } from "#lib/contract/bounds.ts";
import type { OrganizationSettings } from "#lib/contract/people/organization-settings.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { RunDefaults } from "./run-defaults.tsx";
import { draftOf, settingsOf } from "./settings-draft.ts";

/** The settings as a form; all changes are saved together. */
export function OrganizationForm({ orgId, settings }: { orgId: number; settings: WithTag<OrganizationSettings> }) {
  const router = useRouter();
  const { role } = useSession();
  const mayChange = isAtLeast(role, "admin");
  const refusal = mayChange ? null : `Your role here is ${role}. Only admins and owners can change the settings.`;
  const form = useSavedForm({
    saved: draftOf(settings),
    bodyOf: settingsOf,
    mutation: useChangeSettings(orgId),
    requestOf: (changes) => ({ ...changes, ifMatch: settings.etag }),
    onSaved(saved) {
      toast({ title: "Settings saved" });
      // The sidebar shows the organization's name, rendered by the server.
      if (saved.name !== settings.name) router.refresh();
    },
    refusal,
  });
  const { rules } = form.values;
  return (
    <form {...form.attributes} className="grid gap-6">
      {refusal !== null && <p className="text-muted-foreground">{refusal}</p>}
      {/* Disabled if the person may not save it. */}
      <fieldset disabled={!mayChange} className="grid min-w-0 gap-6">
        <TextField {...form.field("name")} label="Name" required maxLength={100} className="max-w-90" />
        <Section title="Rules for agents">
          <TextareaField
            {...form.field("rules")}
            label="Rules"
            hint={`Sent to the agent with the first message of every run, and to clients that ask for them. ${formatCount(rules.length)} of ${formatCount(rulesCharactersMax)} characters.`}
            maxLength={rulesCharactersMax}
            areaClassName="min-h-40 font-mono text-[13px]"
            placeholder="Run the tests before you finish. Ask before you add a dependency."
          />
          <CheckField
            {...form.field("enable_rules_detection")}
            label="Point agents to a repository's own rule files"
            hint="The first message names AGENTS.md, CLAUDE.md, .cursorrules and the like."
          />
        </Section>
        <Section title="Defaults for new runs">
          <RunDefaults orgId={orgId} form={form} disabled={!mayChange} />
        </Section>
        <Section title="Pull requests">
          <CheckField
            {...form.field("enable_pr_creation")}
            label="Allow runs to open pull requests"
            hint="Each repository decides when: automatically or on request. When off, runs open no new pull requests; those in progress continue."
          />
        </Section>
      </fieldset>
      <SaveBar form={form.state} failure="The settings could not be saved" />
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
