import { z } from "zod";
import { Instant } from "#lib/contract/text.ts";

/** A prepared checkout, kept for later runs behind the wall. */
export const PreparedCheckout = z.object({
  key: z
    .string()
    .describe("Hash of what it was made from: commands, lockfiles, manifests, rules for ignored files, tools and user")
    .meta({ example: "3f0a1c5b7d9e2f4a6c8b0d1e3f5a7c9b2d4f6a8c0e1b3d5f7a9c2e4b6d8f0a1c" }),
  state: z
    .enum(["building", "ready", "stale", "failed"])
    .describe(
      "building: a run is making it; ready: runs with the same key start from it; stale: outdated, so no run starts from it; failed: it could not be saved",
    )
    .meta({ example: "ready" }),
  bytes: z.int().describe("Its size on disk; 0 while it is building or if it failed").meta({ example: 157_286_400 }),
  files: z.int().describe("How many files, links and folders it holds").meta({ example: 12_001 }),
  agent_run_id: z.int().describe("The run whose setup it comes from"),
  error: z.string().nullable().describe("Why it could not be kept, or null"),
  made_at: Instant.describe("When it was made"),
  used_at: Instant.describe("When a run last began with it"),
  expires_at: Instant.describe("When it expires: from then on no run begins with it").meta({
    example: "2026-03-02T09:00:00.000Z",
  }),
});
export type PreparedCheckout = z.infer<typeof PreparedCheckout>;
