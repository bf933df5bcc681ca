/** Checks a whole store in a thread, because SQLite reads every page of it without a pause. */
import { DatabaseSync } from "node:sqlite";
import { answerQuestions } from "#lib/answer-questions.ts";
import { storeErrorOf } from "#lib/store/sqlite/sqlite-errors.ts";
import { StoreError } from "#lib/store/store-error.ts";

/** SQLite's findings, at most 10 lines. Throws if the file cannot be read for a reason other than its damage. */
function check(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const lines = database.prepare("pragma integrity_check(10)").all();
    return lines.map((line) => String(Object.values(line)[0])).filter((line) => line !== "ok");
  } finally {
    database.close();
  }
}

answerQuestions((file: string): string[] => {
  try {
    return check(file);
  } catch (error) {
    const known = storeErrorOf(file, error);
    if (known instanceof StoreError && known.trouble === "damaged") return ["it cannot be read in full"];
    throw known;
  }
});
