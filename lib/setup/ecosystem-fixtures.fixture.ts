/** A small repository of one ecosystem, and the expected detection: kind, command and first evidence. */
export type EcosystemFixture = {
  name: string;
  files: Record<string, string>;
  commands: [kind: string, command: string, evidence: string][];
  inputs: string[];
};

const packageJson = (more: object = {}) =>
  JSON.stringify(
    {
      name: "x",
      scripts: { build: "tsc -p .", test: "vitest run", lint: "eslint ." },
      dependencies: { zod: "4" },
      ...more,
    },
    null,
    2,
  );

const scriptsOf = (manager: string, test = `${manager} test`): EcosystemFixture["commands"] => [
  ["build", `${manager} run build`, "package.json:4"],
  ["test", test, "package.json:5"],
  ["lint", `${manager} run lint`, "package.json:6"],
];

/** Twenty ecosystems and the files of agents and CI. */
export const ecosystemFixtures: EcosystemFixture[] = [
  {
    name: "npm",
    files: { "package.json": packageJson(), "package-lock.json": "{}", ".nvmrc": "24\n" },
    commands: [["install", "npm ci", "package-lock.json:1"], ...scriptsOf("npm")],
    inputs: [".nvmrc", "package-lock.json"],
  },
  {
    name: "pnpm",
    files: {
      "package.json": packageJson(),
      "pnpm-lock.yaml": "lockfileVersion: 9\n",
      "pnpm-workspace.yaml": "packages: [packages/*]\n",
      "packages/a/package.json": packageJson(),
    },
    commands: [["install", "pnpm install --frozen-lockfile", "pnpm-lock.yaml:1"], ...scriptsOf("pnpm")],
    inputs: ["pnpm-lock.yaml"],
  },
  {
    name: "yarn",
    files: { "package.json": packageJson({ packageManager: "yarn@4.1.0" }), "yarn.lock": "" },
    commands: [["install", "yarn install --immutable", "yarn.lock:1"], ...scriptsOf("yarn")],
    inputs: ["yarn.lock"],
  },
  {
    name: "bun",
    files: { "package.json": packageJson(), "bun.lock": "{}" },
    commands: [["install", "bun install --frozen-lockfile", "bun.lock:1"], ...scriptsOf("bun", "bun run test")],
    inputs: ["bun.lock"],
  },
  {
    name: "uv",
    files: {
      "pyproject.toml": '[project]\nname = "x"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n\n[tool.ruff]\n',
      "uv.lock": "",
    },
    commands: [
      ["install", "uv sync --frozen", "uv.lock:1"],
      ["test", "uv run pytest", "pyproject.toml:4"],
      ["lint", "uv run ruff check .", "pyproject.toml:7"],
    ],
    inputs: ["uv.lock"],
  },
  {
    name: "poetry",
    files: { "pyproject.toml": '[tool.poetry]\nname = "x"\n', "tests/test_x.py": "" },
    commands: [
      ["install", "poetry install --no-interaction", "pyproject.toml:1"],
      ["test", "poetry run pytest", "tests/test_x.py:1"],
    ],
    inputs: [],
  },
  {
    name: "pip",
    files: { "requirements.txt": "pytest\n", "pytest.ini": "# settings\n[pytest]\n" },
    commands: [
      ["install", "python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt", "requirements.txt:1"],
      ["test", ".venv/bin/pytest", "pytest.ini:2"],
      ["test", "pytest", "pytest.ini:2"],
    ],
    inputs: ["requirements.txt"],
  },
  {
    name: "go",
    files: { "go.mod": "module x\n", "go.sum": "", "web/package.json": packageJson(), "web/yarn.lock": "" },
    commands: [
      ["install", "go mod download", "go.mod:1"],
      ["build", "go build ./...", "go.mod:1"],
      ["test", "go test ./...", "go.mod:1"],
      ["lint", "go vet ./...", "go.mod:1"],
      ["install", "cd web && yarn install --frozen-lockfile", "web/yarn.lock:1"],
      ["build", "cd web && yarn run build", "web/package.json:4"],
      ["test", "cd web && yarn test", "web/package.json:5"],
      ["lint", "cd web && yarn run lint", "web/package.json:6"],
    ],
    inputs: ["go.sum", "web/yarn.lock"],
  },
  {
    name: "cargo",
    files: { "Cargo.toml": "[workspace]\n", "Cargo.lock": "", "crates/a/Cargo.toml": "[package]\n" },
    commands: [
      ["install", "cargo fetch --locked", "Cargo.toml:1"],
      ["build", "cargo build", "Cargo.toml:1"],
      ["test", "cargo test", "Cargo.toml:1"],
      ["lint", "cargo clippy", "Cargo.toml:1"],
    ],
    inputs: ["Cargo.lock"],
  },
  {
    name: "maven",
    files: { "pom.xml": "<project/>", mvnw: "#!/bin/sh\n" },
    commands: [
      ["install", "./mvnw -B dependency:go-offline", "pom.xml:1"],
      ["build", "./mvnw -B -DskipTests package", "pom.xml:1"],
      ["test", "./mvnw -B test", "pom.xml:1"],
    ],
    inputs: [],
  },
  {
    name: "gradle",
    files: { "build.gradle.kts": "plugins {}\n", gradlew: "#!/bin/sh\n" },
    commands: [
      ["build", "./gradlew --console=plain --no-daemon assemble", "build.gradle.kts:1"],
      ["test", "./gradlew --console=plain --no-daemon test", "build.gradle.kts:1"],
    ],
    inputs: [],
  },
  {
    name: "bundler",
    files: { Gemfile: "source 'https://rubygems.org'\n", "Gemfile.lock": "", ".rspec": "", ".rubocop.yml": "" },
    commands: [
      ["install", "bundle install", "Gemfile.lock:1"],
      ["test", "bundle exec rspec", ".rspec:1"],
      ["lint", "bundle exec rubocop", ".rubocop.yml:1"],
    ],
    inputs: ["Gemfile.lock"],
  },
  {
    name: "composer",
    files: { "composer.json": '{\n  "scripts": {\n    "test": "phpunit"\n  }\n}\n', "composer.lock": "{}" },
    commands: [
      ["install", "composer install --no-interaction", "composer.lock:1"],
      ["test", "composer run-script test", "composer.json:3"],
    ],
    inputs: ["composer.lock"],
  },
  {
    name: "mix",
    files: { "mix.exs": "defmodule X do\nend\n", "mix.lock": "", ".formatter.exs": "[]\n" },
    commands: [
      ["install", "mix deps.get", "mix.exs:1"],
      ["build", "mix compile", "mix.exs:1"],
      ["test", "mix test", "mix.exs:1"],
      ["lint", "mix format --check-formatted", ".formatter.exs:1"],
    ],
    inputs: ["mix.lock"],
  },
  {
    name: "dotnet",
    files: { "X.sln": "", "src/X/X.csproj": "<Project/>", "global.json": "{}" },
    commands: [
      ["install", "dotnet restore", "X.sln:1"],
      ["build", "dotnet build --no-restore", "X.sln:1"],
      ["test", "dotnet test --no-build", "X.sln:1"],
    ],
    inputs: ["global.json"],
  },
  {
    name: "deno",
    files: { "deno.jsonc": '{\n  // tasks\n  "tasks": {\n    "test": "deno test -A",\n  },\n}\n', "deno.lock": "{}" },
    commands: [
      ["install", "deno install", "deno.jsonc:1"],
      ["test", "deno task test", "deno.jsonc:4"],
      ["lint", "deno lint", "deno.jsonc:1"],
    ],
    inputs: ["deno.lock"],
  },
  {
    name: "cmake",
    files: { "CMakeLists.txt": "project(x)\nenable_testing()\nadd_test(a a)\n" },
    commands: [
      ["build", "cmake -S . -B build && cmake --build build", "CMakeLists.txt:1"],
      ["test", "ctest --test-dir build --output-on-failure", "CMakeLists.txt:2"],
    ],
    inputs: [],
  },
  {
    name: "make",
    files: { Makefile: "install:\n\tcp x /usr/bin\n\ndeps:\n\ttrue\n\ntest: deps\n\ttrue\n\nlint := x\n" },
    commands: [
      ["install", "make deps", "Makefile:4"],
      ["test", "make test", "Makefile:7"],
    ],
    inputs: [],
  },
  {
    name: "just and task",
    files: {
      justfile: "default:\n  just --list\n\nbuild target:\n  echo {{target}}\n\ntest *args:\n  echo\n",
      "Taskfile.yml": "version: 3\ntasks:\n  build:\n    cmds: [echo]\n  lint: echo\n",
    },
    commands: [
      ["test", "just test", "justfile:7"],
      ["build", "task build", "Taskfile.yml:3"],
      ["lint", "task lint", "Taskfile.yml:5"],
    ],
    inputs: [],
  },
  {
    name: "agent files and CI",
    files: {
      ".errand/setup.json":
        '{\n  "install": ["./prepare.sh"],\n  "test": ["npm test"],\n  "inputs": ["prepare.sh"]\n}\n',
      ".cursor/environment.json": '{ "install": "npm install" }\n',
      ".openhands/setup.sh": "apt-get install x\n",
      ".devcontainer/devcontainer.json": '{\n  // once\n  "postCreateCommand": ["make", "dev env"],\n}\n',
      ".github/workflows/copilot-setup-steps.yml":
        "jobs:\n  copilot-setup-steps:\n    steps:\n      - uses: actions/checkout@v4\n      - run: ./tools/fetch.sh\n",
      ".github/workflows/ci.yml": [
        "on: [push]",
        "jobs:",
        "  test:",
        "    runs-on: ubuntu-latest",
        "    steps:",
        "      - uses: actions/checkout@v4",
        "      - run: npm ci",
        "      - run: |",
        "          # the whole suite",
        "          npm run build",
        "          npm test -- \\",
        "            --coverage",
        "      - run: npm publish",
        `      - run: echo \${{ secrets.TOKEN }} && npm test`,
        "      - run: npm run lint",
        "        working-directory: web",
        "  windows:",
        "    runs-on: windows-latest",
        "    steps:",
        "      - run: npm run test:windows",
        "",
      ].join("\n"),
      ".github/workflows/release.yml": "on:\n  release:\njobs:\n  a:\n    steps:\n      - run: npm run build:all\n",
      "package.json": packageJson(),
      "package-lock.json": "{}",
    },
    commands: [
      ["install", "./prepare.sh", ".errand/setup.json:2"],
      ["test", "npm test", ".errand/setup.json:3"],
      ["install", "npm install", ".cursor/environment.json:1"],
      ["install", "bash .openhands/setup.sh", ".openhands/setup.sh:1"],
      ["install", "./tools/fetch.sh", ".github/workflows/copilot-setup-steps.yml:5"],
      ["install", "make 'dev env'", ".devcontainer/devcontainer.json:3"],
      ["install", "npm ci", ".github/workflows/ci.yml:7"],
      ["build", "npm run build", ".github/workflows/ci.yml:10"],
      ["test", "npm test -- --coverage", ".github/workflows/ci.yml:11"],
      ["lint", "cd web && npm run lint", ".github/workflows/ci.yml:15"],
      ["lint", "npm run lint", "package.json:6"],
    ],
    inputs: ["prepare.sh", "package-lock.json"],
  },
];
