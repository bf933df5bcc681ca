"use client";

import { Plus } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { webhooksMax } from "#lib/contract/bounds.ts";
import type { WebhookEndpoint } from "#lib/contract/integrations/webhook.ts";
import { type GeneratedSecret, WebhookForm } from "./webhook-form.tsx";
import { eventWords } from "./webhook-words.ts";

type WebhookListProps = { webhooks: readonly WebhookEndpoint[] };

/** The organization's webhooks: a single one, or the form for the first one, is always open; several are collapsed. */
export function WebhookList({ webhooks }: WebhookListProps) {
  const [added, setAdded] = useState<{ id: number; made: GeneratedSecret | null } | null>(null);
  const isSeveral = webhooks.length > 1;
  const place = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(place);
  return (
    <div ref={place} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-4" {...keptFocus}>
      <ul aria-label="Webhooks" className="grid max-w-180 grid-cols-[minmax(0,1fr)]">
        {(webhooks.length === 0 ? [null] : webhooks).map((webhook) => (
          // Same key before and after creation, so the form keeps what was typed meanwhile.
          <li
            key={webhook === null || webhook.is_default ? "default" : webhook.id}
            className={isSeveral ? "border-border border-b py-2 first:border-t" : undefined}
          >
            <WebhookRow
              webhook={webhook}
              isSeveral={isSeveral}
              isAdded={added !== null && added.id === webhook?.id}
              made={added !== null && added.id === webhook?.id ? added.made : null}
            />
          </li>
        ))}
      </ul>
      {webhooks.length > 0 && webhooks.filter(({ is_default }) => !is_default).length < webhooksMax && (
        <AddWebhook onAdded={({ id }, made) => setAdded({ id, made })} />
      )}
    </div>
  );
}

type WebhookRowProps = {
  webhook: WebhookEndpoint | null;
  isSeveral: boolean;
  /** Whether it was just added here, with the secret that was generated for it. */
  isAdded: boolean;
  made: GeneratedSecret | null;
};

function WebhookRow({ webhook, isSeveral, isAdded, made }: WebhookRowProps) {
  const [isOpen, setOpen] = useState(isAdded);
  const formId = useId();
  const form = useRef<HTMLDivElement>(null);
  // Its form was elsewhere; the secret is shown here.
  useEffect(() => {
    if (isAdded) form.current?.focus();
  }, [isAdded]);
  const isShown = isOpen || !isSeveral;
  return (
    <>
      {isSeveral && webhook !== null && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Disclosure
            isOpen={isOpen}
            onChange={setOpen}
            controls={formId}
            className="min-w-0 shrink text-foreground"
            label={
              <span className="truncate" title={webhook.url}>
                {webhook.description ?? webhook.url}
              </span>
            }
          />
          {!webhook.enabled && <Badge variant={webhook.disabled_reason === null ? "default" : "failed"}>Off</Badge>}
          {webhook.is_default && (
            <Badge variant="outline" title="Read and changed by the API operations on webhooks/agent-run">
              Default
            </Badge>
          )}
          <span className="text-[13px] text-muted-foreground">
            {webhook.events.map((event) => eventWords[event]).join(" · ")}
          </span>
        </div>
      )}
      {/* Hidden and not removed: what was typed stays. */}
      <div ref={form} id={formId} tabIndex={-1} hidden={!isShown} className={isSeveral ? "pt-3 pb-2" : undefined}>
        <WebhookForm
          webhook={webhook}
          label={isSeveral && webhook !== null ? `Webhook ${webhook.url}` : "Webhook"}
          hasOthers={isSeveral}
          initialSecret={made}
        />
      </div>
    </>
  );
}

function AddWebhook({ onAdded }: { onAdded: (webhook: WebhookEndpoint, made: GeneratedSecret | null) => void }) {
  const [isOpen, setOpen] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) section.current?.querySelector("input")?.focus();
  }, [isOpen]);
  if (!isOpen) {
    return (
      <Button variant="outline" className="w-fit" onClick={() => setOpen(true)}>
        <Plus /> Add a webhook
      </Button>
    );
  }
  return (
    <section ref={section} aria-labelledby="new-webhook" className="grid max-w-180 grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="new-webhook" className="font-semibold text-base/6">
        New webhook
      </h2>
      <WebhookForm
        webhook={null}
        label="New webhook"
        hasOthers
        onAdded={(webhook, made) => {
          onAdded(webhook, made);
          setOpen(false);
        }}
        onCancel={() => setOpen(false)}
      />
    </section>
  );
}
