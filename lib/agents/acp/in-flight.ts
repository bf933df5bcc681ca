import type { Progress } from "#lib/contract/progress.ts";
import { storableJson, storableText } from "./storable.ts";
import { type ToolCall, toolInput, toolName } from "./tool-call.ts";
import { runningOutput } from "./tool-entry.ts";

const callsMax = 50;
const piecesMax = 50;
const charactersMax = 16_384;

/** Shows what is in flight, bounded as {@link Progress} travels: often, and as a whole each time. */
export class InFlight {
  /** By the input as the agent told it: a large one is not written anew with each piece of output. */
  #inputs = new WeakMap<object, unknown>();

  /**
   * What was said before the open calls is their thought: it stays in view while they run, as it will stand in their
   * entries, and comes before what is said now.
   */
  show(said: { thought: string; text: string }, calls: ToolCall[], now: Date): Progress {
    const before = calls.flatMap(({ thought }) => thought.slice(-piecesMax)).slice(-piecesMax);
    const thoughts = [...before.map((text) => text.slice(-charactersMax)), said.thought].filter((text) => text !== "");
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
