/** The languages that are highlighted; everything else is shown as plain text. */
export const languages = [
  "bash",
  "c",
  "cpp",
  "csharp",
  "css",
  "diff",
  "docker",
  "go",
  "html",
  "java",
  "javascript",
  "json",
  "jsx",
  "kotlin",
  "make",
  "markdown",
  "php",
  "python",
  "ruby",
  "rust",
  "sql",
  "swift",
  "toml",
  "tsx",
  "typescript",
  "xml",
  "yaml",
] as const;

/** A language that can be highlighted. */
export type Language = (typeof languages)[number];

const known = new Map<string, Language>(languages.map((language) => [language, language]));

const aliases = new Map<string, Language>([
  ...known,
  ["sh", "bash"],
  ["shell", "bash"],
  ["zsh", "bash"],
  ["console", "bash"],
  ["shellscript", "bash"],
  ["ksh", "bash"],
  ["h", "c"],
  ["cc", "cpp"],
  ["cxx", "cpp"],
  ["hpp", "cpp"],
  ["hh", "cpp"],
  ["c++", "cpp"],
  ["cs", "csharp"],
  ["c#", "csharp"],
  ["scss", "css"],
  ["less", "css"],
  ["patch", "diff"],
  ["dockerfile", "docker"],
  ["golang", "go"],
  ["htm", "html"],
  ["vue", "html"],
  ["svelte", "html"],
  ["js", "javascript"],
  ["mjs", "javascript"],
  ["cjs", "javascript"],
  ["node", "javascript"],
  ["jsonc", "json"],
  ["json5", "json"],
  ["jsonl", "json"],
  ["ndjson", "json"],
  ["webmanifest", "json"],
  ["kt", "kotlin"],
  ["kts", "kotlin"],
  ["makefile", "make"],
  ["mk", "make"],
  ["md", "markdown"],
  ["mdx", "markdown"],
  ["py", "python"],
  ["pyi", "python"],
  ["python3", "python"],
  ["rb", "ruby"],
  ["gemspec", "ruby"],
  ["rake", "ruby"],
  ["rs", "rust"],
  ["ts", "typescript"],
  ["mts", "typescript"],
  ["cts", "typescript"],
  ["svg", "xml"],
  ["xsl", "xml"],
  ["plist", "xml"],
  ["yml", "yaml"],
]);

const fileNames = new Map<string, Language>([
  ["dockerfile", "docker"],
  ["containerfile", "docker"],
  ["makefile", "make"],
  ["gnumakefile", "make"],
  ["gemfile", "ruby"],
  ["rakefile", "ruby"],
  ["cargo.lock", "toml"],
  ["poetry.lock", "toml"],
  [".bashrc", "bash"],
  [".zshrc", "bash"],
  [".profile", "bash"],
  [".env", "bash"],
  [".prettierrc", "json"],
  [".babelrc", "json"],
  ["composer.lock", "json"],
]);

/** The language of a fence (`ts`, `shell`, `C++`); null when it is not highlighted. */
export function languageOfName(name: string): Language | null {
  return aliases.get(name.trim().toLowerCase()) ?? null;
}

/** The language of a file by its name, whichever slashes its path has; null when it is not highlighted. */
export function languageOfPath(path: string): Language | null {
  const name = path.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  const named = fileNames.get(name);
  if (named !== undefined) return named;
  if (name.startsWith("dockerfile.")) return "docker";
  const dot = name.lastIndexOf(".");
  return dot > 0 ? (aliases.get(name.slice(dot + 1)) ?? null) : null;
}
