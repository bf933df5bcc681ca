/** Labels of a series, by name. */
export type Labels = Readonly<Record<string, string>>;
type Kind = "counter" | "gauge" | "histogram";

/** The media type of Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes metrics in Prometheus' text format 0.0.4: each name once, with its help and type, and its series in order. */
export class Exposition {
  readonly #lines: string[] = [];
  readonly #names = new Set<string>();

  /** Throws if the name was already written: a duplicate would make the text unreadable. */
  write(kind: Kind, name: string, help: string, series: Iterable<{ labels?: Labels; value: number; suffix?: string }>) {
    if (this.#names.has(name)) throw new Error(`The metric ${name} is written twice`);
    this.#names.add(name);
    this.#lines.push(`# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}`, `# TYPE ${name} ${kind}`);
    for (const { labels = {}, value, suffix = "" } of series) {
      this.#lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
    }
  }

  /** One series without labels. */
  one(kind: "counter" | "gauge", name: string, help: string, value: number): void {
    this.write(kind, name, help, [{ value }]);
  }

  toString(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}

/** Counters by label. */
export class Counter {
  readonly #series = new Map<string, { labels: Labels; value: number }>();

  add(labels: Labels, by = 1): void {
    const key = JSON.stringify(labels);
    const known = this.#series.get(key);
    if (known === undefined) this.#series.set(key, { labels, value: by });
    else known.value += by;
  }

  series(): Iterable<{ labels: Labels; value: number }> {
    return this.#series.values();
  }
}

type Observed = { labels: Labels; buckets: number[]; sum: number; count: number };

/** Histograms by label: how many values are at most each bound. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Observed>();

  /** `bounds` ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    let known = this.#series.get(key);
    if (known === undefined) {
      known = { labels, buckets: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#series.set(key, known);
    }
    known.sum += value;
    known.count += 1;
    const at = this.#bounds.findIndex((bound) => value <= bound);
    if (at !== -1) known.buckets[at] = (known.buckets[at] ?? 0) + 1;
  }

  *series(): Generator<{ labels: Labels; value: number; suffix: string }> {
    for (const { labels, buckets, sum, count } of this.#series.values()) {
      let upTo = 0;
      for (const [at, bound] of this.#bounds.entries()) {
        upTo += buckets[at] ?? 0;
        yield { labels: { ...labels, le: String(bound) }, value: upTo, suffix: "_bucket" };
      }
      yield { labels: { ...labels, le: "+Inf" }, value: count, suffix: "_bucket" };
      yield { labels, value: sum, suffix: "_sum" };
      yield { labels, value: count, suffix: "_count" };
    }
  }
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
    return `${name}="${escaped}"`;
  });
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return String(value);
}
