import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Checkout, createCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { makeRepository, temporaryFolder, testEnv } from "./test-repository.ts";

/** A checkout of a new repository with these files. */
export async function checkoutOf(t: TestContext, files?: Record<string, string | Uint8Array>): Promise<Checkout> {
  const dataDir = join(temporaryFolder(t), "data");
  const source = join(dataDir, "../source");
  makeRepository(source, files);
  return createCheckout({ dataDir, runId: 1, repoId: 1, source, baseBranch: null, env: testEnv });
}

/** Ends a turn in the checkout. Returns the diff as text, one character per byte. */
export async function keep(checkout: Checkout, diffBytesMax?: number) {
  const kept = await commitAndKeep({ checkout, message: "Say hello\n\nAnd more", env: testEnv, diffBytesMax });
  return { ...kept, diff: Buffer.from(kept.diff).toString("latin1") };
}
