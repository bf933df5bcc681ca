import { passwordCharactersMax, passwordCharactersMin } from "./bounds.ts";
import { Text } from "./text.ts";

/** A new password. */
export const NewPassword = Text(passwordCharactersMax)
  .min(passwordCharactersMin, `must have at least ${passwordCharactersMin} characters`)
  .describe("Any characters: length makes it hard to guess")
  .meta({ example: "a long sentence you remember" });

/** A password to be checked. */
export const GivenPassword = Text(passwordCharactersMax);
