import { type Block, bytesInBlock, packBlock, unpackBlock } from "./block.ts";
import { isCoded, packCode, unpackCode } from "./code.ts";
import { wordsOfCode } from "./code-words.ts";
import { gramBytes, gramsOf } from "./grams.ts";
import { type DamagedIndexError, fromRow, openIndexFile } from "./index-file.ts";
import { indexRemoval } from "./index-removal.ts";
import { groupBlocks, groupOf, placeInGroup, sliceId, sliceRows } from "./slices.ts";
import { Tokenizer } from "./tokens.ts";
import { packPlaces, packVocabulary, pieceId } from "./vocabulary.ts";
import { VocabularyBuilder } from "./vocabulary-builder.ts";

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
  /**
   * Writes everything or nothing. Each block must follow what is indexed of its run. `isUrgent`: texts get their codes later.
   * Throws {@link IndexTakenError}.
   */
  write(owner: string, blocks: readonly IndexedBlock[], isUrgent?: boolean): void;
  /**
   * Encodes the next `limit` texts, or collects the words of a group; false if neither is left to do. Throws {@link
   * IndexTakenError}, and {@link DamagedIndexError} if one of them cannot be unpacked.
   */
  addCodes(owner: string, limit: number): boolean;
  /** Removes runs from the index. {@link SearchIndex.addCodes} then has something to do. Throws {@link IndexTakenError}. */
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
      "insert or replace into tails (run_id, first_seq, last_seq, bits, text) values (:run, :first, :last, :bits, :text)",
    ),
    dropTail: database.prepare("delete from tails where run_id = ?"),
    addBlock: database.prepare("insert into blocks (run_id, first_seq, last_seq) values (:run, :first, :last)"),
    addText: database.prepare("insert into texts (id, text) values (:id, :text)"),
    texts: database.prepare("select id, text from texts order by id limit :limit"),
    firstText: database.prepare("select min(id) as id from texts where id between :first and :last"),
    dropText: database.prepare("delete from texts where id = ?"),
    addCode: database.prepare("insert into codes (id, text) values (:id, :text)"),
    codes: database.prepare("select id, text from codes where id between :first and :last"),
    lastSlice: database.prepare("select coalesce(max(id), -1) as id from slices"),
    lastVocabulary: database.prepare("select coalesce(max(id), -1) as id from vocabularies"),
    addVocabulary: database.prepare("insert into vocabularies (id, words) values (:id, :words)"),
    addPlaces: database.prepare("insert into word_places (id, places) values (:id, :places)"),
    addGrams: database.prepare("insert into grams (id, bits) values (:id, :bits)"),
    grams: database.prepare("select id, bits from grams where id between :first and :last"),
    dropGrams: database.prepare("delete from grams where id between :first and :last"),
    addSlice: database.prepare("insert into slices (id, bits) values (:id, :bits)"),
  };
  const removal = indexRemoval(database);
  /** Full groups that lost their words; they are collected before those of groups that never had any. */
  let lacking = removal.groupsWithoutWords();

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

  function addBlock({ runId, firstSeq, lastSeq, bits, text, isFinal }: PackedBlock): void {
    const id = Number(statements.addBlock.run({ run: runId, first: firstSeq, last: lastSeq }).lastInsertRowid);
    (isFinal ? statements.addCode : statements.addText).run({ id, text });
    statements.addGrams.run({ id, bits });
    if (placeInGroup(id) === groupBlocks - 1) sealGroup(id);
  }

  /** The group is full: from now on its grams are read by bit. */
  function sealGroup(lastId: number): void {
    const firstId = lastId - groupBlocks + 1;
    // A removed block leaves a place without bits.
    const grams = Array.from({ length: groupBlocks }, () => new Uint8Array(gramBytes));
    for (const { id, bits } of statements.grams.all({ first: firstId, last: lastId })) {
      if (bits instanceof Uint8Array) grams[placeInGroup(Number(id))] = bits;
    }
    const group = groupOf(lastId);
    for (const [row, bits] of sliceRows(grams).entries()) statements.addSlice.run({ id: sliceId(group, row), bits });
    statements.dropGrams.run({ first: firstId, last: lastId });
  }

  /** Whether the group is full and all of its texts have codes. */
  function isCodedGroup(group: number): boolean {
    const isFull = Number(statements.lastSlice.get()?.id) >= sliceId(group, 0);
    return isFull && statements.firstText.get({ first: firstOf(group), last: lastOf(group) })?.id === null;
  }

  /** Collects the words of a group, which are used from now on. */
  function addVocabulary(owner: string, group: number): void {
    const builder = new VocabularyBuilder();
    for (const { id, text } of statements.codes.iterate({ first: firstOf(group), last: lastOf(group) })) {
      if (text instanceof Uint8Array && isCoded(text)) {
        const words = fromRow(() => wordsOfCode(unpackCode(text)));
        builder.add(placeInGroup(Number(id)), words);
      }
    }
    const collected = builder.collected();
    const packedWords = packVocabulary(collected);
    const pieces = [...packPlaces(collected.places)];
    whole(() => {
      mustOwn(owner);
      removal.clearUnused(group);
      statements.addVocabulary.run({ id: group, words: packedWords });
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

    write(owner, blocks, isUrgent = false) {
      // The expensive part needs no lock.
      const ready = blocks.map((each) => packed(each, isUrgent ? null : tokenizer));
      whole(() => {
        mustOwn(owner);
        for (const each of ready) {
          const { runId, firstSeq, lastSeq, lastAt, isOpen, bits, text } = each;
          const indexed = Number(statements.indexed.get(runId)?.indexed_seq ?? 0);
          const tail = statements.tail.get(runId);
          const follows = tail === undefined ? indexed + 1 : Number(tail.first_seq);
          if (firstSeq !== follows || lastSeq < indexed) {
            throw new Error(`Entries ${firstSeq} to ${lastSeq} of run ${runId} do not follow on ${indexed}`);
          }
          if (isOpen) statements.setTail.run({ run: runId, first: firstSeq, last: lastSeq, bits, text });
          else {
            statements.dropTail.run(runId);
            addBlock(each);
          }
          statements.setProgress.run({ run: runId, seq: lastSeq, at: lastAt });
        }
      });
    },

    addCodes(owner, limit) {
      const [again] = lacking;
      if (again !== undefined) {
        addVocabulary(owner, again);
        lacking = lacking.slice(1);
        return true;
      }
      const group = Number(statements.lastVocabulary.get()?.id) + 1;
      if (isCodedGroup(group)) {
        addVocabulary(owner, group);
        return true;
      }
      const blocks = statements.texts.all({ limit }).map(({ id, text }) => {
        if (!(text instanceof Uint8Array)) throw new Error("A text of the search index is missing");
        const block = fromRow(() => unpackBlock(text));
        return { id: Number(id), text: packCode(block, tokenizer) ?? text };
      });
      if (blocks.length === 0) return false;
      whole(() => {
        mustOwn(owner);
        for (const { id, text } of blocks) {
          statements.addCode.run({ id, text });
          statements.dropText.run(id);
        }
      });
      return true;
    },

    forget(owner, runIds) {
      if (runIds.length === 0) return;
      whole(() => {
        mustOwn(owner);
        removal.forget(runIds);
      });
      lacking = removal.groupsWithoutWords();
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

type PackedBlock = ReturnType<typeof packed>;

/** A block in stored form. A final block is encoded, unless that makes it longer or there is no tokenizer. */
function packed(each: IndexedBlock, tokenizer: Tokenizer | null) {
  const isFinal = !each.isOpen && tokenizer !== null;
  const code = isFinal ? packCode(each.block, tokenizer) : null;
  return { ...each, isFinal, bits: gramsOf(each.block.text), text: code ?? packBlock(each.block) };
}

/** Pages returned to the disk at a time: 16 MB. */
const pagesAtOnce = 1024;

const firstOf = (group: number) => group * groupBlocks + 1;
const lastOf = (group: number) => (group + 1) * groupBlocks;
