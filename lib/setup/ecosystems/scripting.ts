import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { Detector } from "#lib/setup/project.ts";
import { lineOfKey, objectOf, parseJsonc } from "#lib/setup/text-lines.ts";

/** Bundler, with RSpec or Rake. */
export const ruby: Detector = {
  manifests: ["Gemfile"],
  signs: ["Gemfile.lock", "Rakefile", ".rspec", ".rubocop.yml"],
  detect(project) {
    if (!project.has("Gemfile")) return [];
    const lock = project.first("Gemfile.lock") ?? "Gemfile";
    const found = [install(project, "bundle install", "bundle", lock)];
    const spec = project.first(".rspec") ?? project.paths.find((path) => /^spec\/.+_spec\.rb$/.test(path));
    const reason = (file: string) => `There is ${file}.`;
    if (spec !== undefined) {
      const command = "bundle exec rspec";
      found.push(
        project.command({
          kind: "test",
          command,
          tool: "bundle",
          file: spec,
          reason: reason(spec),
          confidence: "medium",
        }),
      );
    } else if (project.has("Rakefile") && project.paths.some((path) => /^test\/.+\.rb$/.test(path))) {
      const at = /^.*\btest\b/im;
      const command = "bundle exec rake test";
      const why = "There is a Rakefile and a folder of tests.";
      found.push(
        project.command({
          kind: "test",
          command,
          tool: "bundle",
          file: "Rakefile",
          at,
          reason: why,
          confidence: "medium",
        }),
      );
    }
    if (project.has(".rubocop.yml")) {
      const [kind, command, file] = ["lint", "bundle exec rubocop", ".rubocop.yml"] as const;
      found.push(project.command({ kind, command, tool: "bundle", file, reason: reason(file), confidence: "medium" }));
    }
    return found;
  },
};

/** Composer, with its scripts or PHPUnit. */
export const php: Detector = {
  manifests: ["composer.json"],
  signs: ["composer.lock", "phpunit.xml", "phpunit.xml.dist"],
  detect(project) {
    if (!project.has("composer.json")) return [];
    const text = project.text("composer.json");
    const scripts = objectOf(objectOf(parseJsonc(text)).scripts);
    const lock = project.first("composer.lock") ?? "composer.json";
    const found = [install(project, "composer install --no-interaction", "composer", lock)];
    for (const kind of ["build", "test", "lint"] as const) {
      if (scripts[kind] === undefined) continue;
      const reason = `The composer.json has a ${kind} script.`;
      const [command, at] = [`composer run-script ${kind}`, lineOfKey(text, ["scripts", kind])];
      found.push(project.command({ kind, command, tool: "composer", file: "composer.json", at, reason }));
    }
    const phpunit = project.first("phpunit.xml", "phpunit.xml.dist");
    if (scripts.test === undefined && phpunit !== null) {
      const reason = `There is a ${phpunit}.`;
      const [kind, command] = ["test", "vendor/bin/phpunit"] as const;
      found.push(project.command({ kind, command, tool: "php", file: phpunit, reason, confidence: "medium" }));
    }
    return found;
  },
};

/** Mix. */
export const elixir: Detector = {
  manifests: ["mix.exs"],
  signs: ["mix.lock", ".formatter.exs"],
  detect(project) {
    if (!project.has("mix.exs")) return [];
    const commands: [SetupKind, string][] = [
      ["install", "mix deps.get"],
      ["build", "mix compile"],
      ["test", "mix test"],
    ];
    if (project.has(".formatter.exs")) commands.push(["lint", "mix format --check-formatted"]);
    return commands.map(([kind, command]) =>
      project.command({
        kind,
        command,
        tool: "mix",
        file: kind === "lint" ? ".formatter.exs" : "mix.exs",
        reason: "There is a mix.exs.",
        confidence: kind === "install" ? "high" : "medium",
      }),
    );
  },
};

function install(
  project: Parameters<Detector["detect"]>[0],
  command: string,
  tool: string,
  file: string,
): FoundCommand {
  return project.command({ kind: "install", command, tool, file, reason: `There is a ${file}.` });
}
