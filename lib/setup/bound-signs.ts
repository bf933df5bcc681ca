import { setupBounds } from "#lib/contract/bounds.ts";
import { CommandText, InputPath } from "#lib/contract/repositories/setup.ts";
import type { FoundCommand } from "./found-command.ts";

/** Acceptable signs, and a sentence for each of the others, at most 20 and one for the rest. */
export type BoundSigns = { commands: FoundCommand[]; inputs: string[]; leftOut: string[] };

const notesMax = 20;
const pathCharactersMax = 1024;

/**
 * Leaves out what could not be accepted as a setup, so that one odd command does not invalidate the rest. `unread`: sentences
 * about files that were not read.
 */
export function boundSigns(commands: FoundCommand[], inputs: string[], unread: string[] = []): BoundSigns {
  const notes = [...unread];
  const fittingCommands = commands.flatMap((found) => {
    const evidence = found.evidence.filter(({ path }) => path.length <= pathCharactersMax);
    const parsed = CommandText.safeParse(found.command);
    if (parsed.success) return [{ ...found, command: parsed.data, evidence }];
    const places = evidence.map(({ path, line }) => `${path}:${line}`).join(", ");
    notes.push(`the ${found.kind} command in ${places} ${parsed.error.issues[0]?.message}`);
    return [];
  });
  const fittingInputs = inputs.filter((path) => {
    const parsed = InputPath.safeParse(path);
    if (!parsed.success) notes.push(`the input ${shown(path)} ${parsed.error.issues[0]?.message}`);
    return parsed.success;
  });
  const { commandsMax, inputsMax } = setupBounds;
  const tooMany = [
    ...fittingCommands.slice(commandsMax).map(({ kind, command }) => `the ${kind} command ${shown(command)}`),
    ...fittingInputs.slice(inputsMax).map((path) => `the input ${shown(path)}`),
  ].map((what) => `${what}: a setup has at most ${commandsMax} commands and ${inputsMax} inputs`);
  const all = [...notes, ...tooMany];
  const more = all.length - notesMax;
  return {
    commands: fittingCommands.slice(0, commandsMax),
    inputs: fittingInputs.slice(0, inputsMax),
    leftOut: more > 0 ? [...all.slice(0, notesMax), `${more} more`] : all,
  };
}

/** A text as JSON, clipped: it may contain undisplayable characters. */
function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
