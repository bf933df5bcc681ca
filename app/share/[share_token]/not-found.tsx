import { ShareGone } from "#components/shared-run/share-gone.tsx";

export default function ShareNotFoundPage() {
  return <ShareGone />;
}
