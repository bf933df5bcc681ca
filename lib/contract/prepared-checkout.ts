import { z } from "zod";
import { Instant } from "./text.ts";

/** A prepared checkout, kept for later runs behind the wall. */
export const PreparedCheckout = z.object({
  key: z
    .string()
    .describe("Hash of what it was made from: commands, lockfiles, manifests, rules for ignored files, tools and user"),
  state: z
    .enum(["building", "ready", "stale", "failed"])
    .describe(
      "building: a run is making it; ready: runs with the same key start from it; stale: outdated, so no run starts from it; failed: it could not be saved",
    ),
  bytes: z.int().describe("Its size on disk; 0 while it is building or if it failed"),
  files: z.int().describe("How many files, links and folders it holds"),
  agent_run_id: z.int().describe("The run whose setup it comes from"),
  error: z.string().nullable().describe("Why it could not be kept, or null"),
  made_at: Instant.describe("When it was made"),
  used_at: Instant.describe("When a run last began with it"),
  expires_at: Instant.describe("When it expires: from then on no run begins with it"),
});
export type PreparedCheckout = z.infer<typeof PreparedCheckout>;
