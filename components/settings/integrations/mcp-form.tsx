"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { TextareaField, TextField } from "#components/form/fields.tsx";
import { merged } from "#components/form/merged.ts";
import { DialogSaveBar } from "#components/form/save-bar.tsx";
import { useSavedForm } from "#components/form/use-saved-form.ts";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { ClientError } from "#lib/client/client-error.ts";
import { usePutIntegration } from "#lib/client/pages/integration-queries.ts";
import { mcpServerBounds } from "#lib/contract/bounds.ts";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";
import { type McpDraft, mcpBodyOf, mcpDraftsOf, mcpErrorsOf, newMcpDraft } from "./mcp-draft.ts";

type McpFormProps = { integration: IntegrationStatus; onDone: () => void };

/** MCP servers for agents: their names, addresses and headers. */
export function McpForm({ integration, onDone }: McpFormProps) {
  const { id: orgId } = useOrganization();
  const put = usePutIntegration(orgId, "mcp");
  const [first] = useState(newMcpDraft);
  /** The servers as they were last sent: messages of a refusal name them by their place. */
  const [sent, setSent] = useState<readonly McpDraft[]>([]);
  const shownOf = (servers: McpDraft[]) => (servers.length === 0 ? [first] : servers);
  const form = useSavedForm({
    saved: { servers: mcpDraftsOf(integration) },
    bodyOf: ({ servers }) => mcpBodyOf(servers),
    mutation: put,
    requestOf:
      (_, { values, base }) =>
      (now = integration) => {
        const servers = merged(shownOf(values.servers), base.servers, mcpDraftsOf(now));
        setSent(servers);
        return mcpBodyOf(servers);
      },
    onSaved({ active, metadata: { servers = [], reason } }) {
      toast(
        active
          ? { title: servers.length === 1 ? "The MCP server works" : "All MCP servers work" }
          : { tone: "error", title: "Saved, but not every MCP server works", description: reason ?? undefined },
      );
      onDone();
    },
    savesUnchanged: true,
  });
  const servers = shownOf(form.values.servers);
  const show = (next: McpDraft[]) => form.edit({ servers: next });
  const errors = mcpErrorsOf(put.error instanceof ClientError ? put.error : null, sent);

  return (
    <form {...form.attributes} className="grid gap-4">
      {servers.map((server) => (
        <ServerFields
          key={server.key}
          server={server}
          errors={errors.of.get(server.key) ?? {}}
          onChange={(changes) => show(servers.map((one) => (one === server ? { ...one, ...changes } : one)))}
          onRemove={servers.length === 1 ? null : () => show(servers.filter((one) => one !== server))}
        />
      ))}
      {servers.length < mcpServerBounds.serversMax && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => show([...servers, newMcpDraft()])}
        >
          <Plus aria-hidden /> Add a server
        </Button>
      )}
      <DialogSaveBar
        form={{ ...form.state, errors: errors.rest === null ? form.state.errors : { "": errors.rest } }}
        label={integration.metadata.connected === true ? "Save and test" : "Connect and test"}
        failure="The MCP servers could not be saved"
      />
    </form>
  );
}

type ServerFieldsProps = {
  server: McpDraft;
  errors: Partial<Record<"name" | "url" | "headers", string>>;
  onChange: (changes: Partial<McpDraft>) => void;
  onRemove: (() => void) | null;
};

function ServerFields({ server: { name, url, headers, kept, isNew }, errors, onChange, onRemove }: ServerFieldsProps) {
  const called = name.trim() === "" ? "this server" : name.trim();
  return (
    <fieldset className="grid gap-3 rounded-lg border border-border p-3">
      <legend className="sr-only">{name.trim() === "" ? "New server" : name}</legend>
      {isNew ? (
        <TextField
          label="Name"
          required
          error={errors.name}
          hint="Letters, digits, - and _. Agents see it in the names of tools."
          value={name}
          onChange={(next) => onChange({ name: next })}
          placeholder="docs"
          isCode
        />
      ) : (
        // A renamed server would be another one, without this one's headers.
        <h3 className="font-medium wrap-anywhere">{name}</h3>
      )}
      <TextField
        label="URL"
        required
        error={errors.url}
        value={url}
        onChange={(next) => onChange({ url: next })}
        placeholder="https://mcp.example.com/mcp"
        inputMode="url"
        isCode
      />
      <TextareaField
        label="Headers"
        error={errors.headers}
        hint={
          kept.length === 0
            ? "One per line. Agents send them with every request."
            : `Saved: ${kept.join(", ")}. To change any, enter all of them again.`
        }
        rows={2}
        value={headers}
        onChange={(next) => onChange({ headers: next })}
        placeholder={kept.length === 0 ? "Authorization: Bearer …" : undefined}
        isCode
        areaClassName="font-mono text-xs"
      />
      {onRemove !== null && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          aria-label={`Remove ${called}`}
          onClick={onRemove}
        >
          Remove
        </Button>
      )}
    </fieldset>
  );
}
