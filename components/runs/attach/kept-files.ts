import { fieldsOf, stringField } from "#lib/contract/json-fields.ts";
import type { TextFile } from "./read-text-files.ts";

/** Text files from what a browser stored, which may be of another version of the page: what is none is left out. */
export function keptFiles(value: unknown): TextFile[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const fields = fieldsOf(one);
    const [name, media_type, text] = ["name", "media_type", "text"].map((field) => stringField(fields, field));
    return name == null || media_type == null || text == null ? [] : [{ name, media_type, text }];
  });
}
