/** A person on a host. Hosts ask for the id or the name, so both are passed along. */
export type HostPerson = { id: number; login: string };
