/**
 * Stands for zod in the browser (next.config.mjs), where the contract is read for its paths, methods and words and never to
 * check anything: requests are checked by the service, answers are trusted to be what the contract says. zod itself is a
 * fifth of what a page may load. Lists of words (`z.enum`) are whole; every other schema refuses to parse. The build leaves
 * few modules of the contract that need it (contract-for-browsers.ts); under `npm run dev` all of them do.
 */
export const z: unknown = new Proxy(Object.create(null), { get: (_, name) => (name === "enum" ? wordList : inert) });

/** Any schema, and any way to make one of it. */
export const inert: unknown = new Proxy(() => inert, {
  get: (_, name) => (name === "parse" || name === "safeParse" ? refuse : name === "then" ? undefined : inert),
});

/** What `z.enum` gives, as far as a page needs it. */
export function wordList(options: readonly string[]): unknown {
  const safeParse = (value: unknown) =>
    options.some((option) => option === value) ? { success: true, data: value } : { success: false };
  return new Proxy(
    { options, safeParse },
    { get: (own, name) => Reflect.get(own, name) ?? (name === "parse" ? refuse : inert) },
  );
}

function refuse(): never {
  throw new Error("Schemas are not part of the page: let the service check it.");
}
