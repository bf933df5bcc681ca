/**
 * Names of fields that the cards take apart: what stands in them is shown at its place, and the name is at most a label beside it.
 * Every other name is part of an entry's text.
 */
const labels = new Set(
  (
    "CodeContent Cwd DirectoryPath SearchTerm StartLine Url action agent agent_name agent_run_id agent_type annotations " +
    "answer answers author base behind body branch browser_actions by bytes cell_id chars checks choices cmd code " +
    "command commit conclusion content contents cwd data decision deletions description detail diff diffs dir dir_path " +
    "directory done draft duration duration_ms edits element element_id error excerpt exit exitCode exit_code " +
    "explanation extras failing file_name file_path file_text files final_thought findings first functionResponse glob " +
    "header hint id ids ignored index input insert_line insert_text insertions instructions interrupted isError is_error " +
    "items keystrokes kind label line line_number lines linked_agent_run_id map media_type message metadata mimeType " +
    "mime_type multiSelect multiple name newString newText new_source new_str new_string notice number of offset " +
    "oldString oldText old_path old_str old_string open option options output output_reported patch patchText path paths " +
    "pattern permission plan prompt q query question questions reason reasoning red_on_base ref ref_id regex relation " +
    "replacement_text response result returncode reused role round rounds rule run_id script search_query search_term " +
    "selector session session_id signal source start_line state status stderr stdout step subagent_type subject " +
    "submission success summary target targets task taskId task_id text thought time title todos truncated ts turn type " +
    "uri url value verdict view_range web_url workdir working_directory"
  ).split(" "),
);

/** Whether a field's name in an entry is a label, and neither found nor highlighted; its value true, false or null neither. */
export function isLabel(name: string): boolean {
  return labels.has(name);
}
