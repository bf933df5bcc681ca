import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCommand } from "./command-line.ts";

const shapes = (command: string) =>
  splitCommand(command).map(({ text, filters, after }) =>
    [text, ...filters.map((words) => `| ${words.join(" ")}`), after ?? "."].join(" "),
  );

const cases: [command: string, ...expected: string[]][] = [
  ["npm test", "npm test ."],
  ["cd a && npm test 2>&1 | tail -3", "cd a &&", "npm test | tail -3 ."],
  ["npm test; echo EXIT=$?", "npm test ;", "echo EXIT=$? ."],
  ["npm test || true", "npm test ||", "true ."],
  ["bash -lc 'cd src && go test ./... | tail -1'", "cd src &&", "go test ./... | tail -1 ."],
  ["/bin/zsh -lc \"go test ./... -run 'A|B'\"", "go test ./... -run 'A|B' ."],
  ["CI=1 FOO='a b' npx jest \"a b\"", 'npx jest "a b" .'],
  ["(cd web && npm test)", "cd web &&", "npm test ."],
  ["cat <<'EOF' > a.sh\nnpm test | tail\nEOF\nbash a.sh", "cat ;", "bash a.sh ."],
  ["npm test # runs && all | of it", "npm test ."],
  ["npm run build \\\n  --if-present", "npm run build --if-present ."],
  ["npm test &", "npm test &"],
  ["for f in a b; do node $f; done", "for f in a b ;", "node $f ."],
  ["if npm test; then echo ok; fi", "npm test ;", "echo ok ."],
  ['echo "$(npm test | tail)"', 'echo "$(npm test | tail)" .'],
  ["npm test |& tee out.log", "npm test | tee out.log ."],
  ["echo 'unclosed", "echo 'unclosed ."],
  [""],
  [" ; ; "],
];

for (const [command, ...expected] of cases) {
  test(`splits ${JSON.stringify(command)}`, () => {
    assert.deepEqual(shapes(command), expected);
  });
}

test("redirections name the files that they write, not streams and devices", () => {
  const writes = (command: string) => splitCommand(command).flatMap((pipeline) => pipeline.writes);
  assert.deepEqual(writes("npm test > out.txt 2>&1"), ["out.txt"]);
  assert.deepEqual(writes("echo a >> b; c 2>/dev/null; d &> e"), ["b", "e"]);
  assert.deepEqual(writes("cat <<EOF > 'a b.ts'\nx > y\nEOF"), ["a b.ts"]);
  assert.deepEqual(writes("sort < in.txt"), []);
});

test("the folder follows the line's own cd", () => {
  const folders = splitCommand("cd a && npm test; cd b; npm test; cd /x && npm test").map(({ folder }) => folder);
  assert.deepEqual(folders, ["a", "a", "a/b", "a/b", "/x", "/x"]);
});

test("a line of any length and shape ends", () => {
  for (const line of ["$(".repeat(50_000), "'\"".repeat(9_999), "<<".repeat(9_999), "a|".repeat(50_000), "\\"]) {
    assert.ok(splitCommand(line).length <= 200);
  }
});
