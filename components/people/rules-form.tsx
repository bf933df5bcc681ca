"use client";

import { useQuery } from "@tanstack/react-query";
import { TextareaField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { useSession } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { toast } from "#components/ui/toast-store.ts";
import { cliRulesQuery } from "#lib/client/pages/people-queries.ts";
import { useChangeOwnRules } from "#lib/client/pages/profile-mutations.ts";
import { rulesCharactersMax } from "#lib/contract/bounds.ts";

/** The person's rules for agents. */
export function RulesForm() {
  const { id: orgId } = useSession().organization;
  return (
    <LoadedPart query={useQuery(cliRulesQuery(orgId))} what="your rules">
      {({ user_custom_prompt: rules }) => <LoadedForm orgId={orgId} rules={rules ?? ""} />}
    </LoadedPart>
  );
}

function LoadedForm({ orgId, rules }: { orgId: number; rules: string }) {
  const form = useSavedForm({
    saved: { rules },
    bodyOf: (values) => ({ rules: values.rules.trim() === "" ? null : values.rules }),
    mutation: useChangeOwnRules(orgId),
    requestOf: (changes) => changes,
    onSaved: () => toast({ title: "Rules saved" }),
  });
  return (
    <form {...form.attributes} className="grid gap-4">
      <TextareaField
        {...form.field("rules")}
        label="Your rules"
        hint={`Sent to the agent with the first message of each run you start, after the organization's rules. Claude Code in your terminal gets them too. ${formatCount(form.values.rules.length)} of ${formatCount(rulesCharactersMax)} characters.`}
        maxLength={rulesCharactersMax}
        areaClassName="min-h-32 font-mono text-[13px]"
        placeholder="Answer in short sentences. Explain each command before you run it."
      />
      <SaveBar form={form.state} label="Save rules" failure="Your rules were not saved" />
    </form>
  );
}
