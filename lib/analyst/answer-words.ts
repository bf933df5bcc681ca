import type { CheckedAnswer, Claim } from "./claims.ts";
import { stepLink, type TraceInfo } from "./trace-info.ts";

const headings: Record<Claim["kind"], string> = {
  cause: "Causes",
  finding: "Findings",
  suggestion: "Suggestions",
};

/** A checked answer as Markdown: the claims by kind, each with links to its steps, then what was struck. */
export function answerWords({ claims, struck }: CheckedAnswer, info: TraceInfo): string {
  const parts: string[] = [];
  for (const kind of ["cause", "finding", "suggestion"] as const) {
    const ofKind = claims.filter((claim) => claim.kind === kind);
    if (ofKind.length === 0) continue;
    parts.push(`**${headings[kind]}**`, ofKind.map((claim) => lineOf(claim, info)).join("\n"));
  }
  if (claims.length === 0) parts.push("No claim of the agent could be proven from the log.");
  if (struck > 0)
    parts.push(`${struck === 1 ? "1 unproven statement was" : `${struck} unproven statements were`} removed.`);
  if (info.partial) parts.push(partialNote(info));
  return parts.join("\n\n");
}

/** Says that the run is still live. */
export function partialNote({ entries }: TraceInfo): string {
  return `The run was still working: this covers its first ${entries === 1 ? "step" : `${entries} steps`}.`;
}

function lineOf({ claim, evidence }: Claim, { web_url }: TraceInfo): string {
  const seqs = [...new Set(evidence.map(({ seq }) => seq))];
  return `- ${oneLine(claim)} (${seqs.map((seq) => stepLink(web_url, seq)).join(", ")})`;
}

/** A model's words, escaped so that they cannot act as markup. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#]/g, (mark) => `\\${mark}`);
}
