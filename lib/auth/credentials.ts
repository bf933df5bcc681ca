/** What authentication needs of a request. `header` takes lower-case names and gives null for absent ones. */
export type Credentials = {
  method: string;
  header(name: string): string | null;
};
