/** The parts of a request needed for authentication. `header` takes lower-case names and returns null for absent ones. */
export type Credentials = {
  method: string;
  header(name: string): string | null;
};
