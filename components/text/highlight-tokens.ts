import { createHighlighterCore, type HighlighterCore, type LanguageInput } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { HighlightRequest, HighlightToken } from "./highlight-protocol.ts";
import type { Language } from "./languages.ts";

/** Each grammar is loaded on first use. */
const grammars: Record<Language, LanguageInput> = {
  bash: () => import("shiki/langs/bash.mjs"),
  c: () => import("shiki/langs/c.mjs"),
  cpp: () => import("shiki/langs/cpp.mjs"),
  csharp: () => import("shiki/langs/csharp.mjs"),
  css: () => import("shiki/langs/css.mjs"),
  diff: () => import("shiki/langs/diff.mjs"),
  docker: () => import("shiki/langs/docker.mjs"),
  go: () => import("shiki/langs/go.mjs"),
  html: () => import("shiki/langs/html.mjs"),
  java: () => import("shiki/langs/java.mjs"),
  javascript: () => import("shiki/langs/javascript.mjs"),
  json: () => import("shiki/langs/json.mjs"),
  jsx: () => import("shiki/langs/jsx.mjs"),
  kotlin: () => import("shiki/langs/kotlin.mjs"),
  make: () => import("shiki/langs/make.mjs"),
  markdown: () => import("shiki/langs/markdown.mjs"),
  php: () => import("shiki/langs/php.mjs"),
  python: () => import("shiki/langs/python.mjs"),
  ruby: () => import("shiki/langs/ruby.mjs"),
  rust: () => import("shiki/langs/rust.mjs"),
  sql: () => import("shiki/langs/sql.mjs"),
  swift: () => import("shiki/langs/swift.mjs"),
  toml: () => import("shiki/langs/toml.mjs"),
  tsx: () => import("shiki/langs/tsx.mjs"),
  typescript: () => import("shiki/langs/typescript.mjs"),
  xml: () => import("shiki/langs/xml.mjs"),
  yaml: () => import("shiki/langs/yaml.mjs"),
};

/** Theme colors too pale for our surfaces and diff backgrounds, with replacements. */
const colorReplacements = {
  "github-light-default": { "#6e7781": "#57606a", "#cf222e": "#b3131f", "#953800": "#7d2f00", "#8250df": "#5f2eb8" },
  "github-dark-default": { "#8b949e": "#a5adb6", "#ff7b72": "#ff9088" },
};

const highlighter: Promise<HighlighterCore> = createHighlighterCore({
  themes: [import("shiki/themes/github-light-default.mjs"), import("shiki/themes/github-dark-default.mjs")],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/** Loads the grammar of a language, once. Rejects if that fails. */
export async function loadGrammar(language: Language): Promise<void> {
  await (await highlighter).loadLanguage(grammars[language]);
}

/** Tokens of each line. Their lengths add up to the line's. Rejects if a grammar cannot be loaded. */
export async function tokensOf({ text, language }: Omit<HighlightRequest, "id">): Promise<HighlightToken[][]> {
  await loadGrammar(language);
  const { codeToTokensWithThemes } = await highlighter;
  const lines = codeToTokensWithThemes(text, {
    lang: language,
    themes: { light: "github-light-default", dark: "github-dark-default" },
    colorReplacements,
    tokenizeMaxLineLength: 500,
    // A line that takes longer is left partly colored. The first line of a language also pays for compiling its regular
    // expressions, which takes a while on a busy machine; nobody waits for this worker.
    tokenizeTimeLimit: 5000,
  });
  return lines.map((line) =>
    line.map(({ content, variants }) => ({
      length: content.length,
      light: variants.light?.color ?? "",
      dark: variants.dark?.color ?? "",
      italic: ((variants.light?.fontStyle ?? 0) & 1) === 1,
      bold: ((variants.light?.fontStyle ?? 0) & 2) === 2,
    })),
  );
}
