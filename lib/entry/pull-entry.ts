import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { webAddress } from "./web-address.ts";

/** A check of a pull request; `conclusion` is null while it runs, times are in milliseconds. */
export type PullCheck = {
  name: string;
  conclusion: string | null;
  url: string | null;
  durationMs: number | null;
  annotations: { path: string; line: number | null; message: string }[];
  /** End of its log, or null. */
  excerpt: string | null;
};

/** Something found in commits before they are pushed. */
export type CommitFinding = { path: string; line: number | null; detail: string; refuses: boolean };

/** Content of an entry of the work on a pull request (docs/pull-requests.md). */
export type PullEntry =
  | {
      kind: "commits";
      verdict: "fit" | "refused" | "empty";
      commit: string | null;
      behind: number | null;
      files: number | null;
      insertions: number;
      deletions: number;
      findings: CommitFinding[];
    }
  | {
      kind: "opened";
      number: number;
      url: string | null;
      title: string;
      body: string | null;
      isDraft: boolean;
      branch: string | null;
      base: string | null;
      isReused: boolean;
    }
  | { kind: "failed"; code: string | null; status: number | null; message: string; hint: string | null }
  | {
      kind: "checks";
      commit: string | null;
      checks: PullCheck[];
      failing: string[];
      ignored: string[];
      redOnBase: string[];
    }
  | { kind: "fix"; round: number; of: number; failing: string[] }
  | {
      kind: "result";
      verdict: string;
      reason: string | null;
      rounds: number;
      number: number | null;
      url: string | null;
      checks: PullCheck[];
    }
  | {
      kind: "comment";
      author: string;
      permission: string | null;
      place: string | null;
      title: string | null;
      url: string | null;
      path: string | null;
      line: number | null;
      body: string;
    };

type Fields = Record<string, unknown>;

const readers: Record<string, (fields: Fields) => PullEntry | null> = {
  COMMIT_EVALUATION: readCommits,
  INITIAL_PR_GENERATION: readOpened,
  PR_CREATION_FAILED: readFailed,
  DETECT_PR_ERRORS: readChecks,
  FIX_PR_ERRORS: readFix,
  PR_EVALUATION: readResult,
  USER_GITHUB_ISSUE_COMMENT: readComment,
};

/** Reads an entry as this service writes it; null for any other shape, which external systems may report. */
export function pullEntryOf(entry: { message_type: string; observation: unknown }): PullEntry | null {
  return Object.hasOwn(readers, entry.message_type)
    ? (readers[entry.message_type]?.(fieldsOf(entry.observation)) ?? null)
    : null;
}

/** Rules that never refuse a push, for entries of earlier versions, in which findings lack `refuses`. */
const onlyReported = new Set(["tests_deleted", "workflow_changed", "not_all_read"]);

const stageVerdicts = ["fit", "refused", "empty"] as const;

function readCommits(fields: Fields): PullEntry | null {
  const verdict = stageVerdicts.find((known) => known === fields.verdict);
  if (verdict === undefined) return null;
  return {
    kind: "commits",
    verdict,
    commit: textField(fields, "commit"),
    behind: numberField(fields, "behind"),
    files: numberField(fields, "files"),
    insertions: numberField(fields, "insertions") ?? 0,
    deletions: numberField(fields, "deletions") ?? 0,
    findings: listOf(fields.findings).flatMap((value) => {
      const found = fieldsOf(value);
      const [path, detail] = [textField(found, "path"), textField(found, "detail")];
      if (path === null || detail === null) return [];
      const isReported = onlyReported.has(textField(found, "rule") ?? "");
      const refuses = typeof found.refuses === "boolean" ? found.refuses : verdict === "refused" && !isReported;
      return [{ path, line: numberField(found, "line"), detail, refuses }];
    }),
  };
}

function readOpened(fields: Fields): PullEntry | null {
  const [number, title] = [numberField(fields, "number"), textField(fields, "title")];
  if (number === null || title === null) return null;
  return {
    kind: "opened",
    number,
    title,
    url: webAddress(fields.url),
    body: textField(fields, "body"),
    isDraft: fields.draft === true,
    branch: textField(fields, "branch"),
    base: textField(fields, "base"),
    isReused: fields.reused === true,
  };
}

function readFailed(fields: Fields): PullEntry | null {
  const message = textField(fields, "message");
  if (message === null) return null;
  const [code, hint] = [textField(fields, "code"), textField(fields, "hint")];
  return { kind: "failed", code, status: numberField(fields, "status"), message, hint };
}

function readChecks(fields: Fields): PullEntry | null {
  if (!Array.isArray(fields.checks)) return null;
  return {
    kind: "checks",
    commit: textField(fields, "commit"),
    checks: checksOf(fields.checks),
    failing: namesOf(fields.failing),
    ignored: namesOf(fields.ignored),
    redOnBase: namesOf(fields.red_on_base),
  };
}

function readFix(fields: Fields): PullEntry | null {
  const [round, of] = [numberField(fields, "round"), numberField(fields, "of")];
  return round === null || of === null ? null : { kind: "fix", round, of, failing: namesOf(fields.failing) };
}

function readResult(fields: Fields): PullEntry | null {
  const verdict = textField(fields, "verdict");
  if (verdict === null) return null;
  return {
    kind: "result",
    verdict,
    reason: textField(fields, "reason"),
    rounds: numberField(fields, "rounds") ?? 0,
    number: numberField(fields, "number"),
    url: webAddress(fields.url),
    checks: checksOf(fields.checks),
  };
}

function readComment(fields: Fields): PullEntry | null {
  const [author, body] = [textField(fields, "author"), textField(fields, "body")];
  if (author === null || body === null) return null;
  return {
    kind: "comment",
    author,
    body,
    permission: textField(fields, "permission"),
    place: textField(fields, "kind"),
    title: textField(fields, "title"),
    url: webAddress(fields.url),
    path: textField(fields, "path"),
    line: numberField(fields, "line"),
  };
}

function checksOf(value: unknown): PullCheck[] {
  return listOf(value).flatMap((one) => {
    const fields = fieldsOf(one);
    const name = textField(fields, "name");
    if (name === null) return [];
    return [
      {
        name,
        conclusion: textField(fields, "conclusion"),
        url: webAddress(fields.url),
        durationMs: numberField(fields, "duration_ms"),
        annotations: listOf(fields.annotations).flatMap((value) => {
          const note = fieldsOf(value);
          const message = textField(note, "message");
          if (message === null) return [];
          return [{ path: textField(note, "path") ?? "", line: numberField(note, "line"), message }];
        }),
        excerpt: textField(fields, "excerpt"),
      },
    ];
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function namesOf(value: unknown): string[] {
  return listOf(value).filter((name) => typeof name === "string");
}

const verdicts: Record<string, string> = {
  green: "All checks passed",
  red: "Checks failed",
  gave_up: "Checks still fail, no rounds left",
  no_progress: "No progress, checks still fail",
  no_checks: "No checks",
  diverged: "Branch changed by someone else",
  refused: "Not pushed: the commits failed Errand's checks",
  closed: "Closed on the code host",
  merged: "Merged",
  banned: "The run was banned",
};

const places: Record<string, string> = {
  issue: "an issue",
  pull: "a pull request",
  review: "a review",
  thread: "a review",
};

/** The entry's message, in one line. */
export function pullHeadline(entry: PullEntry): string {
  switch (entry.kind) {
    case "commits":
      if (entry.verdict === "empty") return "Nothing new to push";
      return entry.verdict === "fit" ? "Ready to push" : "Not ready to push";
    case "opened":
      return `${entry.isReused ? "Found" : "Opened"} #${entry.number}${entry.isDraft ? " as a draft" : ""}`;
    case "failed":
      return entry.message.split("\n", 1)[0] ?? "";
    case "checks": {
      const all = entry.checks.length;
      if (all === 0) return "The code host runs none";
      const some = `${all} ${all === 1 ? "check" : "checks"}`;
      const cancelled = entry.checks.filter(({ conclusion }) => conclusion === "cancelled").length;
      if (entry.failing.length === 0 && cancelled > 0) return `${cancelled} of ${some} cancelled`;
      return entry.failing.length === 0 ? `${some} passed` : `${entry.failing.length} of ${some} failed`;
    }
    case "fix":
      return `Round ${entry.round} of ${entry.of}: ${entry.failing.join(", ")}`;
    case "result":
      return Object.hasOwn(verdicts, entry.verdict)
        ? (verdicts[entry.verdict] ?? "")
        : entry.verdict.replaceAll("_", " ");
    case "comment":
      return `@${entry.author} in ${places[entry.place ?? ""] ?? "a comment"}`;
  }
}
