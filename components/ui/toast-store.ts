/** One message at the edge of the page. */
export type Toast = {
  id: number;
  /** Errors stay until they are dismissed. */
  tone: "done" | "error" | "info";
  title: string;
  description?: string;
  action?: { label: string; onClick: () => void };
};

const SHOWN_MAX = 3;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

/** Shows a message. If there would be more than three, the oldest is removed. */
export function toast(message: Omit<Toast, "id" | "tone"> & { tone?: Toast["tone"] }): void {
  lastId += 1;
  publish([...toasts, { tone: "done" as const, ...message, id: lastId }].slice(-SHOWN_MAX));
}

/** Shows a message unless it is already shown, so that a key held down shows it once. */
export function toastOnce(message: Parameters<typeof toast>[0]): void {
  if (!toasts.some(({ title }) => title === message.title)) toast(message);
}

/** Removes a message, if it is still there. */
export function dismissToast(id: number): void {
  publish(toasts.filter((shown) => shown.id !== id));
}

/** Messages shown now, oldest first: the same array until it changes. */
export function listToasts(): readonly Toast[] {
  return toasts;
}

/** Calls back after each change, until the returned function is called. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
