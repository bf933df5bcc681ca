/** Output of a background command as Claude Code prints it, taken apart. Null for what is not there. */
export type TaggedOutput = {
  stdout: string | null;
  stderr: string | null;
  exitCode: number | null;
  /** The other tags, such as `status` and `timestamp`, in order. */
  chips: { label: string; value: string }[];
};

const tag = /^\s*<(status|exit_code|stdout|stderr|timestamp|filtered)>([\s\S]*?)<\/\1>/;
const lengthMax = 200_000;

/** Reads a text that is nothing but such tags; null for any other. */
export function taggedOutputOf(text: string): TaggedOutput | null {
  if (text.length > lengthMax || !/^\s*<(?:status|exit_code|stdout|stderr)>/.test(text)) return null;
  const read: TaggedOutput = { stdout: null, stderr: null, exitCode: null, chips: [] };
  let rest = text;
  for (let found = tag.exec(rest); found !== null; found = tag.exec(rest)) {
    const [whole, name = "", inner = ""] = found;
    const value = inner.replace(/^\n/, "");
    if (name === "stdout" || name === "stderr") read[name] = value;
    else if (name === "exit_code" && /^\d{1,6}$/.test(value.trim())) read.exitCode = Number(value);
    else read.chips.push({ label: name, value: value.trim() });
    rest = rest.slice(whole.length);
  }
  return rest.trim() === "" ? read : null;
}
