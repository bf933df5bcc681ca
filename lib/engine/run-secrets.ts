import { maskOf, type ValueMask } from "#lib/entry/mask-values.ts";

const isSecretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** The secrets that one run has been given, by value; they are known to the engine for as long as it works on the run. */
export class RunSecrets {
  readonly #values = new Set<string>();
  #mask: ValueMask = maskOf([]);

  /** Takes them out of whatever is kept from now on. */
  add(values: readonly string[]): void {
    const count = this.#values.size;
    for (const value of values) this.#values.add(value);
    if (this.#values.size > count) this.#mask = maskOf([...this.#values]);
  }

  /** {@link add} for variables whose names say that they hold a secret. */
  addVariables(environment: Readonly<Record<string, string>>): void {
    this.add(Object.entries(environment).flatMap(([name, value]) => (isSecretName.test(name) ? [value] : [])));
  }

  /** {@link add} for headers: a credential is a word of one. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.add(
      Object.values(headers).flatMap((value) => [value, ...value.split(" ")].filter((word) => word.length >= 16)),
    );
  }

  get mask(): ValueMask {
    return this.#mask;
  }
}
