import { parse } from "smol-toml";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { Detector, Project } from "#lib/setup/project.ts";
import { objectOf } from "#lib/setup/text-lines.ts";

/** How to run a project's Python programs: with a prefix, by a tool that must be installed. */
type Runner = { prefix: string; tool: string };

const testFile = /(^|\/)(test_[^/]+|[^/]+_test|conftest)\.py$/;

/** uv, Poetry, Pipenv and pip (in a virtual environment of the checkout, never in the system's Python). */
export const python: Detector = {
  manifests: ["pyproject.toml", "requirements.txt", "Pipfile", "setup.py", "pytest.ini"],
  signs: ["uv.lock", "poetry.lock", "Pipfile.lock", "requirements-dev.txt", "setup.cfg", "tox.ini", "ruff.toml"],
  detect(project) {
    const tools = objectOf(objectOf(tableOf(project.text("pyproject.toml"))).tool);
    const { install, runner } = installOf(project, tools);
    const found = install === null ? [] : [install];
    const tests = findTests(project);
    if (tests !== null) found.push(...testCommands(project, tests, runner));
    const ruff = project.has("ruff.toml") ? "ruff.toml" : tools.ruff !== undefined ? "pyproject.toml" : null;
    if (ruff !== null) {
      const { prefix, tool } = runner ?? { prefix: "", tool: "ruff" };
      const at = /^\[tool\.ruff/m;
      const reason = `There is a configuration of Ruff in ${ruff}.`;
      const command = `${prefix}ruff check .`;
      found.push(project.command({ kind: "lint", command, tool, file: ruff, at, reason, confidence: "medium" }));
    }
    return found;
  },
};

function installOf(
  project: Project,
  tools: Record<string, unknown>,
): { install: FoundCommand | null; runner: Runner | null } {
  const by = (command: string, tool: string, file: string, runner: Runner, at: RegExp | number = 1) => ({
    install: project.command({ kind: "install", command, tool, file, at, reason: `There is a ${file}.` }),
    runner,
  });
  const uv: Runner = { prefix: "uv run ", tool: "uv" };
  const poetry: Runner = { prefix: "poetry run ", tool: "poetry" };
  if (project.has("uv.lock")) return by("uv sync --frozen", "uv", "uv.lock", uv);
  if (project.has("poetry.lock")) return by("poetry install --no-interaction", "poetry", "poetry.lock", poetry);
  if (tools.uv !== undefined) return by("uv sync", "uv", "pyproject.toml", uv, /^\[tool\.uv/m);
  if (tools.poetry !== undefined) {
    return by("poetry install --no-interaction", "poetry", "pyproject.toml", poetry, /^\[tool\.poetry/m);
  }
  const pipenv: Runner = { prefix: "pipenv run ", tool: "pipenv" };
  if (project.has("Pipfile.lock")) return by("pipenv sync --dev", "pipenv", "Pipfile.lock", pipenv);
  if (project.has("Pipfile")) return by("pipenv install --dev --skip-lock", "pipenv", "Pipfile", pipenv);
  const venv: Runner = { prefix: ".venv/bin/", tool: ".venv/bin/python" };
  const pip = "python3 -m venv .venv && .venv/bin/python -m pip install";
  const requirements = ["requirements.txt", "requirements-dev.txt"].filter((name) => project.has(name));
  if (requirements[0] !== undefined) {
    const files = requirements.map((name) => `-r ${name}`).join(" ");
    return by(`${pip} ${files}`, "python3", requirements[0], venv);
  }
  const isPackage = /^\[(project|build-system)\]/m.test(project.text("pyproject.toml"));
  const file = isPackage ? "pyproject.toml" : project.first("setup.py");
  if (file === null) return { install: null, runner: null };
  return by(`${pip} -e .`, "python3", file, venv, /^\[(project|build-system)\]/m);
}

/** The tests with the project's tools, or else with the system's pytest. */
function testCommands(
  project: Project,
  { file, at, reason, isGuess }: NonNullable<ReturnType<typeof findTests>>,
  runner: Runner | null,
): FoundCommand[] {
  const confidence = isGuess ? "medium" : "high";
  const plain = runner === null || runner.prefix === ".venv/bin/";
  const own = runner === null ? [] : [runner];
  const system = { prefix: "", tool: "pytest" };
  return [...own, ...(plain ? [system] : [])].map((one) =>
    project.command({
      kind: "test",
      command: `${one.prefix}pytest`,
      tool: one.tool,
      file,
      at,
      reason,
      confidence: one === system && runner !== null ? "low" : confidence,
      source: one === system && runner !== null ? "file names" : "manifest",
    }),
  );
}

function findTests(project: Project): { file: string; at: RegExp; reason: string; isGuess: boolean } | null {
  if (project.has("pytest.ini")) {
    return { file: "pytest.ini", at: /^\[pytest\]/m, reason: "There is a pytest.ini.", isGuess: false };
  }
  const sections: [string, RegExp][] = [
    ["pyproject.toml", /^\[tool\.pytest/m],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["tox.ini", /^\[pytest\]/m],
  ];
  for (const [file, at] of sections) {
    if (at.test(project.text(file))) {
      return { file, at, reason: `There is a section for pytest in ${file}.`, isGuess: false };
    }
  }
  const file = project.paths.find((path) => testFile.test(path));
  return file === undefined ? null : { file, at: /^/, reason: `There is ${file}.`, isGuess: true };
}

function tableOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return {};
  }
}
