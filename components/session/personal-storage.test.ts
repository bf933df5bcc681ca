import assert from "node:assert/strict";
import test from "node:test";
import { claimWriting, forgetWriting } from "./personal-storage.ts";

function storageWith(entries: Record<string, string>) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const written = {
  "errand-new-run-draft-1": "{}",
  "errand-new-run-choices-1": "{}",
  "errand.draft.run.7": "Deploy it",
  "errand.draft.run.7.files": "[]",
  "errand.draft.comment.7": "Why?",
  "errand.review.7": "[]",
};

test("what one person wrote is there when they come back, and gone for the next person", () => {
  const storage = storageWith({ ...written, "errand-theme": "dark" });
  claimWriting(storage, 1);
  claimWriting(storage, 1);
  assert.equal(storage.kept.size, 8);
  claimWriting(storage, 2);
  assert.deepEqual(Object.fromEntries(storage.kept), { "errand-theme": "dark", "errand.draft.writer": "2" });
});

test("signing out deletes what was written, and what is about the browser stays", () => {
  const storage = storageWith({ ...written, "errand-theme": "dark", "errand.draft.writer": "1" });
  forgetWriting(storage);
  assert.deepEqual(Object.fromEntries(storage.kept), { "errand-theme": "dark" });
});
