import { passwordCharactersMax, passwordCharactersMin } from "#lib/contract/bounds.ts";
import { Text } from "#lib/contract/text.ts";

/** A new password. */
export const NewPassword = Text(passwordCharactersMax)
  .min(passwordCharactersMin, `must have at least ${passwordCharactersMin} characters`)
  .describe("Any characters: length makes it hard to guess")
  .meta({ example: "a long sentence you remember" });

/** A password to be checked. */
export const GivenPassword = Text(passwordCharactersMax);
