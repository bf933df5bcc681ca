import { parseArgs } from "node:util";

/** What is measured, and on what. */
export type ViewerOptions = {
  /** Entries of each trace. */
  sizes: number[];
  /** A data folder that is kept: traces that it holds are not made again. Null: a temporary one. */
  dataDir: string | null;
  rounds: number;
  /** Null: all. */
  parts: string[] | null;
  /** Also at 4 times less processor. */
  throttled: boolean;
  /** Where the peer's packages are installed; null: it is not measured. */
  peers: string | null;
};

/** The parts of the measurement, in the order in which they are made. */
export const partNames = ["open", "jump", "find", "scroll", "append", "server", "hostile"] as const;

const usage =
  "use: npm run bench:viewer -- [--entries 200,30000,1000000] [--data DIR] [--parts open,jump,…] [--rounds N] [--no-throttle] [--peers DIR]";

/** Reads the command line; ends the process with one line where it cannot be understood. */
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
