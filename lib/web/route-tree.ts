import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Endpoint } from "#lib/http/endpoint.ts";

/** Methods of a path and their endpoints. */
export type Route = ReadonlyMap<string, Endpoint>;

/** One folder: its route, its named children, and the child for any segment. */
export type RouteNode = {
  route: Route | null;
  children: Map<string, RouteNode>;
  parameter: { name: string; node: RouteNode } | null;
};

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const doors = ["v1", "healthz", "readyz"];

/** Reads the routes of the API from the folder tree: `app/v1/**` and the health checks. Imports every route module. */
export async function readRouteTree(appDir: string): Promise<RouteNode> {
  const children = await Promise.all(
    doors.map(async (door): Promise<[string, RouteNode]> => [door, await readNode(join(appDir, door))]),
  );
  return { route: null, children: new Map(children), parameter: null };
}

async function readNode(folder: string): Promise<RouteNode> {
  const node: RouteNode = { route: null, children: new Map(), parameter: null };
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile() && entry.name === "route.ts") node.route = await readRoute(path);
      if (!entry.isDirectory()) return;
      const child = await readNode(path);
      const name = /^\[(\w+)\]$/.exec(entry.name)?.[1];
      if (name === undefined) node.children.set(entry.name, child);
      else node.parameter = { name, node: child };
    }),
  );
  return node;
}

async function readRoute(file: string): Promise<Route> {
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  const route = new Map<string, Endpoint>();
  for (const method of methods) {
    const handler = module[method];
    if (handler === undefined) continue;
    if (!isEndpoint(handler)) throw new Error(`${file}: ${method} is not an endpoint`);
    if (handler.operation.method !== method) throw new Error(`${file}: ${method} serves ${handler.operation.id}`);
    route.set(method, handler);
  }
  return route;
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "function" && "answer" in value && "operation" in value;
}
