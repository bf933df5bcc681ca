/** A thread that reads what is large: SQLite has no calls that wait, so the process that serves requests would stand still. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { workerData } from "node:worker_threads";
import { answerQuestions } from "#lib/answer-questions.ts";

/** A statement with its values. */
export type ReadQuestion = { text: string; values: readonly SQLInputValue[] };

// Written by sqlite-dialect.ts only.
const { file } = workerData as { file: string };
const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });

answerQuestions(({ text, values }: ReadQuestion) => database.prepare(text).all(...values));
