import { type Block, bytesInBlock, packBlock, unpackBlock } from "./block.ts";
import { isCoded, packCode, unpackCode } from "./code.ts";
import { type DamagedIndexError, fromRow, openIndexFile } from "./index-file.ts";
import { indexRemoval } from "./index-removal.ts";
import { Tokenizer } from "./tokens.ts";
import { groupBlocks, packPlaces, packVocabulary, pieceId, placeInGroup } from "./vocabulary.ts";
import { collectVocabulary } from "./vocabulary-builder.ts";

/**
 * How far a run is indexed; `lastAt` is the creation time of its last indexed entry, which reveals that the store was replaced.
 */
export type IndexProgress = { runId: number; indexedSeq: number; lastAt: number };

/** Consecutive entries of a run as written to the index. `isOpen`: more will be added, so they replace the run's tail. */
export type IndexedBlock = {
  runId: number;
  firstSeq: number;
  lastSeq: number;
  lastAt: number;
  isOpen: boolean;
  block: Block;
};

/** Another process is indexing. */
export class IndexTakenError extends Error {
  constructor() {
    super("Another engine keeps the search index");
    this.name = "IndexTakenError";
  }
}

/** The search index for its only writer. */
export type SearchIndex = {
  /** Requests the lease for the next `leaseMs`: `kept` if this owner had it last, `new` if another or nobody did. */
  claim(owner: string, leaseMs: number): "kept" | "new" | "refused";
  progress(): IndexProgress[];
  /** Open blocks, at most one per run. */
  tails(): { runId: number; firstSeq: number; lastSeq: number; texts: Uint8Array[] }[];
  /** Writes everything or nothing. Each block must follow what is indexed of its run. Throws {@link IndexTakenError}. */
  write(owner: string, blocks: readonly IndexedBlock[]): void;
  /**
   * Collects the tokens of the next full group of blocks; false if none is left to do. Throws {@link IndexTakenError}, and
   * {@link DamagedIndexError} if a block cannot be unpacked.
   */
  collect(owner: string): boolean;
  /** Removes runs from the index. {@link SearchIndex.collect} then has something to do. Throws {@link IndexTakenError}. */
  forget(owner: string, runIds: readonly number[]): void;
  /**
   * Returns some of the disk space of removed data, and overwrites that data in the write-ahead log; true if nothing is left to
   * do.
   */
  giveBack(): boolean;
  close(): void;
};

/** Opens the index in `file`; see {@link openIndexFile} for a missing file and other versions. */
export function openSearchIndex(file: string, now: () => number = Date.now): SearchIndex {
  const database = openIndexFile(file);
  const tokenizer = new Tokenizer();
  const statements = {
    owner: database.prepare("select owner, expires_at from lease where id = 1"),
    lease: database.prepare("insert or replace into lease (id, owner, expires_at) values (1, :owner, :expiresAt)"),
    progress: database.prepare("select run_id, indexed_seq, last_at from progress"),
    indexed: database.prepare("select indexed_seq from progress where run_id = ?"),
    setProgress: database.prepare(
      "insert or replace into progress (run_id, indexed_seq, last_at) values (:run, :seq, :at)",
    ),
    tails: database.prepare("select run_id, first_seq, last_seq, text from tails"),
    tail: database.prepare("select first_seq from tails where run_id = ?"),
    setTail: database.prepare(
      "insert or replace into tails (run_id, first_seq, last_seq, text) values (:run, :first, :last, :text)",
    ),
    dropTail: database.prepare("delete from tails where run_id = ?"),
    addBlock: database.prepare("insert into blocks (run_id, first_seq, last_seq) values (:run, :first, :last)"),
    addText: database.prepare("insert into texts (id, text) values (:id, :text)"),
    texts: database.prepare("select id, text from texts where id between :first and :last"),
    lastBlock: database.prepare("select seq from sqlite_sequence where name = 'blocks'"),
    lastVocabulary: database.prepare("select coalesce(max(id), -1) as id from vocabularies"),
    addVocabulary: database.prepare("insert into vocabularies (id, tokens) values (:id, :tokens)"),
    addPlaces: database.prepare("insert into token_places (id, places) values (:id, :places)"),
  };
  const removal = indexRemoval(database);
  /** Groups that lost their tokens; they are collected before those of groups that never had any. */
  let lacking = removal.groupsWithoutTokens();

  function whole<T>(work: () => T): T {
    database.exec("begin immediate");
    try {
      const done = work();
      database.exec("commit");
      return done;
    } catch (error) {
      if (database.isTransaction) database.exec("rollback");
      throw error;
    }
  }

  function mustOwn(owner: string): void {
    if (statements.owner.get()?.owner !== owner) throw new IndexTakenError();
  }

  /** Collects the tokens of a group, which are used from now on. */
  function addVocabulary(owner: string, group: number): void {
    const coded = statements.texts
      .all({ first: group * groupBlocks + 1, last: lastOf(group) })
      .flatMap(({ id, text }) =>
        text instanceof Uint8Array && isCoded(text)
          ? [{ place: placeInGroup(Number(id)), block: fromRow(() => unpackCode(text)) }]
          : [],
      );
    const collected = collectVocabulary(coded);
    const tokens = packVocabulary(collected);
    const pieces = [...packPlaces(collected.places)];
    whole(() => {
      mustOwn(owner);
      statements.addVocabulary.run({ id: group, tokens });
      for (const [piece, places] of pieces.entries()) statements.addPlaces.run({ id: pieceId(group, piece), places });
    });
  }

  return {
    claim: (owner, leaseMs) =>
      whole(() => {
        const held = statements.owner.get();
        const isOwn = held?.owner === owner;
        if (!isOwn && Number(held?.expires_at ?? 0) > now()) return "refused";
        statements.lease.run({ owner, expiresAt: now() + leaseMs });
        return isOwn ? "kept" : "new";
      }),

    progress: () =>
      statements.progress.all().map(({ run_id, indexed_seq, last_at }) => ({
        runId: Number(run_id),
        indexedSeq: Number(indexed_seq),
        lastAt: Number(last_at),
      })),

    tails: () =>
      statements.tails.all().flatMap(({ run_id, first_seq, last_seq, text }) => {
        if (!(text instanceof Uint8Array)) return [];
        const block = fromRow(() => unpackBlock(text));
        const texts = Array.from(block.ends, (_, index) => bytesInBlock(block, index));
        return [{ runId: Number(run_id), firstSeq: Number(first_seq), lastSeq: Number(last_seq), texts }];
      }),

    write(owner, blocks) {
      // The expensive part needs no lock.
      const ready = blocks.map((each) => ({ ...each, text: packed(each, tokenizer) }));
      whole(() => {
        mustOwn(owner);
        for (const { runId, firstSeq, lastSeq, lastAt, isOpen, text } of ready) {
          const indexed = Number(statements.indexed.get(runId)?.indexed_seq ?? 0);
          const tail = statements.tail.get(runId);
          const follows = tail === undefined ? indexed + 1 : Number(tail.first_seq);
          if (firstSeq !== follows || lastSeq < indexed) {
            throw new Error(`Entries ${firstSeq} to ${lastSeq} of run ${runId} do not follow on ${indexed}`);
          }
          if (isOpen) statements.setTail.run({ run: runId, first: firstSeq, last: lastSeq, text });
          else {
            statements.dropTail.run(runId);
            const { lastInsertRowid } = statements.addBlock.run({ run: runId, first: firstSeq, last: lastSeq });
            statements.addText.run({ id: lastInsertRowid, text });
          }
          statements.setProgress.run({ run: runId, seq: lastSeq, at: lastAt });
        }
      });
    },

    collect(owner) {
      const group = lacking[0] ?? Number(statements.lastVocabulary.get()?.id) + 1;
      if (Number(statements.lastBlock.get()?.seq ?? 0) < lastOf(group)) return false;
      addVocabulary(owner, group);
      lacking = lacking.slice(1);
      return true;
    },

    forget(owner, runIds) {
      if (runIds.length === 0) return;
      whole(() => {
        mustOwn(owner);
        removal.forget(runIds);
      });
      lacking = removal.groupsWithoutTokens();
    },

    giveBack() {
      database.exec(`pragma incremental_vacuum(${pagesAtOnce})`);
      const numberOf = (pragma: string) => Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);
      if (numberOf("auto_vacuum") !== 0 && numberOf("freelist_count") > 0) return false;
      // The log still contains removed data. Does not wait for searches.
      database.exec("pragma busy_timeout = 50");
      try {
        return numberOf("wal_checkpoint(truncate)") === 0;
      } finally {
        database.exec("pragma busy_timeout = 5000");
      }
    },

    close: () => database.close(),
  };
}

/** Stored form of a block: coded, if it is final and can be. */
function packed({ block, isOpen }: IndexedBlock, tokenizer: Tokenizer): Uint8Array {
  return (isOpen ? null : packCode(block, tokenizer)) ?? packBlock(block);
}

/** Pages returned to the disk at a time: 16 MB. */
const pagesAtOnce = 1024;

const lastOf = (group: number) => (group + 1) * groupBlocks;
