import type { Detector } from "#lib/setup/project.ts";
import { cmake, dotnet, go, gradle, maven, rust } from "./compiled.ts";
import { deno, javascript, nodeTests } from "./javascript.ts";
import { python } from "./python.ts";
import { elixir, php, ruby } from "./scripting.ts";
import { just, make, task } from "./task-runners.ts";

/** Every detector, in the order in which the commands of one repository are listed. */
export const everyEcosystem: Detector[] = [
  javascript,
  go,
  rust,
  python,
  maven,
  gradle,
  ruby,
  php,
  elixir,
  dotnet,
  deno,
  cmake,
  make,
  just,
  task,
  nodeTests,
];
