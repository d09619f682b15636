import { Link } from "react-router";
import { LinkCard } from "#app/components/ui/links/link-card.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";

type PageLinkCardProps = {
  url: string;
  qr: QrDrawing;
  /** Links to the other ways of inviting people, which only the page's own creator has. */
  invites?: boolean;
};

/** The address of one's page to share. */
export function PageLinkCard({ url, qr, invites = false }: PageLinkCardProps) {
  return (
    <LinkCard
      label="O link da minha página"
      url={url}
      qr={qr}
      qrLabel="QR code da minha página"
      copyLabel="Copiar o link da minha página"
    >
      {invites ? (
        <Link
          to="/me/first-steps/invitations"
          className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
        >
          WhatsApp e imagem para stories
        </Link>
      ) : null}
    </LinkCard>
  );
}
