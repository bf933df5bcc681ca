/** Languages of samples, in the order of their tabs. The first is the default. */
export const sampleLanguages = [
  { id: "curl", label: "curl" },
  { id: "typescript", label: "TypeScript" },
  { id: "python", label: "Python" },
] as const;
export type SampleLanguage = (typeof sampleLanguages)[number]["id"];

/** The same program in every language. */
export type Samples = Record<SampleLanguage, string>;
