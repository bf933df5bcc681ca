/** Text as a block of code, in a fence that nothing in it ends (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). */
export function fenced(text: string, language = ""): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
