import assert from "node:assert/strict";
import { test } from "node:test";
import { checksOf } from "./check-command.ts";
import { covers } from "./check-targets.ts";

/** Checks of each command: kind, framework, meaning of its exit code. */
const cases: [command: string, ...checks: string[]][] = [
  ["npm test", "test ? own"],
  ["npm t", "test ? own"],
  ["cd web && npm test", "test ? own"],
  ["cd web && npm test 2>&1 | tail -3", "test ? hidden"],
  ["set -o pipefail; npm test | tail -3", "test ? own"],
  ["npm test; echo EXIT=$?", "test ? echoed"],
  ["npm test | tail -1; echo BUILD_EXIT=$?", "test ? hidden"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's own variable
  ["npm test | tail -1; echo ${PIPESTATUS[0]}", "test ? echoed"],
  ["npm test || true", "test ? hidden"],
  ["npm test && git commit -m x", "test ? all"],
  ["npm run lint && npm test", "lint ? all", "test ? all"],
  ["npm run lint; npm test", "lint ? hidden", "test ? own"],
  ["gofmt -w a.go && go test ./...", "test go all"],
  ['go build ./... 2>&1 | tail -40; echo "E=$?"; go test ./shell/... | tail', "build go hidden", "test go hidden"],
  ["go vet ./...", "lint go vet own"],
  ["golangci-lint run ./...", "lint golangci-lint own"],
  ["which golangci-lint || echo no"],
  ["mise run fmt && mise run lint 2>&1 | head -100", "lint ? hidden"],
  ["mise exec -- env GOCACHE=/tmp/c go test ./a -run 'T(A|B)' -count=1", "test go own"],
  ["env GOCACHE=/tmp mise run test:ci", "test ? own"],
  ["pnpm --filter @a/b test", "test ? own"],
  ["pnpm -r run typecheck", "typecheck ? own"],
  ["pnpm audit --audit-level high"],
  ["npm run css:build", "build ? own"],
  ["bun run lint:fix", "lint ? own"],
  ["bun test src/", "test bun own"],
  ["bunx biome check a.ts", "lint biome own"],
  ["bunx biome format --write a.ts"],
  ["rtk bun run test", "test ? own"],
  ["npx --yes vitest run a.test.ts", "test vitest own"],
  ["npx tsc --noEmit", "typecheck tsc own"],
  ["npx tsgo -p tsconfig.build.json", "typecheck tsgo own"],
  ["npx prettier --check .", "lint prettier own"],
  ["npx prettier --write ."],
  ["node --test --import tsx test/*.test.ts", "test node:test own"],
  ["node --version"],
  ["python -m pytest -k 'a or b' tests", "test pytest own"],
  ["python3 -m unittest discover", "test unittest own"],
  ["python3 tests/runtests.py sitemaps_tests", "test unittest own"],
  ["python manage.py test app", "test unittest own"],
  ["python manage.py migrate"],
  ["python reproduce_issue.py", "script ? own"],
  ["python setup.py install"],
  ["python -c 'print(1)'"],
  ["./gradlew :app:test --tests A", "test gradle own"],
  ["gradle build", "build gradle own"],
  ["mvn -q verify", "test maven own"],
  ["./mvnw compile", "build maven own"],
  ["dotnet test", "test dotnet own"],
  ["cargo test --lib", "test cargo own"],
  ["cargo clippy", "lint cargo own"],
  ["cargo add serde"],
  ["bundle exec rspec spec/a_spec.rb", "test rspec own"],
  ["vendor/bin/phpunit", "test phpunit own"],
  ["ctest --output-on-failure", "test ctest own"],
  ["make", "build ? own"],
  ["make clean && make", "build ? all"],
  ["make test", "test ? own"],
  ["make -j8 check", "test ? own"],
  ["./scripts/build.sh", "build ? own"],
  ["timeout 60 npm test", "test ? own"],
  ["bash -lc 'npm test'", "test ? own"],
  ["npm install"],
  ["npm ci"],
  ["npm run dev"],
  ["npm run test:watch"],
  ["git diff --check"],
  ["git commit -m 'npm test'"],
  ["cat package.json | grep test"],
  ["ls tests; cat test.js"],
  ["rm test.json"],
  ["cat <<'EOF' > run.sh\nnpm test\nEOF"],
  ["npm view jest versions"],
  ["uv run ruff check .", "lint ruff own"],
  ["uv run --with pytest pytest", "test pytest own"],
];

for (const [command, ...expected] of cases) {
  test(`checks of ${JSON.stringify(command)}`, () => {
    const found = checksOf(command).map(({ kind, framework, exit }) => `${kind} ${framework ?? "?"} ${exit}`);
    assert.deepEqual(found, expected);
  });
}

test("a wider run replaces a narrower one's verdict, an unrelated one does not", () => {
  const only = (command: string) => {
    const [check] = checksOf(command);
    assert.ok(check !== undefined, command);
    return check;
  };
  const pairs: [wide: string, narrow: string, expected: boolean][] = [
    ["go test ./...", "go test ./a -run T", true],
    ["go test ./a", "go test ./a -run T", true],
    ["go test ./a -run T", "go test ./a", false],
    ["go test ./b", "go test ./a", false],
    ["bun test a.test.ts", "bun test a.test.ts", true],
    ["bun test", "bun test a.test.ts", true],
    ["pytest tests", "pytest tests/a.py", true],
    ["pytest tests/a.py", "pytest tests/b.py", false],
    ["npm test", "npm run lint", false],
  ];
  for (const [wide, narrow, expected] of pairs) {
    assert.equal(covers(only(wide), only(narrow)), expected, `${wide} covers ${narrow}`);
  }
});
