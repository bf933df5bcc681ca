const names: readonly RegExp[] = [
  /^--- FAIL: (\S+)/,
  /^FAILED (\S+::\S+)/,
  /^\(fail\) (.+?)(?: \[[\d.]+ms\])?$/,
  /^not ok \d+ -? ?(.+)$/,
  /^(?:FAIL|ERROR): (test\w* \(.+\))$/,
  /^test (\S+) \.\.\. FAILED$/,
  // Linters and runners use the same mark for summaries.
  /^[✖✗✘×❌] +(?!failing tests:|\d|FAIL|Failed\b|error\b|All )(.+?)(?: \([\d.]+ ?m?s\))?$/i,
];

/** Name of the failed test in a line of output (`✖ greets (2ms)`, `FAILED a.py::b`, `--- FAIL: X`), or null. */
export function failedTestName(line: string): string | null {
  for (const pattern of names) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}
