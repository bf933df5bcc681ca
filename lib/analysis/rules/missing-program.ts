/** Messages of shells and runtimes about a missing program, with its name. */
const patterns: readonly RegExp[] = [
  /^(?:\S*(?:bash|zsh|sh|dash|fish)\S*: )?(?:-c: )?(?:(?:line )?\d+: )?(?<name>[\w./@+-]+): (?:command )?not found$/,
  /^(?:zsh: )?(?:\(eval\):\d+: )?command not found: (?<name>[\w./@+-]+)$/,
  /^(?:fish: )?Unknown command:? (?<name>[\w./@+-]+)/,
  /^'?(?<name>[\w./\\@+-]+)'? is not recognized as (?:an internal or external command|the name of a cmdlet)/,
  /^(?:\/usr\/bin\/)?env: [‘'"]?(?<name>[\w./@+-]+)[’'"]?: No such file or directory$/,
  /^(?:\S*(?:bash|zsh|sh|dash)\S*: )(?:(?:line )?\d+: )?(?<name>\.{0,2}[\w./@+-]*\/[\w.@+-]+): (?:No such file or directory|not found)$/,
  /exec: "(?<name>[^"]+)": executable file not found in \$PATH/,
  /(?:^|\s)spawn (?<name>[\w./@+-]+) ENOENT/,
  /^(?:\S*python[\d.]*: )No module named (?<name>[\w.]+)$/,
  /^Command '(?<name>[\w.-]+)' not found, but can be installed with/,
  /^(?:Error: |error: )?(?:Executable|Command|Program) "?(?<name>[\w./@+-]+)"? not found(?: in \$?PATH)?\.?$/i,
];

/** False if no line of a text can say that a program is missing: cheaper than {@link missingProgramIn}. */
export function mayNameMissing(text: string): boolean {
  return /[Nn]ot [Ff]ound|NOT FOUND|ENOENT|No such file|not recognized|No module named|Unknown command/.test(text);
}

/** The program that a line says is missing, or null. */
export function missingProgramIn(line: string): string | null {
  if (!mayNameMissing(line)) return null;
  const text = line.trim();
  for (const pattern of patterns) {
    const name = pattern.exec(text)?.groups?.name;
    if (name !== undefined) return name;
  }
  return null;
}
