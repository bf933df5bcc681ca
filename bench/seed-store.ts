import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mintToken } from "#lib/auth/token-secret.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";

export type Seeded = {
  dataDir: string;
  token: string;
  smallRun: number;
  largeRun: number;
  remove(): Promise<void>;
};

/** Number of entries of each seeded run. */
export const deepEntries = 200_000;

/** A new data folder with a token and two ended runs, with entries of about 250 bytes and of about 2 KB. */
export async function seedStore(): Promise<Seeded> {
  const dataDir = await mkdtemp(join(tmpdir(), "errand-bench-"));
  const store = await openStore({ file: join(dataDir, "errand.db") });
  try {
    const { organizationId, userId } = await store.organizations.ensureFirst({
      organization: "Bench",
      fullName: "Bench",
      email: null,
    });
    const { secret, hash, hint } = mintToken();
    await store.tokens.create(
      { organizationId, userId },
      { name: "bench", role: "owner", scopes: scopesOf("owner"), statusStyle: "errand", hint, expiresAt: null, hash },
    );
    const access = { organizationId, userId };
    return {
      dataDir,
      token: secret,
      smallRun: await seedRun(store, access, deepEntries, 20),
      largeRun: await seedRun(store, access, deepEntries, 1800),
      remove: () => rm(dataDir, { recursive: true, force: true }),
    };
  } finally {
    await store.close();
  }
}

async function seedRun(
  store: Store,
  access: { organizationId: number; userId: number },
  entries: number,
  outputCharacters: number,
): Promise<number> {
  const { id } = await store.runs.create(access, plainRun("A run of the benchmark"));
  const claimed = await store.queue.claim("bench", 600_000);
  if (claimed === null || claimed.run.id !== id) throw new Error("The run was not there to be claimed.");
  const batch = Array.from({ length: 100 }, (_, index) => action(index, outputCharacters));
  for (let written = 0; written < entries; written += batch.length) await store.queue.append(claimed.lease, batch);
  await store.queue.finishTurn(claimed.lease, { status: "completed", result: null, summary: null, entries: [] });
  return id;
}

function action(index: number, outputCharacters: number): NewEntry {
  return {
    created_at: new Date(1_780_000_000_000 + index * 1000).toISOString(),
    message_type: "ACTION",
    thought: null,
    tool_name: "shell",
    tool_input: { command: `step ${index}` },
    tool_output: { status: "completed", exit_code: 0, output: "abcdefghij klmnop\n".repeat(outputCharacters / 18) },
    observation: null,
  };
}
