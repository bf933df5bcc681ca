// Numbers of the contract that pages show or check. The browser loads this module, so it has no schemas (ARCHITECTURE.md).

/** Maximum length of a prompt, in UTF-16 units. */
export const promptCharactersMax = 262_144;

/** Bounds of the text files of a message: how many; bytes of each and of all in UTF-8; characters of a name and of a media type. */
export const attachmentBounds = {
  filesMax: 10,
  bytesMax: 262_144,
  totalBytesMax: 1_048_576,
  nameMax: 200,
  mediaTypeMax: 100,
} as const;

/** Maximum length of an organization's or a person's rules, in UTF-16 units. */
export const rulesCharactersMax = 20_000;

/** Maximum `skip`: 2^27 - 1, the highest seq a run can have. */
export const skipMax = 2 ** 27 - 1;

/** Bounds of a setup: commands in all its lists together, bytes per command, inputs, seconds per command. */
export const setupBounds = {
  commandsMax: 50,
  commandBytesMax: 8192,
  inputsMax: 100,
  variablesMax: 50,
  hostsMax: 100,
  timeoutSecondsMax: 3600,
  timeoutSecondsDefault: 600,
  promptBytesMax: 16_384,
} as const;

/**
 * Bounds of the MCP servers of an organization: their number; headers of each; characters of an address and of a header's value;
 * how many more one run may have.
 */
export const mcpServerBounds = {
  serversMax: 20,
  headersMax: 10,
  addressMax: 2048,
  valueMax: 8192,
  repositoriesMax: 200,
  ofRunMax: 10,
} as const;

/** Bounds of a password in UTF-16 units. It may have any characters: length is what makes it hard to guess. */
export const passwordCharactersMin = 10;
export const passwordCharactersMax = 200;

/** Default and maximum lifetime of a link, in days. */
export const shareDaysDefault = 30;
export const shareDaysMax = 365;

/** How long an invitation may stay open, in days. */
export const invitationDaysMax = 30;
export const invitationDaysDefault = 7;

/** How long a password reset link works, in hours. */
export const resetHours = 24;

/** Maximum number of entries with secrets named in one response. */
export const previewSeqsMax = 20;

/** Bounds of check settings: repair attempts per check, names per list, characters of names and prompts. */
export const checkSuiteBounds = { retriesMax: 10, namesMax: 200, nameMax: 200, promptMax: 10_000 } as const;

/** Maximum length of a pull request's title and of the text written for it, in UTF-16 units. */
export const pullTitleMax = 250;
export const pullBodyMax = 60_000;

/** Maximum length of names and values of metadata by which runs are found, in UTF-16 units. */
export const metadataNameMax = 100;
export const metadataValueMax = 255;

/** Maximum number of names and values of one filter. */
export const metadataFiltersMax = 10;

/** Maximum number of runs that one request cancels. */
export const bulkCancelMax = 1000;

/** Maximum number of an organization's webhooks besides the default one. */
export const webhooksMax = 20;
