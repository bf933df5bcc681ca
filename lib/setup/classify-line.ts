import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";

/** A line for another machine, for a release, or with values that only its CI has. */
const elsewhere =
  /\$\{\{|\$\(?\{?(GITHUB|RUNNER|CI|CIRCLE)_|\bsecrets?\.|\b(sudo|docker|podman|kubectl|ssh|scp|rsync|aws|gcloud|gh)\b|\b(publish|deploy|release|upload|login|push)\b|>>|<<|\|\s*(ba)?sh\b/;

const js = "(npm|pnpm|yarn|bun)";

const patterns: [SetupKind, RegExp[]][] = [
  [
    "install",
    [
      new RegExp(`^${js}\\s+(ci|install|i)(\\s+-\\S+)*$`),
      /^yarn(\s+-\S+)*$/,
      /^corepack enable\b/,
      /^(python3? -m )?pip3? install\b/,
      /^(uv sync|uv pip install|poetry install|pipenv (install|sync)|bundle install|composer install|mix deps\.get)\b/,
      /^(go mod download|cargo fetch|dotnet restore|deno install|flutter pub get)\b/,
      /^(make|just|task) (setup|bootstrap|deps|install-deps)$/,
    ],
  ],
  [
    "lint",
    [
      new RegExp(`^${js}\\s+(run\\s+)?(lint|check|typecheck|type-check|format:check)(:\\S+)?$`),
      /^(npx|pnpm exec|bunx|yarn) (eslint|biome|prettier|tsc|oxlint)\b/,
      /^((uv|poetry|pipenv) run )?(ruff|flake8|mypy|pylint|black --check|pyright)\b/,
      /^(go vet|golangci-lint|cargo (clippy|fmt)|bundle exec rubocop|mix (format|credo)|deno (lint|fmt)|dotnet format)\b/,
      /^(make|just|task) (lint|check)$/,
    ],
  ],
  [
    "test",
    [
      new RegExp(`^${js}\\s+(run\\s+)?(test|t)(:\\S+)?(\\s.*)?$`),
      /^(npx|pnpm exec|bunx|yarn) (vitest|jest|mocha|ava|playwright test)\b/,
      /^((uv|poetry|pipenv) run )?(python3? -m )?(pytest|tox|nox|unittest)\b/,
      /^(go test|cargo (test|nextest)|bundle exec (rspec|rake test)|rspec|vendor\/bin\/phpunit|mix test|dotnet test)\b/,
      /^(deno (test|task test)|ctest|node --test|composer (run-script )?test|rake test)\b/,
      /^(mvn|\.\/mvnw|gradle|\.\/gradlew)\b.*\s(test|check|verify)\b/,
      /^(make|just|task) (test|check-all)$/,
    ],
  ],
  [
    "build",
    [
      new RegExp(`^${js}\\s+(run\\s+)?build(:\\S+)?$`),
      /^(go build|cargo build|mix compile|dotnet build|cmake|deno task build|composer run-script build)\b/,
      /^(mvn|\.\/mvnw|gradle|\.\/gradlew)\b.*\s(package|compile|assemble|build)\b/,
      /^(make|just|task)( build| all)?$/,
    ],
  ],
];

/** Kind of setup command in a line of a CI job, or null if it is none, or only makes sense there. */
export function classifyLine(line: string): SetupKind | null {
  if (line.length > 500 || elsewhere.test(line)) return null;
  for (const [kind, list] of patterns) if (list.some((pattern) => pattern.test(line))) return kind;
  return null;
}

/** First word of a command: the program that must be installed; null if it is not a name. */
export function toolOf(command: string): string | null {
  return /^(?:[A-Z_][A-Z0-9_]*=\S+\s+)*([\w./+-]+)/.exec(command)?.[1] ?? null;
}

/** Lines of a script, joining those that end with a backslash with the next. `line` counts from 0. */
export function scriptLines(script: string): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = [];
  let open: { text: string; line: number } | null = null;
  for (const [line, raw] of script.split("\n").entries()) {
    const part = raw.trim();
    const joined: { text: string; line: number } =
      open === null ? { text: part, line } : { text: `${open.text} ${part}`, line: open.line };
    if (part.endsWith("\\")) {
      open = { ...joined, text: joined.text.slice(0, -1).trim() };
      continue;
    }
    open = null;
    if (joined.text !== "" && !joined.text.startsWith("#")) lines.push(joined);
  }
  return lines;
}
