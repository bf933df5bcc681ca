import { parseStoredFiles } from "#components/runs/attach/stored-files.ts";
import { mcpServerBounds } from "#lib/contract/bounds.ts";
import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";
import { permissionModes } from "#lib/contract/words.ts";
import { emptyValues, type NewRunValues } from "./new-run-values.ts";

/** Images are not stored: a browser has about five megabytes per site. */
type Kept = Omit<NewRunValues, "images">;

/** The part of Storage that is used. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The form's stored values per browser and organization: a draft, and the choices of the last run. */
export function newRunMemory(orgId: number, storage: Keeper) {
  const draftKey = `errand-new-run-draft-${orgId}`;
  const choicesKey = `errand-new-run-choices-${orgId}`;
  return {
    /** Initial values: the draft, or the last choices without a prompt, or null. */
    read(): NewRunValues | null {
      const kept = parse(get(storage, draftKey)) ?? parse(get(storage, choicesKey));
      return kept === null ? null : { ...emptyValues, ...kept };
    },
    /** Stores a draft; one without prompt and files is discarded. */
    keepDraft(values: NewRunValues): void {
      if (values.prompt.trim() === "" && values.attachments.length === 0) remove(storage, draftKey);
      // Files too large for the browser's storage are left out, like images.
      else if (!set(storage, draftKey, keptOf(values))) set(storage, draftKey, { ...keptOf(values), attachments: [] });
    },
    /**
     * Called when a run has started: deletes the draft and stores the run's choices, except its MCP servers. If the run had no
     * repository, the stored choice of a repository stays.
     */
    finish(values: NewRunValues): void {
      const repoId = values.repoId ?? parse(get(storage, choicesKey))?.repoId ?? null;
      set(storage, choicesKey, { ...keptOf(values), repoId, prompt: "", withheldServers: [], attachments: [] });
      remove(storage, draftKey);
    },
  };
}

function keptOf({ images: _, ...kept }: NewRunValues): Kept {
  return kept;
}

/** Stored values may have been written by another version of this page: invalid ones are dropped. */
function parse(text: string | null): Kept | null {
  if (text === null) return null;
  let fields: Record<string, unknown>;
  try {
    fields = fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
  const short = (name: string, max: number) => {
    const value = stringField(fields, name) ?? "";
    return value.length > max ? "" : value;
  };
  const { repoId } = fields;
  return {
    prompt: stringField(fields, "prompt") ?? "",
    repoId: typeof repoId === "number" && Number.isSafeInteger(repoId) && repoId > 0 ? repoId : null,
    baseBranch: short("baseBranch", 244),
    agent: short("agent", 64),
    model: short("model", 200),
    permissionMode: permissionModes.find((mode) => mode === fields.permissionMode) ?? null,
    mode: short("mode", 200),
    withheldServers: namesOf(fields.withheldServers),
    minutes: short("minutes", 6),
    attachments: parseStoredFiles(fields.attachments),
  };
}

function namesOf(value: unknown): string[] {
  const names = Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
  return names.slice(0, mcpServerBounds.serversMax);
}

// Storage may be refused (private windows) or full; the form works without it.
function get(storage: Keeper, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

/** False if storage is full or refused: then nothing is stored. */
function set(storage: Keeper, key: string, value: unknown): boolean {
  try {
    storage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    remove(storage, key);
    return false;
  }
}

function remove(storage: Keeper, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // Then nothing is stored.
  }
}
