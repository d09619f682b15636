import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { RefusalLink } from "#app/domain/errors.ts";

/**
 * What went wrong with a whole form, read out at once. The button that was pressed is disabled
 * while it waits, and so loses the keyboard: it goes on from here, unless a field has taken it.
 * Where it leads opens beside the form, so that what was typed stays. Nothing when there is nothing
 * to say.
 */
export function FormMessage({
  message,
  link,
}: {
  message: string | null | undefined;
  link?: RefusalLink | undefined;
}) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      place.current?.focus();
  }, [message]);
  if (!message) return null;
  return (
    <p
      ref={place}
      role="alert"
      tabIndex={-1}
      className="flex scroll-mt-20 items-start gap-3 rounded-field bg-refusal-soft px-4 py-3 font-medium text-refusal outline-none"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <span>
        {message}
        {link ? (
          <>
            {" "}
            <a
              href={link.to}
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-2"
            >
              {`${link.words} (abre em outra aba)`}
            </a>
          </>
        ) : null}
      </span>
    </p>
  );
}
