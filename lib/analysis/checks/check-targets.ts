import type { Check } from "./check.ts";

/** Arguments other than options; values of options known to limit a run count too. */
export function targetsOf(args: readonly string[]): string[] {
  const targets: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (
      /^(-k|-t|-run|--run|-m|--grep|-g|--testNamePattern|--test-name-pattern|-p|--package|--tests|--filter)$/.test(word)
    ) {
      targets.push(`${word} ${args[at + 1] ?? ""}`);
      at += 1;
    } else if (!word.startsWith("-") && !/^\.(\/\.\.\.)?$/.test(word) && word !== "./...") targets.push(word);
    else if (/^--?(run|grep|testNamePattern|test-name-pattern|tests|filter)=/.test(word)) targets.push(word);
  }
  return targets;
}

/** True if a run of `wide` checks everything that `narrow` did, so that its verdict replaces the other's. */
export function covers(wide: Pick<Check, "suite" | "targets">, narrow: Pick<Check, "suite" | "targets">): boolean {
  if (wide.suite !== narrow.suite) return false;
  return wide.targets.every((target) => {
    const folder = folderOf(target);
    return narrow.targets.some((own) => own === target || own.startsWith(folder));
  });
}

const folderOf = (target: string) => `${target.replace(/(\/|\/\.\.\.)$/, "")}/`;
