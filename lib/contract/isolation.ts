import { z } from "zod";

/** How an agent is kept: `wall`: it sees its checkout and nothing else of the machine; `leash`: its processes are held together, no more. */
export const Isolation = z.enum(["wall", "leash"]);
export type Isolation = z.infer<typeof Isolation>;
