/** Replacement for a masked secret, which does not reveal its length. */
export const secretMask = "[secret masked]";
