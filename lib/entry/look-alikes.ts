/** Letters that look like a Latin one wherever they stand: Cyrillic, Greek capitals and omicron, Armenian, Cherokee. */
const alike = "аеорсухіјѕһԁԛԝѵӏвкмнтгьАВЕКМНОРСТУХІЈЅԌѴӀ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο" + "օոսհցզՕՍ" + "ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ";
/** Greek letters are common in the names of formulas (`ρmax`, `dα`): they count only between two Latin ones. */
const onlyLatin = new RegExp(
  `^(?:\\p{Script=Latin}|\\p{M}|[${alike}]|(?<=\\p{Script=Latin})[αγικνρτυχω](?=\\p{Script=Latin}))+$`,
  "u",
);
const eachAlike = new RegExp(`[${alike}αγικνρτυχω]`, "gu");
const word = /[\p{L}\p{M}]+/gu;
const latin = /\p{Script=Latin}/u;
/** No name is longer, and each word is read several times. */
const wordMax = 200;

/**
 * Positions of letters of another script in words that look wholly Latin: the Cyrillic `а` in `pаypal`. Words of one script, and
 * those that show that they are mixed, such as `Δx` or a Latin word with a Cyrillic ending, have none.
 */
export function lookAlikesIn(text: string): number[] {
  if (text.search(eachAlike) === -1) return [];
  return Array.from(text.matchAll(word)).flatMap(({ 0: letters, index }) => {
    if (letters.length > wordMax || !latin.test(letters) || !onlyLatin.test(letters)) return [];
    return Array.from(letters.matchAll(eachAlike), (found) => index + found.index);
  });
}
