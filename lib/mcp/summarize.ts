import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";
import { Question } from "#lib/contract/runs/question.ts";
import { cutText } from "#lib/cut-text.ts";
import { questionText } from "#lib/entry/asked-request.ts";
import { visitValues } from "#lib/entry/entry-text.ts";

/** Longest text of a tool's result, in characters: some clients give a model only this, and models read slowly. */
const charactersMax = 24_000;
const lineMax = 400;

type Fields = Record<string, unknown>;

/** Short text for a tool's result, for clients that show no structured content. */
export function summarize(tool: string, answer: Fields): string {
  const text = lines(tool, answer).join("\n");
  return cutText(text, charactersMax, "…");
}

function lines(tool: string, answer: Fields): string[] {
  switch (tool) {
    case "wait_for_run":
      return [waitWords(answer), ...runLines(fieldsOf(answer.run))];
    case "list_runs":
      return [counted(answer, "run"), ...itemsOf(answer.items).map(runLine)];
    case "search_runs":
      return [counted(answer, "run"), ...itemsOf(answer.items).flatMap(foundLines)];
    case "read_log":
      return logLines(answer);
    case "find_in_run":
      return [
        `${amount(numberField(answer, "matching_logs"), "entry", "entries")} contain the text.`,
        ...hitLines(answer),
      ];
    case "analyze":
      return analysisLines(answer);
    case "list_repositories":
      return [counted(answer, "repository", "repositories"), ...itemsOf(answer.items).map(repositoryLine)];
    case "list_agents":
      return itemsOf(answer.items).map(agentLine);
    case "get_diff":
      return [textField(answer, "text") || "Nothing was changed."];
    case "read_file":
      return [textField(answer, "content") ?? `The file has ${answer.bytes} bytes, which is too much to show.`];
    case "start_run":
    case "resume_run":
    case "cancel_run":
    case "answer_question":
    case "get_run":
      return runLines(answer);
    default:
      return [JSON.stringify(answer)];
  }
}

function waitWords({ outcome }: Fields): string {
  if (outcome === "ended") return "The run has ended.";
  return outcome === "question" ? "The run asks a question." : "The run is still working: wait again.";
}

function runLine(run: Fields): string {
  const summary = textField(run, "summary");
  const asked = `asked: ${textField(run, "prompt") ?? ""}`;
  const words =
    summary === null
      ? asked
      : hasAnsweredLatest(run)
        ? summary
        : `${asked} (turn ${run.result_turn} answered: ${summary})`;
  return line(`Run ${run.id}, ${run.status}, ${run.repo_full_name ?? "no repository"}: ${words}`);
}

function runLines(run: Fields): string[] {
  const question = fieldsOf(run.question);
  const changes = fieldsOf(run.changes);
  const result = textField(run, "result");
  return [
    `Run ${run.id}, ${run.status}, ${run.total_logs} log entries, ${run.web_url}`,
    ...(numberField(changes, "files") === null
      ? []
      : [`Changed ${changes.files} files: +${changes.insertions} -${changes.deletions}, branch ${run.branch}`]),
    ...(textField(question, "id") === null || question.answered === true
      ? []
      : [
          line(`Question ${question.id}: ${question.title}`),
          ...questionLines(run.question),
          ...itemsOf(question.options).map(({ id, name }) => `  option_id ${id}: ${name}`),
        ]),
    ...(result === null
      ? []
      : [
          hasAnsweredLatest(run)
            ? `Result: ${result}`
            : `Result of turn ${run.result_turn}, not of the latest: ${result}`,
        ]),
  ];
}

/** What the question asks for besides its title. */
function questionLines(value: unknown): string[] {
  const { data } = Question.safeParse(value);
  const [, ...lines] = data === undefined ? [] : questionText(data).split("\n");
  return lines.map((text) => line(`  ${text}`));
}

/** Whether a run's result answers its latest message: the latest turn gave it, and no other is about to start. */
function hasAnsweredLatest(run: Fields): boolean {
  const isContinuing = textField(run, "finished_at") === null && numberField(run, "queued_turns") !== 0;
  return run.result_turn === run.latest_turn && !isContinuing;
}

function foundLines(found: Fields): string[] {
  return [runLine(fieldsOf(found.run)), ...hitLines(found)];
}

function hitLines({ hits }: Fields): string[] {
  return itemsOf(hits).map((hit) => line(`  #${hit.seq} ${hit.tool_name ?? hit.message_type}: ${hit.snippet}`));
}

function logLines(answer: Fields): string[] {
  const logs = itemsOf(answer.logs);
  const total = numberField(answer, "matching_logs", "total_logs") ?? 0;
  const head = `Run ${answer.id}, ${answer.status}: ${logs.length} of ${amount(total, "entry", "entries")}, page ${answer.page} of ${answer.pages}.`;
  return [head, ...logs.map(entryLine)];
}

function entryLine(entry: Fields): string {
  const texts: string[] = [];
  let length = 0;
  visitValues({ ...entry, tool_name: null }, (text) => {
    texts.push(text);
    length += text.length;
    return length < lineMax;
  });
  return line(`#${entry.seq} ${entry.message_type} ${entry.tool_name ?? ""}: ${texts.join(" · ")}`);
}

function analysisLines(answer: Fields): string[] {
  const outcome = fieldsOf(answer.outcome);
  const causes = itemsOf(answer.causes);
  return [
    `${outcome.status}${outcome.verdict === null ? "" : `, ${outcome.verdict}`}; ${answer.analysed} entries were read.`,
    ...causes.map((cause) => line(`${cause.title} (${cause.confidence}, entry ${cause.first_seq}): ${cause.why}`)),
    ...(causes.length === 0 ? ["The rules found no cause of a failure."] : []),
  ];
}

function repositoryLine(repository: Fields): string {
  return line(`Repository ${repository.id}: ${repository.full_name}, default branch ${repository.default_branch}`);
}

function agentLine(agent: Fields): string {
  const state = agent.ready === true ? "ready" : `not ready: ${stringField(agent, "reason") ?? ""}`;
  return line(`${agent.id} (${agent.title}), ${state}${agent.is_default === true ? ", the default" : ""}`);
}

function counted({ total, items }: Fields, one: string, many = `${one}s`): string {
  const shown = itemsOf(items).length;
  return typeof total === "number"
    ? `${amount(total, one, many)}, ${shown} shown.`
    : `${amount(shown, one, many)} shown.`;
}

function amount(count: number | null, one: string, many: string): string {
  return `${count ?? 0} ${count === 1 ? one : many}`;
}

function itemsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function line(text: string): string {
  const flat = text.replace(/\s+/g, " ").trimEnd();
  return cutText(flat, lineMax, "…");
}
