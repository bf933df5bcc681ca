"use client";

import { Share2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import type { Run } from "#lib/contract/run.ts";

const ShareDialog = lazy(() => import("./share-dialog.tsx").then((module) => ({ default: module.ShareDialog })));

type ShareButtonProps = { orgId: number; run: Run; refusal: string | null };

/** Opens the links of a run. The dialog's code is loaded on first use. */
export function ShareButton({ orgId, run, refusal }: ShareButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <RefusableButton
        variant="outline"
        size="sm"
        refusal={refusal}
        aria-label="Share"
        onClick={() => {
          setWasOpened(true);
          setOpen(true);
        }}
      >
        <Share2 aria-hidden />
        <span className="max-sm:sr-only">Share</span>
      </RefusableButton>
      {wasOpened && (
        <Suspense>
          <ShareDialog {...{ orgId, run }} open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
