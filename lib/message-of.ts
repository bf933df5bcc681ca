/** Message of any thrown value for people; of an error by the operating system, which names folders of the service, its code. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && "syscall" in error && "code" in error)
    return `The operating system answered ${error.code}.`;
  return error instanceof Error ? error.message : String(error);
}
