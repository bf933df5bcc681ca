import type { Analysis } from "#lib/contract/logs/analysis.ts";

/** Number of steps shown before and after a piece of evidence. */
const around = 10;
/** How many of the first and of the last steps are chosen: they show the run's task and how it ended. */
const atEnds = 200;

/** Every seq named by a finding, without duplicates, in order. */
export function evidenceOf({ causes, tests, errors, repeats, waste, slowest, outcome }: Analysis): number[] {
  const seqs = new Set<number>();
  const add = (...more: (number | null)[]) => {
    for (const seq of more) if (seq !== null) seqs.add(seq);
  };
  add(outcome.seq);
  for (const { evidence } of causes) add(...evidence.map(({ seq }) => seq));
  for (const { seq, read_seq } of tests.runs) add(seq, read_seq);
  for (const { green_seq, red_seq, resolved_seq, edits } of tests.regressed) {
    add(green_seq, red_seq, resolved_seq, ...edits);
  }
  for (const { red_seq, green_seq, seqs: edits } of tests.expectation_changes) add(red_seq, green_seq, ...edits);
  for (const { seqs: found, resolved_at } of errors) add(...found, resolved_at);
  for (const { seqs: found } of repeats) add(...found);
  for (const { seqs: found } of waste.items) add(...found);
  add(...slowest.map(({ seq }) => seq));
  return [...seqs].sort((one, other) => one - other);
}

/**
 * Entries 1 … `count`, most relevant first for the reader of a log that is too large: evidence, its surroundings, the
 * beginning and the end, then the rest. Without duplicates.
 */
export function* byRelevance(count: number, evidence: readonly number[]): Generator<number> {
  const given = new Set<number>();
  const once = function* (seqs: Iterable<number>) {
    for (const seq of seqs) {
      if (seq < 1 || seq > count || given.has(seq)) continue;
      given.add(seq);
      yield seq;
    }
  };
  yield* once(evidence);
  for (const seq of evidence) yield* once(range(seq - around, seq + around));
  yield* once(range(1, atEnds));
  yield* once(range(count - atEnds + 1, count));
  yield* once(range(1, count));
}

function* range(first: number, last: number): Generator<number> {
  for (let seq = first; seq <= last; seq += 1) yield seq;
}
