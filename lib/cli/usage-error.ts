/** A command that cannot be carried out as written; one line that names the option and the bound. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
