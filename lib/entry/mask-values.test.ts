import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { maskOf } from "./mask-values.ts";
import { secretMask } from "./secret-mask.ts";

const key = "sk-real-7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
const mask = maskOf([key, "short", "hunter22"]);
const masked = "[secret masked]";

test("a value is masked wherever it occurs, and nothing beside it", () => {
  assert.equal(mask.text(`a ${key}${key} b=${key}`), `a ${masked}${masked} b=${masked}`);
  assert.equal(mask.text("hunter22 and hunter2"), `${masked} and hunter2`);
  for (const text of ["", "short", "sk-real-", key.slice(0, 11), "x".repeat(100_000)])
    assert.equal(mask.text(text), text);
});

test("of a random value that was cut anywhere, any 12 characters are masked", () => {
  for (let cut = 1; cut < key.length; cut++) {
    for (const piece of [key.slice(0, cut), key.slice(cut)]) {
      const shown = mask.text(`say ${piece}\n… 7 bytes left out …`);
      assert.equal(shown.includes(piece), piece.length < 12, piece);
    }
  }
  const inner = key.slice(9, 30);
  assert.equal(mask.text(`<${inner}>`), `<${masked}>`);
});

test("a value is masked as JSON writes it, and percent-encoded with small digits", () => {
  for (const value of ['p"k3Wz8Qm1R\\x', 'ab"cd\\ef gh', "пароль-ключ-日本語鍵"]) {
    const json = JSON.stringify(value).slice(1, -1);
    const ascii = json.replace(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const percent = encodeURIComponent(value).replace(/%../g, (byte) => byte.toLowerCase());
    for (const form of [json, ascii, percent]) {
      assert.equal(maskOf([value]).text(`a ${form} b`), `a ${secretMask} b`, form);
    }
  }
});

test("a value is masked as a shell quotes it", () => {
  const value = `it's a "pa$$" #1, (w0rd); \\x~`;
  for (const [script, shown] of [
    ['printf "%q." "$value"', `${secretMask}.`],
    ['alias x="$value"; alias x', `alias x='${secretMask}'\n`],
    ['exec 2>&1; set -x; : "$value"', `+ : '${secretMask}'\n`],
  ] as const) {
    const said = execFileSync("bash", ["-c", script], { env: { ...process.env, value } }).toString();
    assert.equal(maskOf([value]).text(said), shown, said);
  }
});

test("a value is masked in groups of hexadecimal digits, as xxd and hexdump show it, but for a few bytes at its ends", () => {
  for (const digits of [2, 4]) {
    const rows =
      Buffer.from(`token=${key}\n`)
        .toString("hex")
        .match(/.{1,32}/g) ?? [];
    assert.equal(rows.length, 3);
    for (const [number, row] of rows.entries()) {
      const line = row.match(new RegExp(`.{1,${digits}}`, "g"))?.join(" ") ?? "";
      const left = mask.text(`${number}: ${line}`).slice(2).replaceAll(masked, "").replaceAll(" ", "");
      assert.ok(left.length <= (number === 0 ? 16 : 2), `${line}: ${left}`);
    }
  }
});

test("a value is masked as base64 at each offset, and percent-encoded", () => {
  for (const name of ["", "u", "us", "use", "user:"]) {
    const encoded = Buffer.from(`${name}${key}`).toString("base64");
    const shown = mask.text(`Authorization: Basic ${encoded}`);
    assert.ok(shown.includes(masked), name);
    const left = Buffer.from(shown.replace(masked, "").split(" ")[2] ?? "", "base64").toString("latin1");
    assert.ok(left.length < name.length + 8, left);
  }
  const other = "p@ss/word+with=signs&more";
  assert.equal(maskOf([other]).text(`?q=${encodeURIComponent(other)}&x`), `?q=${masked}&x`);
});

test("every string of a JSON value is masked, keys too; a value without secrets is returned itself", () => {
  const plain = { a: ["x", { b: null, c: 1 }], d: "y" };
  assert.equal(mask.json(plain), plain);
  assert.equal(maskOf([]).json(plain), plain);
  const value = { [key]: [`a${key}`, { deep: { deeper: [key, 1, true, null] } }] };
  assert.deepEqual(mask.json(value), { [masked]: [`a${masked}`, { deep: { deeper: [masked, 1, true, null] } }] });
});

test("no field is lost when names become the same", () => {
  const value = {
    [key]: 1,
    [`${key}${key}`]: 2,
    [`x${key}`]: 3,
    [`${masked} 2`]: 4,
    hunter22: [{ [key]: 5, hunter22: 6 }],
  };
  const shown = mask.json(value);
  assert.deepEqual(Object.values(shown).slice(0, 4), [1, 2, 3, 4]);
  assert.deepEqual(Object.values(Object.values(shown)[4] as never[]), [{ [masked]: 5, [`${masked} 2`]: 6 }]);
  const names = Object.keys(shown);
  assert.deepEqual([names[0], names[2]], [masked, `x${masked}`]);
});

test("a long text takes time in proportion to its length", () => {
  const text = `${"sk-real-7Gk2pXv9Qm sk-real-7Gk".repeat(30_000)}${key}`;
  const before = process.cpuUsage();
  assert.ok(mask.text(text).endsWith(masked));
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test("bytes need not be text, and a value that is not ASCII is masked in them too", () => {
  const word = "Grüße-aus-Köln-ß";
  const bytes = Buffer.concat([Buffer.from([0, 0xff]), Buffer.from(`a=${word} b=${key}`), Buffer.from([0xfe])]);
  const shown = maskOf([key, word]).bytes(bytes);
  assert.deepEqual(
    Buffer.from(shown),
    Buffer.concat([Buffer.from([0, 0xff]), Buffer.from(`a=${masked} b=${masked}`), Buffer.from([0xfe])]),
  );
  const plain = Buffer.from([0, 1, 0xff]);
  assert.equal(mask.bytes(plain), plain);
  assert.equal(maskOf([]).bytes(plain), plain);
});

test("text that nearly repeats a repeating value costs little more than other text, and the value is found in it", () => {
  const secondsFor = (values: string[], text: string) => {
    const { text: masking } = maskOf(values);
    masking(text.slice(0, 10_000));
    const before = process.cpuUsage();
    masking(text);
    return process.cpuUsage(before).user / 1e6;
  };
  const plain = secondsFor([key], "nothing to see here, ".repeat(50_000));
  for (const unit of ["a.", "a@", "a1b2c3", "xA9-"]) {
    const value = unit.repeat(500);
    const near = `${value.slice(0, -1)}#`;
    const text = near.repeat(Math.ceil(1e6 / value.length));
    assert.ok(secondsFor([value], text) < 20 * plain + 0.2, unit);
    assert.ok(maskOf([value]).text(`${near}${value}${near}`).includes(masked), unit);
  }
  const whole = "a.".repeat(20);
  assert.equal(
    maskOf([whole]).text(`a.a.#${whole}#${whole}a.a#${whole.slice(1)}`),
    `a.a.#${masked}#${masked}a#${whole.slice(1)}`,
  );
});

test("a short value is masked as base64, and so are a password of an address and what is colored in JSON in JSON", () => {
  for (const value of ["hunter22", "p4ssW0rd9", "x9!y8?z7=w6"]) {
    const shown = Buffer.from(value).toString("base64");
    assert.equal(maskOf([value]).text(`it is ${shown.replace(/=+$/, "")}.`), "it is [secret masked].");
    assert.ok(!maskOf([value]).text(shown).includes(shown.slice(0, 6)));
  }
  for (const address of ["mongodb://u:S3cr3tPw9xQ@h1:1,h2:2/db", "postgres://u:xK9#vQ2zL@h:1/db"]) {
    const password = /:([^:@]+)@/.exec(address)?.[1] ?? "";
    assert.equal(maskOf([address]).text(`it is ${password}.`), "it is [secret masked].", address);
  }
  const key = "9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSgA";
  const colored = key.replace(/.{10}/g, "$&\u001b[31m");
  const text = JSON.stringify(JSON.stringify(colored));
  assert.ok(!/9fK2mQ7x|1cW6zR3y/.test(maskOf([key]).text(text)), text);
});

test("each secret in JSON is masked on its own, whatever its field is called, and none of its words", () => {
  for (const [json, secret] of [
    [{ credentials: "S3cr3tPw9" }, "S3cr3tPw9"],
    [{ credentials: "staging-door" }, "staging-door"],
    [{ users: [{ name: "ada", value: "p4ssW0rd9" }] }, "p4ssW0rd9"],
    [["S3cr3tPw9", "other"], "S3cr3tPw9"],
    [{ passwords: ["staging-door", "x"] }, "staging-door"],
    [{ client_secret_value: "staging-door" }, "staging-door"],
    [{ clientSecretValue: "staging-door" }, "staging-door"],
    [{ pin_code: 0, password: 73_920_184 }, "73920184"],
    [{ a: JSON.stringify({ credential: 'say "staging"' }) }, 'say "staging"'],
  ] as const) {
    const shown = maskOf([JSON.stringify(json)]).text(`it is ${secret}.`);
    assert.equal(shown, "it is [secret masked].", JSON.stringify(json));
  }
  const words = ["production", "us-east-1a", "db.abc123de.example.com", "2026-11-29T01:00:00Z", "20261129T010000Z"];
  const plain = [
    ...words,
    "service_account",
    "ada@x7k2m9qa.example.com",
    "https://x7k2m9qa.example.com/a",
    "1234567890",
  ];
  const { text } = maskOf([JSON.stringify({ plain, token: "production", keys: { type: "service_account" } })]);
  for (const word of plain) assert.equal(text(word), word);
});

test("a value is masked as JSON in JSON writes it, and where a line was wrapped at its spaces", () => {
  const value = 'va"lue\\ of 7 words';
  const deep = (depth: number): string => (depth === 0 ? value : JSON.stringify({ a: deep(depth - 1) }));
  for (const depth of [1, 2, 3]) {
    const shown = maskOf([value]).text(deep(depth));
    assert.match(shown, /^[^vo7]*\[secret masked\][^vo7]*$/, shown);
  }
  const phrase = "correct horse battery staple";
  for (const wrapped of [
    phrase.replace(" ", "\n"),
    phrase.replaceAll(" ", "\r\n"),
    "correct horse\nbattery\\nstaple",
  ]) {
    assert.equal(maskOf([phrase]).text(`a ${wrapped} b`), `a ${masked} b`);
  }
  assert.equal(maskOf(["work space 7"]).text("workspace work space"), "workspace work space");
});

test("the bytes that a value encodes are masked in each encoding, in capitals too, and in pieces if they are random", () => {
  const bytes = Buffer.from("fbef17a0c4d2e9b85a6f3c9fffee11a2", "hex");
  for (const stored of ["hex", "base64", "base64url"] as const) {
    const { text } = maskOf([bytes.toString(stored)]);
    const hex = bytes.toString("hex");
    const forms = [hex, hex.toUpperCase(), hex.replace(/..(?=.)/g, "$& "), hex.replace(/.{4}(?=.)/g, "$& ")];
    for (const shown of [...forms, bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")]) {
      assert.equal(text(`it is ${shown}.`), `it is ${masked}.`, `${stored}: ${shown}`);
    }
    for (const shown of [hex.toUpperCase().slice(3, 18), bytes.toString("base64url").slice(2, 15)])
      assert.equal(text(shown), masked, `${stored}: ${shown}`);
  }
  assert.equal(maskOf(["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"]).text("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"), masked);
  assert.equal(maskOf(["correct-horse-battery"]).text("correct-horse"), "correct-horse");
});

test("dates in a key are no secrets by themselves", () => {
  const random = "9fK2mQ7xT4vB8nL1cW6z";
  for (const date of ["2026-11-29T01-00-00Z", "20261129T010000Z", "2026-11-29T01-00-00+01", "2026_11_29_0100"]) {
    for (const value of [`backup-${date}`, `backup-${date}-${random}`, `${random}/${date}/k`]) {
      const { text } = maskOf([value]);
      assert.equal(text(`at ${date}.`), `at ${date}.`, value);
      assert.equal(text(value), masked);
      if (value.includes(random)) assert.equal(text(`(${random.slice(2, 16)})`), `(${masked})`);
    }
  }
});
