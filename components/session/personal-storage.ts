/** Keys of the browser's storage that hold what a person wrote or chose for runs; the others are about the browser: its theme. */
const personalKey = /^errand(\.draft\.|\.review\.|-new-run-)/;

/** Key of the id of the person whose writing is stored. */
export const writerKey = "errand.draft.writer";

/** The part of Storage that is used. */
type Keeper = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Deletes what the last person wrote in this browser and did not send. */
export function forgetWriting(storage: Keeper): void {
  for (let at = storage.length - 1; at >= 0; at -= 1) {
    const key = storage.key(at) ?? "";
    if (personalKey.test(key)) storage.removeItem(key);
  }
}

/** Called with the person of the page, before anything stored is shown: what somebody else wrote is deleted. */
export function claimWriting(storage: Keeper, userId: number): void {
  const writer = storage.getItem(writerKey);
  if (writer === String(userId)) return;
  if (writer !== null) forgetWriting(storage);
  storage.setItem(writerKey, String(userId));
}
