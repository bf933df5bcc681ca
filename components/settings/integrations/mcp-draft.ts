import type { ClientError } from "#lib/client/client-error.ts";
import type { CallBody } from "#lib/client/request.ts";
import type { IntegrationStatus } from "#lib/contract/integration.ts";

/** Form values of one server. */
export type McpDraft = {
  key: number;
  name: string;
  url: string;
  /** One header per line: `Authorization: Bearer …`. */
  headers: string;
  /** Names of the stored headers; they stay unless others are entered. Empty for a new server. */
  kept: readonly string[];
  isNew: boolean;
};

/** An empty server. */
export function newMcpDraft(key: number): McpDraft {
  return { key, name: "", url: "", headers: "", kept: [], isNew: true };
}

/** The servers and an empty one, which gets none of the messages about those that were `sent`, removed since or not. */
export function withNewMcp(servers: readonly McpDraft[], sent: readonly McpDraft[]): McpDraft[] {
  return [...servers, newMcpDraft(freeKey([...servers, ...sent]))];
}

function freeKey(drafts: readonly McpDraft[]): number {
  return Math.max(-1, ...drafts.map(({ key }) => key)) + 1;
}

/** Initial values of the form: the connected servers, or an empty one. */
export function mcpDraftsOf({ metadata }: IntegrationStatus): McpDraft[] {
  const servers = metadata.servers ?? [];
  if (servers.length === 0) return [newMcpDraft(0)];
  return servers.map(({ name, url, header_names }, key) => ({
    key,
    name,
    url,
    headers: "",
    kept: header_names,
    isNew: false,
  }));
}

/**
 * The edited servers over the present ones: those that were not edited since `start` are as they are `now`, and those added by
 * others meanwhile come last.
 */
export function rebasedMcp(drafts: readonly McpDraft[], start: IntegrationStatus, now: IntegrationStatus): McpDraft[] {
  const before = start.metadata.servers ?? [];
  const present = mcpDraftsOf(now).filter(({ isNew }) => !isNew);
  const isEdited = ({ name, url, headers }: McpDraft) =>
    headers.trim() !== "" || url !== before.find((server) => server.name === name)?.url;
  const mine = drafts.flatMap((draft) => {
    const theirs = present.find(({ name }) => name === draft.name);
    if (draft.isNew || isEdited(draft)) return [draft];
    return theirs === undefined ? [] : [{ ...theirs, key: draft.key }];
  });
  const added = present.filter(({ name }) => before.every((server) => server.name !== name));
  const free = freeKey(drafts);
  return [...mine, ...added.map((draft, at) => ({ ...draft, key: free + at }))];
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
): { of: Map<number, McpErrors>; rest: string | null } {
  const of = new Map<number, McpErrors>();
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
