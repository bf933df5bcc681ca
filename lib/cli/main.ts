import { runCommand } from "./command.ts";
import { exitWith } from "./exit-with.ts";

exitWith(runCommand(process.argv.slice(2)));
