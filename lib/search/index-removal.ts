import type { DatabaseSync } from "node:sqlite";
import { groupBlocks, pieceId } from "./vocabulary.ts";

/** Removes runs from the index. Every call belongs in a transaction of the writer. */
export type IndexRemoval = {
  /** Removes runs and their tokens: a group with blocks of these runs has no tokens until they are collected again. */
  forget(runIds: readonly number[]): void;
  /** Groups that lost their tokens to {@link IndexRemoval.forget}, in ascending order. */
  groupsWithoutTokens(): number[];
};

/** See {@link IndexRemoval}. */
export function indexRemoval(database: DatabaseSync): IndexRemoval {
  const groupId = `(blocks.id - 1) / ${groupBlocks}`;
  const groups = database.prepare(`select distinct ${groupId} as id from blocks where run_id = ?`);
  const drops = [
    "texts where id in (select id from blocks where run_id = ?)",
    "blocks where run_id = ?",
    "tails where run_id = ?",
    "progress where run_id = ?",
  ].map((rows) => database.prepare(`delete from ${rows}`));
  const dropVocabulary = database.prepare("delete from vocabularies where id = ?");
  const dropPlaces = database.prepare("delete from token_places where id >= :first and id < :end");
  const gaps = database.prepare(
    `select distinct ${groupId} as id from blocks
      where ${groupId} < (select coalesce(max(id), 0) from vocabularies)
      and not exists (select 1 from vocabularies where vocabularies.id = ${groupId})
      order by id`,
  );
  return {
    forget(runIds) {
      const touched = new Set<number>();
      for (const runId of runIds) {
        for (const { id } of groups.all(runId)) touched.add(Number(id));
        for (const drop of drops) drop.run(runId);
      }
      for (const group of touched) {
        dropVocabulary.run(group);
        dropPlaces.run({ first: pieceId(group, 0), end: pieceId(group + 1, 0) });
      }
    },

    groupsWithoutTokens: () => gaps.all().map(({ id }) => Number(id)),
  };
}
