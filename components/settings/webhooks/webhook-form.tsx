"use client";

import { type FormEvent, useState } from "react";
import { rebased, unsavedText } from "#components/page/edits.ts";
import { useOrganization } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useSetWebhook, useTestWebhook } from "#lib/client/webhook-queries.ts";
import type { WebhookConfigResponse, WebhookEvent } from "#lib/contract/webhook.ts";
import { webhookEvents, webhookEventsDefault } from "#lib/contract/words.ts";
import { DeleteWebhook } from "./delete-webhook.tsx";
import { TestResult } from "./test-result.tsx";
import { WebhookSecret } from "./webhook-secret.tsx";
import { disabledWords, eventWords } from "./webhook-words.ts";

const fields = ["url", "events", "secret"] as const;
type Errors = Partial<Record<(typeof fields)[number] | "", string>>;

/** A generated secret, and whether it replaced another. */
type Made = { secret: string; replaces: boolean };

/** Form values of the webhook. */
type Values = { url: string; events: WebhookEvent[]; isOn: boolean };

function valuesOf({ url, events, enabled, disabled_reason }: WebhookConfigResponse): Values {
  return { url: url ?? "", events, isOn: enabled || url === null || disabled_reason !== null };
}

/** Address, events and secret of the organization's webhook. */
export function WebhookForm({ webhook }: { webhook: WebhookConfigResponse }) {
  const { id: orgId } = useOrganization();
  const isNew = webhook.url === null;
  /** What the edits began with. */
  const [start, setStart] = useState(() => valuesOf(webhook));
  const [values, setValues] = useState(start);
  const { url, events, isOn } = values;
  const change = (part: Partial<Values>) => setValues((before) => ({ ...before, ...part }));
  const [secret, setSecret] = useState("");
  const [errors, setErrors] = useState<Errors>({});
  const [made, setMade] = useState<Made | null>(null);
  const save = useSetWebhook(orgId);
  const test = useTestWebhook(orgId);

  function send(more: { secret?: string; rotate_secret?: true }) {
    setErrors({});
    // A test in progress still has to tell its result.
    if (!test.isPending) test.reset();
    save.mutate(
      (now) => {
        // One that was deleted meanwhile is created again, as it is shown here.
        const wanted = now.url === null ? values : rebased(values, start, valuesOf(now));
        return { url: wanted.url.trim(), events: wanted.events, enabled: wanted.isOn, ...more };
      },
      {
        onSuccess: (saved) => {
          setStart(valuesOf(saved));
          // What was edited while this was being saved stays.
          setValues((now) => rebased(now, values, valuesOf(saved)));
          setSecret(unsavedText(secret));
          if (saved.secret !== null) setMade({ secret: saved.secret, replaces: saved.previous_secret_until !== null });
          else if (more.secret !== undefined) setMade(null);
          toast({ title: saved.enabled ? "Webhook saved" : "Webhook saved; it is off" });
        },
        onError: (error) => setErrors(fieldMessages(error, fields)),
      },
    );
  }
  function empty() {
    const values = { url: "", events: [...webhookEventsDefault], isOn: true };
    setStart(values);
    setValues(values);
    setSecret("");
    setMade(null);
    test.reset();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    send(secret === "" ? {} : { secret });
  }
  function sendTest() {
    setErrors({});
    // An error of the last save was shown at its field; it is not the test's. A save in progress still has to tell its secret.
    if (!save.isPending) save.reset();
    test.mutate(
      { url: url.trim(), ...(secret !== "" && { secret }) },
      { onError: (error) => setErrors(fieldMessages(error, fields)) },
    );
  }

  const failure = Object.keys(errors).length === 0 ? (save.error ?? test.error) : null;
  return (
    <form noValidate onSubmit={submit} aria-label="Webhook" className="grid max-w-180 gap-4">
      {webhook.disabled_reason !== null && (
        <Alert variant="warning">
          <AlertTitle>Turned off</AlertTitle>
          <AlertDescription>{disabledWords[webhook.disabled_reason]}</AlertDescription>
        </Alert>
      )}
      <Field
        label="URL"
        required
        error={errors.url}
        hint="http or https. Private networks are refused unless Errand allows them (ERRAND_OUTBOUND_ALLOW)."
      >
        <Input
          type="url"
          value={url}
          onChange={(event) => change({ url: event.target.value })}
          placeholder="https://example.com/hooks/errand"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <fieldset className="grid gap-1">
        <legend className="mb-1 font-medium text-sm">Send when</legend>
        {webhookEvents.map((event) => (
          <InlineField key={event} label={eventWords[event]}>
            <Checkbox
              checked={events.includes(event)}
              onCheckedChange={(isChosen) =>
                change({
                  events: webhookEvents.filter((one) => (one === event ? isChosen === true : events.includes(one))),
                })
              }
            />
          </InlineField>
        ))}
        {errors.events !== undefined && (
          <p role="alert" className="text-[13px] text-destructive">
            {errors.events}
          </p>
        )}
      </fieldset>
      <Field
        label="Secret"
        error={errors.secret}
        hint={
          isNew
            ? "Signs each request. Leave it empty to have one generated."
            : "Signs each request. It is never shown again."
        }
      >
        <Input
          type="password"
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
          placeholder={isNew ? "Generated for you" : "Saved. Enter a new one to replace it"}
          autoComplete="new-password"
          spellCheck={false}
        />
      </Field>
      {webhook.previous_secret_until !== null && (
        <p className="-mt-2 text-[13px] text-muted-foreground">
          Requests are also signed with the previous secret; that stops{" "}
          <RelativeTime at={webhook.previous_secret_until} />.
        </p>
      )}
      <InlineField label="Send events" hint="Turning it off cancels pending deliveries.">
        <Checkbox checked={isOn} onCheckedChange={(isChecked) => change({ isOn: isChecked === true })} />
      </InlineField>
      {made !== null && <WebhookSecret {...made} onDone={() => setMade(null)} />}
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {failure !== null && (
        <ErrorAlert
          title={save.error !== null ? "The webhook could not be saved" : "The test could not be sent"}
          {...describeError(failure)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={save.isPending}>
          Save
        </Button>
        <Button variant="outline" pending={test.isPending} onClick={sendTest}>
          Send a test
        </Button>
        {!isNew && (
          <>
            <Button variant="outline" pending={save.isPending} onClick={() => send({ rotate_secret: true })}>
              Generate new secret
            </Button>
            <DeleteWebhook orgId={orgId} isSaving={save.isPending} onDeleted={empty} />
          </>
        )}
      </div>
      {test.data !== undefined && <TestResult result={test.data} />}
    </form>
  );
}
