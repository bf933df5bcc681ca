import { executeTool } from "#lib/contract/logs/tool.ts";
import { endpoint } from "#lib/http/endpoint.ts";
import * as tools from "#lib/service/tools.ts";

export const POST = endpoint(executeTool, tools.executeTool);
