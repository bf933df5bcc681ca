import { join } from "node:path";
import { shellQuote } from "./shell-quote.ts";

const bare = "npm run --silent errand -- login";

/** The folder in which npm runs the command, whatever a person's current folder. */
const project = join(import.meta.dirname, "..");

/** The command that prints a sign-in link of the service with this data folder, for any shell on its machine. */
export function loginCommand(dataDir: string): string {
  return dataDir === join(project, "data") ? bare : `ERRAND_DATA_DIR=${shellQuote(dataDir)} ${bare}`;
}

/** The command as a page shows it to anybody: it names the folder only if no other machine can reach the service. */
export function shownLoginCommand(dataDir: string, origin: string): string {
  const isOfThisMachine = ["127.0.0.1", "localhost", "[::1]"].includes(new URL(origin).hostname);
  const command = loginCommand(dataDir);
  return isOfThisMachine || command === bare ? command : `ERRAND_DATA_DIR=THE_DATA_FOLDER ${bare}`;
}
