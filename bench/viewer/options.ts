import { parseArgs } from "node:util";

/** Options of the measurement. */
export type ViewerOptions = {
  /** Entries of each trace. */
  sizes: number[];
  /** A data folder to keep, whose traces are used again; null: a temporary one. */
  dataDir: string | null;
  rounds: number;
  /** Null: all. */
  parts: string[] | null;
  /** Whether to measure also with 4 times less processor. */
  throttled: boolean;
  /** Folder with the peer's packages; null: do not measure it. */
  peers: string | null;
};

/** Parts of the measurement, in their order. */
export const partNames = ["open", "jump", "find", "scroll", "append", "server", "hostile", "changes"] as const;

const usage =
  "use: npm run bench:viewer -- [--entries 200,30000,1000000] [--data DIR] [--parts open,jump,…] [--rounds N] [--no-throttle] [--peers DIR]";

/** Parses the command line; ends the process with a one-line error if it is not valid. */
export function readOptions(words: string[]): ViewerOptions {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        entries: { type: "string", default: "200,30000,1000000" },
        data: { type: "string" },
        rounds: { type: "string", default: "5" },
        parts: { type: "string" },
        "no-throttle": { type: "boolean", default: false },
        peers: { type: "string" },
      },
    });
    const sizes = values.entries.split(",").map(Number);
    const rounds = Number(values.rounds);
    const parts = values.parts?.split(",") ?? null;
    if (!sizes.every((size) => Number.isInteger(size) && size >= 100))
      throw new Error("--entries: numbers from 100 on");
    if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds: a number from 1 on");
    const unknown = parts?.find((part) => !partNames.some((name) => name === part));
    if (unknown !== undefined) throw new Error(`--parts: there is no "${unknown}"; there are ${partNames.join(", ")}`);
    const throttled = !values["no-throttle"];
    return { sizes, dataDir: values.data ?? null, rounds, parts, throttled, peers: values.peers ?? null };
  } catch (error) {
    process.stderr.write(`errand: ${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    process.exit(2);
  }
}
