import { fieldsOf, numberField, stringField } from "#lib/contract/json-fields.ts";

/** A text file of a message in the log; `bytes` is its full size, even if the text is cut. */
export type ShownFile = { name: string; mediaType: string; bytes: number; text: string };

/** The text files of a message, from the `tool_input` of its USER_MESSAGE. Malformed ones are left out. */
export function attachedFilesOf(toolInput: unknown): ShownFile[] {
  const { attachments } = fieldsOf(toolInput);
  if (!Array.isArray(attachments)) return [];
  return attachments.flatMap((one) => {
    const fields = fieldsOf(one);
    const name = stringField(fields, "name");
    // A share link without tool output leaves out the text, but not the size.
    const text = stringField(fields, "text") ?? (numberField(fields, "bytes") === null ? null : "");
    if (name === null || text === null) return [];
    const bytes = numberField(fields, "bytes") ?? new TextEncoder().encode(text).length;
    return [{ name, mediaType: stringField(fields, "media_type") ?? "text/plain", bytes, text }];
  });
}
