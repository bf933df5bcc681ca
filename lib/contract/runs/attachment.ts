import { z } from "zod";
import { attachmentBounds } from "#lib/contract/bounds.ts";
import { NameText, Text } from "#lib/contract/text.ts";

const { filesMax, bytesMax, totalBytesMax, nameMax, mediaTypeMax } = attachmentBounds;

const FileName = NameText(nameMax)
  .refine((name) => !/[/\\]/.test(name), "must be a name without folders: it must not contain / or \\")
  .refine((name) => name !== "." && name !== "..", "must be the name of a file");

const MediaType = z
  .string()
  .max(mediaTypeMax, `must have at most ${mediaTypeMax} characters`)
  .regex(/^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/i, "must be a media type without parameters, such as text/csv");

/** A text file of a message, in a request. */
export const Attachment = z.strictObject({
  name: FileName.describe("Its name, without folders; each name once in a message"),
  media_type: MediaType.nullish().describe("What kind of text it is, such as text/csv; text/plain if absent"),
  text: Text(bytesMax)
    .refine((text) => text !== "", "must not be empty")
    .refine((text) => bytesOf(text) <= bytesMax, `must have at most ${bytesMax} bytes in UTF-8`)
    .describe(`What is in it: at most ${bytesMax.toLocaleString("en-US")} bytes in UTF-8`),
});

/** The text files of a message, in a request: an agent that takes embedded context gets them as such, any other in the prompt. */
export const Attachments = z
  .array(Attachment)
  .max(filesMax, `must have at most ${filesMax} files`)
  .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, "must name each file once")
  .refine(
    (files) => files.reduce((sum, { text }) => sum + bytesOf(text), 0) <= totalBytesMax,
    `must total at most ${totalBytesMax} bytes in UTF-8`,
  );
export type Attachments = z.infer<typeof Attachments>;

/** A text file of a message as stored, and as `tool_input.attachments` of the message's log entry has it. */
export const AttachedFile = z.object({ name: z.string(), media_type: z.string(), bytes: z.int(), text: z.string() });
export type AttachedFile = z.infer<typeof AttachedFile>;

/** A text file of a message that has not begun, without its text. */
export const AttachedName = z.object({
  name: z.string().describe("The file's name"),
  media_type: z.string().describe("What kind of text it is"),
  bytes: z.int().describe("Its size in UTF-8"),
});
export type AttachedName = z.infer<typeof AttachedName>;

/** The files of a request in stored form. */
export function attachedFiles(files: Attachments | null | undefined): AttachedFile[] {
  return (files ?? []).map(({ name, media_type, text }) => ({
    name,
    media_type: media_type ?? "text/plain",
    bytes: bytesOf(text),
    text,
  }));
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
