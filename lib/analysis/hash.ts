/**
 * 53-bit hash of the added values, as a number that is safe to compare. At best one in 18,000 runs of a million calls has a
 * collision; the hash is used for repeats, where a collision would mean one wrong line.
 */
class Hash {
  #low = 0xdeadbeef;
  #high = 0x41c6ce57;

  /** Adds a text and its end, so that two texts differ from their concatenation. */
  add(text: string): void {
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      low = Math.imul(low ^ unit, 2654435761);
      high = Math.imul(high ^ unit, 1597334677);
    }
    this.#low = Math.imul(low ^ text.length, 2654435761);
    this.#high = Math.imul(high ^ text.length, 1597334677);
  }

  /** Adds part of a text, without what differs from run to run: times, durations, long ids. */
  addWithoutTimes(text: string, from: number, to: number): void {
    let low = this.#low;
    let high = this.#high;
    let isInWord = false;
    let at = from;
    while (at < to) {
      let unit = text.charCodeAt(at);
      at += 1;
      if (isDigit(unit) && !isInWord) {
        timeLike.lastIndex = at - 1;
        if (timeLike.test(text)) {
          at = timeLike.lastIndex;
          isInWord = isWordUnit(text.charCodeAt(at - 1));
          unit = tilde;
        } else isInWord = true;
      } else isInWord = isWordUnit(unit);
      low = Math.imul(low ^ unit, 2654435761);
      high = Math.imul(high ^ unit, 1597334677);
    }
    this.#low = Math.imul(low, 2654435761);
    this.#high = Math.imul(high, 1597334677);
  }

  get value(): number {
    return mixed(this.#low, this.#high);
  }
}

/** Hash of part of a text. */
export function hashOfPart(text: string, from: number, to: number): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  return mixed(low, high);
}

function mixed(first: number, second: number): number {
  let low = first;
  let high = second;
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}

/** Hash of several texts. */
export function hashOf(...texts: readonly string[]): number {
  const hash = new Hash();
  for (const text of texts) hash.add(text);
  return hash.value;
}

/** Hash of a record's fields in order, except those left out by name. */
export function hashOfFields(
  name: string,
  fields: Readonly<Record<string, unknown>>,
  leftOut: ReadonlySet<string>,
): number {
  const hash = new Hash();
  hash.add(name);
  for (const field of Object.keys(fields)) {
    if (leftOut.has(field)) continue;
    const value = fields[field];
    hash.add(field);
    if (typeof value === "string") hash.add(value);
    else {
      hash.add("json");
      hash.add(JSON.stringify(value) ?? "null");
    }
  }
  return hash.value;
}

/** Only the beginning and the end of a longer output are compared, in UTF-16 units each. */
const comparedEnd = 512;

/** Hash of an output without what differs from run to run. */
export function outputHashOf(output: string): number {
  const hash = new Hash();
  if (output.length <= 2 * comparedEnd) hash.addWithoutTimes(output, 0, output.length);
  else {
    hash.addWithoutTimes(output, 0, comparedEnd);
    hash.addWithoutTimes(output, output.length - comparedEnd, output.length);
  }
  return hash.value;
}

/**
 * Words that begin with a digit and are more than a number: durations, times, dates, ids. A plain number may be what a call
 * asks for.
 */
const timeLike =
  /\d(?:\d{5,}|[\da-f]*[a-f][\da-f]{5,}|\d*(?:[.,:-]\d+)+(?:\s?(?:ms|µs|ns|s|min|sec|seconds)\b|Z)?|\d*\s?(?:ms|µs|ns|s|secs?|seconds?|mins?|minutes?)\b)/y;
const tilde = "~".charCodeAt(0);

const isDigit = (unit: number) => unit >= 48 && unit <= 57;

/** Whether `\w` matches the unit. */
function isWordUnit(unit: number): boolean {
  return isDigit(unit) || (unit >= 65 && unit <= 90) || unit === 95 || (unit >= 97 && unit <= 122);
}
