import { redirectTo } from "#app/old-link.ts";

export const GET = redirectTo("/runs");
