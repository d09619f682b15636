import { Download, MessageCircle } from "lucide-react";
import { Link } from "react-router";
import { PageLinkCard } from "#app/components/profiles/page-link-card.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { counted } from "#app/domain/text.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";
import { INVITED_PEOPLE } from "#app/domain/plans/first-steps/rules.ts";

type InvitationCardProps = {
  name: string;
  username: string;
  url: string;
  qr: QrDrawing;
  /** The picture for stories, 1080 by 1920; null for a page of which none is drawn. */
  storyPath: string | null;
  followersCount: number;
  /** Who came by this link, up to now. */
  invited: { visitors: number; follows: number };
};

const LINK =
  "inline-flex min-h-12 items-center justify-center gap-2 rounded-full px-6 text-center font-semibold";

/** The ways to share one's page: WhatsApp, the link, its QR code, and a picture for stories. */
export function InvitationCard({
  name,
  username,
  url,
  qr,
  storyPath,
  followersCount,
  invited,
}: InvitationCardProps) {
  const invitation = `Abri a minha página no Coreto: ${url}`;
  return (
    <>
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p className="tabular-nums">
          {followersCount >= INVITED_PEOPLE
            ? `${counted(followersCount, "pessoa já segue", "pessoas já seguem")} a sua página.`
            : `Até agora, ${followersCount} de ${INVITED_PEOPLE} pessoas seguem a sua página.`}
        </p>
        {invited.visitors + invited.follows > 0 ? (
          <p className="text-small text-muted">
            {`Por este link chegaram ${counted(invited.visitors, "visitante", "visitantes")} e ${counted(invited.follows, "seguidor", "seguidores")}. `}
            <Link
              to={`/analytics/links/${INVITATION_SLUG}`}
              className="font-semibold text-leaf underline underline-offset-4"
            >
              Ver os números do convite
            </Link>
          </p>
        ) : null}
        <a
          href={`https://wa.me/?text=${encodeURIComponent(invitation)}`}
          rel="noopener"
          target="_blank"
          className={`${LINK} bg-signal text-on-signal hover:bg-signal-strong sm:self-start`}
        >
          <MessageCircle aria-hidden="true" className="size-5" />
          Convidar pelo WhatsApp
        </a>
      </Card>
      <PageLinkCard url={url} qr={qr} />
      {storyPath ? <StoryCard name={name} username={username} path={storyPath} /> : null}
    </>
  );
}

function StoryCard({ name, username, path }: { name: string; username: string; path: string }) {
  return (
    <Card as="section" label="Imagem para stories" className="flex flex-wrap gap-5 p-5 sm:p-6">
      <img
        src={path}
        alt={`Imagem para stories de ${name}, com o endereço e o QR code da página`}
        width={1080}
        height={1920}
        loading="lazy"
        className="h-auto w-32 rounded-field border border-line bg-sand"
      />
      <div className="flex min-w-0 flex-1 basis-48 flex-col items-start gap-3">
        <h2 className="text-heading">Imagem para stories</h2>
        <p className="text-muted">
          Com o seu nome, a sua foto e o QR code da página. Baixe e publique no Instagram.
        </p>
        <a
          href={path}
          download={`coreto-${username}.png`}
          className={`${LINK} border border-line bg-card hover:border-edge`}
        >
          <Download aria-hidden="true" className="size-5" />
          Baixar a imagem
        </a>
      </div>
    </Card>
  );
}
