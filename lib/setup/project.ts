import type { Confidence, SetupKind } from "#lib/contract/repositories/setup-command.ts";
import type { FoundCommand, SignSource } from "./found-command.ts";
import { lineOf } from "./text-lines.ts";
import type { UnreadFiles } from "./unread-files.ts";

/** A detector's description of a command; the rest follows from the project. */
type Sign = {
  kind: SetupKind;
  command: string;
  tool: string | null;
  /** The project's file that suggests it, and where in it: a pattern, a line, or its first line. */
  file: string;
  at?: RegExp | number;
  reason: string;
  source?: SignSource;
  confidence?: Confidence;
};

/**
 * A folder of the repository with a project, as the detectors see it: the names at its top, and the texts of those that were
 * read.
 */
export class Project {
  /** Relative to the top of the repository, "" for the top itself; contains only letters, digits and `._-/`. */
  readonly folder: string;
  readonly names: ReadonlySet<string>;
  /** Paths of all files below the project, relative to it. */
  readonly paths: readonly string[];
  readonly #files: UnreadFiles;

  constructor(folder: string, paths: readonly string[], files: UnreadFiles) {
    this.folder = folder;
    this.paths = paths;
    this.names = new Set(paths.filter((path) => !path.includes("/")));
    this.#files = files;
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.names.has(name));
  }

  /** The first of these names that is at the project's top, or null. */
  first(...names: string[]): string | null {
    return names.find((name) => this.names.has(name)) ?? null;
  }

  /** Text of a file at the project's top, "" if it is missing or too large. */
  text(name: string): string {
    return this.#files.textOf(this.pathOf(name)) ?? "";
  }

  /** The same for a YAML file, which may be too large for the parser. */
  yaml(name: string): string {
    const text = this.text(name);
    this.#files.noteYaml(this.pathOf(name), text);
    return text;
  }

  pathOf(name: string): string {
    return this.folder === "" ? name : `${this.folder}/${name}`;
  }

  /** A command of this project: in a nested one it begins with `cd`. */
  command({ kind, command, tool, file, at = 1, reason, source = "manifest", confidence = "high" }: Sign): FoundCommand {
    return {
      kind,
      command: this.folder === "" ? command : `cd ${this.folder} && ${command}`,
      source,
      confidence,
      evidence: [{ path: this.pathOf(file), line: typeof at === "number" ? at : lineOf(this.text(file), at) }],
      reason,
      folder: this.folder,
      tool,
    };
  }
}

/** Examines one project for the commands of one family of tools. */
export type Detector = {
  /** Names at a project's top that identify its family; `*.csproj` stands for every name with that ending. */
  manifests: string[];
  /** Further names whose text or presence matters. */
  signs: string[];
  detect(project: Project): FoundCommand[];
};
