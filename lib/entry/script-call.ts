/** A tool call inside a script. */
export type ScriptCall = { name: string; argument: unknown };

/**
 * The only tool that a JavaScript program calls as `tools.name(…)`, with its argument, as codex's `exec` writes it. Null if
 * there are several calls, none, or the argument is not a plain value. Looks up a constant that holds the argument.
 */
export function onlyCallIn(script: string): ScriptCall | null {
  if (script.length > scriptCharactersMax) return null;
  const calls = [...script.matchAll(/\btools\.([A-Za-z_$][\w$]*)\(/g)];
  const [call] = calls;
  if (call === undefined || calls.length > 1) return null;
  const argument = valueAt(script, call.index + call[0].length);
  return argument === notPlain ? null : { name: call[1] ?? "", argument };
}

const scriptCharactersMax = 1_000_000;
const notPlain = Symbol("not a plain value");

function valueAt(script: string, at: number): unknown {
  const name = /^\s*([A-Za-z_$][\w$]*)\s*[,)]/.exec(script.slice(at, at + 200))?.[1];
  if (name === undefined || constants.has(name)) return readLiteral(script, at);
  const defined = new RegExp(`\\b(?:const|let|var)\\s+${name.replaceAll("$", "\\$")}\\s*=\\s*`).exec(script);
  return defined === null ? notPlain : readLiteral(script, defined.index + defined[0].length);
}

const constants = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", null],
]);

function readLiteral(script: string, at: number): unknown {
  try {
    return new LiteralReader(script, at).value(0);
  } catch (error) {
    if (error === notPlain) return notPlain;
    throw error;
  }
}

/** Parses strings, numbers, arrays and objects as JavaScript writes them. Throws {@link notPlain} for anything else. */
class LiteralReader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  value(depth: number): unknown {
    this.#skip();
    const first = this.#text[this.#at] ?? "";
    if (depth > 40) throw notPlain;
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#array(depth);
    if (first === '"' || first === "'" || first === "`") return this.#string(first);
    const number = this.#match(/-?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?/iy);
    if (number !== null) return Number(number.replaceAll("_", ""));
    const word = this.#match(/[A-Za-z_$][\w$]*/y);
    if (word === null || !constants.has(word)) throw notPlain;
    return constants.get(word);
  }

  #object(depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = Object.create(null);
    for (this.#at += 1; !this.#takes("}"); ) {
      this.#skip();
      const quote = this.#text[this.#at] ?? "";
      const isQuoted = quote === '"' || quote === "'";
      const name = isQuoted ? this.#string(quote) : this.#match(/[A-Za-z_$][\w$]*/y);
      if (name === null || !this.#takes(":")) throw notPlain;
      fields[name] = this.value(depth + 1);
      if (!this.#takes(",") && !this.#sees("}")) throw notPlain;
    }
    return { ...fields };
  }

  #array(depth: number): unknown[] {
    const values: unknown[] = [];
    for (this.#at += 1; !this.#takes("]"); ) {
      values.push(this.value(depth + 1));
      if (!this.#takes(",") && !this.#sees("]")) throw notPlain;
    }
    return values;
  }

  #string(quote: string): string {
    const pieces: string[] = [];
    for (this.#at += 1; this.#text[this.#at] !== quote; ) {
      const character = this.#text[this.#at];
      if (character === undefined || (quote === "`" && this.#text.startsWith("${", this.#at))) throw notPlain;
      if (character === "\\") pieces.push(this.#escape());
      else {
        const end = this.#nextSpecial(quote);
        pieces.push(this.#text.slice(this.#at, end));
        this.#at = end;
      }
    }
    this.#at += 1;
    return pieces.join("");
  }

  #nextSpecial(quote: string): number {
    const special = quote === "`" ? /[`\\]|\$\{/g : quote === '"' ? /["\\\n]/g : /['\\\n]/g;
    special.lastIndex = this.#at;
    const end = special.exec(this.#text)?.index;
    if (end === undefined || this.#text[end] === "\n") throw notPlain;
    return end;
  }

  #escape(): string {
    const code = this.#match(/\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2})/iy);
    if (code !== null) {
      const point = Number.parseInt(code.replace(/[^\da-f]/gi, ""), 16);
      if (point > 0x10ffff) throw notPlain;
      return String.fromCodePoint(point);
    }
    const letter = this.#text[this.#at + 1] ?? "";
    this.#at += 2;
    return letter === "\n" ? "" : (letters.get(letter) ?? letter);
  }

  #skip(): void {
    this.#match(/(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y);
  }

  #sees(sign: string): boolean {
    this.#skip();
    return this.#text[this.#at] === sign;
  }

  #takes(sign: string): boolean {
    const isThere = this.#sees(sign);
    if (isThere) this.#at += 1;
    return isThere;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }
}

const letters = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\u0000"],
]);
