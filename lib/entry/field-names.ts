/**
 * Names of fields whose values the cards show in a place of their own, with the name at most as a label. Every other name is part of
 * an entry's text.
 */
const labels = new Set(
  [
    "inference_geo iterations completed CodeContent Cwd DirectoryPath SearchTerm StartLine Url _diff_cache action after agent agent_name ",
    "agent_run_id agent_type aggregated_output annotations answer answers author base before behind body branch ",
    "browser_actions by bytes cell_id chars checks choices cmd code command commit conclusion content contents ",
    "cwd data decision deletions description detail details diagnostics diff diffs dir dir_path directory done ",
    "draft duration duration_ms duration_seconds edits element element_id end_line error excerpt exit exitCode exit_code ",
    "explanation extras failing file_name file_path file_text filenames files final_thought findings first ",
    "formatted_output functionResponse glob header hint hostname id ids ignored index input insert_line ",
    "insert_text insertions instructions interrupted isError is_error items keystrokes kind label line ",
    "line_number lines linked_agent_run_id loaded map media_type message metadata mimeType mime_type multiSelect ",
    "multiple name newString newText newTodos new_content new_source new_str new_string notice number ",
    "observation of offset oldString oldText oldTodos old_content old_path old_str old_string open option ",
    "options originalFile output output_reported patch patchText path paths pattern permission plan prefix ",
    "prompt py_interpreter_path q query question questions reason reasoning red_on_base ref ref_id regex ",
    "relation replacement_text response result resultDisplay returncode reused role round rounds rule run_id ",
    "script search_query search_term selector session session_id signal source start_line state status stderr ",
    "stdout step structuredPatch subagent_type subject submission success suffix summary target targets task ",
    "taskId task_id text thought time title todos toolUseResult truncated ts turn type uri url username value ",
    "verdict view_range web_url workdir working_dir working_directory",
  ]
    .join("")
    .split(" "),
);

/** Whether a field's name in an entry is a label, and neither found nor highlighted; its value true, false or null neither. */
export function isLabel(name: string): boolean {
  return labels.has(name);
}

/** Values that the cards show as an icon or by what they draw, not as text. */
const drawn: Readonly<Record<string, ReadonlySet<unknown>>> = {
  status: new Set(["completed", "success", "pending", "in_progress"]),
  type: new Set(["text", "input_text", "output_text", "image", "input_image", "content", "diff"]),
  detail: new Set(["auto"]),
};

/** Whether the value of a field is not part of an entry's text, as a card shows it in another way. */
export function isDrawn(name: string, value: unknown): boolean {
  if (value === null || typeof value === "boolean") return isLabel(name);
  return typeof value === "string" && Object.hasOwn(drawn, name) && drawn[name]?.has(value) === true;
}
