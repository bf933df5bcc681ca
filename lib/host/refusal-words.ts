import { z } from "zod";

const Words = z.string().transform((text) => text.trim());
const Said = z.union([
  Words,
  // GitLab: a list, or lists by field.
  z.array(Words).transform((list) => list.join(", ")),
  z.record(z.string(), z.union([Words, z.array(Words)])).transform((fields) =>
    Object.entries(fields)
      .map(([field, words]) => `${field} ${[words].flat().join(", ")}`)
      .join("; "),
  ),
]);
// GitHub: details, some with words, others with a field and a code.
const Detail = z.union([
  Words,
  z.object({ message: Words }).transform(({ message }) => message),
  z.object({ field: z.string(), code: z.string() }).transform(({ field, code }) => `${field} is ${code}`),
]);

const Body = z.object({
  message: z.unknown().optional(),
  error: z.unknown().optional(),
  errors: z.unknown().optional(),
});

/** A refusal that anybody writes is shorter: longer bodies are not read. */
const bytesMax = 64 * 1024;
const detailsMax = 20;

/** What a code host says about a refusal, from the body of its response; empty if it says nothing, or too much. */
export function wordsOf(bytes: Uint8Array): string {
  if (bytes.length > bytesMax) return "";
  const body = Body.safeParse(jsonOf(bytes)).data;
  if (body === undefined) return "";
  const [first = ""] = [body.message, body.error].flatMap((said) => {
    const words = Said.safeParse(said).data ?? "";
    return words === "" ? [] : [words];
  });
  const details = z.array(z.unknown()).safeParse(body.errors).data ?? [];
  const more = details
    .slice(0, detailsMax)
    .flatMap((detail) => Detail.safeParse(detail).data ?? [])
    .filter((words) => words !== first);
  return [first, more.join("; ")].filter((words) => words !== "").join(": ");
}

/** JSON of a body; undefined if it is not JSON. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
