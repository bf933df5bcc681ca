import type { DatabaseSync } from "node:sqlite";
import { groupBlocks, groupRows, placeInGroup, sliceId, withoutPlaces } from "./slices.ts";
import { pieceId } from "./vocabulary.ts";

/** Removes runs from the index. Every call belongs in a transaction of the writer. */
export type IndexRemoval = {
  /** Removes runs and their words: a full group with blocks of these runs has no words until they are collected again. */
  forget(runIds: readonly number[]): void;
  /** Groups that lost their words to {@link IndexRemoval.forget}, in ascending order. */
  groupsWithoutWords(): number[];
  /** Clears the bits of removed blocks. */
  clearUnused(group: number): void;
};

/** See {@link IndexRemoval}. */
export function indexRemoval(database: DatabaseSync): IndexRemoval {
  const statements = {
    groups: database.prepare(
      `select distinct (id - 1) / ${groupBlocks} as id from blocks where run_id = :run and id <= :last order by id`,
    ),
    lastSlice: database.prepare("select coalesce(max(id), -1) as id from slices"),
    blocks: database.prepare("select id from blocks where id between :first and :last"),
    dropTexts: database.prepare("delete from texts where id in (select id from blocks where run_id = ?)"),
    dropCodes: database.prepare("delete from codes where id in (select id from blocks where run_id = ?)"),
    dropGrams: database.prepare("delete from grams where id in (select id from blocks where run_id = ?)"),
    dropBlocks: database.prepare("delete from blocks where run_id = ?"),
    dropTail: database.prepare("delete from tails where run_id = ?"),
    dropProgress: database.prepare("delete from progress where run_id = ?"),
    dropVocabulary: database.prepare("delete from vocabularies where id = ?"),
    dropPlaces: database.prepare("delete from word_places where id >= :first and id < :end"),
    slices: database.prepare("select id, bits from slices where id between :first and :last"),
    setSlice: database.prepare("update slices set bits = :bits where id = :id"),
    dropSlices: database.prepare("delete from slices where id between :first and :last"),
    gaps: database.prepare(
      `select distinct (id - 1) / ${groupBlocks} as id from blocks
        where (id - 1) / ${groupBlocks} < (select coalesce(max(id), 0) from vocabularies)
        and not exists (select 1 from vocabularies where vocabularies.id = (blocks.id - 1) / ${groupBlocks})
        order by id`,
    ),
  };
  const idsIn = (group: number) => ({ first: group * groupBlocks + 1, last: (group + 1) * groupBlocks });
  const slicesIn = (group: number) => ({ first: sliceId(group, 0), last: sliceId(group, groupRows - 1) });

  return {
    forget(runIds) {
      const fullUntil = (Number(statements.lastSlice.get()?.id) + 1) * (groupBlocks / groupRows);
      const groups = new Set<number>();
      for (const runId of runIds) {
        for (const { id } of statements.groups.all({ run: runId, last: fullUntil })) groups.add(Number(id));
        for (const drop of ["dropTexts", "dropCodes", "dropGrams", "dropBlocks", "dropTail", "dropProgress"] as const) {
          statements[drop].run(runId);
        }
      }
      for (const group of groups) {
        statements.dropVocabulary.run(group);
        statements.dropPlaces.run({ first: pieceId(group, 0), end: pieceId(group + 1, 0) });
        if (statements.blocks.get(idsIn(group)) === undefined) statements.dropSlices.run(slicesIn(group));
      }
    },

    groupsWithoutWords: () => statements.gaps.all().map(({ id }) => Number(id)),

    clearUnused(group) {
      const used = new Set(statements.blocks.all(idsIn(group)).map(({ id }) => placeInGroup(Number(id))));
      const unused = Array.from({ length: groupBlocks }, (_, place) => place).filter((place) => !used.has(place));
      if (unused.length === 0) return;
      for (const { id, bits } of statements.slices.all(slicesIn(group))) {
        if (bits instanceof Uint8Array) statements.setSlice.run({ bits: withoutPlaces(bits, unused), id: Number(id) });
      }
    },
  };
}
