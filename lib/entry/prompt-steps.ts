import MarkdownIt from "markdown-it";

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
const markdown = new MarkdownIt("commonmark");
markdown.core.ruler.enableOnly(["normalize", "block"]);

/**
 * The steps of a prompt in order of appearance, by CommonMark's rules for fenced blocks (an unclosed fence runs to the
 * end). A block with `path=…` in its info string writes that file, whatever its language; `sh`, `bash` and `shell`
 * blocks are commands; `diff` and `patch` blocks are patches. Blank commands and patches, blocks of other languages,
 * and blocks inside a quotation or an HTML comment are not steps.
 */
export function parsePrompt(text: string): PromptStep[] {
  const steps: PromptStep[] = [];
  let words: string[] = [];
  let quotes = 0;
  for (const token of markdown.parse(text, {})) {
    if (token.type === "blockquote_open") quotes += 1;
    else if (token.type === "blockquote_close") quotes -= 1;
    else if (token.type === "inline" && quotes === 0) words.push(token.content);
    else if (token.type === "fence" && quotes === 0) {
      const step = stepOfBlock(token.info, withFinalNewline(token.content), words.join("\n").trim());
      if (step === null) continue;
      steps.push(step);
      words = [];
    }
  }
  return steps;
}

function stepOfBlock(info: string, content: string, words: string): PromptStep | null {
  const path = pathOfInfo(info);
  if (path !== null) return { kind: "write", path, text: content, words };
  if (content.trim() === "") return null;
  const language = (info.trim().split(/\s+/, 1)[0] ?? "").toLowerCase();
  if (shellLanguages.has(language)) return { kind: "shell", command: content, words };
  if (patchLanguages.has(language)) return { kind: "patch", patch: content, words };
  return null;
}

/** The value of `path=` in an info string, without quotes; null if there is none. */
function pathOfInfo(info: string): string | null {
  const match = /(?:^|\s)path=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))/.exec(info);
  if (match === null) return null;
  return match[1]?.replace(/\\(.)/g, "$1") ?? match[2] ?? match[3] ?? "";
}

function withFinalNewline(content: string): string {
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
