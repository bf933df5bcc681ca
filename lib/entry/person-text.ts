import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { trimmedPrompt } from "./prompt-text.ts";

/** Text that a harness added to a conversation in a person's name: `tag` is its kind (`system-reminder`). */
export type InjectedText = { tag: string; text: string };

/** A person's own message, and the text added to it. */
export type PersonText = {
  /** The person's own words; empty if the whole message was injected. */
  text: string;
  injected: InjectedText[];
};

/**
 * Separates a person's words from text injected in their name: `<task-notification>`, `<system-reminder>`, `<bash-stdout>`,
 * `<uploaded_files>` and the like at the beginning or the end of a message.
 */
export function personTextOf(message: string): PersonText {
  const injected: InjectedText[] = [];
  let rest = trimmedPrompt(message);
  for (let found = leading.exec(rest); found !== null; found = leading.exec(rest)) {
    const [whole, tag, text] = found;
    injected.push({ tag: tag ?? "", text: (text ?? "").trim() });
    rest = trimmedPrompt(rest.slice(whole.length));
  }
  // Searched from the end, so that every reminder is read once; a pattern would read the whole text for each.
  while (rest.endsWith(reminderEnd)) {
    const start = rest.lastIndexOf(reminderStart);
    if (start === -1) break;
    injected.push({
      tag: "system-reminder",
      text: rest.slice(start + reminderStart.length, -reminderEnd.length).trim(),
    });
    rest = rest.slice(0, start).trimEnd();
  }
  return { text: rest, injected };
}

/**
 * Text of a message of any shape: a text, `{text}`, or content blocks (`[{type: "text", text}]`), joined; null if it has none.
 */
export function messageTextOf(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  if (Array.isArray(value)) {
    const texts = value.flatMap((block) => {
      const text = typeof block === "string" ? block : isTextBlock(block) ? textField(fieldsOf(block), "text") : null;
      return text ?? [];
    });
    return texts.length === 0 ? null : texts.join("\n\n");
  }
  const fields = fieldsOf(value);
  return textField(fields, "text") ?? (fields.content === undefined ? null : messageTextOf(fields.content));
}

function isTextBlock(block: unknown): boolean {
  const { type } = fieldsOf(block);
  return type === undefined || type === "text" || type === "input_text" || type === "output_text";
}

const tags =
  "task-notification system-reminder bash-input bash-stdout bash-stderr local-command-stdout local-command-stderr local-command-caveat uploaded_files environment_context user_instructions permissions subagent_notification turn_aborted ide_opened_file ide_selection command-name command-message command-args INSTRUCTIONS".replaceAll(
    " ",
    "|",
  );
const leading = new RegExp(`^<(${tags})(?: [^>]*)?>([\\s\\S]*?)</\\1>`);
const reminderStart = "<system-reminder>";
const reminderEnd = "</system-reminder>";
