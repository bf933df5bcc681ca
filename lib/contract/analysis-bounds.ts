/** The version of the rules. An analysis that was kept under another version is made anew. */
export const analysisVersion = 2;
/** The most items of each list of an analysis, and the most seqs of each item. `counts` says how many there are. */
export const analysisItemsMax = 100;
/** The most causes of an analysis. */
export const analysisCausesMax = 5;
/** The most characters of a quote, a command, a path or a sample, in UTF-16 units. */
export const analysisTextMax = 300;
