import { z } from "zod";
import { repeatable } from "#lib/contract/define-operation.ts";
import { Text } from "#lib/contract/text.ts";
import { MessageType } from "./entry.ts";

/** Several values separated by commas, or the parameter repeated. */
const list = { [repeatable]: true };

const MessageTypes = z.string().transform((value, context): MessageType[] => {
  const types = new Set<MessageType>();
  for (const part of value.split(",")) {
    const { data: type } = MessageType.safeParse(part.trim());
    if (type === undefined) {
      const message = `must be one or several of ${MessageType.options.join(", ")}, separated by commas`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    types.add(type);
  }
  return [...types].sort();
});

const Flag = z.stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] });

/** Filter on the entries of a run; all given conditions must match. Without any: all entries. */
export const LogFilter = z.object({
  message_type: MessageTypes.optional().meta({
    description: "Only entries of these types: one, or several separated by commas or repeated",
    ...list,
  }),
  tool_name: Text(4000)
    .optional()
    .meta({ description: "Only entries of these tools: one, or several separated by commas or repeated", ...list }),
  errors: Flag.default(false).describe("Only errors: entries of type ERROR, and calls of a tool that failed"),
  prose: Flag.default(false).describe("Only entries with prose: a thought, a message, an answer or an error"),
  q: Text(200).optional().describe("Only entries that contain this text, as in findInLogs"),
});
export type LogFilter = z.infer<typeof LogFilter>;

/** True if a filter has any condition. */
export function isFiltering({ message_type, tool_name, errors, prose, q }: LogFilter): boolean {
  return message_type !== undefined || tool_name !== undefined || errors || prose || q !== undefined;
}
