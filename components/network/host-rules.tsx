"use client";

import { X } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { FormError } from "#components/form/save-bar.tsx";
import { toastFailure } from "#components/page/toast-failure.ts";
import { formatCountOf } from "#components/shell/format-number.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { ClientError } from "#lib/client/client-error.ts";
import { type Place, useChangeNetwork } from "#lib/client/pages/isolation-queries.ts";
import type { NetworkRule } from "#lib/contract/repositories/network.ts";

/** Number of rules shown at first; the others are listed on demand. */
const shownMax = 20;

/** Allowed hosts of an organization or repository. People with permission add and remove them one by one. */
export function HostRules({ place, rules, mayChange }: { place: Place; rules: NetworkRule[]; mayChange: boolean }) {
  const [showsAll, setShowsAll] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(part);
  const shown = showsAll || rules.length <= shownMax + 1 ? rules : rules.slice(0, shownMax);
  return (
    <div ref={part} tabIndex={-1} className="grid gap-3 rounded-md" {...keptFocus}>
      {rules.length === 0 ? (
        <p className="text-muted-foreground text-sm">
          {place.repoId === null ? "No hosts of your own yet." : "No hosts besides the organization's."}
        </p>
      ) : (
        <ul aria-label="Allowed hosts" className="border-border border-t">
          {shown.map((rule) => (
            <HostRow key={ruleText(rule)} {...{ place, rule, mayChange }} />
          ))}
        </ul>
      )}
      {shown.length < rules.length && (
        <div>
          <Button variant="ghost" size="sm" className="-ml-2" onClick={() => setShowsAll(true)}>
            Show all {formatCountOf(rules.length, "host")}
          </Button>
        </div>
      )}
      {mayChange && <AddHost place={place} />}
    </div>
  );
}

function HostRow({ place, rule, mayChange }: { place: Place; rule: NetworkRule; mayChange: boolean }) {
  const change = useChangeNetwork(place);
  const remove = () => {
    if (change.isPending) return;
    // Not callbacks of mutate, which are not called once the row is gone.
    change
      .mutateAsync({ remove: [rule] })
      .then(
        () =>
          toast({ title: `${ruleText(rule)} is no longer allowed`, description: "Takes effect with the next turn." }),
        toastFailure(`${ruleText(rule)} could not be removed`),
      );
  };
  return (
    <li className="flex min-h-9 items-center gap-3 border-border border-b py-0.5">
      <code className="min-w-0 flex-1 text-[13px] [overflow-wrap:anywhere]">{rule.host}</code>
      <span className="shrink-0 text-[13px] text-muted-foreground tabular-nums">{portWords(rule)}</span>
      {mayChange && (
        <IconButton label={`Remove ${ruleText(rule)}`} aria-disabled={change.isPending} onClick={remove}>
          <X />
        </IconButton>
      )}
    </li>
  );
}

/** Messages of a 400 by field of the new rule: those not about the port are shown at the host. */
function messagesOf(error: unknown): { host?: string; port?: string } {
  if (!(error instanceof ClientError)) return {};
  const messages: { host?: string; port?: string } = {};
  for (const { loc, msg } of error.fields) {
    if (loc[1] === "add") messages[loc[3] === "port" ? "port" : "host"] = msg;
  }
  return messages;
}

type Typed = { host: string; port: string };
const nothing: Typed = { host: "", port: "" };

function ruleOf({ host, port }: Typed): NetworkRule {
  return { host: host.trim(), port: port.trim() === "" ? null : Number(port) };
}

function AddHost({ place }: { place: Place }) {
  const [typed, setTyped] = useState(nothing);
  const change = useChangeNetwork(place);
  const rule = ruleOf(typed);
  const [added] = change.variables?.add ?? [];
  const sent = added && { host: added.host, port: added.port ?? null };
  /** What is in the fields is what was sent, so messages about it belong to them. */
  const isSent = sent !== undefined && sent.host === rule.host && sent.port === rule.port;
  const errors = isSent ? messagesOf(change.error) : {};

  function edit(part: Partial<Typed>) {
    setTyped((now) => ({ ...now, ...part }));
    if (isSent && !change.isPending) change.reset();
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (rule.host === "" || change.isPending) return;
    change.mutate(
      { add: [rule] },
      {
        onSuccess: () => {
          // What was typed while this was being saved stays.
          setTyped((now) => (now.host === typed.host && now.port === typed.port ? nothing : now));
          toast({ title: `${ruleText(rule)} is allowed`, description: "Takes effect with the next turn." });
        },
      },
    );
  }
  return (
    <form noValidate onSubmit={submit} aria-label="Allow a host" className="grid gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          label="Host"
          labelHidden
          error={errors.host}
          className="min-w-48 flex-1"
          value={typed.host}
          onChange={(host) => edit({ host })}
          maxLength={255}
          placeholder="api.example.com or *.example.com"
          isCode
        />
        <TextField
          label="Port"
          labelHidden
          error={errors.port}
          className="w-28"
          value={typed.port}
          onChange={(port) => edit({ port })}
          type="number"
          inputMode="numeric"
          min={1}
          max={65_535}
          step={1}
          placeholder="80, 443"
        />
        <Button type="submit" variant="outline" pending={change.isPending}>
          Allow host
        </Button>
      </div>
      {sent !== undefined && (
        <FormError {...{ error: change.error, errors }} title={`${ruleText(sent)} could not be allowed`} />
      )}
    </form>
  );
}

/** A rule as text: `a.test`, `a.test:8443`. */
export function ruleText({ host, port }: NetworkRule): string {
  return port === null ? host : `${host}:${port}`;
}

function portWords({ port }: NetworkRule): string {
  return port === null ? "80, 443" : String(port);
}
