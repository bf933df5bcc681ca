type StoredChoiceOptions<Value extends string> = {
  /** Storage key in the browser. */
  key: string;
  /** Parses the stored text; null if nothing is stored. */
  parse: (stored: string | null) => Value;
  /** Shows the choice on the page, as an attribute that styles read. */
  apply?: (value: Value) => void;
};

/** A choice shared by all open pages of this browser. If storage is refused, it lasts as long as the page. */
export class StoredChoice<Value extends string> {
  readonly #options: StoredChoiceOptions<Value>;
  readonly #listeners = new Set<() => void>();
  #value: Value | null = null;
  /** False if the browser refused to store the value. */
  #isStored = true;

  constructor(options: StoredChoiceOptions<Value>) {
    this.#options = options;
  }

  readonly read = (): Value => {
    this.#value ??= this.#options.parse(this.#stored());
    return this.#value;
  };

  readonly choose = (value: Value): void => {
    this.#take(value);
    try {
      localStorage.setItem(this.#options.key, value);
      this.#isStored = true;
    } catch {
      // The choice lasts as long as the page.
      this.#isStored = false;
    }
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) {
      window.addEventListener("storage", this.#onStorage);
      // Another page may have chosen while nothing here listened.
      const now = this.#options.parse(this.#stored());
      if (this.#isStored && now !== this.#value) this.#take(now);
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) window.removeEventListener("storage", this.#onStorage);
    };
  };

  readonly #onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === this.#options.key) this.#take(this.#options.parse(newValue));
  };

  #take(value: Value): void {
    this.#value = value;
    this.#options.apply?.(value);
    for (const listener of this.#listeners) listener();
  }

  #stored(): string | null {
    try {
      return localStorage.getItem(this.#options.key);
    } catch {
      return null;
    }
  }
}
