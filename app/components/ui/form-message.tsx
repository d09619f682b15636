import { CircleAlert } from "lucide-react";

/** What went wrong with a whole form, read out at once. Nothing when there is nothing to say. */
export function FormMessage({ message }: { message: string | null | undefined }) {
  if (!message) return null;
  return (
    <p role="alert" className="flex items-start gap-3 rounded-field bg-refusal-soft px-4 py-3 font-medium text-refusal">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <span>{message}</span>
    </p>
  );
}
