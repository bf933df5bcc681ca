const sha1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const sha256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/** The id of the tree without files, in the object format of `id`. Git knows this tree even if it is not stored. */
export function emptyTreeLike(id: string): string {
  return id.length === sha256.length ? sha256 : sha1;
}

/** Whether a text is an object id of either format. */
export function isObjectId(value: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}
