/** A program with its arguments, after everything that only starts it: assignments, `npx`, `timeout 60`, `mise exec --`. */
export type Program = {
  /** Its name without a path and without `.exe`. */
  name: string;
  args: string[];
  /** It was started by a package runner (npx, bunx, uv run …), so it may have to be fetched first. */
  isFetched: boolean;
};

/** Words of options that take the next word as their value, for the starters below. */
type Starter = { takesValue: RegExp; positional?: number; isFetched?: boolean };

const plain: Starter = { takesValue: /^$/ };
const starters: Record<string, Starter> = {
  sudo: { takesValue: /^-[ugp]$/ },
  env: { takesValue: /^-[uCS]$/ },
  time: plain,
  command: plain,
  exec: plain,
  nohup: plain,
  rtk: plain,
  nice: { takesValue: /^-n$/ },
  stdbuf: { takesValue: /^-[ioe]$/ },
  timeout: { takesValue: /^-[ks]$/, positional: 1 },
  gtimeout: { takesValue: /^-[ks]$/, positional: 1 },
  "xvfb-run": plain,
  "cross-env": plain,
  dotenv: { takesValue: /^-[ef]$/ },
  npx: { takesValue: /^(-p|--package|-c)$/, isFetched: true },
  bunx: { takesValue: /^(-p|--package)$/, isFetched: true },
  pnpx: { takesValue: /^--package$/, isFetched: true },
  uvx: { takesValue: /^(--from|--with)$/, isFetched: true },
};

/** Starters of two words. */
const pairs: Record<string, readonly string[]> = {
  pnpm: ["exec", "dlx"],
  yarn: ["exec", "dlx"],
  npm: ["exec", "x"],
  bun: ["x"],
  uv: ["run"],
  poetry: ["run"],
  pipenv: ["run"],
  pdm: ["run"],
  hatch: ["run"],
  rye: ["run"],
  bundle: ["exec"],
  mise: ["exec", "x"],
  direnv: ["exec"],
  conda: ["run"],
};

/** The program that a command's words finally run; null if there is none. */
export function programOf(words: readonly string[]): Program | null {
  let rest = words;
  let isFetched = false;
  for (let depth = 0; depth < 8; depth += 1) {
    rest = withoutAssignments(rest);
    const [first, second] = rest;
    if (first === undefined) return null;
    const name = baseName(first);
    const starter = Object.hasOwn(starters, name) ? starters[name] : undefined;
    if (starter !== undefined) {
      rest = behindOptions(rest.slice(1), starter);
      isFetched ||= starter.isFetched ?? false;
    } else if (second !== undefined && Object.hasOwn(pairs, name) && pairs[name]?.includes(second)) {
      rest = behindOptions(rest.slice(2), { takesValue: /^(-p|-n|--package|--with|--extra|--group|--name|-C)$/ });
      if (name === "direnv") rest = rest.slice(1);
      isFetched = true;
    } else if (/^python[\d.]*$/.test(name) && second === "-m" && rest[2] !== undefined) {
      return { name: rest[2], args: rest.slice(3), isFetched };
    } else {
      return { name, args: rest.slice(1), isFetched };
    }
  }
  return null;
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const from = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  return from === -1 ? [] : words.slice(from);
}

function behindOptions(words: readonly string[], { takesValue, positional = 0 }: Starter): readonly string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (word === "--") {
      at += 1;
      break;
    }
    if (!word.startsWith("-") && !/^[A-Za-z_]\w*=/.test(word)) break;
    at += takesValue.test(word) ? 2 : 1;
  }
  // `mise exec node@20 -- npm test`: tools may precede the dashes.
  const dashes = words.indexOf("--", at);
  if (dashes !== -1 && words.slice(at, dashes).every((word) => word.includes("@"))) at = dashes + 1;
  return words.slice(at + positional);
}

/** The last part of a path, without `.exe`, `.cmd` and the like. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.(exe|cmd|bat)$/i, "");
}
