import type { FeedController } from "./feed-controller.ts";
import type { FeedList } from "./feed-handle.ts";
import type { FeedLoader } from "./feed-loader.ts";
import type { Align, FeedPosition } from "./feed-position.ts";
import type { FeedRange } from "./feed-range.ts";
import { FocusWhenThere } from "./focus-when-there.ts";
import type { Places } from "./places.ts";

type Given = { places: Places; loader: FeedLoader };

/** The list on the page, which a {@link FeedHandle} moves. */
export class ListOnPage implements FeedList {
  readonly #controller: FeedController;
  readonly #scroller: { current: HTMLElement | null };
  readonly #given: () => Given;
  readonly #focus = new FocusWhenThere();

  constructor(controller: FeedController, scroller: { current: HTMLElement | null }, given: () => Given) {
    this.#controller = controller;
    this.#scroller = scroller;
    this.#given = given;
  }

  places(): Places {
    return this.#given().places;
  }

  visible(): FeedRange {
    return this.#controller.position.range(0);
  }

  scrollTo(place: number, { align, within }: { align: Align; within?: number }): void {
    this.#jump((position) => position.scrollToIndex(place, align, within));
  }

  scrollToEnd(): void {
    this.#jump((position) => position.scrollToEnd());
  }

  prepare(place: number, around: FeedRange): Promise<unknown> | null {
    return this.#given().loader.prepare?.(place, around) ?? null;
  }

  focusedPlace(): number | null {
    const item = document.activeElement?.closest<HTMLElement>("[data-index]");
    return item === null || item === undefined || !this.#scroller.current?.contains(item)
      ? null
      : Number(item.dataset.index);
  }

  keyboard(): (place: number | null) => void {
    return this.#focus.from(document.activeElement, () => this.#scroller.current);
  }

  focusList(): void {
    this.#scroller.current?.focus({ preventScroll: true });
  }

  #jump(act: (position: FeedPosition) => void): void {
    this.#controller.jump(act);
    this.#given().loader.jumped?.(this.#controller.position.range(this.#controller.overscan));
  }
}
