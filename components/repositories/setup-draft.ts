import type { Proposal, Setup } from "#lib/contract/repositories/setup.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";

/** A command in the editor; `id` distinguishes it from the other rows of its kind. */
export type DraftRow = { id: number; text: string };

/** The setup as it is edited, by the API's names; lists other than commands have one item per line. */
export type SetupDraft = Record<SetupKind, DraftRow[]> & {
  inputs: string;
  required: boolean;
  timeout_s: string;
  env: string;
  network: string;
};

/** An empty row beside these. */
export function newRow(rows: readonly DraftRow[]): DraftRow {
  return { id: 1 + Math.max(0, ...rows.map(({ id }) => id)), text: "" };
}

/** The accepted setup, to be edited. */
export function draftOf(setup: Setup): SetupDraft {
  return {
    ...rowsOf((kind) => setup[kind]),
    inputs: setup.inputs.join("\n"),
    required: setup.required,
    timeout_s: String(setup.timeout_s),
    env: setup.env.join("\n"),
    network: setup.network.map(({ host, port }) => (port === null ? host : `${host}:${port}`)).join("\n"),
  };
}

/** Whether a proposal is accepted as it is, or edited first. */
type Purpose = "accept" | "edit";

/**
 * Usable commands of a proposal, with the settings of the accepted setup, and its maintenance commands if the proposal has
 * none. {@link leftOutWords} says what is left out.
 */
export function draftOfProposal(proposal: Proposal, setup: Setup, purpose: Purpose): SetupDraft {
  const fit = (kind: SetupKind) =>
    proposal.commands
      .filter((command) => command.kind === kind && isFit(command, purpose))
      .map(({ command }) => command);
  const textsOf = (kind: SetupKind) =>
    kind === "maintenance" && fit(kind).length === 0 ? setup.maintenance : fit(kind);
  return { ...draftOf(setup), ...rowsOf(textsOf), inputs: proposal.inputs.join("\n") };
}

/** Number of commands of a proposal that would be accepted. */
export function countFitting(proposal: Proposal): number {
  return proposal.commands.filter((command) => isFit(command, "accept")).length;
}

/** A sentence that counts the commands of a proposal that are left out, null if none are. */
export function leftOutWords({ commands }: Proposal, purpose: Purpose): string | null {
  const left = commands.filter((command) => !isFit(command, purpose));
  const failed = left.filter(({ outcome }) => outcome === "failed").length;
  const skipped = left.length - failed;
  if (left.length === 0) return null;
  const were = skipped === 1 ? "was" : "were";
  const parts = [
    ...(failed === 0 ? [] : [`${failed} ${failed === 1 ? "command" : "commands"} that failed`]),
    ...(skipped === 0
      ? []
      : [`${skipped} ${failed > 0 ? "" : skipped === 1 ? "command " : "commands "}that ${were} not tried`]),
  ];
  return `${parts.join(" and ")} ${left.length === 1 ? "is" : "are"} left out.`;
}

/** Body of a PUT. Empty rows are left out; the service reports what is wrong. */
export function bodyOf(draft: SetupDraft) {
  const texts = (rows: DraftRow[]) => rows.map(({ text }) => text.trim()).filter((text) => text !== "");
  return {
    install: texts(draft.install),
    build: texts(draft.build),
    test: texts(draft.test),
    lint: texts(draft.lint),
    maintenance: texts(draft.maintenance),
    inputs: linesOf(draft.inputs),
    env: linesOf(draft.env),
    network: linesOf(draft.network).map((line) => {
      const [, host = line, port = null] = /^(.*[^:]):(\d{1,6})$/.exec(line) ?? [];
      return { host, port: port === null ? null : Number(port) };
    }),
    required: draft.required,
    timeout_s: Number(draft.timeout_s),
  };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/**
 * True for a usable command: it worked, or its agent proposed it without reservation. Failed tests and linters may still be the
 * right ones, which only a person can tell: they are kept for editing.
 */
function isFit({ kind, outcome, note }: Proposal["commands"][number], purpose: Purpose): boolean {
  if (outcome === "failed") return purpose === "edit" && (kind === "test" || kind === "lint");
  return outcome === "worked" || note === null;
}

function rowsOf(textsOf: (kind: SetupKind) => string[]): Record<SetupKind, DraftRow[]> {
  const rows = (kind: SetupKind) => textsOf(kind).map((text, place) => ({ id: place + 1, text }));
  return {
    install: rows("install"),
    build: rows("build"),
    test: rows("test"),
    lint: rows("lint"),
    maintenance: rows("maintenance"),
  };
}
