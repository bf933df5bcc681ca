"use client";

import { useState } from "react";
import { CheckField, TextField } from "#components/form/fields.tsx";
import { merged } from "#components/form/merged.ts";
import { SaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { useOrganization } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { fieldMessages } from "#lib/client/client-error.ts";
import { useSetWebhook, useTestWebhook } from "#lib/client/pages/webhook-queries.ts";
import type { WebhookConfigResponse } from "#lib/contract/integrations/webhook.ts";
import { webhookEvents } from "#lib/contract/words.ts";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { TestResult } from "./test-result.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";
import { disabledWords, eventWords } from "./webhook-words.ts";

const fields = ["url", "events", "secret"] as const;

/** A generated secret, and whether it replaced another. */
type Made = { secret: string; replaces: boolean };

function valuesOf({ url, events, enabled, disabled_reason }: WebhookConfigResponse) {
  const isOn = enabled || url === null || disabled_reason !== null;
  return { url: url ?? "", events, enabled: isOn, secret: "", rotate_secret: false };
}

function bodyOf({ url, events, enabled, secret, rotate_secret }: ReturnType<typeof valuesOf>) {
  return {
    ...{ url: url.trim(), events, enabled },
    ...(rotate_secret ? { rotate_secret: true as const } : secret !== "" && { secret }),
  };
}

/** Address, events and secret of the organization's webhook. */
export function WebhookForm({ webhook }: { webhook: WebhookConfigResponse }) {
  const { id: orgId } = useOrganization();
  const isNew = webhook.url === null;
  const [made, setMade] = useState<Made | null>(null);
  const save = useSetWebhook(orgId);
  const test = useTestWebhook(orgId);
  const form = useSavedForm({
    saved: valuesOf(webhook),
    bodyOf,
    mutation: save,
    requestOf(_, { values, base }) {
      // A test in progress still has to tell its result.
      if (!test.isPending) test.reset();
      // One that was deleted meanwhile is created again, as it is shown here.
      return (now) => bodyOf(now.url === null ? values : merged(values, base, valuesOf(now)));
    },
    onSaved(saved, sent) {
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
  function sendTest() {
    // An error of the last save was shown at its field; it is not the test's. A save in progress still has to tell its secret.
    if (!save.isPending) save.reset();
    test.mutate({ url: values.url.trim(), ...(values.secret !== "" && { secret: values.secret }) });
  }

  return (
    <form {...form.attributes} aria-label="Webhook" className="grid max-w-180 gap-4">
      {webhook.disabled_reason !== null && (
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
      {webhook.previous_secret_until !== null && (
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
            <Button variant="outline" pending={save.isPending} onClick={() => form.submit({ rotate_secret: true })}>
              Generate new secret
            </Button>
            <DeleteWebhook orgId={orgId} isSaving={save.isPending} onDeleted={empty} />
          </>
        )}
      </SaveBar>
      {test.data !== undefined && <TestResult result={test.data} />}
    </form>
  );
}
