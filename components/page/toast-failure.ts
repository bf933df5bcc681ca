import { toast } from "#components/ui/toast-store.ts";
import { describeError } from "#lib/client/client-error.ts";

/** Returns a handler of an error that shows it in a message with this title. */
export function toastFailure(title: string): (error: unknown) => void {
  return (error) => toast({ tone: "error", title, description: describeError(error).detail });
}
