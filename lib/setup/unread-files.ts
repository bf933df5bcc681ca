import { type ReadFiles, signBytesMax } from "./source-tree.ts";
import { yamlProblem } from "./yaml-lines.ts";

/** The texts of a tree, which remembers whose text was wanted and could not be had: a lockfile may well be too large. */
export class UnreadFiles {
  readonly #files: ReadFiles;
  readonly #notes = new Map<string, string>();

  constructor(files: ReadFiles) {
    this.#files = files;
  }

  /** Undefined where the file is not there or was not read. */
  textOf(path: string): string | undefined {
    if (this.#files.tooLarge.has(path)) this.#notes.set(path, `it has more than ${signBytesMax / 1024} KB`);
    return this.#files.texts.get(path);
  }

  /** Remembers YAML that the parser does not take for its size. */
  noteYaml(path: string, text: string): void {
    const problem = yamlProblem(text);
    if (problem !== null) this.#notes.set(path, problem);
  }

  /** A sentence for each. */
  notes(): string[] {
    return [...this.#notes].map(([path, why]) => `${path} was not read: ${why}`);
  }
}
