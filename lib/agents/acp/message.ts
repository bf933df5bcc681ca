import { createHash } from "node:crypto";
import { z } from "zod";
import { toolCallIdMax } from "#lib/contract/logs/entry.ts";
import { mediaWords } from "#lib/entry/media-text.ts";

/** A field that counts as absent if it has another type, so that one malformed field does not cost the whole message. */
export const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

/** More than any turn uses. Beyond the bounds a figure is a fault of the agent: sums of such would not be whole numbers any more. */
const tokensMax = 1e12;
const usdMax = 1e9;
const tokens = lenient(z.int().min(0).max(tokensMax));

/** Counts of tokens as agents write them, in camel case or snake case. */
export const TokenCounts = z.looseObject({
  inputTokens: tokens,
  outputTokens: tokens,
  totalTokens: tokens,
  cachedReadTokens: tokens,
  cachedWriteTokens: tokens,
  input_tokens: tokens,
  output_tokens: tokens,
});
export type TokenCounts = z.infer<typeof TokenCounts>;

/** The used parts of a message's `_meta`. */
export const Meta = z.looseObject({
  toolName: lenient(z.string()),
  claudeCode: lenient(z.looseObject({ toolName: lenient(z.string()), parentToolUseId: lenient(z.string()) })),
  terminal_output_delta: lenient(z.looseObject({ data: z.string() })),
  terminal_output: lenient(z.looseObject({ data: z.string() })),
  terminal_exit: lenient(
    z.looseObject({ exit_code: lenient(z.number()), signal: lenient(z.union([z.string(), z.number()])) }),
  ),
  usage: lenient(TokenCounts),
  quota: lenient(
    z.looseObject({
      token_count: lenient(TokenCounts),
      model_usage: lenient(z.array(z.looseObject({ model: z.string(), token_count: lenient(TokenCounts) }))),
    }),
  ),
  "_claude/model": lenient(z.string()),
  // Set by the built-in analysis: this thought is a finding and gets its own entry.
  errand: lenient(
    z.looseObject({
      finding: lenient(z.looseObject({ section: z.string().max(100), seqs: z.array(z.int()).max(1000) })),
    }),
  ),
  codex: lenient(
    z.looseObject({
      threadStatus: lenient(z.looseObject({ type: z.string() })),
      error: lenient(z.looseObject({ message: lenient(z.string()), additionalDetails: lenient(z.string()) })),
    }),
  ),
});

/** One piece of a tool's content, or of a message. */
export const ContentBlock = z.union([
  z.looseObject({ type: z.literal("text"), text: z.string() }),
  z.looseObject({ type: z.literal("image"), mimeType: lenient(z.string()) }),
  z.looseObject({ type: z.literal("audio"), mimeType: lenient(z.string()) }),
  z.looseObject({ type: z.literal("resource_link"), uri: z.string() }),
  z.looseObject({
    type: z.literal("resource"),
    resource: z.looseObject({ uri: lenient(z.string()), text: lenient(z.string()) }),
  }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

/** A terminal in the content of a tool call. Its output comes in `_meta`. */
export const TerminalContent = z.looseObject({ type: z.literal("terminal") });

/** Content of a tool call: a content block or the change of a file. */
export const ToolContent = z.union([
  z.looseObject({ type: z.literal("content"), content: ContentBlock }),
  z.looseObject({
    type: z.literal("diff"),
    path: z.string(),
    oldText: lenient(z.string()),
    // A file that would be deleted has none.
    newText: lenient(z.string()),
  }),
]);

/**
 * The id of a call. Empty if the agent gave none; one that is too long to be stored ends in a digest of the whole, so that no two
 * calls are taken for one.
 */
const CallId = z
  .unknown()
  .optional()
  .transform((id) => {
    const text = typeof id === "string" || typeof id === "number" ? String(id) : "";
    if (text.length <= toolCallIdMax) return text;
    const digest = createHash("sha256").update(text).digest("hex").slice(0, 40);
    return `${text.slice(0, toolCallIdMax - digest.length - 1)}-${digest}`;
  });

/** A list; anything else is its only item. */
const List = z
  .unknown()
  .optional()
  .transform((list) => (list == null ? undefined : (z.array(z.unknown()).safeParse(list).data ?? [list])));

/** The fields of a tool call: of `tool_call`, `tool_call_update` and the toolCall of a request for permission. */
export const ToolFields = z.looseObject({
  toolCallId: CallId,
  title: lenient(z.string()),
  name: lenient(z.string()),
  kind: lenient(z.string()),
  status: lenient(z.enum(["pending", "in_progress", "completed", "failed"])),
  content: List,
  locations: List,
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: lenient(Meta),
});
export type ToolFields = z.infer<typeof ToolFields>;

const Chunk = { content: z.unknown().optional(), messageId: lenient(z.string()), _meta: lenient(Meta) };

const Update = z.discriminatedUnion("sessionUpdate", [
  z.looseObject({ sessionUpdate: z.literal("agent_message_chunk"), ...Chunk }),
  z.looseObject({ sessionUpdate: z.literal("agent_thought_chunk"), ...Chunk }),
  z.looseObject({ sessionUpdate: z.literal("tool_call"), ...ToolFields.shape }),
  z.looseObject({ sessionUpdate: z.literal("tool_call_update"), ...ToolFields.shape }),
  z.looseObject({ sessionUpdate: z.literal("plan"), entries: z.array(z.unknown()) }),
  z.looseObject({
    sessionUpdate: z.literal("usage_update"),
    cost: lenient(z.looseObject({ amount: z.number().min(0).max(usdMax), currency: z.string() })),
    _meta: lenient(Meta),
  }),
  z.looseObject({ sessionUpdate: z.literal("session_info_update"), _meta: lenient(Meta) }),
  z.looseObject({
    sessionUpdate: z.literal("notice"),
    severity: z.string(),
    title: z.string(),
    description: lenient(z.string()),
  }),
]);
export type Update = z.infer<typeof Update>;

// Created once, because a schema is compiled at its first use and an agent may send a hundred thousand updates.
const UpdateParams = z.looseObject({ update: Update });

/** The update in the params of `session/update`; null for kinds that are not used and for malformed ones. */
export function parseUpdate(params: unknown): Update | null {
  const parsed = UpdateParams.safeParse(params);
  return parsed.success ? parsed.data.update : null;
}

/** The session that the params of `session/update` name; null if they name none. */
export function sessionOf(params: unknown): string | null {
  return SessionParams.safeParse(params).data?.sessionId ?? null;
}

const SessionParams = z.looseObject({ sessionId: lenient(z.string()) });

/** The params of `session/request_permission`. */
export const PermissionRequest = z.looseObject({
  sessionId: z.string().catch(""),
  toolCall: ToolFields,
  options: z.array(
    z.looseObject({
      optionId: z.string().catch(""),
      name: z.string().catch(""),
      // Agents have kinds of their own (see `effectOf` in permissions.ts).
      kind: z.string().catch(""),
    }),
  ),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

/** The answer to `session/prompt`. */
export const PromptAnswer = z.looseObject({
  stopReason: z.string(),
  usage: lenient(TokenCounts),
  _meta: lenient(Meta),
});
export type PromptAnswer = z.infer<typeof PromptAnswer>;

/** The text of a content block; other kinds are named in brackets. Empty for malformed ones. */
export function blockText(block: unknown): string {
  const parsed = ContentBlock.safeParse(block);
  if (!parsed.success) return "";
  switch (parsed.data.type) {
    case "text":
      return parsed.data.text;
    case "image":
    case "audio":
      return mediaText(parsed.data);
    case "resource_link":
      return parsed.data.uri;
    case "resource":
      return parsed.data.resource.text ?? `[${parsed.data.resource.uri ?? "resource"}]`;
  }
}

/** What is said of media that are not kept: their type and size. */
function mediaText({ type, mimeType, data }: { type: string; mimeType?: string | null | undefined; data?: unknown }) {
  if (typeof data === "string" && data !== "") return `[${type} ${mediaWords(data, { mimeType })}, not kept]`;
  return `[${type}${mimeType ? ` ${mimeType}` : ""}]`;
}

/** What stands in a text for an image that is kept beside it. */
export function keptImageText({ mimeType, data }: KeptImage): string {
  return `[image ${mediaWords(data, { mimeType })}]`;
}

/** An image as it is kept: the form in which the page finds it. */
export type KeptImage = { type: "image"; mimeType: string; data: string };

/**
 * Maximum number of images kept per call, and per turn of those that the agent shows by itself, and of their base64 characters
 * together (6 MB); the others are named, with type and size.
 */
export const keptImages = { count: 8, characters: 8 * 1024 * 1024 };

/** The image of a content block, if it is of a type that the page shows and has at most so many characters of base64. */
export function imageOf(block: ContentBlock, charactersMax: number): KeptImage | null {
  if (block.type !== "image") return null;
  const { mimeType, data } = block;
  if (typeof data !== "string" || data.length > charactersMax || !mimeType) return null;
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mimeType) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return null;
  return { type: "image", mimeType, data };
}

/**
 * The text of a piece of a tool call's content that explains a request for permission, complete: with addresses, and malformed and
 * unknown pieces as JSON. Empty for changes of files.
 */
export function explanationText(content: unknown): string {
  const parsed = ToolContent.safeParse(content);
  if (!parsed.success) return looseText(content) || rawText(content);
  if (parsed.data.type === "diff") return "";
  const block = parsed.data.content;
  const uri = block.type === "resource" ? block.resource.uri : null;
  const name = block.type === "resource_link" && typeof block.name === "string" ? block.name : null;
  const text = blockText(block);
  return [name, uri, text].filter((part) => part && part !== `[${uri}]`).join("\n");
}

/** The text of a piece of content that is not as it should be: a text, or a block alone. Empty for others. */
export function looseText(content: unknown): string {
  return typeof content === "string" ? content : blockText(content);
}

/** A value that could not be read, as JSON. */
export function rawText(value: unknown): string {
  return JSON.stringify(value).slice(0, 4000);
}

/** The text of a notice. */
export function noticeText({ title, description }: { title: string; description?: string | null | undefined }): string {
  return description ? `${title}\n${description}` : title;
}

/** Text that agents send but no model wrote: gemini's change of mode, codex's model warning. */
export function isNoise(text: string): boolean {
  return /^\[MODE_UPDATE\] \S*\s*$/.test(text) || /^Warning: Model metadata for `[^`]*` not found\./.test(text);
}
