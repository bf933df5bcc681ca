import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { Detector, Project } from "#lib/setup/project.ts";

type Usual = Partial<Record<SetupKind, string>>;

/** The usual commands of a tool, with one file as their sign. */
function usual(project: Project, tool: string, file: string, commands: Usual, at: RegExp | number = 1): FoundCommand[] {
  return Object.entries(commands).map(([kind, command]) =>
    project.command({
      // The keys of Usual are kinds.
      kind: kind as SetupKind,
      command,
      tool,
      file,
      at,
      reason: `There is a ${file}.`,
      confidence: kind === "lint" ? "low" : kind === "install" ? "high" : "medium",
    }),
  );
}

/** Go modules. */
export const go: Detector = {
  manifests: ["go.mod"],
  signs: ["go.sum", "go.work", ".golangci.yml", ".golangci.yaml"],
  detect(project) {
    if (!project.has("go.mod")) return [];
    const lint = project.first(".golangci.yml", ".golangci.yaml");
    return [
      ...usual(project, "go", "go.mod", {
        install: "go mod download",
        build: "go build ./...",
        test: "go test ./...",
        ...(lint === null && { lint: "go vet ./..." }),
      }),
      ...(lint === null ? [] : usual(project, "golangci-lint", lint, { lint: "golangci-lint run" })),
    ];
  },
};

/** Cargo packages and workspaces. */
export const rust: Detector = {
  manifests: ["Cargo.toml"],
  signs: ["Cargo.lock", "rust-toolchain.toml"],
  detect(project) {
    if (!project.has("Cargo.toml")) return [];
    const locked = project.has("Cargo.lock") ? " --locked" : "";
    return usual(project, "cargo", "Cargo.toml", {
      install: `cargo fetch${locked}`,
      build: "cargo build",
      test: "cargo test",
      lint: "cargo clippy",
    });
  },
};

/** Maven, with its wrapper if there is one. */
export const maven: Detector = {
  manifests: ["pom.xml"],
  signs: ["mvnw"],
  detect(project) {
    if (!project.has("pom.xml")) return [];
    const tool = project.has("mvnw") ? "./mvnw" : "mvn";
    return usual(project, tool, "pom.xml", {
      install: `${tool} -B dependency:go-offline`,
      build: `${tool} -B -DskipTests package`,
      test: `${tool} -B test`,
    });
  },
};

/** Gradle, with its wrapper if there is one. */
export const gradle: Detector = {
  manifests: ["build.gradle", "build.gradle.kts"],
  signs: ["gradlew", "settings.gradle", "settings.gradle.kts"],
  detect(project) {
    const file = project.first("build.gradle.kts", "build.gradle");
    if (file === null) return [];
    const tool = project.has("gradlew") ? "./gradlew" : "gradle";
    const plain = `${tool} --console=plain --no-daemon`;
    return usual(project, tool, file, { build: `${plain} assemble`, test: `${plain} test` });
  },
};

/** .NET solutions and projects. */
export const dotnet: Detector = {
  manifests: ["*.sln", "*.slnx", "*.csproj", "*.fsproj"],
  signs: ["global.json"],
  detect(project) {
    const file = [...project.names].sort().find((name) => /\.(slnx?|csproj|fsproj)$/.test(name));
    if (file === undefined) return [];
    return usual(project, "dotnet", file, {
      install: "dotnet restore",
      build: "dotnet build --no-restore",
      test: "dotnet test --no-build",
    });
  },
};

/** CMake, built in the folder `build`. */
export const cmake: Detector = {
  manifests: ["CMakeLists.txt"],
  signs: [],
  detect(project) {
    if (!project.has("CMakeLists.txt")) return [];
    const tests = /^\s*(enable_testing|add_test|include\s*\(\s*CTest)\b/im;
    const hasTests = tests.test(project.text("CMakeLists.txt"));
    const test = { test: "ctest --test-dir build --output-on-failure" };
    return [
      ...usual(project, "cmake", "CMakeLists.txt", { build: "cmake -S . -B build && cmake --build build" }),
      ...(hasTests ? usual(project, "ctest", "CMakeLists.txt", test, tests) : []),
    ];
  },
};
