import { editTurn, withdrawTurn } from "#lib/contract/runs/run-queue.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as queue from "#lib/service/run-queue.ts";

export const PATCH = endpoint(editTurn, queue.editTurn);
export const DELETE = endpoint(withdrawTurn, queue.withdrawTurn);
