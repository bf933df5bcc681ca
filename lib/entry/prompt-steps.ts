import { newMarkdown } from "./prompt-markdown.ts";
import { fenceInfo, trimmedPrompt } from "./prompt-text.ts";

/**
 * One step written in a prompt. `words` is the text that stands between the step before it and this one ("" when there
 * is none); `command`, `patch` and `text` are the content of the fenced block and end with a newline unless empty.
 */
export type PromptStep =
  | { kind: "shell"; command: string; words: string }
  | { kind: "patch"; patch: string; words: string }
  | { kind: "write"; path: string; text: string; words: string };

const shellLanguages = new Set(["sh", "bash", "shell"]);
const patchLanguages = new Set(["diff", "patch"]);

// Only block rules: what appears as a code block in the rendered prompt is run, including those in list items.
const markdown = newMarkdown(true);
markdown.core.ruler.enableOnly(["normalize", "block"]);

/** The steps of a prompt, and the languages of the blocks that are no steps because of them: "" for a block without a language. */
export type ReadPrompt = { steps: PromptStep[]; otherLanguages: string[] };

/**
 * The steps of a prompt in order of appearance, by CommonMark's rules for fenced blocks (an unclosed fence runs to the
 * end). A block with `path=…` in its info string writes that file, whatever its language; `sh`, `bash` and `shell`
 * blocks are commands; `diff` and `patch` blocks are patches. Blank commands and patches, blocks of other languages,
 * and blocks in a quotation or in raw HTML are not steps.
 */
export function parsePrompt(text: string): PromptStep[] {
  return readPrompt(text).steps;
}

/** {@link parsePrompt}, with the languages of the blocks that are no steps because of them. */
export function readPrompt(text: string): ReadPrompt {
  const read: ReadPrompt = { steps: [], otherLanguages: [] };
  let words: string[] = [];
  let quotes = 0;
  for (const token of markdown.parse(trimmedPrompt(text), {})) {
    if (token.type === "blockquote_open") quotes += 1;
    else if (token.type === "blockquote_close") quotes -= 1;
    else if (token.type === "inline" && quotes === 0) words.push(token.content);
    else if (token.type === "fence" && quotes === 0) {
      const { language, path } = fenceInfo(token.info);
      const content = withFinalNewline(token.content);
      const step = stepOfBlock(language.toLowerCase(), path, { content, words: words.join("\n").trim() });
      if (step === null) {
        if (content.trim() !== "" || !isRun(language.toLowerCase())) read.otherLanguages.push(language);
        continue;
      }
      read.steps.push(step);
      words = [];
    }
  }
  return read;
}

function isRun(language: string): boolean {
  return shellLanguages.has(language) || patchLanguages.has(language);
}

function stepOfBlock(
  language: string,
  path: string | null,
  { content, words }: { content: string; words: string },
): PromptStep | null {
  if (path !== null) return { kind: "write", path, text: content, words };
  if (content.trim() === "") return null;
  if (shellLanguages.has(language)) return { kind: "shell", command: content, words };
  if (patchLanguages.has(language)) return { kind: "patch", patch: content, words };
  return null;
}

function withFinalNewline(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
