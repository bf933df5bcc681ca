import { redirect } from "next/navigation";

/** The reference has a page for each subject; the guide lists them all. */
export default function ReferencePage() {
  redirect("/docs#operations");
}
