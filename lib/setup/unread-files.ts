import { type ReadFiles, signBytesMax } from "./source-tree.ts";
import { yamlProblem } from "./yaml-lines.ts";

/** Texts of a tree; records wanted but unavailable ones: a lockfile may well be too large. */
export class UnreadFiles {
  readonly #files: ReadFiles;
  readonly #notes = new Map<string, string>();

  constructor(files: ReadFiles) {
    this.#files = files;
  }

  /** Without a byte order mark, which no parser expects. Undefined if the file is missing or was not read. */
  textOf(path: string): string | undefined {
    if (this.#files.tooLarge.has(path)) this.#notes.set(path, `it has more than ${signBytesMax / 1024} KB`);
    return this.#files.texts.get(path)?.replace(/^\ufeff/, "");
  }

  /** Records YAML that the parser refuses for its size. */
  noteYaml(path: string, text: string): void {
    const problem = yamlProblem(text);
    if (problem !== null) this.#notes.set(path, problem);
  }

  /** A sentence for each. */
  notes(): string[] {
    return [...this.#notes].map(([path, why]) => `${path} was not read: ${why}`);
  }
}
