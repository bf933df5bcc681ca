"use client";

import { type KeyboardEvent, useId, useRef } from "react";
import { cn } from "#components/ui/class-names.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { setSampleLanguage, useSampleLanguage } from "./sample-language.ts";
import { type SampleLanguage, type Samples, sampleLanguages } from "./samples.ts";
import { ScrollingCode } from "./scrolling-code.tsx";

/** Styles choose by the attribute of `<html>`, so that the server's HTML is right before any script has run. */
const looks: Record<SampleLanguage, { tab: string; panel: string }> = {
  curl: {
    tab: "text-foreground border-foreground typescript:border-transparent typescript:text-muted-foreground python:border-transparent python:text-muted-foreground",
    panel: "typescript:hidden python:hidden",
  },
  typescript: {
    tab: "text-muted-foreground border-transparent typescript:border-foreground typescript:text-foreground",
    panel: "hidden typescript:block",
  },
  python: {
    tab: "text-muted-foreground border-transparent python:border-foreground python:text-foreground",
    panel: "hidden python:block",
  },
};

const steps: Partial<Record<string, (index: number) => number>> = {
  ArrowRight: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: () => -1,
};

type SampleTabsProps = {
  /** Title of the samples; labels the tabs and the copy button. */
  title: string;
  samples: Samples;
};

/** The same program in every language, showing the one the reader chose for all samples. */
export function SampleTabs({ title, samples }: SampleTabsProps) {
  const language = useSampleLanguage();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function choose(chosen: SampleLanguage) {
    const before = list.current?.getBoundingClientRect().top ?? 0;
    setSampleLanguage(chosen);
    // Samples above change their height too: the pressed tab stays in place.
    window.scrollBy({ top: (list.current?.getBoundingClientRect().top ?? before) - before, behavior: "instant" });
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = sampleLanguages.at(step(sampleLanguages.findIndex((each) => each.id === language)));
    const target = next ?? sampleLanguages[0];
    choose(target.id);
    list.current?.querySelector<HTMLElement>(`[data-language=${target.id}]`)?.focus();
  }

  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-border bg-code">
      <div className="flex items-center justify-between gap-2 border-border border-b pr-1 pl-3">
        <div ref={list} role="tablist" aria-label={title} className="flex gap-4" onKeyDown={onKeyDown}>
          {sampleLanguages.map((each) => (
            <button
              key={each.id}
              type="button"
              role="tab"
              id={`${id}-${each.id}`}
              data-language={each.id}
              aria-controls={`${id}-${each.id}-panel`}
              aria-selected={each.id === language}
              tabIndex={each.id === language ? 0 : -1}
              onClick={() => choose(each.id)}
              className={cn(
                "-mb-px h-control border-b-2 font-medium text-[13px] hover:text-foreground focus-visible:-outline-offset-2",
                looks[each.id].tab,
              )}
            >
              {each.label}
            </button>
          ))}
        </div>
        <CopyButton text={samples[language]} label={`Copy: ${title}`} />
      </div>
      {sampleLanguages.map((each) => (
        <div
          key={each.id}
          role="tabpanel"
          id={`${id}-${each.id}-panel`}
          aria-labelledby={`${id}-${each.id}`}
          className={looks[each.id].panel}
        >
          <ScrollingCode text={samples[each.id]} height="tall" />
        </div>
      ))}
    </div>
  );
}
