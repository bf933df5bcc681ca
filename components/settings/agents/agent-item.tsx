"use client";

import { CommandLine } from "#components/page/command-line.tsx";
import { toastFailure } from "#components/page/toast-failure.ts";
import { useRefusal } from "#components/session/session.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { InlineCode } from "#components/text/inline-code.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useChangeSettings } from "#lib/client/pages/organization-mutations.ts";
import type { Agent, OrganizationAgent } from "#lib/contract/runs/agent.ts";
import { AgentTest } from "./agent-test.tsx";
import { stateLook } from "./agent-words.ts";
import { AnnouncedFacts } from "./announced-facts.tsx";
import { DefaultMode } from "./default-mode.tsx";
import { DefaultModel } from "./default-model.tsx";
import { AgentSignIn } from "./sign-in.tsx";

/** One agent: its state and missing requirements, its capabilities, and the actions available for it. */
export function AgentItem({ orgId, agent }: { orgId: number; agent: OrganizationAgent }) {
  const { id, title, state, reason, ready, is_default, install, sign_in, announced } = agent;
  const { label, variant } = stateLook[state];
  const mayRun = useRefusal("runs:write") === null;
  const mayChange = useRefusal("org:admin") === null;
  const offersInstall = install !== null && (state === "not_installed" || state === "too_old");
  return (
    <li
      aria-labelledby={`agent-${id}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-border bg-card p-4"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={`agent-${id}`} className="font-semibold text-base/6">
          {title}
        </h2>
        <Badge variant={variant}>{label}</Badge>
        {is_default && <Badge variant="outline">Default</Badge>}
        <span className="ml-auto text-[13px] text-muted-foreground">
          Checked <RelativeTime at={agent.checked_at} />
        </span>
      </div>
      {reason !== null && (
        <p className="text-sm [overflow-wrap:anywhere]">
          {state === "not_installed" && install !== null ? (
            "Its program is not on PATH. Install it on the machine that runs Errand; it shows up here within half a minute."
          ) : (
            <InlineCode text={sentence(reason)} />
          )}
        </p>
      )}
      {offersInstall && <CommandLine command={install} label={`Copy the command that installs ${title}`} />}
      {state === "not_installed" && sign_in.hint !== null && (
        <p className="text-[13px] text-muted-foreground">
          <InlineCode text={`Then: ${sign_in.hint.charAt(0).toLowerCase()}${sign_in.hint.slice(1)}`} />
        </p>
      )}
      {state !== "not_installed" && (
        <Facts agent={mayChange ? { ...agent, default_model: null, default_mode: null } : agent} />
      )}
      {announced !== null && <AnnouncedFacts announced={announced} />}
      {mayChange && agent.has_model && state !== "not_installed" && <DefaultModel orgId={orgId} agent={agent} />}
      {mayChange && state !== "not_installed" && <DefaultMode orgId={orgId} agent={agent} />}
      {ready && (mayRun || mayChange) && (
        <div className="flex flex-wrap items-center gap-2">
          {mayRun && <AgentTest orgId={orgId} agent={agent} />}
          {mayChange && !is_default && <MakeDefault orgId={orgId} agent={agent} />}
          {mayChange && <AgentSignIn orgId={orgId} agent={agent} />}
        </div>
      )}
    </li>
  );
}

function Facts({
  agent: {
    id,
    command,
    version,
    oldest_version,
    sign_in,
    keys,
    environment,
    has_model,
    default_model,
    default_mode,
    isolation,
  },
}: {
  agent: OrganizationAgent;
}) {
  const worksFrom = oldest_version === null ? "" : ` (needs ${oldest_version} or newer)`;
  const facts = [
    { name: "ID", value: id },
    { name: "Program", value: has_model ? command : null },
    { name: "Version", value: version === null ? null : `${version}${worksFrom}` },
    { name: "Sign-in", value: has_model ? signInWords(sign_in) : null },
    { name: "Default model", value: default_model },
    { name: "Default mode", value: default_mode },
    { name: "Keys", value: keys.length === 0 ? null : keys.join(", ") },
    { name: "Isolation", value: isolation === "wall" ? "Behind the wall" : "Not isolated" },
  ];
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px]">
      {facts.map(
        ({ name, value }) =>
          value !== null && (
            <div key={name} className="contents">
              <dt className="text-muted-foreground">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">
                <InlineCode text={value} />
              </dd>
            </div>
          ),
      )}
      {environment.length > 0 && (
        <div className="contents">
          <dt className="text-muted-foreground">Environment</dt>
          <dd>
            <details>
              <summary className="w-fit cursor-pointer rounded-sm hover:underline">
                {formatCountOf(environment.length, "variable")}
              </summary>
              <p className="mt-1 text-muted-foreground">
                Variables that Errand passes to this agent. Values are not shown; stored keys are added.
              </p>
              <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1">
                {environment.map((variable) => (
                  <li key={variable} className="[overflow-wrap:anywhere]">
                    <code>{variable}</code>
                  </li>
                ))}
              </ul>
            </details>
          </dd>
        </div>
      )}
    </dl>
  );
}

function signInWords({ state, detail, hint }: Agent["sign_in"]): string {
  const words = { signed_in: "Signed in", needed: "Needed", unknown: "Unknown", not_used: "" }[state];
  return [`${words}${detail === null ? "" : ` (${detail})`}.`, state === "needed" ? null : hint]
    .filter(Boolean)
    .join(" ");
}

function MakeDefault({ orgId, agent: { id, title } }: { orgId: number; agent: Agent }) {
  const change = useChangeSettings(orgId);
  const set = () =>
    // Not callbacks of mutate, which are not called once this is the default, and the button gone.
    change
      .mutateAsync({ default_agent: id, default_model: null })
      .then(() => toast({ title: `${title} is the default` }), toastFailure("The default could not be changed"));
  return (
    <Button size="sm" variant="outline" pending={change.isPending} onClick={set}>
      Make default
    </Button>
  );
}

/** Reasons are sentence fragments that begin in lower case. */
function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.`]$/.test(reason) ? "" : "."}`;
}
