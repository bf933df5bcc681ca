import { maskOf, type ValueMask } from "#lib/entry/mask-values.ts";

const isSecretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Values of the variables whose names suggest a secret. */
export function secretsInVariables(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => (isSecretName.test(name) ? [value] : []));
}

/** Values of the secrets given to one run, which the engine knows for as long as it works on the run. */
export class RunSecrets {
  readonly #values = new Set<string>();
  #mask: ValueMask = maskOf([]);

  /** Masks them in everything that is kept from now on. */
  add(values: readonly string[]): void {
    const count = this.#values.size;
    for (const value of values) this.#values.add(value);
    if (this.#values.size > count) this.#mask = maskOf([...this.#values]);
  }

  get mask(): ValueMask {
    return this.#mask;
  }
}
