import { redirectToRun } from "#app/old-link.ts";

export const GET = redirectToRun;
