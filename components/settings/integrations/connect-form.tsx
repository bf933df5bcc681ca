"use client";

import { TextareaField, TextField } from "#components/form/fields.tsx";
import { merged } from "#components/form/merged.ts";
import { DialogSaveBar } from "#components/form/save-bar.tsx";
import { type SavedForm, useSavedForm } from "#components/form/use-saved-form.ts";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { usePutIntegration } from "#lib/client/pages/integration-queries.ts";
import type { IntegrationStatus, IntegrationType } from "#lib/contract/integrations/integration.ts";
import { integrationAddresses } from "#lib/contract/words.ts";
import { ChatSettings } from "./chat-settings.tsx";
import { connectWords } from "./connect-words.ts";
import { bodyOf, type Draft, draftOf } from "./draft.ts";
import { HookSecretField } from "./hook-secret-field.tsx";

type ConnectFormProps = { type: IntegrationType; integration: IntegrationStatus; onDone: () => void };

/** Address, credentials and mention name of a service. */
export function ConnectForm({ type, integration, onDone }: ConnectFormProps) {
  const { id: orgId } = useOrganization();
  const words = connectWords[type];
  const { title } = integration.metadata;
  const form = useSavedForm({
    saved: draftOf(type, integration),
    bodyOf: (draft) => bodyOf(type, draft, integration),
    mutation: usePutIntegration(orgId, type),
    requestOf:
      (_, { values, base }) =>
      (now = integration) =>
        bodyOf(type, merged(values, base, draftOf(type, now)), now),
    onSaved({ active, metadata }) {
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
    savesUnchanged: true,
  });
  const { values, errors, edit } = form;
  const isConnected = integration.metadata.connected === true;
  // The messages about bots name them.
  const isOfBots = errors.settings?.includes("bot") === true;
  return (
    <form {...form.attributes} className="grid gap-4">
      {!words.givesHookSecret && (
        <TextField
          {...form.field("base_url")}
          label="URL"
          hint="Change it if you run your own server."
          placeholder={integrationAddresses[type]}
          inputMode="url"
          isCode
        />
      )}
      {values.isApp ? (
        <AppFields form={form} />
      ) : (
        <TextField
          {...form.field("token")}
          label={words.token}
          required={!isConnected}
          hint={words.tokenHint}
          type="password"
          placeholder={isConnected ? "Saved. Enter a new one to replace it" : undefined}
        />
      )}
      {type === "github" && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => edit({ isApp: !values.isApp })}
        >
          {values.isApp ? "Use an access token instead" : "Use a GitHub App instead"}
        </Button>
      )}
      <HookSecretField
        {...form.field("hook_secret")}
        words={words}
        isKept={integration.metadata.has_hook_secret === true}
      />
      <TextField
        {...form.field("mention")}
        label="Mention name"
        error={isOfBots ? undefined : errors.settings}
        hint="Errand responds when people mention this name. Enter it without the @."
        placeholder="errand"
        isCode
      />
      {type === "slack" || type === "linear" ? (
        <ChatSettings type={type} form={form} />
      ) : (
        <TextField
          {...form.field("bots")}
          label="Bots allowed to mention Errand"
          error={isOfBots ? errors.settings : undefined}
          hint="Usernames, separated by commas. Like people, these bots need write access to the repository. All other bots are ignored."
          placeholder="renovate[bot]"
          isCode
        />
      )}
      <DialogSaveBar
        form={form.state}
        label={isConnected ? "Save and test" : "Connect and test"}
        failure={`${title} could not be connected`}
      />
    </form>
  );
}

function AppFields({ form: { field } }: { form: SavedForm<Draft> }) {
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...field("app_id")} label="App ID" required inputMode="numeric" />
        <TextField {...field("installation_id")} label="Installation ID" required inputMode="numeric" />
      </div>
      <TextareaField
        {...field("private_key")}
        label="Private key"
        required
        hint="The PEM file from GitHub."
        rows={3}
        autoComplete="off"
        spellCheck={false}
        areaClassName="font-mono text-xs"
      />
    </>
  );
}
