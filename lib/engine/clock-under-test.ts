/**
 * Loaded before a program (`node --import`): its clock is ahead by its last argument, in milliseconds, and by what its parent
 * sends from then on (`{ aheadMs }`). Timers run as usual.
 */
let aheadMs = Number(process.argv.at(-1)) || 0;
const real = Date.now;
Date.now = () => real() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (date, given) => Reflect.construct(date, given.length === 0 ? [date.now()] : given),
});
process.on("message", (told) => {
  aheadMs = Number(Object(told).aheadMs);
});
