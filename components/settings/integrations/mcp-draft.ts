import { newKey } from "#components/form/merged.ts";
import type { ClientError } from "#lib/client/client-error.ts";
import type { CallBody } from "#lib/client/request.ts";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";

/** Form values of one server. */
export type McpDraft = {
  /** The name of a stored server: a renamed one would be another. */
  key: string;
  name: string;
  url: string;
  /** One header per line: `Authorization: Bearer …`. */
  headers: string;
  /** Names of the stored headers; they stay unless others are entered. Empty for a new server. */
  kept: readonly string[];
  isNew: boolean;
};

/** An empty server. */
export function newMcpDraft(): McpDraft {
  return { key: newKey(), name: "", url: "", headers: "", kept: [], isNew: true };
}

/** The connected servers. */
export function mcpDraftsOf({ metadata }: IntegrationStatus): McpDraft[] {
  return (metadata.servers ?? []).map(({ name, url, header_names }) => ({
    ...{ key: name, name, url, headers: "" },
    ...{ kept: header_names, isNew: false },
  }));
}

/** Request for the form's values. */
export function mcpBodyOf(drafts: readonly McpDraft[]): CallBody<"putIntegration"> {
  return {
    servers: drafts.map(({ name, url, headers }) => ({
      name: name.trim(),
      url: url.trim(),
      ...(headers.trim() === "" ? {} : { headers: headersOf(headers) }),
    })),
  };
}

/** A line without a colon becomes a name without a value, which the service refuses by its name. */
function headersOf(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

type McpErrors = Partial<Record<"name" | "url" | "headers", string>>;

/** Error messages by the key of the server, of those that were `sent`; messages for none of them are in `rest`. */
export function mcpErrorsOf(
  error: ClientError | null,
  sent: readonly McpDraft[],
): { of: Map<string, McpErrors>; rest: string | null } {
  const of = new Map<string, McpErrors>();
  const rest: string[] = [];
  for (const { loc, msg } of error?.fields ?? []) {
    const [, list, at, field, inside] = loc;
    const key = list === "servers" && typeof at === "number" ? sent[at]?.key : undefined;
    if (key !== undefined && (field === "name" || field === "url" || field === "headers")) {
      of.set(key, { ...of.get(key), [field]: inside === undefined ? msg : `${inside}: ${msg}` });
    } else {
      rest.push(`${loc.join(".")}: ${msg}`);
    }
  }
  return { of, rest: rest.length === 0 ? null : rest.join("; ") };
}
