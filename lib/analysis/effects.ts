import { type Pipeline, splitCommand } from "#lib/analysis/checks/command-line.ts";
import type { Call } from "./step.ts";

/** Files a call reads and changes. */
export type Effects = {
  /** Files whose contents it reads. */
  reads: string[];
  /** Files it changes, as far as it names them. */
  writes: string[];
  /**
   * none: it changes nothing. files: it changes only the files of `writes`. any: it may change anything (a formatter, an
   * install, git checkout, an unknown program).
   */
  changes: "none" | "files" | "any";
  /** If changes is any: the call certainly changes files of the project. */
  isSureChange: boolean;
};

const nothing: Effects = { reads: [], writes: [], changes: "none", isSureChange: false };

/** Effects of a call on files; one that failed, was refused or has not ended has no known changes. */
export function effectsOf(call: Call): Effects {
  const { view, outcome, tool } = call;
  const isDone = outcome === "ok" || outcome === "unknown";
  switch (view.kind) {
    case "read":
      return { ...nothing, reads: [view.path] };
    case "edit": {
      if (!isDone) return nothing;
      const writes = [
        ...new Set(view.changes.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]))),
      ];
      return writes.length === 0
        ? { ...nothing, changes: "any", isSureChange: true }
        : { ...nothing, writes, changes: "files", isSureChange: true };
    }
    case "shell":
      if (view.continues !== null || call.continues !== null) return nothing;
      return shellEffects(splitCommand(view.command), isDone || outcome === "failed");
    case "generic":
      return /get|list|read|search|fetch|view|find|query|status|describe|show|snapshot|screenshot|wait|output|log/i.test(
        tool,
      )
        ? nothing
        : { ...nothing, changes: isDone ? "any" : "none" };
    case "browser":
    case "agent":
      return { ...nothing, changes: "any" };
    case "search":
    case "list":
    case "fetch":
    case "plan":
    case "question":
    case "think":
    case "answer":
      return nothing;
  }
}

/**
 * Files that a call has read: none if it was not run or its reading failed. A failed shell line has read those of commands that
 * others follow, unless they depend on an earlier command, as with `&&` and in a script that ends at its first failure.
 */
export function readsOf({ view, outcome, tool }: Call, { reads }: Effects): string[] {
  if (outcome === "ok" || outcome === "unknown") return reads;
  if (outcome !== "failed" || view.kind !== "shell" || reads.length === 0) return [];
  const pipelines = splitCommand(view.command);
  // The built-in agent runs scripts with `-e`.
  const endsAtFailure = tool === "shell" || pipelines[0]?.text.startsWith("set -e");
  const surely = pipelines
    .slice(0, -1)
    .filter(({ before }, index) => index === 0 || (before === ";" && !endsAtFailure));
  return shellEffects(surely, false).reads;
}

function shellEffects(pipelines: readonly Pipeline[], isRun: boolean): Effects {
  const reads: string[] = [];
  const writes: string[] = [];
  let isAny = false;
  let isSure = false;
  for (const pipeline of pipelines) {
    writes.push(...pipeline.writes);
    for (const program of [pipeline.program, ...pipeline.filterPrograms]) {
      if (program === null) continue;
      const effect = programEffects(program.name, program.args);
      reads.push(...effect.reads);
      writes.push(...effect.writes);
      isAny ||= effect.changes === "any";
      isSure ||= effect.isSureChange;
    }
  }
  if (!isRun) return { ...nothing, reads };
  return {
    reads,
    writes,
    changes: isAny ? "any" : writes.length > 0 ? "files" : "none",
    isSureChange: isSure || writes.length > 0,
  };
}

const readers = new Set("cat head tail nl less more bat tac".split(" "));
const harmless = new Set(
  "ls ll grep egrep fgrep rg ag find fd wc pwd echo printf which whereis type sort uniq cut tr jq yq tree stat file du df ps top env printenv date sleep true false test [ [[ cd export set unset source . awk gawk column basename dirname realpath readlink uname whoami id hostname diff cmp md5sum sha256sum xxd od strings seq xargs man help history alias ulimit lsof netstat ss ping dig nslookup host tput clear exit wait jobs kill pkill pgrep curl wget for case gh time : pushd popd return local read shift trap command exec yes rev fold fmt comm join paste".split(
    " ",
  ),
);
const readingGit = new Set(
  "status log diff show branch remote rev-parse ls-files ls-tree blame grep check-ignore fetch describe config reflog cat-file shortlog tag name-rev merge-base diff-tree rev-list for-each-ref count-objects var version help add commit push worktree symbolic-ref".split(
    " ",
  ),
);
const checkers = new Set(
  "pytest py.test unittest mypy pyright flake8 pylint jest vitest mocha ava tsc tsgo vue-tsc golangci-lint staticcheck phpunit pest rspec ctest shellcheck actionlint cypress playwright phpstan psalm".split(
    " ",
  ),
);

function programEffects(name: string, args: readonly string[]): Effects {
  const files = args.filter((word) => !word.startsWith("-"));
  if (readers.has(name)) return { ...nothing, reads: files.filter((word) => /[./]/.test(word)) };
  if (name === "sed" || name === "perl") {
    const isInPlace = args.some((word) => /^-(i|[a-z]*i\b|pi)|^--in-place/.test(word));
    if (isInPlace) return change(files.filter((word) => /[./]/.test(word) && !/^(s|\/|y)[^\w]/.test(word)));
    return { ...nothing, reads: name === "sed" ? files.slice(1).filter((word) => /[./]/.test(word)) : [] };
  }
  if (/^(tee|touch|truncate)$/.test(name)) return change(files);
  if (/^(mv|rm|cp|ln|install|unlink|rsync)$/.test(name)) return change(files);
  if (/^(mkdir|rmdir|chmod|chown)$/.test(name)) return { ...nothing, writes: [], changes: "none" };
  if (name === "git") {
    const verb =
      args.find((word, index) => !word.startsWith("-") && args[index - 1] !== "-C" && args[index - 1] !== "-c") ?? "";
    return readingGit.has(verb) ? nothing : any;
  }
  if (harmless.has(name) || checkers.has(name)) return nothing;
  if (name === "go") return /^(test|vet|version|env|list|doc)$/.test(args[0] ?? "") ? nothing : any;
  if (name === "cargo") return /^(test|clippy|tree|--version|metadata)$/.test(args[0] ?? "") ? nothing : any;
  if (name === "eslint" || name === "ruff" || name === "biome" || name === "prettier" || name === "rubocop") {
    return args.some((word) => /^(--fix|--write|-w|-a|-A|--apply|--unsafe|--autocorrect)/.test(word)) ? any : nothing;
  }
  if (/^(npm|pnpm|yarn|bun|mise|make|just|deno)$/.test(name)) {
    const line = args.join(" ");
    if (/fix|format|fmt|write|update|generate|build|install|\badd\b|\bci\b|remove|clean/.test(line)) return any;
    return /\b(test|lint|check|typecheck|tsc|ls|list|view|why|info|audit|outdated|config|bin|root|version|vet)\b/.test(
      line,
    )
      ? nothing
      : unknown;
  }
  if (
    /^(node|python[\d.]*|ruby|php|deno|tsx)$/.test(name) &&
    args.some((word) => /^(--version|-V|-v|--test|--check|-c)$/.test(word))
  ) {
    return args.includes("-c") ? unknown : nothing;
  }
  if (/^(gofmt|black|isort|rustfmt|clang-format|goimports|patch|pip[\d.]*|apt-get|apt|brew|gem|poetry|uv)$/.test(name))
    return any;
  return unknown;
}

const any: Effects = { ...nothing, changes: "any", isSureChange: true };
const unknown: Effects = { ...nothing, changes: "any" };
const change = (writes: string[]): Effects => ({ ...nothing, writes, changes: "files", isSureChange: true });

/** Files that no check depends on: notes, logs, files in a temporary folder. */
export function isAside(path: string): boolean {
  return (
    /^(\/tmp\/|\/private\/tmp\/|\/var\/tmp\/|~\/\.|\$TMP)/.test(path) ||
    /\.(md|mdx|txt|log|rst|patch|diff)$/i.test(path)
  );
}

/** A test file, by its path. */
export function isTestFile(path: string): boolean {
  return /(^|\/)(tests?|specs?|__tests__|testing)\/|(^|[/._-])(tests?|spec)[._-]|[._-](tests?|spec)\.\w+$|_test\.\w+$|(^|\/)test_\w+\.py$|Tests?\.\w+$/.test(
    path,
  );
}
