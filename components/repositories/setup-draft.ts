import type { Proposal, Setup } from "#lib/contract/setup.ts";
import { SetupKind } from "#lib/contract/setup-command.ts";

/** A command in the editor; `id` tells rows with the same text apart. */
export type DraftRow = { id: number; text: string };

/** The setup as it is edited. */
export type SetupDraft = {
  rows: Record<SetupKind, DraftRow[]>;
  inputs: string;
  required: boolean;
  timeout: string;
};

let lastId = 0;

/** A row of its own. */
export function draftRow(text: string): DraftRow {
  lastId += 1;
  return { id: lastId, text };
}

/** The accepted setup, to be edited. */
export function draftOf(setup: Setup): SetupDraft {
  return {
    rows: rowsOf((kind) => setup[kind]),
    inputs: setup.inputs.join("\n"),
    required: setup.required,
    timeout: String(setup.timeout_s),
  };
}

/** The commands of a proposal that did not fail, with the settings of the accepted setup. */
export function draftOfProposal(proposal: Proposal, setup: Setup): SetupDraft {
  const { commands } = proposal;
  const fit = (kind: SetupKind) =>
    commands.filter((command) => command.kind === kind && isFit(command.outcome, command.note));
  return {
    ...draftOf(setup),
    rows: rowsOf((kind) => fit(kind).map(({ command }) => command)),
    inputs: proposal.inputs.join("\n"),
  };
}

/** The body of a PUT. Empty rows are left out; what is wrong is left to the service, which names it. */
export function bodyOf(draft: SetupDraft) {
  const texts = (rows: DraftRow[]) => rows.map(({ text }) => text.trim()).filter((text) => text !== "");
  const { install, build, test, lint, maintenance } = draft.rows;
  return {
    install: texts(install),
    build: texts(build),
    test: texts(test),
    lint: texts(lint),
    maintenance: texts(maintenance),
    inputs: draft.inputs
      .split("\n")
      .map((path) => path.trim())
      .filter((path) => path !== ""),
    required: draft.required,
    timeout_s: Number(draft.timeout),
  };
}

/** True for a command that is worth accepting: it worked, or its agent named it without a word against it. */
function isFit(outcome: Proposal["commands"][number]["outcome"], note: string | null): boolean {
  return outcome === "worked" || (outcome === "not_tried" && note === null);
}

function rowsOf(textsOf: (kind: SetupKind) => string[]): SetupDraft["rows"] {
  const rows = (kind: SetupKind) => textsOf(kind).map(draftRow);
  const [install, build, test, lint, maintenance] = SetupKind.options.map(rows);
  return {
    install: install ?? [],
    build: build ?? [],
    test: test ?? [],
    lint: lint ?? [],
    maintenance: maintenance ?? [],
  };
}
