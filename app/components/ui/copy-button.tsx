import { Copy, CopyCheck } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "./button.tsx";
import { useCopied } from "./use-copied.ts";

type CopyButtonProps = Pick<ComponentProps<typeof Button>, "size" | "variant" | "className"> & {
  text: string;
  label: string;
  /** Read aloud once the text is copied. */
  copiedText: string;
  /** How to copy by hand, where the browser refuses. */
  manualText: string;
};

/**
 * Button that copies a text and says so. Without JavaScript it is hidden, so that the text itself
 * must be selectable. A refusal appears as the last item of the row or column that it stands in.
 */
export function CopyButton({
  text,
  label,
  copiedText,
  manualText,
  variant = "outline",
  className = "",
  ...props
}: CopyButtonProps) {
  const { copied, copy } = useCopied();
  const Icon = copied === "yes" ? CopyCheck : Copy;
  return (
    <>
      <Button
        type="button"
        variant={variant}
        className={`noscript:hidden ${className}`}
        onClick={() => void copy(text)}
        {...props}
      >
        <Icon aria-hidden="true" className="size-4.5" />
        {copied === "yes" ? "Copiado" : label}
      </Button>
      <p
        role="status"
        className={copied === "failed" ? "order-last w-full text-small text-refusal" : "sr-only"}
      >
        {copied === "failed"
          ? `Seu navegador não deixou copiar. ${manualText}`
          : copied === "yes"
            ? copiedText
            : ""}
      </p>
    </>
  );
}
