"use client";

import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useOrganization } from "#components/session/session.tsx";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogCancel, DialogFooter, KeepOpen } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { ClientError, describeError } from "#lib/client/client-error.ts";
import { usePutIntegration } from "#lib/client/integration-queries.ts";
import { mcpServerBounds } from "#lib/contract/bounds.ts";
import type { IntegrationStatus } from "#lib/contract/integration.ts";
import { type McpDraft, mcpBodyOf, mcpDraftsOf, mcpErrorsOf, rebasedMcp, withNewMcp } from "./mcp-draft.ts";

type McpFormProps = { integration: IntegrationStatus; onDone: () => void };

/** MCP servers for agents: their names, addresses and headers. */
export function McpForm({ integration, onDone }: McpFormProps) {
  const { id: orgId } = useOrganization();
  const put = usePutIntegration(orgId, "mcp");
  /** The servers as they are edited, and the integration that the edits began with. */
  const [start, setStart] = useState(integration);
  const [servers, setServers] = useState(() => mcpDraftsOf(start));
  /** The servers as they were last sent: messages of a refusal name them by their place. */
  const [sent, setSent] = useState<readonly McpDraft[]>([]);
  const change = (key: number, changes: Partial<McpDraft>) =>
    setServers((before) => before.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const error = put.error instanceof ClientError && put.error.fields.length > 0 ? put.error : null;
  const errors = mcpErrorsOf(error, sent);

  function send(event: FormEvent) {
    event.preventDefault();
    const bodyFor = (now = start) => {
      const wanted = rebasedMcp(servers, start, now);
      setStart(now);
      setServers(wanted);
      setSent(wanted);
      return mcpBodyOf(wanted);
    };
    put.mutate(bodyFor, {
      onSuccess: ({ active, metadata: { reason } }) => {
        toast(
          active
            ? { title: servers.length === 1 ? "The MCP server works" : "All MCP servers work" }
            : { tone: "error", title: "Saved, but not every MCP server works", description: reason ?? undefined },
        );
        onDone();
      },
    });
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <KeepOpen while={put.isPending} />
      {servers.map((server) => (
        <ServerFields
          key={server.key}
          server={server}
          errors={errors.of.get(server.key) ?? {}}
          onChange={(changes) => change(server.key, changes)}
          onRemove={servers.length === 1 ? null : () => setServers(servers.filter((one) => one !== server))}
        />
      ))}
      {servers.length < mcpServerBounds.serversMax && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => setServers(withNewMcp(servers, sent))}
        >
          <Plus aria-hidden /> Add a server
        </Button>
      )}
      {errors.rest !== null && <ErrorAlert title="The request was refused" detail={errors.rest} />}
      {put.error !== null && error === null && (
        <ErrorAlert title="The MCP servers could not be saved" {...describeError(put.error)} />
      )}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" pending={put.isPending}>
          {integration.metadata.connected === true ? "Save and test" : "Connect and test"}
        </Button>
      </DialogFooter>
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
        <Field
          label="Name"
          required
          error={errors.name}
          hint="Letters, digits, - and _. Agents see it in the names of tools."
        >
          <Input
            value={name}
            onChange={(event) => onChange({ name: event.target.value })}
            placeholder="docs"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      ) : (
        // A renamed server would be another one, without this one's headers.
        <h3 className="font-medium wrap-anywhere">{name}</h3>
      )}
      <Field label="URL" required error={errors.url}>
        <Input
          value={url}
          onChange={(event) => onChange({ url: event.target.value })}
          placeholder="https://mcp.example.com/mcp"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        label="Headers"
        error={errors.headers}
        hint={
          kept.length === 0
            ? "One per line. Agents send them with every request."
            : `Saved: ${kept.join(", ")}. To change any, enter all of them again.`
        }
      >
        <Textarea
          rows={2}
          value={headers}
          onChange={(event) => onChange({ headers: event.target.value })}
          placeholder={kept.length === 0 ? "Authorization: Bearer …" : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-xs"
        />
      </Field>
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
