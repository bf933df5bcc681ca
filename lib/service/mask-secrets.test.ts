import assert from "node:assert/strict";
import { test } from "node:test";
import { secretMask } from "#lib/entry/secret-mask.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { maskJson, maskText, maskTextForCut } from "./mask-secrets.ts";

// Made up, and assembled here so that no scanner of this repository takes one for real.
const random = "9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pS";
const keys: Record<string, string> = {
  "an OpenAI key": `sk-${random}`,
  "an OpenAI project key": `sk-proj-${random}_${random}`,
  "an Anthropic key": `sk-ant-api03-${random}-${random}AA`,
  "a Stripe key": `sk_live_${random}`,
  "a GitHub token": `ghp_${random}abc123`,
  "a GitHub server token": `ghs_${random}abc123`,
  "a fine-grained GitHub token": `github_pat_11${random}_${random}`,
  "a GitLab token": `glpat-${random.slice(0, 20)}`,
  "a Slack token": `xoxb-123456789012-${random}`,
  "a Google key": `AIza${random}abc12`,
  "a Google access token": `ya29.${random}`,
  "an AWS key id": `AKIA${"IOSFODNN7EXAMPLE"}`,
  "a JSON web token": `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`,
  "an npm token": `npm_${random}abc123`,
  "a Hugging Face token": `hf_${random}abcd`,
  "a token of this service": `errand_${random}abc123`,
};

for (const [what, key] of Object.entries(keys)) {
  test(`${what} is masked anywhere in a text`, () => {
    for (const [before, after] of [
      ["", ""],
      ["the key is ", ", keep it"],
      ['{"a":"', '"}'],
      ["x=", "\n"],
      ["(", ")"],
      // As JSON in JSON, source code and addresses have them.
      ['{"log":"one\\n', '\\n"}'],
      ["'\\u001b[31m\\x22", "\\x22'"],
      ["/sign-in?to=%2Fa%3Fkey%3D", "%26b"],
      ["/say?text=the%20", "%20key"],
      ['{"a":"\\u0022', '\\u0022"}'],
      ...["\\x1b[31m", "\\u001b[1;31m", "\\033[0m", "\\e[m"].map((color) => [`'${color}`, "\\x1b[0m'"] as const),
      [`${"word ".repeat(5000)}`, ` ${"word ".repeat(5000)}`],
    ] as const) {
      assert.equal(maskText(before + key + after), before + secretMask + after);
    }
  });
}

const masked: [text: string, shown: string][] = [
  [`Authorization: Bearer ${random}`, `Authorization: Bearer ${secretMask}`],
  [`curl -H "authorization: bearer ${random}" x`, `curl -H "authorization: bearer ${secretMask}" x`],
  [`"{\\"a\\":1}\\nBearer ${random}"`, `"{\\"a\\":1}\\nBearer ${secretMask}"`],
  ...["", " ", "%20", "\\u0022", "\\x22"].flatMap((before): [string, string][] =>
    ["12345678", "1234567890"].map((id) => [`${before}${id}:AA${random}abc`, `${before}${id}${secretMask}`]),
  ),
  ['"# settings\\npassword=hunter2X9"', `"# settings\\npassword=${secretMask}"`],
  [`"\\ttoken=${random}"`, `"\\ttoken=${secretMask}"`],
  ["Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", `Authorization: Basic ${secretMask}`],
  ["postgres://app:hunter2@db/errand", `postgres://app:${secretMask}@db/errand`],
  ["https://x-access-token:abc@github.com/a/b.git", `https://x-access-token:${secretMask}@github.com/a/b.git`],
  ["redis://:pa55@cache:6379/0", `redis://:${secretMask}@cache:6379/0`],
  [`https://${random}@git.example/a`, `https://${secretMask}@git.example/a`],
  ["DB_PASSWORD=hunter", `DB_PASSWORD=${secretMask}`],
  ['export API_KEY="a b c d e f"', `export API_KEY="${secretMask}"`],
  ["SECRET_KEY_BASE=abcdefgh", `SECRET_KEY_BASE=${secretMask}`],
  ["password: hunter2\nuser: ada", `password: ${secretMask}\nuser: ada`],
  ['"password": "hunter2"', `"password": "${secretMask}"`],
  ["{'client_secret': 'abc-DEF-123'}", `{'client_secret': '${secretMask}'}`],
  ['{\\"apiKey\\":\\"k3y-0f-some-kind\\"}', `{\\"apiKey\\":\\"${secretMask}\\"}`],
  ['const apiKey = "k3y-0f-some-kind";', `const apiKey = "${secretMask}";`],
  ["GET /cb?code=1&access_token=abcd1234&x=1", `GET /cb?code=1&access_token=${secretMask}&x=1`],
  ["Server=db;Password=abcd;Database=x", `Server=db;Password=${secretMask};Database=x`],
  ["mysql --password=hunter2 -u root", `mysql --password=${secretMask} -u root`],
  ["deploy --token abc123def --dry-run", `deploy --token ${secretMask} --dry-run`],
  ["curl -u ada:hunter2 https://x", `curl -u ada:${secretMask} https://x`],
  [
    `aws_access_key_id = AKIA${"IOSFODNN7EXAMPLE"}\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`,
    `aws_access_key_id = ${secretMask}\naws_secret_access_key = ${secretMask}`,
  ],
  [`AKIA${"IOSFODNN7EXAMPLE"},wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`, `${secretMask},${secretMask}`],
  [`http://errand.test/share/${random}ab`, `http://errand.test/share/${secretMask}`],
];

test("passwords and tokens are masked by the name they are assigned to, and the name stays", () => {
  for (const [text, shown] of masked) assert.equal(maskText(text), shown);
});

const pem = (body: string) =>
  [`-----BEGIN RSA ${"PRIVATE"} KEY-----`, body, `-----END RSA ${"PRIVATE"} KEY-----`] as const;
const base64 = Array.from({ length: 20 }, () => `${random}${random}aB`).join("\n");

test("a private key is masked as a whole, in one line or many, and if its end is missing", () => {
  assert.equal(maskText(`a\n${pem(base64).join("\n")}\nb`), `a\n${secretMask}\nb`);
  assert.equal(maskText(`"${pem(base64).join("\n").replaceAll("\n", "\\n")}"`), `"${secretMask}"`);
  const [begin, body] = pem(base64);
  assert.equal(maskText(`a ${begin}\n${body}`), `a ${secretMask}`);
  assert.match(maskText(`${begin}\n${body}\nThe key above is not whole.`), /^\[secret masked\]The key above/);
});

test("ordinary code and prose, hashes and ids stay as they are", () => {
  for (const text of [
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 (HEAD -> main)",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "sha512-9IvJ6ZRkKk2l1HkQxYF3yQm4mZ7b8n5l0q2w3e4r5t6y7u8i9o0p==",
    "123e4567-e89b-12d3-a456-426614174000",
    "const token = await getToken(request);",
    "const token = tokens[0];",
    "let password: string;",
    "function login(user: string, password: string | null): Promise<Token> {",
    "  token: z.string().min(1),",
    "  secret: Uint8Array,",
    "if (token === undefined) return null;",
    "login(user=user, password=password)",
    "password = request.body.password",
    "const secret = process.env.SECRET;",
    "export API_KEY=$OTHER_KEY",
    "curl -H 'Authorization: Bearer $TOKEN' x",
    "curl -u $USER:$PASSWORD https://x",
    "https://user:$PASSWORD@host/",
    "tokens: 12345, max_tokens=4096, token_count: 12",
    '"tokens": { "input": 1200, "output": 30 }',
    "The token is kept as a hash. Password: at least 8 characters.",
    'label: "Password", hint: "Your password: keep it safe"',
    "the basic authentication of bearer authentication",
    "sk-fading-circle sk-loading-indicator-wrapper",
    "git@github.com:owner/project.git",
    "http://localhost:3000/a@b",
    "import { a } from '@scope/package@1.2.3';",
    "ls -u root: home",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "password: <your password>",
    "PASSWORD=********",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
  ]) {
    assert.equal(maskText(text), text);
  }
});

test("terminal colors hide no secret, and stay where they are outside of one", () => {
  const [red, off] = ["\u001b[31m", "\u001b[0m"];
  for (const [text, shown] of [
    [`${red}ghp_${random}abc123${off} x`, `${red}${secretMask}${off} x`],
    [`a ${red}gh${off}p_${random}abc123`, `a ${red}${secretMask}`],
    [`password: ${red}hunter2${off}\nb`, `password: ${red}${secretMask}${off}\nb`],
    [`${red}API_KEY${off}=${red}hunter${off}`, `${red}API_KEY${off}=${red}${secretMask}${off}`],
    [`\u001b]8;;https://a.example\u0007ghp_\u001b(B${random}abc123`, `\u001b]8;;https://a.example\u0007${secretMask}`],
    [`{"a":"\\u001b[31mghp_${random}abc123\\u001b[0m"}`, `{"a":"\\u001b[31m${secretMask}\\u001b[0m"}`],
    [`${red}no secret${off}`, `${red}no secret${off}`],
  ] as const) {
    assert.equal(maskText(text), shown);
  }
});

test("secrets are counted, and one that matches in two ways is one", () => {
  const count = { masked: 0 };
  maskText(`GITHUB_TOKEN=ghp_${random}abc123 and sk-${random}`, count);
  assert.equal(count.masked, 2);
});

test("a secret across the place where a text is cut is masked before the cut", () => {
  const clip = 1000;
  for (let inside = 0; inside < 40; inside += 1) {
    const before = "word ".repeat(300).slice(0, clip - inside - 1);
    const text = `${before} ghp_${random}abc123 ${"more text ".repeat(20_000)}`;
    const shown = maskTextForCut(text, clip).slice(0, clip);
    assert.ok(!shown.includes(`ghp_${random.slice(0, 1)}`) && !shown.includes("ghp_"), String(inside));
    assert.equal(shown, maskText(text).slice(0, clip));
  }
});

test("a text of nothing but secrets is masked up to the cut", () => {
  const text = `ghp_${random}abc123\n`.repeat(20_000);
  assert.equal(maskTextForCut(text, 5000).slice(0, 5000), `${secretMask}\n`.repeat(400).slice(0, 5000));
});

test("JSON is masked in every string at any depth, also by the names of fields, and in keys", () => {
  const count = { masked: 0 };
  const value = {
    command: `GITHUB_TOKEN=ghp_${random}abc123 npm publish`,
    env: { DB_PASSWORD: "secret one", apiKey: "k3y-0f-some-kind", tokens: 12, token: "if", user: "ada" },
    list: [`sk-${random}`, { deep: [{ password: "x" }] }],
    [`sk-${random}`]: 1,
  };
  assert.deepEqual(
    maskJson(value, (text) => maskText(text, count), count),
    {
      command: `GITHUB_TOKEN=${secretMask} npm publish`,
      env: { DB_PASSWORD: secretMask, apiKey: secretMask, tokens: 12, token: "if", user: "ada" },
      list: [secretMask, { deep: [{ password: secretMask }] }],
      [secretMask]: 1,
    },
  );
  assert.equal(count.masked, 6);
  assert.equal(maskJson(`sk-${random}`, maskText, count), secretMask);
});

test("JSON ten thousand levels deep is masked", () => {
  let value: unknown = `sk-${random}`;
  for (let depth = 0; depth < 10_000; depth += 1) value = [value];
  let shown = maskJson(value, (text) => maskText(text), { masked: 0 });
  while (Array.isArray(shown)) [shown] = shown;
  assert.equal(shown, secretMask);
});

// A pattern with backtracking would need hours for these; the test would run into its time limit.
test("no text blocks the service for long", { timeout: 60_000 }, () => {
  const size = countOf({ short: 512 * 1024, long: 2 * 1024 * 1024 });
  for (const piece of [
    "a",
    "sk-",
    "-eyJ",
    "eyJaaaaaaaaa.",
    "password",
    "password=",
    'password="',
    "token: ",
    "--token ",
    "bearer ",
    "://a:",
    "://",
    ":@",
    "AKIAIOSFODNN7EXAMPLE ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\nAAAA",
    "/login?code=",
    "/login",
    " -u a:",
    "xoxb-",
    "SG.aaaaaaaaaaaaaaaaaaaa.",
    "\u001b[31ma",
    "\u001b[",
    "'",
    "\\",
    " ",
    "\n",
    "A1b2C3d4",
    "const token = await getToken(request);\n",
  ]) {
    maskText(piece.repeat(Math.ceil(size / piece.length)).slice(0, size));
  }
  maskText("const token = await getToken(request);\n".repeat(262_144));
});

test("no field is lost when names become the same", () => {
  const value = { [`sk-${random}`]: 1, [`sk-x${random}`]: 2, [secretMask]: 3, [`${secretMask} 2`]: 4, a: 5 };
  const shown = maskJson(value, maskText, { masked: 0 });
  assert.deepEqual(Object.values(Object(shown)).sort(), [1, 2, 3, 4, 5]);
  assert.ok(Object.keys(Object(shown)).every((name) => name === "a" || name.startsWith(secretMask)));
});
