import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { maskOf } from "./mask-values.ts";
import { secretSamples } from "./secret-samples.fixture.ts";

const root = join(import.meta.dirname, "../..");
const masked = "[secret masked]";
const wrapped = (text: string, columns: number, end = "\n") =>
  text.match(new RegExp(`.{1,${columns}}`, "gs"))?.join(end) ?? "";

/** Whether a text shows twelve characters of a secret, to someone who joins lines and sees no colors. */
function shows(text: string, secret: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one
  const seen = text.replace(/\u001b\[[0-9;]*m|[\r\n]/g, "");
  return Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12)).some((one) =>
    seen.includes(one),
  );
}

for (const [what, { value, parts }] of Object.entries(secretSamples)) {
  const mask = maskOf([value]);

  test(`${what}: the value is masked whole, and so is each of its encodings`, () => {
    assert.equal(mask.text(`a ${value.trimEnd()}\n`), `a ${masked}\n`);
    const bytes = Buffer.from(value);
    for (const form of [bytes.toString("base64"), bytes.toString("hex"), encodeURIComponent(value)]) {
      for (const shown of [form, wrapped(form, 76), wrapped(form, 60, "\r\n")]) {
        assert.ok(mask.text(`${shown}\n`).length < 3 * masked.length, shown.slice(0, 80));
      }
    }
  });

  test(`${what}: any 12 characters of what is random are masked, wrapped or colored too`, () => {
    for (const part of parts) {
      for (let at = 0; at + 12 <= part.length; at += 1) {
        assert.equal(mask.text(`(${part.slice(at, at + 12)})`), `(${masked})`, part.slice(at, at + 12));
      }
      const half = Math.floor(part.length / 2);
      for (const shown of [
        wrapped(part, 20),
        wrapped(part, 5, "\r\n"),
        `${part.slice(0, half)}\u001b[0m${part.slice(half)}`,
        `${part.slice(0, half)}\\u001b[1;31m${part.slice(half)}`,
        `${part.slice(0, half)}\\n${part.slice(half)}`,
        `\u001b]0;title\u0007${part}`,
        [...part].map((character) => `\u001b[3${part.length % 8}m${character}`).join(""),
      ]) {
        assert.ok(!shows(mask.text(`before ${shown} after`), part), shown);
      }
    }
  });
}

test("what looks like a word at the end of a random line is a part of the secret", () => {
  for (const line of [
    "D+bqNIfrKsvVVMdheKP3yprp5TNGIJbbhbIfdpbHrjJjK00dMOie8/d/spDdrzoc",
    "BdJlFdpEBkEj8xUqGEm8KILD/xVpXDvvO+RFqJOpo/4+rRFV4LfZwfq/Kypo//dp",
    "p8rscczj/9fY1SDqGz5jd/CLhyQzrG9yH9KwHzW8kJW5tADjbQmwpr7KYsJqytCz",
  ]) {
    const mask = maskOf([line]);
    for (let at = 0; at + 12 <= line.length; at += 1) {
      assert.equal(mask.text(`(${line.slice(at, at + 12)})`), `(${masked})`, line.slice(at));
    }
  }
  const mask = maskOf(["my-staging-database-9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSgA"]);
  assert.equal(mask.text("psql my-staging-database"), "psql my-staging-database");
});

test("the documentation and OAuth client libraries pass unchanged, with every sample as a key", () => {
  const files = ["docs/**/*.md", "node_modules/{openid-client,oauth4webapi,jose}/**/*.{js,ts,md,json}"].flatMap(
    (pattern) => globSync(pattern, { cwd: root }),
  );
  assert.ok(files.length > 60, `${files.length} files`);
  const mask = maskOf(Object.values(secretSamples).map(({ value }) => value));
  for (const file of files) {
    const text = readFileSync(join(root, file), "utf8");
    assert.ok(mask.text(text) === text, file);
  }
});

test("names, hosts, headers of keys and words of a secret are no secrets by themselves", () => {
  const mask = maskOf(Object.values(secretSamples).map(({ value }) => value));
  for (const text of [
    '"auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs"',
    "https://www.googleapis.com/oauth2/v1/certs?alt=json",
    "deployer@my-project-123456.iam.gserviceaccount.com my-project-123456",
    "psql -h db.internal.example.com -p 5432 errand?sslmode=require",
    "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
    "https://hooks.slack.com/services/",
    `Authorization: Bearer ${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString("base64url")}.`,
    "service_account private_key_id client_email",
  ]) {
    assert.equal(mask.text(text), text);
  }
});

test("a value that was encoded before it was stored is masked in the form that a command decodes it to", () => {
  const secret = "correct horse battery staple 7";
  for (const encoding of ["base64", "base64url", "hex"] as const) {
    const mask = maskOf([Buffer.from(secret).toString(encoding)]);
    assert.equal(mask.text(`it is ${secret}.`), `it is ${masked}.`, encoding);
  }
  assert.equal(maskOf([encodeURIComponent(secret)]).text(secret), masked);
  const twice = Buffer.from(Buffer.from(secret).toString("base64")).toString("base64");
  assert.equal(maskOf([twice]).text(secret), masked);
  const raw = Buffer.from("00ff17a0c4d2e9b85a6f3c", "hex");
  assert.equal(maskOf([raw.toString("base64")]).text(`xxd: ${raw.toString("hex")}`), `xxd: ${masked}`);
  const json = maskOf([JSON.stringify({ user: "ada", password: "s3cr3t!pw" })]);
  assert.equal(json.text("ada s3cr3t!pw"), `ada ${masked}`);
});

test("what a mask does not touch stays as it is: line ends, colors, backslashes, half of a character", () => {
  const { value } = secretSamples["letters and digits"] ?? { value: "" };
  const mask = maskOf([value]);
  for (const text of [
    "a\r\nb\r",
    "\u001b[31mred\u001b[0m \u001b[",
    "C:\\new\\readme \\\\n \\u001b[1m",
    "\ud83d",
    "\u001b]8;;x",
  ]) {
    assert.equal(mask.text(text), text);
    assert.equal(mask.text(`${text}\n${value}\n${text}`), `${text}\n${masked}\n${text}`);
  }
});

test("of a text that grows, the beginning of a secret at its end is left out", () => {
  const { value } = secretSamples["letters and digits"] ?? { value: "" };
  const mask = maskOf([value, "hunter22xx"]);
  for (const secret of [value, "hunter22xx"]) {
    for (let length = 4; length < secret.length; length += 1) {
      const { text } = mask.growing({ text: `say ${secret.slice(0, length)}` });
      assert.ok(text === "say " || text === `say ${masked}`, text);
    }
  }
  assert.equal(mask.growing(`say ${value.slice(0, 5)}\u001b[1m${value.slice(5, 9)}`), "say ");
  assert.equal(mask.growing("say nothing"), "say nothing");
});
