/** Languages that are highlighted, each with its aliases and file extensions. */
const names = {
  bash: ["sh", "shell", "zsh", "console", "shellscript", "ksh"],
  c: ["h"],
  cpp: ["cc", "cxx", "hpp", "hh", "c++"],
  csharp: ["cs", "c#"],
  css: ["scss", "less"],
  diff: ["patch"],
  docker: ["dockerfile"],
  go: ["golang"],
  html: ["htm", "vue", "svelte"],
  java: [],
  javascript: ["js", "mjs", "cjs", "node"],
  json: ["jsonc", "json5", "jsonl", "ndjson", "webmanifest"],
  jsx: [],
  kotlin: ["kt", "kts"],
  make: ["makefile", "mk"],
  markdown: ["md", "mdx"],
  php: [],
  python: ["py", "pyi", "python3"],
  ruby: ["rb", "gemspec", "rake"],
  rust: ["rs"],
  sql: [],
  swift: [],
  toml: [],
  tsx: [],
  typescript: ["ts", "mts", "cts"],
  xml: ["svg", "xsl", "plist"],
  yaml: ["yml"],
} satisfies Record<string, readonly string[]>;

/** A language that can be highlighted; everything else is shown as plain text. */
export type Language = keyof typeof names;

export const languages = Object.keys(names) as Language[];

const named = new Map<string, Language>(
  languages.flatMap((language) => [language, ...names[language]].map((name) => [name, language] as const)),
);

/** File names that determine the language by themselves. */
const files: Partial<Record<Language, readonly string[]>> = {
  docker: ["dockerfile", "containerfile"],
  make: ["makefile", "gnumakefile"],
  ruby: ["gemfile", "rakefile"],
  toml: ["cargo.lock", "poetry.lock"],
  bash: [".bashrc", ".zshrc", ".profile", ".env"],
  json: [".prettierrc", ".babelrc", "composer.lock"],
};

/** Language of a fence (`ts`, `shell`, `C++`); null if it is not highlighted. */
export function languageOfName(name: string): Language | null {
  return named.get(name.trim().toLowerCase()) ?? null;
}

/** Language of a file by its name, with either kind of slash; null if it is not highlighted. */
export function languageOfPath(path: string): Language | null {
  const name = path.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  const ofFile = languages.find((language) => files[language]?.includes(name));
  if (ofFile !== undefined) return ofFile;
  if (name.startsWith("dockerfile.")) return "docker";
  const dot = name.lastIndexOf(".");
  return dot > 0 ? (named.get(name.slice(dot + 1)) ?? null) : null;
}
