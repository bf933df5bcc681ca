/** What stands in place of a secret that was taken out of a text; it tells nothing of its length. */
export const secretMask = "[secret masked]";
