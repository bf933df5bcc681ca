import { lookAlikesIn } from "#lib/entry/look-alikes.ts";
import { hiddenIn } from "#lib/entry/visible-text.ts";
import { actsIn } from "#lib/host/quiet-words.ts";
import type { ChangedPath } from "#lib/workspace/parse-log.ts";
import type { RunWork } from "#lib/workspace/run-work.ts";

/** Something about a run's commits that a person should know. `refuses`: they are not pushed because of it. */
export type Finding = Found & { refuses: boolean };

type Found = {
  rule: FindingRule;
  path: string;
  line?: number;
  detail: string;
};

export type FindingRule =
  | "conflict_marker"
  | "secret"
  | "large_file"
  | "link_outside"
  | "unknown_repository"
  | "submodule_changed"
  | "only_generated"
  | "tests_deleted"
  | "workflow_changed"
  | "not_all_read"
  | "already_merged"
  | "hidden_characters"
  | "look_alike_letters"
  | "message_acts";

/** Rules that keep the commits from being pushed; findings of the others are only reported. */
const refusing: ReadonlySet<FindingRule> = new Set([
  "conflict_marker",
  "secret",
  "large_file",
  "link_outside",
  "unknown_repository",
  "only_generated",
]);

const fileBytesMax = 10 * 1024 * 1024;
/** Most findings of one rule that are reported. */
const findingsMax = 20;

/** By number from 0, those of the lines that contain a key. */
type FindKeys = (lines: readonly { text: string }[]) => Set<number>;

/**
 * The findings in the work, by rules alone, and whether it may be pushed. `holdsKey`: whether a line contains what looks like a key;
 * `known`: the numbers of lines with a known one, which may be wrapped over several.
 */
export function weigh(
  work: Pick<RunWork, "changed" | "added" | "passing" | "passingFiles" | "binaries" | "messages" | "isCut"> & {
    isInBase?: boolean;
  },
  holdsKey: (line: string) => boolean,
  known: (lines: readonly string[]) => Set<number> = () => new Set(),
): { verdict: "fit" | "refused"; findings: Finding[] } {
  const findKeys: FindKeys = (lines) => {
    const found = known(lines.map(({ text }) => text));
    for (const [at, { text }] of lines.entries()) if (holdsKey(text)) found.add(at);
    return found;
  };
  const found = [
    ...ofLines(work.added, findKeys),
    ...ofPassing(work.passing, findKeys),
    ...ofBinaries(work.binaries, findKeys),
    ...ofMessages(work.messages, findKeys),
    ...ofNames([...work.changed.filter(({ status }) => isNewName(status)), ...work.passingFiles], findKeys),
    ...work.changed.flatMap(ofPath),
    ...work.passingFiles.flatMap(ofPassingFile),
    ...ofAll(work.changed),
    ...(work.isCut ? [unread] : []),
    ...(work.isInBase === true ? [alreadyMerged] : []),
  ];
  const counts = new Map<FindingRule, number>();
  const reported = found.filter(({ rule }) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= findingsMax;
  });
  const findings = reported.map((one) => ({ ...one, refuses: refusing.has(one.rule) }));
  return { verdict: findings.some(({ refuses }) => refuses) ? "refused" : "fit", findings };
}

/** The findings that refuse, as a sentence. */
export function refusalWords(findings: readonly Finding[]): string {
  const sentences = findings
    .filter(({ refuses }) => refuses)
    .map(({ path, line, detail }) => `${path}${line === undefined ? "" : `:${line}`}: ${detail}`);
  const rest = sentences.length > 3 ? `; and ${sentences.length - 3} more` : "";
  return `${sentences.slice(0, 3).join("; ")}${rest}.`;
}

function ofLines(added: RunWork["added"], findKeys: FindKeys): Found[] {
  const keys = findKeys(added);
  const begun = new Set(added.flatMap(({ path, text }) => (/^<{7} \S/.test(text) ? [path] : [])));
  return added.flatMap(({ path, line, text }, at): Found[] => {
    // Both markers are needed: a text about merge conflicts may contain one such line.
    if (/^>{7} \S/.test(text) && begun.has(path)) {
      return [{ rule: "conflict_marker", path, line, detail: "a merge conflict is not resolved" }];
    }
    if (keys.has(at)) return [{ rule: "secret", path, line, detail: holdsKeyDetail }];
    return ofCharacters(text).map((one) => ({ ...one, path, line }));
  });
}

/** Text that people read differently from programs (https://trojansource.codes). */
function ofCharacters(text: string): Pick<Found, "rule" | "detail">[] {
  const hidden = hiddenIn(text);
  const detail = `characters that hide or reorder others: ${hidden.slice(0, 5).join(", ")}`;
  if (hidden.length > 0) return [{ rule: "hidden_characters", detail }];
  const [at] = lookAlikesIn(text);
  if (at === undefined) return [];
  const letter = text.charAt(at);
  const code = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return [{ rule: "look_alike_letters", detail: `a letter that looks like a Latin one in a Latin word: U+${code}` }];
}

/** A key that a later commit has removed would still be pushed, with the commit that added it. */
function ofPassing(passing: RunWork["passing"], findKeys: FindKeys): Found[] {
  const keys = findKeys(passing);
  return passing.flatMap(({ path, line, commit }, at): Found[] => {
    if (!keys.has(at)) return [];
    return [{ rule: "secret", path, line, detail: keyIn(commit) }];
  });
}

function ofBinaries(binaries: RunWork["binaries"], findKeys: FindKeys): Found[] {
  return binaries.flatMap(({ path, commit, lines }): Found[] => {
    if (findKeys(lines.map((text) => ({ text }))).size === 0) return [];
    return [{ rule: "secret", path, detail: commit === null ? holdsKeyDetail : keyIn(commit) }];
  });
}

const holdsKeyDetail = "it contains what looks like a key";

const keyIn = (commit: string) =>
  `commit ${commit.slice(0, 10)} contains what looks like a key (a later commit removed it, but a push would still publish it); rewrite the commits without it`;

function ofMessages(messages: RunWork["messages"], findKeys: FindKeys): Found[] {
  return messages.flatMap(({ commit, header, text }): Found[] => {
    const path = commit.slice(0, 10);
    const acts = actsIn(text);
    const detail = `words of the commit message may make the code host ${acts.join(" and ")}`;
    const acting: Found[] = acts.length === 0 ? [] : [{ rule: "message_acts", path, detail }];
    const lines = `${header}\n\n${text}`.split("\n").map((line) => ({ text: line }));
    if (findKeys(lines).size === 0) return acting;
    const key =
      "the commit's message, author or committer contains what looks like a key: rewrite the commits without it";
    return [{ rule: "secret", path, detail: key }, ...acting];
  });
}

const isNewName = (status: ChangedPath["status"]) => status === "added" || status === "renamed";

function ofNames(files: readonly { path: string }[], findKeys: FindKeys): Found[] {
  const keys = findKeys(files.map(({ path }) => ({ text: path })));
  const detail = "its name contains what looks like a key: rewrite the commits without it";
  return files.flatMap(({ path }, at): Found[] => (keys.has(at) ? [{ rule: "secret", path, detail }] : []));
}

/** Keep the numbers in step with the bounds in run-work.ts. */
const unread: Found = {
  rule: "not_all_read",
  path: ".",
  detail: "more than 20 MB of changes or 10,000 paths: the rest was not searched",
};

const alreadyMerged: Found = {
  rule: "already_merged",
  path: ".",
  detail: "the base branch already has these changes, in other commits: merging the branch would change nothing",
};

/** A large file that a later commit has removed would still be pushed, with the commit that added it. */
function ofPassingFile({ path, bytes, commit }: RunWork["passingFiles"][number]): Found[] {
  if (bytes <= fileBytesMax) return [];
  const detail = `${sizeWords(bytes)}, in commit ${commit.slice(0, 10)}; a later commit removed the file, but a push would still include it; rewrite the commits without it`;
  return [{ rule: "large_file", path, detail }];
}

const sizeWords = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB, more than the 10 MB that a file may have`;

function ofPath({ path, status, mode, bytes, target, isUnknownLink }: ChangedPath): Found[] {
  const found: Found[] = [];
  if (isUnknownLink) {
    const detail = "a link to a commit of a repository that .gitmodules does not name: nobody can fetch its files";
    found.push({ rule: "unknown_repository", path, detail });
  } else if (mode === "160000") {
    const detail = "a submodule is at another commit, and whether its repository has that commit was not checked";
    found.push({ rule: "submodule_changed", path, detail });
  }
  if (bytes !== null && bytes > fileBytesMax) found.push({ rule: "large_file", path, detail: sizeWords(bytes) });
  if (target !== null && leadsOutside(path, target)) {
    found.push({ rule: "link_outside", path, detail: "a symbolic link that leads out of the repository" });
  }
  if (status !== "deleted") found.push(...ofCharacters(path).map((one) => ({ ...one, path })));
  if (status === "deleted" && isTest(path)) found.push({ rule: "tests_deleted", path, detail: "a test was deleted" });
  if (/^\.(?:github\/workflows|gitlab-ci\.yml|forgejo\/workflows|gitea\/workflows)/.test(path)) {
    found.push({ rule: "workflow_changed", path, detail: "a CI workflow was changed" });
  }
  return found;
}

function ofAll(changed: readonly ChangedPath[]): Found[] {
  const [first] = changed;
  if (first === undefined || !changed.every(({ path }) => isGenerated(path))) return [];
  const detail = "only generated files were changed, such as installed packages and build output";
  return [{ rule: "only_generated", path: first.path, detail }];
}

const madeByTools =
  /(?:^|\/)(?:node_modules|\.venv|venv|__pycache__|\.next|\.nuxt|\.gradle|\.pytest_cache|\.mypy_cache|\.tox|coverage)\/|\.pyc$|(?:^|\/)\.DS_Store$/;

const isGenerated = (path: string) => madeByTools.test(path);

const isTest = (path: string) =>
  /(?:^|\/)(?:tests?|__tests__|spec)\/|(?:\.|_|-)(?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$/i.test(path);

/** Whether a link at this path leads out of the tree; both paths are relative to its root, in the repository's own notation. */
function leadsOutside(path: string, target: string): boolean {
  if (target.startsWith("/")) return true;
  let depth = path.split("/").length - 1;
  for (const part of target.split("/")) {
    if (part === "..") depth -= 1;
    else if (part !== "." && part !== "") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
