import assert from "node:assert/strict";
import { test } from "node:test";
import { noticeDays } from "#lib/contract/compatibility.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { listAgents } from "#lib/contract/runs/agent.ts";
import { runLimitsDefault } from "#lib/contract/runs/run-limits.ts";
import { getLogs } from "#lib/contract/runs/run-operations.ts";
import { type Change, changelog } from "./changelog.ts";
import { buildOpenapi } from "./openapi.ts";

const dayMs = 24 * 3600 * 1000;

/** Problems with the announced deprecations of operations. */
function problems(described: readonly AnyOperation[], changes: readonly Change[]): string[] {
  const announced = described.flatMap(({ id, deprecated, stability }) => {
    if (deprecated === null) return [];
    const { since, sunset, link } = deprecated;
    const entry = changes.find((change) => link === `/docs/changelog#${change.id}`);
    if (entry === undefined) return [`${id}: ${link} is no entry of the changelog`];
    const days = (Date.parse(sunset) - Date.parse(since)) / dayMs;
    const least = stability === "alpha" ? noticeDays.alpha : noticeDays.stable;
    return [
      ...(entry.kind === "deprecated" && entry.operations.includes(id)
        ? []
        : [`${id}: ${link} is about something else`]),
      ...(entry.date === since && entry.sunset === sunset ? [] : [`${id}: ${link} has other dates`]),
      ...(days >= least ? [] : [`${id}: ${days} days of notice, less than ${least}`]),
    ];
  });
  const unmarked = changes
    .filter(({ kind }) => kind === "deprecated")
    .flatMap((change) => change.operations)
    .filter((name) => described.some(({ id, deprecated }) => id === name && deprecated === null));
  return [
    ...announced,
    ...unmarked.map((id) => `${id}: the changelog says that it is deprecated, the operation does not`),
  ];
}

test("deprecated operations have an entry in the changelog, with the same dates and enough notice", () => {
  assert.deepEqual(problems(operations, changelog), []);
});

test("a deprecation without an entry, with other dates, without enough notice, or not marked is found", () => {
  const change: Change = {
    id: "agents-by-name",
    date: "2027-01-01",
    kind: "deprecated",
    operations: ["listAgents"],
    words: "Use something else.",
    sunset: "2027-07-01",
  };
  const deprecated = { since: "2027-01-01", sunset: "2027-07-01", link: "/docs/changelog#agents-by-name" };
  const good = { ...listAgents, deprecated };
  assert.deepEqual(problems([good], [change]), []);
  assert.deepEqual(problems([good], []), ["listAgents: /docs/changelog#agents-by-name is no entry of the changelog"]);
  assert.match(problems([good], [{ ...change, kind: "changed" }])[0] ?? "", /about something else/);
  assert.match(problems([good], [{ ...change, date: "2027-01-02" }])[0] ?? "", /other dates/);
  assert.match(problems([listAgents], [change])[0] ?? "", /the operation does not/);

  const soon = { ...deprecated, sunset: "2027-02-01" };
  const early = { ...change, sunset: "2027-02-01" };
  assert.deepEqual(problems([{ ...good, deprecated: soon }], [early]), [
    "listAgents: 31 days of notice, less than 180",
  ]);
  const alpha = { ...getLogs, deprecated: soon };
  assert.deepEqual(problems([alpha], [{ ...early, operations: ["getLogs"] }]), []);
});

test("a deprecated operation is marked in the description, with its dates, its link and its headers", () => {
  const deprecated = { since: "2027-01-01", sunset: "2027-07-01", link: "/docs/changelog#agents-by-name" };
  const build = (listed: AnyOperation) =>
    JSON.parse(JSON.stringify(buildOpenapi(rateSettingsDefault, runLimitsDefault, [listed]))).paths[listAgents.path]
      .get;
  const described = build({ ...listAgents, deprecated });
  assert.equal(described.deprecated, true);
  assert.match(
    described.description,
    /Deprecated since 2027-01-01\. It may stop working on 2027-07-01: see \/docs\/changelog#agents-by-name\./,
  );
  const headers = Object.keys(described.responses["200"].headers);
  assert.deepEqual(
    headers.filter((name) => ["Deprecation", "Sunset", "Link"].includes(name)),
    ["Deprecation", "Sunset", "Link"],
  );
  const plain = build(listAgents);
  assert.ok(!("deprecated" in plain) && !("Sunset" in plain.responses["200"].headers));
});
