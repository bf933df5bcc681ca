/** Puts a command at the beginning of the prompt, in place of another command there. */
export function beginWith(name: string, prompt: string, commands: readonly { name: string }[]): string {
  const before = commands
    .map((command) => `/${command.name}`)
    .filter((command) => prompt === command || prompt.startsWith(`${command} `))
    .toSorted((one, other) => other.length - one.length)[0];
  const rest = before === undefined ? prompt.trimStart() : prompt.slice(before.length).trimStart();
  return `/${name} ${rest}`;
}
