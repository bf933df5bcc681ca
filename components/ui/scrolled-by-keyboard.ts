/** Props for a scrolling element, which must be reachable by keyboard. */
export const scrolledByKeyboard = { tabIndex: 0 };
