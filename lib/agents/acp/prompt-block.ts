import type { AttachedFile } from "#lib/contract/runs/attachment.ts";
import { fenced } from "#lib/fenced.ts";

/** A content block of a prompt (https://agentclientprotocol.com/protocol/content). */
export type PromptBlock =
  | { type: "text"; text: string }
  | { type: "image"; mimeType: string; data: string }
  | { type: "resource"; resource: { uri: string; mimeType: string; text: string } };

/** The images given as data URLs; malformed ones are left out. */
export function imageBlocks(dataUrls: readonly string[]): PromptBlock[] {
  return dataUrls.flatMap((dataUrl): PromptBlock[] => {
    const mimeType = /^data:(image\/[a-z+.-]+);base64,/.exec(dataUrl.slice(0, 100))?.[1];
    if (mimeType === undefined) return [];
    return [{ type: "image", mimeType, data: dataUrl.slice(dataUrl.indexOf(",") + 1) }];
  });
}

/** Text files as embedded context for an agent that accepts it, otherwise as fenced text. */
export function fileBlocks(files: readonly AttachedFile[], takesContext: boolean): PromptBlock[] {
  return files.map(({ name, media_type, text }): PromptBlock => {
    // The fence names no language, so that nothing in the file is a command of the prompt.
    if (!takesContext)
      return { type: "text", text: `The attached file ${JSON.stringify(name)}:\n\n${fenced(text.replace(/\n$/, ""))}` };
    // Not a path in the checkout: agents show the address to their models.
    const uri = `attachment:///${encodeURIComponent(name)}`;
    return { type: "resource", resource: { uri, mimeType: media_type, text } };
  });
}

/** The host's note comes before the prompt, except that a command must be at the very beginning. */
export function withNote(blocks: PromptBlock[], note: string | null, isCommand: boolean): PromptBlock[] {
  if (note === null) return blocks;
  const noteBlock: PromptBlock = { type: "text", text: note };
  return isCommand ? [...blocks, noteBlock] : [noteBlock, ...blocks];
}
