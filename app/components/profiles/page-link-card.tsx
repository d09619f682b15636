import { Copy, CopyCheck } from "lucide-react";
import { Link } from "react-router";
import { QrCode } from "#app/components/checkout/pix/pix-code.tsx";
import type { QrDrawing } from "#app/components/checkout/pix/pix-code.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { useCopied } from "#app/components/ui/use-copied.ts";

type PageLinkCardProps = {
  url: string;
  qr: QrDrawing;
  /** Links to the other ways of inviting people, which only the page's own creator has. */
  invites?: boolean;
};

/** The address of one's page to share: to copy, to select without JavaScript, and to scan. */
export function PageLinkCard({ url, qr, invites = false }: PageLinkCardProps) {
  const { copied, copy } = useCopied();
  return (
    <Card as="section" label="O link da minha página" className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 font-semibold break-all select-all">{url}</p>
        <Button
          type="button"
          variant="outline"
          className="noscript:hidden"
          onClick={() => void copy(url)}
        >
          {copied === "yes" ? (
            <CopyCheck aria-hidden="true" className="size-4.5" />
          ) : (
            <Copy aria-hidden="true" className="size-4.5" />
          )}
          {copied === "yes" ? "Copiado" : "Copiar o link da minha página"}
        </Button>
      </div>
      <p role="status" className={copied === "failed" ? "text-small text-refusal" : "sr-only"}>
        {copied === "failed"
          ? "Seu navegador não deixou copiar. Toque no endereço e copie."
          : copied === "yes"
            ? "Link copiado"
            : ""}
      </p>
      <details>
        <summary className="flex min-h-11 items-center font-semibold">
          QR code da minha página
        </summary>
        <QrCode drawing={qr} label="QR code da minha página" />
      </details>
      {invites ? (
        <Link
          to="/me/first-steps/invitations"
          className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
        >
          WhatsApp e imagem para stories
        </Link>
      ) : null}
    </Card>
  );
}
