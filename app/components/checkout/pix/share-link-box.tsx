import { MessageCircle, Share } from "lucide-react";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { CopyButton } from "#app/components/ui/copy-button.tsx";

type ShareAddressProps = {
  url: string;
  /** Accessible name of the URL. */
  label: string;
  title: string;
  /** Message sent with the URL. */
  message: string;
};

/**
 * Box that shares a URL: by the phone's share sheet, by copying, by WhatsApp, and by hand without
 * JavaScript.
 */
export function ShareLinkBox({ url, label, title, message }: ShareAddressProps) {
  const isAwake = useHydrated();
  const canShare = isAwake && typeof navigator.share === "function";
  // Closing the sheet is a choice of the person, not an error.
  const share = () => void navigator.share({ title, text: message, url }).catch(() => undefined);
  return (
    <div className="flex flex-col gap-3">
      <code
        tabIndex={0}
        role="group"
        aria-label={label}
        className="rounded-field bg-sand px-4 py-3 font-mono text-small break-all select-all"
      >
        {url}
      </code>
      <div className="flex flex-wrap gap-2">
        {canShare ? (
          <Button type="button" variant="ink" onClick={share}>
            <Share aria-hidden="true" className="size-5" />
            Compartilhar
          </Button>
        ) : null}
        <CopyButton
          text={url}
          label="Copiar endereço"
          copiedText="Endereço copiado"
          manualText="Toque no endereço e copie."
        />
        <ButtonLink
          to={`https://wa.me/?text=${encodeURIComponent(`${message} ${url}`)}`}
          rel="noopener noreferrer"
          target="_blank"
          variant="outline"
        >
          <MessageCircle aria-hidden="true" className="size-5" />
          WhatsApp
        </ButtonLink>
      </div>
    </div>
  );
}
