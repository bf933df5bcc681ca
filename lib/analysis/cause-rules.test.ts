import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import type { DenialRule } from "#lib/contract/repositories/network.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import { analysed, falseQuotes } from "./analysed.fixture.ts";
import type { StoredEntry } from "./step.ts";

const call = (tool_name: string, tool_input: object, text = "done", is_error = false): StoredEntry => ({
  message_type: "ACTION",
  tool_name,
  tool_input,
  tool_output: { text, is_error },
});
const shell = (command: string, text?: string) => call("Bash", { command }, text);
const failed = (command: string, text: string) => call("Bash", { command }, text, true);
const edit = (path: string) => call("Edit", { file_path: path, old_string: "a", new_string: "b" });
const failedEdit = (path: string) =>
  call("Edit", { file_path: path, old_string: "a", new_string: "b" }, "String to replace not found in file.", true);
const said = (thought: string): StoredEntry => ({ message_type: "PLAN_EVALUATION", thought });
const answer = (observation: string): StoredEntry => ({ message_type: "FINAL_ANSWER", observation });
const error = (message: string): StoredEntry => ({ message_type: "ERROR", observation: { message } });
const asked: StoredEntry = { message_type: "USER_MESSAGE", observation: "Mend it" };

/**
 * Expected result of a rule for a run: the seqs of its evidence, and words that a quote must contain; null if it reports nothing.
 */
type Case = [what: string, status: RunStatus, entries: StoredEntry[], seqs: number[] | null, words?: string];

function holds(rule: AnalysisCause["rule"], cases: readonly Case[]): void {
  for (const [what, status, entries, seqs, words = ""] of cases) {
    const analysis = analysed(entries, { status });
    const cause = analysis.causes.find((one) => one.rule === rule);
    assert.deepEqual(cause?.evidence.map(({ seq }) => seq) ?? null, seqs, what);
    assert.ok(seqs === null || cause?.evidence.some(({ quote }) => quote.includes(words)), `${what}: ${words}`);
    assert.deepEqual(falseQuotes(entries, analysis), [], what);
  }
}

test("run_limit is reported for runs that a limit ended", () => {
  const work = [asked, shell("ls")];
  holds("run_limit", [
    ["the status tells of time, the last entry where it broke off", "timed_out", work, [2], "Bash"],
    ["the status tells of turns", "max_turns_reached", [...work, said("Next I look.")], [3], "Next I look."],
    [
      "the status tells of tokens, an error says it",
      "out_of_tokens",
      [...work, error("No tokens left")],
      [3],
      "No tokens",
    ],
    [
      "words of a limit go before other errors",
      "timed_out",
      [error("Time limit of 60 s"), error("It ended")],
      [1],
      "Time",
    ],
    ["a failed run whose last error names a limit", "failed", [...work, error("exit_cost: cost limit reached")], [3]],
    ["a completed run that ends with the error of a limit", "completed", [...work, error("max_turns reached")], [3]],
    [
      "a limit before more work was not the end",
      "failed",
      [error("step limit reached"), ...work, error("Broken")],
      null,
    ],
    ["a failed run without words of a limit", "failed", [...work, error("It broke")], null],
    ["a run that answered", "completed", [...work, answer("The time limit of the page is mended.")], null],
    ["a run that a person ended", "cancelled", work, null],
    ["a run that continues", "running", [...work, error("turn limit")], null],
  ]);
});

test("gave_up is reported if the agent's last words say so", () => {
  const work = [asked, shell("ls")];
  holds("gave_up", [
    ["its answer says so", "completed", [...work, answer("I was unable to fix the build.")], [3], "unable to fix"],
    ["behind other words", "completed", [...work, answer("I tried much.\nSo I couldn't solve it.")], [3], "couldn't"],
    ["a tool for the answer", "completed", [...work, call("finish", { message: "I am stuck." })], [3], "I am stuck"],
    ["words without an answer", "completed", [...work, said("I give up.")], [3], "give up"],
    ["a part that was not tried is no task", "completed", [...work, answer("Mended. I could not test Windows.")], null],
    ["earlier words are not the last", "completed", [...work, said("I give up on sed."), answer("Mended.")], null],
    ["a tool's output is not the agent's", "completed", [asked, shell("make", "I give up"), answer("Mended.")], null],
    ["a person's words are not the agent's", "completed", [asked, answer("Mended."), said("Done.")], null],
    ["a run that failed ended otherwise", "failed", [...work, said("I give up."), error("It broke")], null],
  ]);
});

test("not_verified is reported if nothing was checked after the last edit of code", () => {
  const path = "/w/src/a.ts";
  const done = answer("Mended.");
  holds("not_verified", [
    ["no check at all", "completed", [asked, edit(path), done], [2], path],
    ["a check before the edit only", "completed", [shell("npm test"), edit(path), done], [2], path],
    ["the last of several edits", "completed", [edit(path), shell("npm test"), edit("/w/src/b.ts"), done], [3], "b.ts"],
    ["a shell that writes a file", "completed", [shell("echo 1 > src/a.ts"), done], [1], "src/a.ts"],
    ["tests after it", "completed", [edit(path), shell("npm test"), done], null],
    ["a type check after it", "completed", [edit(path), shell("npx tsc --noEmit"), done], null],
    ["a script of its own after it", "completed", [edit(path), shell("python reproduce.py"), done], null],
    ["notes need no check", "completed", [edit("/w/NOTES.md"), done], null],
    ["what lies in a temporary folder needs none", "completed", [edit("/tmp/try.py"), done], null],
    ["removing what was made for a try needs none", "completed", [shell("rm src/try.ts"), done], null],
    ["an edit that did not apply changed nothing", "completed", [failedEdit(path), done], null],
    ["a run without edits", "completed", [asked, shell("ls"), done], null],
    ["a run that continues may check yet", "running", [edit(path)], null],
  ]);
});

test("provider_error is reported for responses of the agent's own service", () => {
  const work = [asked, shell("ls")];
  holds("provider_error", [
    ["too many requests", "failed", [...work, error("429 Too Many Requests")], [3], "429"],
    ["an overloaded service", "failed", [...work, error("Overloaded")], [3], "Overloaded"],
    ["no credit", "failed", [...work, error("Your credit balance is too low")], [3], "credit balance"],
    ["no sign-in", "failed", [...work, error("401 Unauthorized")], [3], "401"],
    ["the service's own fault", "failed", [...work, error("502 Bad Gateway")], [3], "502"],
    ["each of several", "failed", [error("429"), ...work, error("429 again")], [1, 4], "again"],
    ["the latest kind speaks", "failed", [error("429"), error("Invalid API key")], [2], "API key"],
    ["an answer that is an error", "completed", [...work, answer("API Error: 529 overloaded")], [3], "529"],
    ["an answer about errors", "completed", [...work, answer("The page now shows API errors, also 429.")], null],
    ["a tool's output is the project's", "completed", [asked, shell("curl x", "429 Too Many Requests")], null],
    ["a person's words", "completed", [{ ...asked, observation: "Mend the 429" }, answer("Mended.")], null],
    ["an error of another kind", "failed", [...work, error("It broke")], null],
  ]);
});

test("missing_tool is reported for programs that do not exist", () => {
  const gone = "bash: jq: command not found";
  holds("missing_tool", [
    ["a shell says so", "completed", [asked, shell("jq . a.json", gone)], [2], "jq"],
    ["zsh says it otherwise", "completed", [shell("jq .", "zsh: command not found: jq")], [1], "jq"],
    ["a runtime says so", "completed", [failed("npm test", "Error: spawn docker ENOENT")], [1], "docker"],
    ["each call of it", "completed", [shell("jq .", gone), shell("jq -r .", gone)], [1, 2], "jq"],
    ["one of several programs", "completed", [shell("ls && jq .", `a\n${gone}`)], [1], "jq"],
    ["it was there later", "completed", [shell("jq .", gone), shell("jq .", "{}")], null],
    ["who asks has the answer", "completed", [shell("which jq", "jq: command not found")], null],
    ["a file that was only read", "completed", [shell("cat notes.txt", gone)], null],
    ["a file that is not there", "completed", [shell("ls x", "ls: x: No such file or directory")], null],
  ]);
});

test("network_blocked is reported for hosts that cannot be reached", () => {
  const blocked = "curl: (6) Could not resolve host: example.org";
  const gone = "ls: cannot access '/root': No such file or directory";
  const noEntry = "Errand did not connect to a.test:80: this run has no network (network_off).";
  holds("network_blocked", [
    ["a name is not found", "completed", [asked, failed("curl https://example.org", blocked)], [2], "resolve host"],
    ["the registry", "completed", [failed("npm ci", "npm error code ENOTFOUND")], [1], "ENOTFOUND"],
    ["a closed network", "completed", [failed("git fetch", "fatal: Network is unreachable")], [1], "unreachable"],
    ["an exit code that is hidden", "completed", [shell("curl https://x.org | tail", blocked)], [1], "resolve host"],
    ["the same succeeded later", "completed", [failed("curl x.org", blocked), shell("curl x.org", "<html>")], null],
    ["another call's success does not count", "completed", [failed("curl x.org", blocked), shell("ls", "a")], [1]],
    ["its own machine is no network", "completed", [failed("npm test", "failed to connect to localhost")], null],
    ["words of a file", "completed", [shell("cat notes.md", blocked)], null],
    ["another failure", "completed", [failed("npm test", "1 failing")], null],
    [
      "a part that may fail",
      "failed",
      [failed(`curl -sS https://a.test || true\nls /root`, `${blocked}\n${gone}`)],
      null,
    ],
    ["that of a chain", "failed", [failed("cd x && curl a.test || true; ls /root", `${blocked}\n${gone}`)], null],
    ["only one of two may fail", "failed", [failed("curl a.test || true\ncurl b.test", blocked)], [1]],
    ["something else takes over", "failed", [failed("curl a.test || wget a.test", blocked)], [1]],
    [
      "the service itself says no",
      "failed",
      [failed("curl -f http://a.test", noEntry)],
      [1],
      "did not connect to a.test",
    ],
  ]);
});

test("a host that the service refused is named, with who can allow it", () => {
  const tunnel = "curl: (56) CONNECT tunnel failed, response 403";
  const of = (entries: StoredEntry[], ...denials: [string, DenialRule][]) => {
    const known = denials.map(([host, rule]) => ({ host, rule }));
    const causes = analysed(entries, { status: "failed", denials: known }).causes;
    return causes.map(({ title, why }) => `${title}. ${why}`).join();
  };
  const call = failed("curl -sS https://example.org", tunnel);
  const other: [string, DenialRule] = ["other.test:443", "host_not_allowed"];
  assert.match(
    of([call], ["example.org:443", "host_not_allowed"], other),
    /^Host not allowed: example\.org\. .* An admin/,
  );
  assert.match(of([call], ["example.org:8443", "port_not_allowed"]), /^Port not allowed: example\.org:8443\./);
  assert.match(of([call], ["example.org:443", "network_off"]), /^Network is off: example\.org\. .* is off/);
  assert.match(of([failed("npm ci", tunnel)], other), /^Host not allowed: other\.test\./, "the call names no host");
  assert.match(of([failed("git fetch", "Network is unreachable")], other), /^The network could not be reached\./);
  assert.match(
    of([failed("psql -h db.test", "failed to connect to db.test")], other),
    /^The network could not be reached/,
  );
  assert.match(of([call]), /^The network could not be reached\./);
  assert.equal(
    of([failed("curl https://example.org || true; ls /x", tunnel)], ["example.org:443", "host_not_allowed"]),
    "",
  );
});

test("permission_refused is reported if a person or the system refused", () => {
  const denied = "rm: /etc/x: Permission denied";
  const refused = call("Bash", { command: "git push" }, "The user doesn't want to proceed with this tool use.", true);
  holds("permission_refused", [
    ["the system", "completed", [asked, failed("rm /etc/x", denied)], [2], "Permission denied"],
    ["a person", "completed", [asked, refused], [2], "doesn't want"],
    ["a file system that is only read", "completed", [failed("touch a", "Read-only file system")], [1], "Read-only"],
    ["each time", "completed", [failed("rm /etc/x", denied), failed("rm /etc/x", denied)], [1, 2], "denied"],
    ["it was allowed later", "completed", [refused, call("Bash", { command: "git push" }, "pushed")], null],
    ["another call was allowed", "completed", [refused, shell("ls", "a")], [1]],
    ["words of a file", "completed", [shell("cat log.txt", denied)], null],
    ["another failure", "completed", [failed("npm test", "1 failing")], null],
  ]);
});

test("dependency_install_failed is reported if no later install succeeded", () => {
  const missing = "npm error code E404\nnpm error 404 Not Found";
  holds("dependency_install_failed", [
    ["npm", "completed", [asked, failed("npm ci", missing)], [2], "E404"],
    ["pip", "completed", [failed("pip install x", "ERROR: No matching distribution found for x")], [1], "No matching"],
    ["by another name", "completed", [failed("python3 -m pip install x", "ERROR: Could not find x")], [1], "Could not"],
    ["an exit code that is hidden", "completed", [shell("npm install | tail -3", missing)], [1], "E404"],
    ["each time", "completed", [failed("npm ci", missing), failed("npm install", missing)], [1, 2], "E404"],
    ["a later one succeeded", "completed", [failed("npm ci", missing), shell("npm install", "added 3 packages")], null],
    ["another tool's success", "completed", [failed("npm ci", missing), shell("pip install x", "ok")], [1]],
    ["an install that went well", "completed", [shell("npm ci", "added 3 packages")], null],
    ["a script of the project", "completed", [failed("npm test", "npm error Test failed")], null],
    ["a listing", "completed", [failed("npm ls x", "npm error code E404")], null],
  ]);
});

test("tests_red_at_end is reported for checks that no later green one replaced", () => {
  const red = "Tests:       1 failed, 2 passed, 3 total";
  const green = "Tests:       3 passed, 3 total";
  const path = "/w/src/a.ts";
  holds("tests_red_at_end", [
    ["a red run", "completed", [asked, shell("npx jest | tail", red)], [2], "1 failed"],
    ["the last red and the first", "completed", [shell("npx jest", red), edit(path), shell("npx jest", red)], [3, 1]],
    ["red after green", "completed", [shell("npx jest", green), edit(path), shell("npx jest", red)], [3], "1 failed"],
    ["a run that continues", "running", [shell("npx jest", red)], [1], "1 failed"],
    ["a type check", "completed", [shell("npx tsc --noEmit | tail", "a.ts(1,2): error TS2741: x")], [1], "TS2741"],
    ["a part of the tests stays red", "completed", [shell("npx jest a", red), shell("npx jest b", green)], [1]],
    ["green after red", "completed", [shell("npx jest", red), edit(path), shell("npx jest", green)], null],
    ["all of them green after a part", "completed", [shell("npx jest a", red), shell("npx jest", green)], null],
    ["a verdict that nobody saw", "completed", [shell("npm test | tail -1", "")], null],
    ["a script of the agent's own", "completed", [failed("python reproduce.py", "Traceback")], null],
  ]);
});

test("edits_not_applied is reported for three or more in a row on one file", () => {
  const path = "/w/src/a.ts";
  const [one, other] = [failedEdit(path), failedEdit("/w/src/b.ts")];
  holds("edits_not_applied", [
    ["three", "completed", [asked, one, one, one], [2, 3, 4], "String to replace not found"],
    ["with other work between", "completed", [one, shell("ls"), one, other, one], [1, 3, 5]],
    ["one applied in the end", "completed", [one, one, one, edit(path)], [1, 2, 3]],
    ["two files", "completed", [one, one, one, other, other, other], [1, 2, 3, 4, 5, 6]],
    ["two are no row", "completed", [one, one], null],
    ["one applied between", "completed", [one, one, edit(path), one], null],
    ["three files, once each", "completed", [one, other, failedEdit("/w/src/c.ts")], null],
  ]);
});

test("context_compacted is reported if things went wrong after it", () => {
  const compacted = said("The conversation was compacted.");
  const red = shell("npx jest", "Tests:       1 failed, 2 total");
  const green = shell("npx jest", "Tests:       2 passed, 2 total");
  holds("context_compacted", [
    ["the run broke", "failed", [asked, compacted, shell("ls"), error("It broke")], [2], "compacted"],
    ["the agent gave up", "completed", [compacted, answer("I give up.")], [1], "compacted"],
    ["a person stopped it", "cancelled", [asked, compacted, shell("ls")], [2], "compacted"],
    ["tests turned red", "completed", [green, compacted, edit("/w/a.ts"), red, answer("Done.")], [2, 4], "compacted"],
    ["each of several", "failed", [compacted, shell("ls"), compacted, error("It broke")], [1, 3]],
    ["a run that went well", "completed", [compacted, shell("ls"), answer("Done.")], null],
    ["tests that were red before", "completed", [green, edit("/w/a.ts"), red, compacted, answer("Done.")], null],
    ["words of a tool", "failed", [shell("cat a.md", "The context was compacted."), error("It broke")], null],
  ]);
});
