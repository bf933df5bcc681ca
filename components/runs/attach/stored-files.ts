import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";
import type { TextFile } from "./read-text-files.ts";

/**
 * Reads text files from browser storage, which may have been written by another version of the page. Anything else is dropped.
 */
export function parseStoredFiles(value: unknown): TextFile[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const fields = fieldsOf(one);
    const [name, media_type, text] = ["name", "media_type", "text"].map((field) => stringField(fields, field));
    return name == null || media_type == null || text == null ? [] : [{ name, media_type, text }];
  });
}
