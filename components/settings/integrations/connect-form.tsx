"use client";

import { type FormEvent, useState } from "react";
import { rebased } from "#components/page/edits.ts";
import { useOrganization } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogCancel, DialogFooter, KeepOpen } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { usePutIntegration } from "#lib/client/integration-queries.ts";
import type { IntegrationStatus, IntegrationType } from "#lib/contract/integration.ts";
import { integrationAddresses } from "#lib/contract/words.ts";
import { ChatSettings } from "./chat-settings.tsx";
import { connectWords } from "./connect-words.ts";
import { bodyOf, type Draft, draftOf } from "./draft.ts";
import { HookSecretField } from "./hook-secret-field.tsx";
import { HostSettings } from "./host-settings.tsx";

const fields = ["base_url", "token", "app_id", "private_key", "installation_id", "hook_secret", "settings"] as const;
type Errors = Partial<Record<(typeof fields)[number] | "", string>>;

type ConnectFormProps = { type: IntegrationType; integration: IntegrationStatus; onDone: () => void };

/** Address, credentials and mention name of a service. */
export function ConnectForm({ type, integration, onDone }: ConnectFormProps) {
  const { id: orgId } = useOrganization();
  const put = usePutIntegration(orgId, type);
  const [start] = useState(() => draftOf(type, integration));
  const [draft, setDraft] = useState(start);
  const [errors, setErrors] = useState<Errors>({});
  const words = connectWords[type];
  const { title } = integration.metadata;
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const isConnected = integration.metadata.connected === true;

  function send(event: FormEvent) {
    event.preventDefault();
    setErrors({});
    const bodyFor = (now = integration) => bodyOf(type, rebased(draft, start, draftOf(type, now)), now);
    put.mutate(bodyFor, {
      onSuccess: ({ active, metadata }) => {
        toast(
          active
            ? { title: `${title} works`, description: `As ${metadata.account}` }
            : {
                tone: "error",
                title: `${title} was saved, but does not work`,
                description: metadata.reason ?? undefined,
              },
        );
        onDone();
      },
      onError: (error) => setErrors(fieldMessages(error, fields)),
    });
  }

  // The messages about bots name them.
  const isOfBots = errors.settings?.includes("bot") === true;
  const failure = Object.keys(errors).length === 0 ? put.error : null;
  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <KeepOpen while={put.isPending} />
      {!words.givesHookSecret && (
        <Field label="URL" error={errors.base_url} hint="Change it if you run your own server.">
          <Input
            value={draft.address}
            onChange={(event) => change({ address: event.target.value })}
            placeholder={integrationAddresses[type]}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      )}
      {draft.isApp ? (
        <AppFields draft={draft} errors={errors} onChange={change} />
      ) : (
        <Field label={words.token} required={!isConnected} error={errors.token} hint={words.tokenHint}>
          <Input
            type="password"
            value={draft.token}
            onChange={(event) => change({ token: event.target.value })}
            placeholder={isConnected ? "Saved. Enter a new one to replace it" : undefined}
            autoComplete="off"
          />
        </Field>
      )}
      {type === "github" && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => change({ isApp: !draft.isApp })}
        >
          {draft.isApp ? "Use an access token instead" : "Use a GitHub App instead"}
        </Button>
      )}
      <HookSecretField
        words={words}
        value={draft.hookSecret}
        isKept={integration.metadata.has_hook_secret === true}
        error={errors.hook_secret}
        onChange={(hookSecret) => change({ hookSecret })}
      />
      <Field
        label="Mention name"
        error={isOfBots ? undefined : errors.settings}
        hint="Errand responds when people mention this name. Enter it without the @."
      >
        <Input
          value={draft.mention}
          onChange={(event) => change({ mention: event.target.value })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="errand"
        />
      </Field>
      {type === "slack" || type === "linear" ? (
        <ChatSettings type={type} draft={draft} onChange={change} />
      ) : (
        <HostSettings draft={draft} error={isOfBots ? errors.settings : undefined} onChange={change} />
      )}
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {failure !== null && <ErrorAlert title={`${title} could not be connected`} {...describeError(failure)} />}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" pending={put.isPending}>
          {isConnected ? "Save and test" : "Connect and test"}
        </Button>
      </DialogFooter>
    </form>
  );
}

type AppFieldsProps = { draft: Draft; errors: Errors; onChange: (changes: Partial<Draft>) => void };

function AppFields({ draft, errors, onChange }: AppFieldsProps) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="App ID" required error={errors.app_id}>
          <Input
            inputMode="numeric"
            value={draft.appId}
            onChange={(event) => onChange({ appId: event.target.value })}
            autoComplete="off"
          />
        </Field>
        <Field label="Installation ID" required error={errors.installation_id}>
          <Input
            inputMode="numeric"
            value={draft.installationId}
            onChange={(event) => onChange({ installationId: event.target.value })}
            autoComplete="off"
          />
        </Field>
      </div>
      <Field label="Private key" required error={errors.private_key} hint="The PEM file from GitHub.">
        <Textarea
          rows={3}
          value={draft.privateKey}
          onChange={(event) => onChange({ privateKey: event.target.value })}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-xs"
        />
      </Field>
    </>
  );
}
