import type { Progress } from "#lib/contract/runs/progress.ts";
import { storableJson, storableText } from "./storable.ts";
import { type ToolCall, toolInput, toolName } from "./tool-call.ts";
import { runningOutput } from "./tool-entry.ts";

const callsMax = 50;
const piecesMax = 50;
const charactersMax = 16_384;

/** The steps in flight, bounded because {@link Progress} is sent often, and in full each time. */
export class InFlight {
  /** Cached by the agent's input object, so that a large input is not serialized again with each piece of output. */
  #inputs = new WeakMap<object, unknown>();

  /**
   * Text before the open calls is their thought: it is shown while they run, as it will be in their entries, before the current
   * text.
   */
  show(said: { thought: string; text: string }, calls: ToolCall[], now: Date): Progress {
    const before = calls.flatMap(({ thought }) => thought.slice(-piecesMax)).slice(-piecesMax);
    const thoughts = [...before.map(({ text }) => text.slice(-charactersMax)), said.thought].filter(
      (text) => text !== "",
    );
    return {
      thought: storableText(thoughts.join("\n\n").slice(-charactersMax)),
      text: said.text,
      tools: calls.slice(0, callsMax).map((call) => ({
        id: call.id,
        tool_name: storableText(toolName(call)).slice(0, 200),
        title: storableText(call.title).slice(0, 1000),
        tool_input: this.#inputOf(call),
        output: runningOutput(call),
        started_at: call.startedAt.toISOString(),
      })),
      updated_at: now.toISOString(),
    };
  }

  #inputOf(call: ToolCall): unknown {
    const input = toolInput(call);
    const known = this.#inputs.get(input);
    if (known !== undefined) return known;
    const { value } = storableJson(input, charactersMax);
    this.#inputs.set(input, value);
    return value;
  }
}
