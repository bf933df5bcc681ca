import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { fencedBlocks } from "#lib/fenced-blocks.ts";

/** Maximum number of claims in an answer, and maximum lengths of a claim and of a quote. */
const claimsMax = 30;
const claimCharactersMax = 2_000;
const quoteCharactersMax = 1_000;
/** A shorter quote proves nothing: it occurs in too many steps. */
const quoteCharactersMin = 4;

/** Maximum number of an answer's last blocks that are tried. */
const blocksMax = 20;

/** A model's answer: claims, each proven by words from steps. Further fields are ignored. */
export const AnalystAnswer = z.object({
  claims: z
    .array(
      z.object({
        claim: z.string().trim().min(1).max(claimCharactersMax),
        kind: z.enum(["cause", "finding", "suggestion"]).catch("finding"),
        evidence: z
          .array(z.object({ seq: z.number(), quote: z.string().max(quoteCharactersMax) }))
          .min(1)
          .max(20),
      }),
    )
    .max(claimsMax),
});
export type AnalystAnswer = z.infer<typeof AnalystAnswer>;

export type Claim = AnalystAnswer["claims"][number];

/** The claims that hold, and how many pieces of evidence and claims did not. */
export type CheckedAnswer = { claims: Claim[]; struck: number };

/** The answer in a model's text: the text itself, or its last block of JSON. Otherwise a sentence that says what is wrong. */
export function parseAnswer(text: string): AnalystAnswer | { problem: string } {
  const json = findJson(text);
  if (json === undefined) return { problem: "The answer is not JSON." };
  const parsed = AnalystAnswer.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return { problem: `The answer does not fit: ${issue?.path.map(String).join(".") || "it"}: ${issue?.message ?? ""}` };
}

/** The log that an answer is about. */
export type ClaimedLog = {
  /** Number of its steps: 1 … steps. */
  steps: number;
  /** A step as the model was shown it (JSON); null if there is none. */
  entryText(seq: number): Promise<string | null>;
};

/**
 * Strikes what the log does not prove: evidence whose step does not exist or does not contain the quoted words, claims that
 * mention a nonexistent step, and claims without any evidence left.
 */
export async function checkAnswer(answer: AnalystAnswer, log: ClaimedLog): Promise<CheckedAnswer> {
  const proven = await provenEvidence(answer, log);
  const claims: Claim[] = [];
  let struck = 0;
  for (const claim of answer.claims) {
    const evidence = claim.evidence.filter((piece) => proven.has(piece));
    struck += claim.evidence.length - evidence.length;
    const isSound = namedSteps(claim.claim).every((seq) => seq >= 1 && seq <= log.steps);
    if (evidence.length > 0 && isSound) claims.push({ ...claim, evidence });
    else struck += 1;
  }
  return { claims, struck };
}

type Evidence = Claim["evidence"][number];

/** Evidence whose step contains the quoted words. Reads each step once, and holds only one: it may be tens of megabytes. */
async function provenEvidence({ claims }: AnalystAnswer, { entryText }: ClaimedLog): Promise<Set<Evidence>> {
  const proven = new Set<Evidence>();
  const bySeq = Map.groupBy(
    claims.flatMap(({ evidence }) => evidence),
    ({ seq }) => seq,
  );
  for (const [seq, pieces] of bySeq) {
    const entry = await entryText(seq);
    if (entry === null) continue;
    const words = wordsOf(entry);
    for (const piece of pieces) {
      const quote = plain(piece.quote);
      if (quote.length >= quoteCharactersMin && words.includes(quote)) proven.add(piece);
      // The engine has other work too.
      await setImmediate();
    }
  }
  return proven;
}

/** Steps named in a sentence: "step 12", "steps 3, 4 and 5", "entry #7", "seq 8". */
function namedSteps(sentence: string): number[] {
  // Blanks belong to the separator before them only: otherwise a row of separators could be read in exponentially many ways.
  const mentions = /\b(?:steps?|entry|entries|seqs?)[\s:#]*(\d+(?:\s*(?:(?:[,&–-]|and|to|or)\s*)+#?\d+)*)/gi;
  return [...sentence.matchAll(mentions)].flatMap(([, numbers = ""]) => (numbers.match(/\d+/g) ?? []).map(Number));
}

/** What a quote of an entry may be from, one a line: its JSON as a model reads it, and each of its texts. */
function wordsOf(entry: string): string {
  return [entry, ...textsOf(JSON.parse(entry))].map(plain).join("\n");
}

/** A text in one line: any white space counts as one blank. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) for (const part of Object.values(next)) waiting.push(part);
  }
  return texts;
}

function findJson(text: string): unknown {
  const fences = fencedBlocks(text).flatMap(({ language, text: inner }) => (/^(?:json)?$/.test(language) ? inner : []));
  const braces = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  for (const candidate of [text, ...fences.slice(-blocksMax).reverse(), braces]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (typeof value === "object" && value !== null) return value;
    } catch {
      // The next candidate.
    }
  }
  return undefined;
}
