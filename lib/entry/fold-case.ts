/** Letters whose lower case has another form for the same letter: simple case folding (CaseFolding.txt of Unicode). */
const sameLetters: Readonly<Record<string, string>> = {
  ...{ µ: "μ", ſ: "s", "\u0345": "ι", ς: "σ", ϐ: "β", ϑ: "θ", ϕ: "φ", ϖ: "π", ϰ: "κ", ϱ: "ρ", ϵ: "ε" },
  ...{ "\u1c80": "в", "\u1c81": "д", "\u1c82": "о", "\u1c83": "с", "\u1c84": "т", "\u1c85": "т", "\u1c86": "ъ" },
  ...{ "\u1c87": "ѣ", "\u1c88": "ꙋ", ẛ: "ṡ", "\u1fbe": "ι", "\u1fd3": "ΐ", "\u1fe3": "ΰ", "\ufb05": "ﬆ" },
  // The Turkish letters too, which Unicode folds by language: the language of a log is not known.
  ı: "i",
};
const special = new RegExp(`[${Object.keys(sameLetters).join("")}]`, "g");
/** Few texts contain one of these; for the others `toLowerCase` is enough. `Σ` is here because it becomes `ς` at the end of a word. */
const anySpecial = new RegExp(`[İΣ${Object.keys(sameLetters).join("")}]`);

/**
 * A text in the form in which texts are compared regardless of case: in the index, in a find and on the page. Its letters are at
 * the same places as in the text, in UTF-16 units.
 */
export function foldCase(text: string): string {
  if (!anySpecial.test(text)) return text.toLowerCase();
  const lower = text.replaceAll("İ", "i").toLowerCase();
  return lower.replace(special, (letter) => sameLetters[letter] ?? letter);
}
