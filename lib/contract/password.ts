import { Text } from "./text.ts";

/** The bounds of a password in UTF-16 units. It may have any characters: length is what makes it hard to guess. */
export const passwordCharactersMin = 10;
export const passwordCharactersMax = 200;

/** A password that somebody chooses. */
export const NewPassword = Text(passwordCharactersMax)
  .min(passwordCharactersMin, `must have at least ${passwordCharactersMin} characters`)
  .describe("Any characters; length is what makes it hard to guess");

/** A password that somebody says they have. */
export const GivenPassword = Text(passwordCharactersMax);
