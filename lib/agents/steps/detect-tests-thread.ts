/** Reads the signs of a folder in a thread, so that no file in it can block the agent. */
import { answerQuestions } from "#lib/answer-questions.ts";
import { detectSetup, type Signs } from "#lib/setup/detect-setup.ts";
import { folderTree } from "#lib/setup/source-tree.ts";

/** A folder and its files, relative to it. */
export type FolderPlace = { cwd: string; files: string[] };

// Reading a file takes bounded time: it finishes, or the thread is ended.
answerQuestions(({ cwd, files }: FolderPlace): Promise<Signs> => detectSetup(folderTree(cwd, files)));
