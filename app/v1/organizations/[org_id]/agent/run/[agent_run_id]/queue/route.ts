import { listQueue } from "#lib/contract/runs/run-queue.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as queue from "#lib/service/run-queue.ts";

export const GET = endpoint(listQueue, queue.listQueue);
