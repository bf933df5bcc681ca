import type { FeedRange } from "./feed-range.ts";

/** Loads what the list is about to show. Keep the identity of each function. */
export type FeedLoader = {
  isLoading: boolean;
  /** These items are rendered (view and overscan) and should be loaded. Not called for an empty list. */
  rendered: (range: FeedRange) => void;
  /**
   * A jump to a place is about to be made. Resolves when the item there is loaded; null if it already is, or need not be awaited.
   */
  prepare?: (place: number, around: FeedRange) => Promise<unknown> | null;
  /** A jump will render these items. Called before it does, so that they can be requested at once. */
  jumped?: (range: FeedRange) => void;
};

/** Gives the texts of items, which a copied selection has in place of items that are not rendered. Keep the identity of each function. */
export type FeedTexts = {
  /** The text of an item; null if it is not at hand. */
  textOf: (index: number) => string | null;
  /** A selection has its ends in these items: their texts, and those between, may be needed. Null: there is none. */
  prepareTexts: (ends: FeedRange | null) => void;
};
