import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { RefusalLink } from "#app/domain/errors.ts";

/**
 * Error of a whole form, announced at once. The pressed button is disabled while it waits and loses
 * focus: focus moves here, unless a field took it. The link opens in another tab, so that typed
 * text stays. Renders nothing without a message.
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
              {`${link.text} (abre em outra aba)`}
            </a>
          </>
        ) : null}
      </span>
    </p>
  );
}
