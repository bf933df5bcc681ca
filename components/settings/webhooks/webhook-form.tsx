"use client";

import { useState } from "react";
import { CheckField, TextField } from "#components/form/fields.tsx";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { ConfirmDialog } from "#components/page/confirm-dialog.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { fieldMessages } from "#lib/client/client-error.ts";
import { idUnknown, useSaveWebhook, useTestWebhook, type WebhookRequest } from "#lib/client/pages/webhook-queries.ts";
import type { WebhookEndpoint } from "#lib/contract/integrations/webhook.ts";
import { webhookEvents, webhookEventsDefault } from "#lib/contract/words.ts";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { TestResult } from "./test-result.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";
import { disabledWords, eventWords } from "./webhook-words.ts";

const fields = ["url", "description", "events", "secret"] as const;

/** A generated secret, and whether it replaced another. */
export type GeneratedSecret = { secret: string; replaces: boolean };

const blank = { url: "", description: "", events: [...webhookEventsDefault], enabled: true };

function valuesOf(webhook: WebhookEndpoint | null) {
  const { url, events, description } = webhook ?? blank;
  const isOn = webhook === null || webhook.enabled || webhook.disabled_reason !== null;
  return { url, description: description ?? "", events, enabled: isOn, secret: "", rotate_secret: false };
}

function bodyOf({ url, description, events, enabled, secret, rotate_secret }: ReturnType<typeof valuesOf>) {
  return {
    ...{ url: url.trim(), description: description.trim() || null, events, enabled },
    ...(rotate_secret ? { rotate_secret: true as const } : secret !== "" && { secret }),
  };
}

type WebhookFormProps = {
  /** Null: a new one. */
  webhook: WebhookEndpoint | null;
  label: string;
  /** Whether the organization has others. */
  hasOthers: boolean;
  /** A secret that was generated when it was created. */
  initialSecret?: GeneratedSecret | null;
  /** Called when a further webhook, not the first, has been created. */
  onAdded?: (webhook: WebhookEndpoint, made: GeneratedSecret | null) => void;
  onCancel?: () => void;
};

/** Address, events and secret of a webhook. */
export function WebhookForm({ webhook, label, hasOthers, initialSecret = null, onAdded, onCancel }: WebhookFormProps) {
  const { id: orgId } = useOrganization();
  const isNew = webhook === null;
  const [made, setMade] = useState<GeneratedSecret | null>(initialSecret);
  const [asksSecret, setAsksSecret] = useState(false);
  const save = useSaveWebhook(orgId);
  const test = useTestWebhook(orgId);
  const form = useSavedForm({
    saved: valuesOf(webhook),
    bodyOf,
    mutation: save,
    requestOf(changes, { values }): WebhookRequest {
      // A test in progress still has to show its result.
      if (!test.isPending) test.reset();
      return isNew || webhook.id === idUnknown
        ? { which: isNew && hasOthers ? "another" : "first", body: bodyOf(values) }
        : { which: webhook.id, body: changes };
    },
    onSaved(saved, sent) {
      const { secret } = saved;
      if ("id" in saved && isNew) {
        onAdded?.(saved, secret === null ? null : { secret, replaces: false });
        return;
      }
      if (saved.secret !== null) setMade({ secret: saved.secret, replaces: saved.previous_secret_until !== null });
      else if (sent.secret !== "") setMade(null);
      toast({ title: saved.enabled ? "Webhook saved" : "Webhook saved; it is off" });
    },
    savesUnchanged: true,
  });
  const { state, values } = form;
  const error = save.error ?? test.error;
  const errors = fieldMessages(error, fields);

  function empty() {
    state.discard();
    setMade(null);
    test.reset();
  }
  const generate = () => form.submit({ rotate_secret: true });
  function sendTest() {
    // An error of the last save was shown at its field; it is not the test's. A save in progress still has to show its secret.
    if (!save.isPending) save.reset();
    const secret =
      values.secret !== ""
        ? { secret: values.secret }
        : webhook !== null && webhook.id !== idUnknown && { endpoint_id: webhook.id };
    test.mutate({ url: values.url.trim(), ...secret });
  }

  return (
    <form {...form.attributes} aria-label={label} className="grid max-w-180 gap-4">
      {webhook !== null && webhook.disabled_reason !== null && (
        <Alert variant="warning">
          <AlertTitle>Turned off</AlertTitle>
          <AlertDescription>{disabledWords[webhook.disabled_reason]}</AlertDescription>
        </Alert>
      )}
      <TextField
        {...form.field("url")}
        label="URL"
        required
        error={errors.url}
        hint="http or https. Private networks are refused unless Errand allows them (ERRAND_OUTBOUND_ALLOW)."
        type="url"
        placeholder="https://example.com/hooks/errand"
        spellCheck={false}
      />
      {(hasOthers || !isNew) && (
        <TextField
          {...form.field("description")}
          label="Description"
          error={errors.description}
          hint="What it is for."
          placeholder="Deployments"
        />
      )}
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium text-sm">Send when</legend>
        {webhookEvents.map((event) => (
          <CheckField
            key={event}
            label={eventWords[event]}
            value={values.events.includes(event)}
            onChange={(isChosen) =>
              form.edit({
                events: webhookEvents.filter((one) => (one === event ? isChosen : values.events.includes(one))),
              })
            }
          />
        ))}
        {errors.events !== undefined && (
          <p role="alert" className="text-[13px] text-destructive">
            {errors.events}
          </p>
        )}
      </fieldset>
      <TextField
        {...form.field("secret")}
        label="Secret"
        error={errors.secret}
        hint={
          isNew
            ? "Signs each request. Leave it empty to have one generated."
            : "Signs each request. It is never shown again."
        }
        type="password"
        placeholder={isNew ? "Generated for you" : "Saved. Enter a new one to replace it"}
        autoComplete="new-password"
        spellCheck={false}
      />
      {webhook !== null && webhook.previous_secret_until !== null && (
        <p className="-mt-2 text-[13px] text-muted-foreground">
          Requests are also signed with the previous secret; that stops{" "}
          <RelativeTime at={webhook.previous_secret_until} />.
        </p>
      )}
      <CheckField {...form.field("enabled")} label="Send events" hint="Turning it off cancels pending deliveries." />
      {made !== null && <WebhookSecret {...made} onDone={() => setMade(null)} />}
      <SaveBar
        form={{ ...state, error, errors }}
        failure={save.error !== null ? "The webhook could not be saved" : "The test could not be sent"}
      >
        <Button variant="outline" pending={test.isPending} onClick={sendTest}>
          Send a test
        </Button>
        {!isNew && (
          <>
            <Button
              variant="outline"
              pending={save.isPending}
              onClick={() => (webhook.previous_secret_until === null ? generate() : setAsksSecret(true))}
            >
              Generate new secret
            </Button>
            <DeleteWebhook
              orgId={orgId}
              webhook={webhook}
              isSaving={save.isPending || webhook.id === idUnknown}
              onDeleted={empty}
            />
          </>
        )}
        {onCancel !== undefined && (
          <Button
            variant="outline"
            aria-disabled={save.isPending || undefined}
            onClick={() => !save.isPending && onCancel()}
          >
            Cancel
          </Button>
        )}
      </SaveBar>
      {test.data !== undefined && <TestResult result={test.data} />}
      {asksSecret && (
        <ConfirmDialog
          title="Generate another secret?"
          description="Requests are still signed with the previous secret, for whoever does not know the present one yet. That ends now."
          action="Generate"
          mutation={save}
          failure="The secret was not generated"
          onConfirm={() => {
            generate();
            setAsksSecret(false);
          }}
          onClose={() => setAsksSecret(false)}
        />
      )}
    </form>
  );
}
