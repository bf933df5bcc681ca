import { CircleCheck, CircleX } from "lucide-react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { toastFailure } from "#components/page/toast-failure.ts";
import { approvalNote } from "#components/pulls/approval-words.ts";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { useTestIntegration } from "#lib/client/pages/integration-queries.ts";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";
import { McpFacts } from "./mcp-facts.tsx";

type IntegrationRowProps = {
  integration: IntegrationStatus;
  onPeople: () => void;
  onConnect: () => void;
  onDisconnect: () => void;
};

/** One integration: its name, state and last check, and its actions. */
export function IntegrationRow({ integration, onPeople, onConnect, onDisconnect }: IntegrationRowProps) {
  const { id: orgId } = useOrganization();
  const refusal = useRefusal("org:admin");
  const test = useTestIntegration(orgId);
  const { integration_type, metadata } = integration;
  const { title } = metadata;
  const isConnected = metadata.connected === true;
  function ask() {
    test.mutate(integration_type, {
      onSuccess: ({ active: works, metadata: { reason } }) =>
        toast(
          works
            ? { title: `${title} works` }
            : { tone: "error", title: `${title} does not work`, description: reason ?? undefined },
        ),
      onError: toastFailure(`${title} could not be tested`),
    });
  }
  return (
    <li
      className={cn(
        "grid gap-x-4 gap-y-2 border-border border-b px-2 py-3 md:grid-cols-[minmax(0,1fr)_auto]",
        // On a phone there is room for one button beside the name.
        !isConnected && "grid-cols-[minmax(0,1fr)_auto] items-center",
      )}
    >
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="font-medium">{title}</h2>
          <State integration={integration} />
        </div>
        {integration_type === "mcp" ? (
          <McpFacts servers={metadata.servers ?? []} />
        ) : (
          isConnected && <Facts integration={integration} />
        )}
      </div>
      <div className="flex flex-wrap items-start gap-2">
        {isConnected && (
          <>
            <RefusableButton
              refusal={refusal}
              variant="outline"
              size="sm"
              pending={test.isPending}
              aria-label={`Test ${title}`}
              onClick={ask}
            >
              Test
            </RefusableButton>
            {integration_type !== "mcp" && (
              <Button variant="outline" size="sm" aria-label={`People in ${title}`} onClick={onPeople}>
                People
              </Button>
            )}
          </>
        )}
        <RefusableButton
          refusal={refusal}
          variant="outline"
          size="sm"
          aria-label={`${isConnected ? "Edit" : "Connect"} ${title}`}
          onClick={onConnect}
        >
          {isConnected ? "Edit" : "Connect"}
        </RefusableButton>
        {isConnected && (
          <RefusableButton
            refusal={refusal}
            variant="outline"
            size="sm"
            aria-label={`Disconnect ${title}`}
            onClick={onDisconnect}
          >
            Disconnect
          </RefusableButton>
        )}
      </div>
    </li>
  );
}

function State({ integration: { active, metadata } }: { integration: IntegrationStatus }) {
  if (metadata.connected !== true) return <Badge variant="outline">Not connected</Badge>;
  if (active) {
    return (
      <Badge variant="completed">
        <CircleCheck aria-hidden /> Active
      </Badge>
    );
  }
  const { servers = [] } = metadata;
  const works = servers.filter((server) => server.active).length;
  return (
    <Badge variant="failed">
      <CircleX aria-hidden /> {works === 0 ? "Not active" : `${works} of ${servers.length} active`}
    </Badge>
  );
}

function Facts({ integration: { integration_type, metadata } }: { integration: IntegrationStatus }) {
  const { account, base_url, checked_at, reason, hook_url, has_hook_secret } = metadata;
  const note = approvalNote(integration_type, metadata);
  return (
    <div className="grid min-w-0 gap-1 text-[13px] text-muted-foreground">
      {reason !== null && <p className="text-foreground">{reason}</p>}
      <p className="flex flex-wrap gap-x-2">
        {account != null && <span className="min-w-0 break-words">As {account}</span>}
        <span className="min-w-0 break-all">{base_url}</span>
        {checked_at != null && (
          <span>
            Checked <RelativeTime at={checked_at} />
          </span>
        )}
      </p>
      {note !== null && <p className="[overflow-wrap:anywhere]">{note}</p>}
      {hook_url !== undefined && (
        <div className="flex min-w-0 items-center gap-1">
          <span className="shrink-0">Webhook URL</span>
          <code className="min-w-0 truncate text-xs">{hook_url}</code>
          <CopyButton text={hook_url} label="Copy the webhook URL" className="shrink-0" />
        </div>
      )}
      {hook_url !== undefined && isOfThisMachine(hook_url) && (
        <p>
          {metadata.title} cannot call this URL: it leads to the machine that Errand runs on. Set{" "}
          <code>ERRAND_PUBLIC_URL</code> to a URL at which it can be reached.
        </p>
      )}
      {has_hook_secret === false && (
        <p>
          Events are refused until you set {integration_type === "slack" ? "the signing secret" : "a webhook secret"}.
        </p>
      )}
    </div>
  );
}

/** Whether an address leads back to the machine of its caller. */
function isOfThisMachine(address: string): boolean {
  const name = URL.parse(address)?.hostname ?? "";
  return /^127\.|^\[::1\]$|(?:^|\.)localhost$/.test(name);
}
