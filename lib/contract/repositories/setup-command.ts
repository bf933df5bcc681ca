import { z } from "zod";
import { setupKinds } from "#lib/contract/words.ts";

export const SetupKind = z.enum(setupKinds);
export type SetupKind = z.infer<typeof SetupKind>;

/** A line of the repository that supports a command. `line` counts from 1. */
export const Evidence = z.object({
  path: z.string().describe("A file of the repository").meta({ example: "package-lock.json" }),
  line: z.int().describe("The line, from 1"),
});
export type Evidence = z.infer<typeof Evidence>;

/** How sure the detection is: stated by a file, usual for the ecosystem, or guessed from file names. */
export const Confidence = z.enum(["high", "medium", "low"]);
export type Confidence = z.infer<typeof Confidence>;
