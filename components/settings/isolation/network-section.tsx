"use client";

import { useQuery } from "@tanstack/react-query";
import { HostRules, ruleText } from "#components/network/host-rules.tsx";
import { NetworkModeForm } from "#components/network/network-mode.tsx";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { useRefusal } from "#components/session/session.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { networkQuery } from "#lib/client/pages/isolation-queries.ts";
import type { NetworkRule } from "#lib/contract/repositories/network.ts";

/** Network rules for the organization's agents. */
export function NetworkSection({ orgId }: { orgId: number }) {
  const mayChange = useRefusal("org:admin") === null;
  const place = { orgId, repoId: null };
  return (
    <Section
      id="network"
      title="Network"
      note="For agents behind the wall; a repository can have rules of its own. An agent without the wall has the machine's network. Private addresses are blocked unless ERRAND_EGRESS_PRIVATE allows them; cloud metadata addresses are always blocked."
    >
      <LoadedPart query={useQuery(networkQuery(orgId))} what="the network rules">
        {({ network, rules, built_in }) => (
          <>
            {network === "open" && (
              <Alert variant="warning">
                <AlertTitle>The network is open</AlertTitle>
                <AlertDescription>
                  Agents can reach every public host. To restrict them, choose Allowed hosts. Organizations created
                  before network rules existed start out open.
                </AlertDescription>
              </Alert>
            )}
            <NetworkModeForm {...{ place, mayChange }} mode={network} inherited={null} />
            <h3 className="font-medium text-sm">Allowed hosts</h3>
            <HostRules {...{ place, rules, mayChange }} />
            <BuiltIn rules={built_in} />
          </>
        )}
      </LoadedPart>
    </Section>
  );
}

function BuiltIn({ rules }: { rules: readonly NetworkRule[] }) {
  return (
    <details>
      <summary className="w-fit rounded-sm text-[13px] text-muted-foreground hover:text-foreground">
        {formatCountOf(rules.length, "built-in host")}
      </summary>
      <p className="pt-2 text-[13px] text-muted-foreground">
        Package registries and the hosts of repositories. Connected MCP servers and the hosts of an agent's own models
        are allowed too.
      </p>
      <ul aria-label="Built-in hosts" className="grid gap-x-6 pt-1 sm:grid-cols-2">
        {rules.map((rule) => (
          <li key={ruleText(rule)} className="min-w-0">
            <code className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">{ruleText(rule)}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
