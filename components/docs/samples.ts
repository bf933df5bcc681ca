/** The languages of samples, in the order of their tabs. The first is shown where nobody chose. */
export const sampleLanguages = [
  { id: "curl", label: "curl" },
  { id: "typescript", label: "TypeScript" },
  { id: "python", label: "Python" },
] as const;
export type SampleLanguage = (typeof sampleLanguages)[number]["id"];

/** The same program in every language. */
export type Samples = Record<SampleLanguage, string>;
