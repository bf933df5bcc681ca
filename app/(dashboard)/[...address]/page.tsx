import { notFound } from "next/navigation";

/** Any other address: not found, with the navigation for whoever is signed in. */
export default function NowherePage() {
  notFound();
}
