import { z } from "zod";
import { PermissionMode } from "#lib/contract/run.ts";
import { emptyValues, type NewRunValues } from "./new-run-values.ts";

// What is read back may have been written by another version of this page: what does not fit is left out.
const Choices = z.object({
  repoId: z.int().min(1).nullable().catch(null),
  baseBranch: z.string().max(244).catch(""),
  agent: z.string().max(64).catch(""),
  model: z.string().max(200).catch(""),
  permissionMode: PermissionMode.catch("auto"),
});
const Draft = Choices.extend({ prompt: z.string().catch("") });

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
      const kept = parse(Draft, get(storage, draftKey)) ?? parse(Choices, get(storage, choicesKey));
      return kept === null ? null : { ...emptyValues, ...kept };
    },
    /** Keeps a draft; one without a prompt is none. */
    keepDraft(values: NewRunValues): void {
      if (values.prompt.trim() === "") remove(storage, draftKey);
      else set(storage, draftKey, Draft.parse(values) satisfies Kept);
    },
    /** The run was started: its choices stay, its draft goes. */
    finish(values: NewRunValues): void {
      set(storage, choicesKey, Choices.parse(values));
      remove(storage, draftKey);
    },
  };
}

function parse<T extends z.ZodType>(schema: T, text: string | null): z.output<T> | null {
  if (text === null) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
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
