import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Answer } from "#lib/http/answer.ts";
import { Counter, type Exposition, Histogram } from "./exposition.ts";
import { StoreFiguresReader } from "./store-figures.ts";

/** In seconds: from a cached response to one that waits for a search. */
const durationBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const nsPerSecond = 1e9;

/** Measurements of the web process by itself, from its start. */
export class WebMetrics {
  readonly storeFigures = new StoreFiguresReader();
  readonly #requests = new Counter();
  readonly #durations = new Histogram(durationBounds);
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  #openStreams = 0;

  constructor() {
    this.#delay.enable();
  }

  /** Counts a response by the class of its operation. The time is until the response begins; a stream continues after that. */
  async measure(operationClass: string, answering: Promise<Answer>): Promise<Answer> {
    const startedAt = performance.now();
    const answer = await answering;
    this.count(operationClass, answer.status, performance.now() - startedAt);
    return answer;
  }

  count(operationClass: string, status: number, ms: number): void {
    this.#requests.add({ class: operationClass, status: String(status) });
    this.#durations.observe({ class: operationClass }, ms / 1000);
  }

  /** Counts an event stream as open until its response ends. */
  async whileOpen(writing: Promise<void>): Promise<void> {
    this.#openStreams += 1;
    try {
      await writing;
    } finally {
      this.#openStreams -= 1;
    }
  }

  /** Event-loop delays cover the time since the last call. */
  write(text: Exposition): void {
    const requests = "Requests by the rate class of their operation and the status of the answer";
    text.write("counter", "errand_http_requests_total", requests, this.#requests.series());
    const durations = "Seconds until the answer begins, by the rate class of the operation";
    text.write("histogram", "errand_http_request_duration_seconds", durations, this.#durations.series());
    text.one("gauge", "errand_event_streams_open", "Event streams that clients follow now", this.#openStreams);
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    text.one("counter", "process_cpu_seconds_total", "Processor time of the web process", (user + system) / 1e6);
    text.one("gauge", "process_resident_memory_bytes", "Memory of the web process", rss);
    text.one(
      "gauge",
      "process_start_time_seconds",
      "When the web process started, in seconds since 1970",
      Math.round(performance.timeOrigin) / 1000,
    );
    text.one("gauge", "nodejs_heap_size_used_bytes", "Heap in use", heapUsed);
    text.one("gauge", "nodejs_external_memory_bytes", "Memory of buffers and the like", external);
    const words = "Delay of the event loop since the last scrape";
    text.one("gauge", "nodejs_eventloop_lag_mean_seconds", `${words}, on average`, seconds(this.#delay.mean));
    text.one(
      "gauge",
      "nodejs_eventloop_lag_p99_seconds",
      `${words}, 99% are at most`,
      this.#delay.percentile(99) / nsPerSecond,
    );
    text.one("gauge", "nodejs_eventloop_lag_max_seconds", `${words}, the longest`, this.#delay.max / nsPerSecond);
    this.#delay.reset();
  }

  close(): void {
    this.#delay.disable();
  }
}

/** NaN if nothing was measured yet. */
function seconds(ns: number): number {
  return Number.isNaN(ns) ? 0 : ns / nsPerSecond;
}
