import assert from "node:assert/strict";
import { test } from "node:test";
import { bareCommand } from "./bare-command.ts";

test("a command that carries nothing stays as it is", () => {
  for (const command of [
    "",
    "npm test",
    "cd a && npm ci\nnpm test -- --grep 'it works' # don't stop\nls",
    'git commit -m "Fix it" && echo "$(date) `id`" | tee log',
    "grep -n 'a\\' b \"c\\\"d\" $'e\\'f' *.ts",
    "for f in *; do (cd $f; ls); done\ncat <<< word\nls",
    "rg foo \\\n  --hidden",
    "case $x in a) ls;; esac\npwd",
  ])
    assert.equal(bareCommand(command), command);
});

test("the bodies of here-documents are left out, whatever ends them", () => {
  const cases: [string, string][] = [
    ["cat > a <<EOF\nCANARY\nEOF\nls", "cat > a <<EOF\n…\nEOF\nls"],
    ["cat > a <<'E O'\nCANARY 'x \"y\nE O\nls", "cat > a <<'E O'\n…\nE O\nls"],
    ['cat <<"END" > a && ls\nCANARY\nEND', 'cat <<"END" > a && ls\n…\nEND'],
    ["cat <<-\\END\n\tCANARY\n\tEND\nls", "cat <<-\\END\n…\n\tEND\nls"],
    ["cat << A << B\nCANARY\nA\nCANARY\nB\nls", "cat << A << B\n…\n…\nB\nls"],
    ['cat <<E"O"F\nCANARY\nEOF\nls', 'cat <<E"O"F\n…\nEOF\nls'],
    ["cat <<EOF\nCANARY\n EOF\nCANARY", "cat <<EOF\n…\n"],
    ["cat <<EOF\r\nCANARY\r\nEOF\r\nls", "cat <<EOF\r\n…\nEOF\r\nls"],
    ["(cat <<EOF\nCANARY )\nEOF\n) > a\nls", "(cat <<EOF\n…\nEOF\n) > a\nls"],
  ];
  for (const [command, bare] of cases) assert.equal(bareCommand(command), bare, command);
});

test("of a quotation only the first line is left, whatever is in it", () => {
  const cases: [string, string][] = [
    ["echo 'a\nCANARY' > f\nls", "echo 'a…' > f\nls"],
    ['echo "a\nCANARY \\" CANARY" > f\nls', 'echo "a…" > f\nls'],
    ["echo $'a\nCANARY \\' CANARY' > f\nls", "echo $'a…' > f\nls"],
    ['git commit -m "$(cat <<\'EOF\'\nsay "CANARY\nCANARY" it\'s\nEOF\n)"\nls', "git commit -m \"$(cat <<'EOF'…\"\nls"],
    ['a "$(printf "x\nCANARY" "y\nCANARY")"\nls', 'a "$(printf "x…"\nls'],
    ['a "`printf "x\nCANARY"`"\nls', 'a "`printf "x…"\nls'],
    ["# don't\necho 'multi\nCANARY'\nls", "# don't\necho 'multi…'\nls"],
    ["Set-Content f @'\nCANARY\n'@\nls", "Set-Content f @'…'\nls"],
    ["Set-Content f @'\nit's CANARY\n'@\nls", "Set-Content f @'…'"],
    ["echo 'open\nCANARY", "echo 'open…'"],
    ['echo "open\\\nCANARY', 'echo "open…'],
  ];
  for (const [command, bare] of cases) {
    assert.ok(!bareCommand(command).includes("CANARY"), bareCommand(command));
    assert.equal(bareCommand(command), bare);
  }
});

test("from the first place that shells may read in more than one way, nothing is left", () => {
  const body = "\nCANARY\nEOF";
  const cases: [string, string][] = [
    // Lines continued inside a word or an operator.
    [`cat > f <\\\n<EOF${body}`, "cat > f <…"],
    [`cat <<\\\nEOF${body}`, "cat …"],
    [`cat <<E\\\nOF\nE\nCANARY\nEOF`, "cat …"],
    [`echo "$\\\n(echo "\nCANARY")"`, 'echo "$…'],
    // Number signs that may begin no comment.
    [`echo \\ # <<EOF${body}`, "echo …"],
    [`echo \\;# <<EOF${body}`, "echo …"],
    [`echo a\u00a0# <<EOF${body}`, "echo a\u00a0…"],
    [`[[ a =~ (# ]] <<EOF${body}`, "[[ a =~ (…"],
    // Quotations in expansions, and in commands in them.
    [`echo "\${x:-"a\nCANARY"}"`, 'echo "…'],
    [`echo \${x:-'\nCANARY'}`, "echo …"],
    ['a "$(case b in c) echo "\nCANARY";; esac)"', 'a "$(…'],
    ['a "`echo \\"b\nCANARY\\"`"', 'a "`echo …'],
    ["a `b # it's` 'c\nCANARY'", "a `b …"],
    ["a `b '`'\nCANARY'", "a `b …"],
    ["echo $$'a\\'\nls\n'\nCANARY'", "echo $$'a\\'\nls\n'…'"],
    // Shifts, which are no here-documents.
    ["echo $((1<<2))\necho '\n2\nCANARY'", "echo $((1…"],
    ["echo $[1<<2]\necho '\n2\nCANARY'", "echo …"],
    ["a[1 << b ]=1\necho '\nb\nCANARY'", "a[1 …"],
    ["echo \"<<x\"\necho '\nx\nCANARY'", 'echo "…'],
    // Where a here-document begins, what ends it, and where it ends.
    [`cat <<EOF "a\nb"\nEOF${body}`, 'cat <<EOF "a…'],
    [`(cat <<EOF)${body}`, "(cat <<EOF)…"],
    ["cat <<'E\"F'\nEF\nCANARY", "cat …"],
    ['cat <<"E\\"F"\nCANARY', "cat …"],
    [`cat <<$x${body}`, "cat …"],
    ["cat <<EOF\nEOF\r\nCANARY\nEOF", "cat <<EOF\n…\n"],
    ["cat <<EOF\na\\\nEOF\nCANARY\nEOF", "cat <<EOF\n…\n"],
    ["cat <<EOF\nEO\\\nF\necho '\nEOF\nCANARY'", "cat <<EOF\n…\n"],
    ["cat <<'EOF'\na\\\nEOF\nls", "cat <<'EOF'\n…\nEOF\nls"],
    ["a=$(cat <<EOF\nb\nEOF)\necho '\nEOF\nCANARY'", "a=$(cat <<EOF\n…\n"],
  ];
  for (const [command, bare] of cases) assert.equal(bareCommand(command), bare, command);
  for (const command of [`echo "\${a:-$b} \${c[@]} \${#d}" $$ $#`, 'grep -n "<<<<<<< HEAD" a', "a \"`date +'%s'`\"; b"])
    assert.equal(bareCommand(command), command);
});

test("long lines are cut, and a megabyte is read in an instant", () => {
  assert.equal(bareCommand(`echo ${"a".repeat(1000)}`).length, 501);
  const started = process.cpuUsage();
  for (const hostile of ["'\"", "<<a\n", '"$(', "((((", '`"', "@'\n", "<<a <<b", "\\", "#", "(\n", "$$", "${"])
    bareCommand(hostile.repeat(100_000));
  assert.ok(process.cpuUsage(started).user < 20_000_000);
});
