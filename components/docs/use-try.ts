"use client";

import { useEffect, useRef, useState } from "react";
import { answerShown, headersShown } from "./try-request.ts";

/** A response, as far as it has arrived. */
export type TryAnswer = {
  /** The request line, as it was sent: `GET /v1/…`. */
  asked: string;
  status: number;
  statusText: string;
  headers: [string, string][];
  text: string;
  /** From sending to the last byte so far, in milliseconds. */
  tookMs: number;
  hasEnded: boolean;
};

export type TryState =
  | { kind: "idle" }
  | { kind: "sending"; answer: TryAnswer | null }
  | { kind: "answered"; answer: TryAnswer }
  | { kind: "failed"; problem: string };

/** Sends requests with the reader's session, one at a time, and shows the response as it arrives. */
export function useTry(): {
  state: TryState;
  send: (path: string, init: RequestInit) => Promise<void>;
  stop: () => void;
} {
  const [state, setState] = useState<TryState>({ kind: "idle" });
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  async function send(path: string, init: RequestInit) {
    const controller = new AbortController();
    underWay.current?.abort();
    underWay.current = controller;
    const isCurrent = () => underWay.current === controller;
    setState({ kind: "sending", answer: null });
    let answer: TryAnswer | null = null;
    try {
      for await (answer of answersOf(path, { ...init, signal: controller.signal })) {
        if (isCurrent()) setState({ kind: "sending", answer });
      }
      if (isCurrent() && answer !== null) setState({ kind: "answered", answer });
    } catch {
      if (!isCurrent()) return;
      // The part received before it was stopped or broke off stays visible.
      if (answer !== null) setState({ kind: "answered", answer });
      else if (controller.signal.aborted) setState({ kind: "idle" });
      else
        setState({
          kind: "failed",
          problem: "The server could not be reached. The request may or may not have been carried out.",
        });
    }
  }

  return { state, send, stop: () => underWay.current?.abort() };
}

/** Yields the response at each stage: the headers, then after each part of the body, then complete. */
async function* answersOf(path: string, init: RequestInit): AsyncGenerator<TryAnswer> {
  const startedAt = performance.now();
  const response = await fetch(path, { ...init, cache: "no-store" });
  const type = response.headers.get("content-type");
  const head = {
    asked: `${init.method} ${path}`,
    status: response.status,
    statusText: response.statusText,
    headers: headersShown(response.headers),
  };
  const at = (text: string, hasEnded: boolean) => ({ ...head, text, hasEnded, tookMs: performance.now() - startedAt });
  let text = "";
  const isStream = type?.startsWith("text/event-stream") ?? false;
  if (!isStream) text = await response.text();
  for await (const part of isStream ? partsOf(response) : []) {
    text += part;
    yield at(text, false);
  }
  yield at(answerShown(text, type), true);
}

async function* partsOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) yield read.value;
}
