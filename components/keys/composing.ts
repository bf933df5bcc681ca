/**
 * Whether a key belongs to an input method that is composing a word. Safari reports the key that ends a composition after its end,
 * with the code 229.
 */
export function isComposing({
  isComposing: composes,
  keyCode,
}: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return composes || keyCode === 229;
}
