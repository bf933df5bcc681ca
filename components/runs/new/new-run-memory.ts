import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";
import { PermissionMode } from "#lib/contract/run.ts";
import { emptyValues, type NewRunValues } from "./new-run-values.ts";

/** Images are not kept: a browser keeps about five megabytes for a site. */
type Kept = Omit<NewRunValues, "images">;

/** The part of Storage that is used. */
export type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What the form remembers in one browser of one organization: a draft, and the choices of the last run. */
export function newRunMemory(orgId: number, storage: Keeper) {
  const draftKey = `errand-new-run-draft-${orgId}`;
  const choicesKey = `errand-new-run-choices-${orgId}`;
  return {
    /** What to begin with: the draft, else the last choices without a prompt, else null. */
    read(): NewRunValues | null {
      const kept = parse(get(storage, draftKey)) ?? parse(get(storage, choicesKey));
      return kept === null ? null : { ...emptyValues, ...kept };
    },
    /** Keeps a draft; one without a prompt is none. */
    keepDraft(values: NewRunValues): void {
      if (values.prompt.trim() === "") remove(storage, draftKey);
      else set(storage, draftKey, keptOf(values));
    },
    /** The run was started: its choices stay (and the repository of an earlier one where it had none), its draft goes. */
    finish(values: NewRunValues): void {
      const repoId = values.repoId ?? parse(get(storage, choicesKey))?.repoId ?? null;
      set(storage, choicesKey, { ...keptOf(values), repoId, prompt: "" });
      remove(storage, draftKey);
    },
  };
}

function keptOf({ images: _, ...kept }: NewRunValues): Kept {
  return kept;
}

/** What is read back may have been written by another version of this page: what does not fit is left out. */
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
    permissionMode: PermissionMode.options.find((mode) => mode === fields.permissionMode) ?? null,
    minutes: short("minutes", 6),
  };
}

// Storage may be refused (private windows) or full; the form works without.
function get(storage: Keeper, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    return null;
  }
}

function set(storage: Keeper, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    remove(storage, key);
  }
}

function remove(storage: Keeper, key: string): void {
  try {
    storage.removeItem(key);
  } catch {
    // Nothing is kept then.
  }
}
