import { ShareGone } from "#components/share/share-gone.tsx";

export default function ShareNotFoundPage() {
  return <ShareGone />;
}
