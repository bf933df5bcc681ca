/** Version of the rules. An analysis stored with another version is made again. */
export const analysisVersion = 4;
/** Maximum length of each list of an analysis, and of each item's seqs. `counts` has the full numbers. */
export const analysisItemsMax = 100;
/** Maximum number of causes. */
export const analysisCausesMax = 5;
/** Maximum length of a quote, a command, a path or a sample, in UTF-16 units. */
export const analysisTextMax = 300;
