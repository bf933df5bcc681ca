/** For an element that scrolls: what scrolls must be reachable by the keyboard. */
export const scrolledByKeyboard = { tabIndex: 0 };
