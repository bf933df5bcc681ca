"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useSession } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { Loading } from "#components/shell/loading.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { cliRulesQuery } from "#lib/client/people-queries.ts";
import { useChangeOwnRules } from "#lib/client/profile-mutations.ts";
import { rulesCharactersMax } from "#lib/contract/bounds.ts";

/** The person's rules for agents. */
export function RulesForm() {
  const { organization } = useSession();
  const { data, error, refetch } = useQuery(cliRulesQuery(organization.id));
  if (data !== undefined) return <LoadedForm orgId={organization.id} rules={data.user_custom_prompt ?? ""} />;
  if (error === null) return <Loading label="Loading your rules" lines={3} className="px-0" />;
  return <ErrorAlert title="Your rules could not be loaded" {...describeError(error)} onRetry={() => void refetch()} />;
}

function LoadedForm({ orgId, rules }: { orgId: number; rules: string }) {
  // Null until something is typed: rules saved elsewhere meanwhile are shown, not overwritten.
  const [typed, setTyped] = useState<string | null>(null);
  const draft = typed ?? rules;
  const change = useChangeOwnRules(orgId);
  const errors = fieldMessages(change.error, ["rules"]);

  function send(event: FormEvent) {
    event.preventDefault();
    if (draft === rules) return;
    change.mutate(draft.trim() === "" ? null : draft, {
      onSuccess: () => {
        // Text typed during the request has not been saved yet.
        setTyped((now) => (now === draft ? null : now));
        toast({ title: "Rules saved" });
      },
    });
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <Field
        label="Your rules"
        error={errors.rules}
        hint={`Sent to the agent with the first message of each run you start, after the organization's rules. Claude Code in your terminal gets them too. ${formatCount(draft.length)} of ${formatCount(rulesCharactersMax)} characters.`}
      >
        <Textarea
          value={draft}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={rulesCharactersMax}
          className="min-h-32 font-mono text-[13px]"
          placeholder="Answer in short sentences. Explain each command before you run it."
        />
      </Field>
      {change.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="Your rules were not saved" {...describeError(change.error)} />
      )}
      <div>
        <RefusableButton
          type="submit"
          refusal={draft === rules ? "No changes to save" : null}
          pending={change.isPending}
        >
          Save rules
        </RefusableButton>
      </div>
    </form>
  );
}
