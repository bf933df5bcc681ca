import { z } from "zod";
import { skipMax } from "./bounds.ts";
import { ApiError } from "./error.ts";
import { WholeNumber } from "./whole-number.ts";

/** Paging of lists: `skip` and `limit`, or `page` (from 1) and `size`, which older clients send. 1..100 rows. */
export const Paging = z.object({
  skip: WholeNumber(0, skipMax).optional().meta({ description: "How many rows to skip", default: 0 }),
  limit: WholeNumber(1, 100).optional().meta({ description: "Maximum number of rows to return", default: 100 }),
  page: WholeNumber(1, skipMax)
    .optional()
    .describe("Instead of skip: number of the page, with `limit` rows per page, from 1"),
  size: WholeNumber(1, 100).optional().describe("Older name of limit; limit wins if both are given"),
});
export type Paging = z.infer<typeof Paging>;

/** The only `sort` that can be combined with `before`. */
export const newestFirst = "-created_at";

/** Range of rows of a {@link Paging}. Throws 400 if both `page` and `skip` say where the page begins. */
export function rowsOf(paging: Paging): { skip: number; limit: number } {
  if (paging.page !== undefined && paging.skip !== undefined) throw twoBeginnings();
  const limit = paging.limit ?? paging.size ?? 100;
  return { limit, skip: paging.skip ?? ((paging.page ?? 1) - 1) * limit };
}

function twoBeginnings(): ApiError {
  const msg = "page and skip cannot be combined: send one of them";
  const fields = ["page", "skip"].map((name) => ({ loc: ["query", name], msg, type: "value_error" }));
  return new ApiError("invalid_parameters", `${msg}.`, { fields });
}

/** One page of a list, newest first unless the operation says otherwise. `page` counts from 1, `pages` is 0 for an empty list. */
export function Page<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item).describe("The rows of this page"),
    total: z.int().describe("Total number of rows"),
    page: z.int().describe("Number of this page, from 1"),
    size: z.int().describe("Maximum number of rows per page").meta({ example: 100 }),
    pages: z.int().describe("Number of pages of this size; 0 for an empty list"),
  });
}

/** Builds a {@link Page} from the rows read. */
export function pageOf<T>(items: T[], total: number, { skip, limit }: { skip: number; limit: number }) {
  return { items, total, page: Math.floor(skip / limit) + 1, size: limit, pages: Math.ceil(total / limit) };
}
