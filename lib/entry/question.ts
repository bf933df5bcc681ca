import { fieldsOf, stringField, textField } from "#lib/contract/json-fields.ts";
import { resultTextOf } from "./result-text.ts";

/** One question an agent asked a person, with the offered answers and, if known, the given one. */
export type AskedQuestion = {
  /** A word or two above the question; null if the agent gave none. */
  header: string | null;
  text: string;
  /** Whether several options may be chosen. */
  isMultiple: boolean;
  options: { label: string; description: string | null }[];
  /** The person's answer; null until there is one, or if the result does not contain it for this question. */
  answer: string | null;
};

/** Questions in a tool's input (`questions`, or one `question`), with the answers from its result. */
export function questionsOf(toolInput: unknown, toolOutput: unknown): AskedQuestion[] {
  const input = fieldsOf(toolInput);
  const asked = Array.isArray(input.questions) ? input.questions : [input];
  const answers = answersOf(input, toolOutput);
  return asked.flatMap((value): AskedQuestion[] => {
    const fields = typeof value === "string" ? { question: value } : fieldsOf(value);
    const text = textField(fields, "question", "text", "prompt", "message");
    if (text === null) return [];
    const options = Array.isArray(fields.options)
      ? fields.options
      : Array.isArray(fields.choices)
        ? fields.choices
        : [];
    const offered = options.flatMap(optionOf);
    return [
      {
        header: textField(fields, "header", "title"),
        text,
        isMultiple: fields.multiSelect === true || fields.multiple === true,
        options: offered,
        answer: answers(text, asked.length === 1, new Set(offered.map(({ label }) => label))),
      },
    ];
  });
}

function optionOf(value: unknown): AskedQuestion["options"] {
  if (typeof value === "string") return [{ label: value, description: null }];
  const fields = fieldsOf(value);
  const label = textField(fields, "label", "name", "text", "value");
  return label === null ? [] : [{ label, description: textField(fields, "description") }];
}

/** Reads the answer to a question from `answers` (by its text) or from a sentence like `"question"="answer"`. */
function answersOf(input: Record<string, unknown>, toolOutput: unknown) {
  const output = fieldsOf(toolOutput);
  const byText = {
    ...fieldsOf(input.answers),
    ...fieldsOf(fieldsOf(output.toolUseResult).answers),
    ...fieldsOf(output.answers),
  };
  const said =
    typeof toolOutput === "string"
      ? toolOutput
      : (resultTextOf(output).text ?? stringField(output, "answer", "response"));
  return (question: string, isOnly: boolean, labels: ReadonlySet<string>): string | null => {
    const own = byText[question];
    if (typeof own === "string") return own;
    if (Array.isArray(own)) return own.filter((one) => typeof one === "string").join(", ");
    const at = said?.indexOf(`"${question}"="`) ?? -1;
    if (said !== null && at !== -1) {
      const start = at + question.length + 4;
      const end = /"(?:,\s|\.|\s|$)/.exec(said.slice(start))?.index;
      return end === undefined ? said.slice(start) : said.slice(start, start + end);
    }
    if (!isOnly) return null;
    const only = textField(output, "answer", "response");
    return only ?? (said !== null && labels.has(said.trim()) ? said.trim() : null);
  };
}
