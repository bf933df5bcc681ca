/** Range in a text, in UTF-16 units; the end is exclusive. */
export type Span = readonly [start: number, end: number];

/**
 * An unbounded greedy run would exhaust the pattern's stack on a long text; longer runs are followed by {@link runEnd}.
 */
const runMax = 2048;

/** Prefixes of keys that identify their issuer, and what follows them. */
const families: readonly (readonly [beginnings: string[], rest: string])[] = [
  [["sk-"], `[A-Za-z0-9_-]{16,${runMax}}`],
  [["sk_live_", "sk_test_", "rk_live_", "rk_test_"], `[A-Za-z0-9]{16,${runMax}}`],
  [["whsec_"], `[A-Za-z0-9+/=]{24,${runMax}}`],
  [["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], `[A-Za-z0-9_]{20,${runMax}}`],
  [["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glsoat-", "glft-", "glagent-"], `[A-Za-z0-9_-]{20,${runMax}}`],
  [
    ["xoxa-", "xoxb-", "xoxc-", "xoxd-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-"],
    `[A-Za-z0-9-]{10,${runMax}}`,
  ],
  [["xapp-", "ya29.", "GOCSPX-", "dckr_pat_", "nvapi-"], `[A-Za-z0-9_-]{20,${runMax}}`],
  [["AIza"], "[A-Za-z0-9_-]{35}"],
  [["errand_"], "[0-9A-Za-z]{36}(?![0-9A-Za-z])"],
  [["npm_"], "[A-Za-z0-9]{36}"],
  [["pypi-"], `[A-Za-z0-9_-]{50,${runMax}}`],
  [["hf_", "glsa_", "glsc_", "lin_api_"], `[A-Za-z0-9_]{30,${runMax}}`],
  [["gsk_", "xai-", "pplx-"], `[A-Za-z0-9]{40,${runMax}}`],
  [["SG."], `[A-Za-z0-9_-]{16,${runMax}}\\.[A-Za-z0-9_-]{16,${runMax}}`],
  [["dop_v1_", "doo_v1_"], "[a-f0-9]{64}"],
  [["shpat_", "shpca_", "shppa_", "shpss_"], "[a-fA-F0-9]{32}"],
  [["ATATT3"], `[A-Za-z0-9_=-]{40,${runMax}}`],
  [["AGE-SECRET-KEY-1"], `[A-Z0-9]{50,${runMax}}`],
  [["hooks.slack.com/services/"], `[A-Za-z0-9/_-]{20,${runMax}}`],
];

/** Prefixes of all keys identified by one. */
export const keyBeginnings: readonly string[] = families.flatMap(([beginnings]) => beginnings);

const rests = new Map(
  families.flatMap(([beginnings, rest]) => {
    const pattern = new RegExp(rest, "y");
    return beginnings.map((beginning) => [beginning, pattern] as const);
  }),
);

/** A character or color escaped in a program's string or in an address: its last letter does not belong to the word after it. */
const escapes = String.raw`\\(?:x1[bB]|u001[bB]|033|e)\[[\d;]{0,16}m|\\(?:[bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|%[0-9a-fA-F]{2}`;
const escaped = new RegExp(escapes, "y");
const wordStart = `(?<=^|[^A-Za-z0-9]|${escapes})`;
const atWordStart = new RegExp(wordStart, "y");

function isWordStart(text: string, at: number): boolean {
  atWordStart.lastIndex = at;
  return atWordStart.test(text);
}

/**
 * The key with this prefix at `at`, or null. Without a digit it is just a name with the same beginning. `end` is how
 * far it looked: no other key begins before it.
 */
export function findKeyAt(text: string, at: number, beginning: string): { span: Span | null; end: number } {
  const rest = rests.get(beginning);
  const from = at + beginning.length;
  if (rest === undefined || !isWordStart(text, at)) return { span: null, end: from };
  rest.lastIndex = from;
  const found = rest.exec(text);
  if (found === null) return { span: null, end: from };
  const end = from + found[0].length;
  if (!/\d/.test(found[0])) return { span: null, end };
  return { span: [at, runEnd(text, end)], end };
}

/** Schemes before a credential in an Authorization header. */
export const schemes: readonly string[] = ["Bearer ", "bearer ", "BEARER ", "Basic ", "basic "];

const credential = /[A-Za-z0-9._~+/=-]{16,2048}/y;

/** Credential after the scheme at `at`, or null. */
export function findCredentialAt(text: string, at: number, scheme: string): Span | null {
  if (!isWordStart(text, at)) return null;
  credential.lastIndex = at + scheme.length;
  const found = credential.exec(text);
  return found === null || !looksRandom(found[0]) ? null : [found.index, runEnd(text, credential.lastIndex)];
}

/**
 * Secrets without a known prefix, or in particular places. Each is searched for only if the text contains its marker.
 */
export function* findOtherKeys(text: string): Generator<Span> {
  if (text.includes("eyJ")) yield* matches(text, jsonWebToken, () => 0);
  if (text.includes(":AA")) yield* matches(text, telegram, () => 0);
  if (["/share", "/invit", "/reset", "errand_session=", "code="].some((part) => text.includes(part))) {
    yield* matches(text, linkCode, ([, place = ""]) => place.length);
  }
  if (text.includes(" -u") || text.includes(" --user")) {
    yield* matches(text, curlUser, ([, user = "", value = ""]) => (isVariable(value) ? null : user.length));
  }
  if (accessKeyBeginnings.some((part) => text.includes(part))) yield* awsKeys(text);
  if (text.includes("://")) yield* addressPasswords(text);
  if (text.includes("PRIVATE KEY")) yield* privateKeys(text);
}

/** The look-behind avoids trying a long run of such characters at every one of them. */
const jsonWebToken = new RegExp(
  String.raw`(?<=^|[^\w-]|${escapes})eyJ[\w-]{8,8192}\.[\w-]{8,16384}(?:\.[\w-]{0,8192})?`,
  "g",
);
const telegram = new RegExp(String.raw`(?<=(?:^|\D|${escapes})\d{8,10}):AA[\w-]{33}(?![\w-])`, "g");
const curlUser = /( (?:-u|--user)[ =]["']?[^\s:"']{1,128}:)([^\s"']{1,256})/g;
/** Links and cookies of this service that give access to anyone who has them. */
const linkCode =
  /(\/(?:shares?|invite|invitations|resets?)\/|errand_session=|[?&#]code=)[A-Za-z0-9_-]{32,43}(?![A-Za-z0-9_-])/g;

const accessKeyBeginnings = ["AKIA", "ASIA", "ABIA", "ACCA"];
const accessKeyId = new RegExp(`${wordStart}A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])`, "g");
const besideMax = 120;
const secretAccessKey = /(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g;

/** An AWS key id, and the secret next to it: 40 characters that are not a git hash. */
function* awsKeys(text: string): Generator<Span> {
  for (const { index, 0: id } of text.matchAll(accessKeyId)) {
    yield [index, index + id.length];
    const after = index + id.length;
    for (const secret of text.slice(after, after + besideMax).matchAll(secretAccessKey)) {
      const start = after + secret.index;
      if (!/^[0-9a-f]+$/i.test(secret[0])) yield [start, start + secret[0].length];
    }
  }
}

const userInAddress = /:\/\/([^\s:@/?#"'<>`]{0,256})(?::([^\s@/"'<>`]{1,256}))?@/g;

/** `https://user:password@host`, and the name alone if it looks like a key. Variables do not count. */
function* addressPasswords(text: string): Generator<Span> {
  for (const match of text.matchAll(userInAddress)) {
    const [, name = "", password] = match;
    const start = match.index + "://".length;
    if (password === undefined) {
      if (name.length >= 16 && looksRandom(name)) yield [start, start + name.length];
    } else if (!isVariable(password)) {
      const from = start + name.length + 1;
      yield [from, from + password.length];
    }
  }
}

const keyBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const keyCharactersMax = 32_768;
/** Continuation of a key that was cut off: lines of base64, with literal or escaped line ends. */
const keyBody =
  /(?:[A-Za-z0-9+/=]{20,4096}|(?:Proc-Type|DEK-Info)[^\r\n]{0,200}|\\[rn]|\s|[A-Za-z0-9+/=]{1,19}(?=\\[rn]|[\r\n]|$)){0,2000}/y;

function* privateKeys(text: string): Generator<Span> {
  let end: number | null = -1;
  for (const begin of text.matchAll(keyBegin)) {
    const body = begin.index + begin[0].length;
    // Cached for many prefixes: the next end stays the next end.
    if (end !== null && end < body) {
      keyEnd.lastIndex = body;
      const found = keyEnd.exec(text);
      end = found === null ? null : found.index + found[0].length;
    }
    if (end !== null && end - body <= keyCharactersMax) yield [begin.index, end];
    else {
      keyBody.lastIndex = body;
      yield [begin.index, body + (keyBody.exec(text)?.[0].length ?? 0)];
    }
  }
}

/**
 * Matches of a pattern; `skip` returns how many characters at the start are not part of the secret, or null if it is
 * not one.
 */
function* matches(text: string, pattern: RegExp, skip: (match: RegExpMatchArray) => number | null): Generator<Span> {
  for (const match of text.matchAll(pattern)) {
    const skipped = skip(match);
    if (skipped !== null) yield [match.index + skipped, runEnd(text, match.index + match[0].length)];
  }
}

/** End of the run of letters, digits and the like that contains a position. */
export function runEnd(text: string, from: number): number {
  let end = from;
  while (isKeyCharacter(text.charCodeAt(end - 1)) && isKeyCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

function isKeyCharacter(code: number): boolean {
  return isLetterOrDigit(code) || code === underscore || code === hyphen;
}

const underscore = 0x5f;
const hyphen = 0x2d;

/** Where the escaped character at `at` ends, or `at` if there is none. */
export function escapeEnd(text: string, at: number): number {
  escaped.lastIndex = Math.max(0, at);
  return escaped.test(text) ? escaped.lastIndex : at;
}

/** True for a UTF-16 unit of A-Z, a-z, 0-9. */
export function isLetterOrDigit(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** True for machine-made text: not a word, not a path, not a single-case name without digits. */
export function looksRandom(text: string): boolean {
  return /\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text) && /=$|[+]/.test(text));
}

/** True for placeholders of a secret: `$TOKEN`, `${TOKEN}`, `<token>`, `{{ token }}`, `%s`, asterisks and dots. */
export function isVariable(text: string): boolean {
  return /^(?:\\?\$|<|\{\{|%|\[|\(|[*.x•-]{2,}$)/i.test(text) || /^\{\w*\}$/.test(text);
}
