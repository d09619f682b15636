import { quoted } from "#app/domain/text.ts";
import { Printer } from "lucide-react";
import { redirect } from "react-router";
import { QrCode } from "#app/components/ui/qr-code.tsx";
import { GIFT_PERIODS } from "#app/components/gifts/gift-labels.ts";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { giverGift } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { giftLinkForGiver } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import { giverGiftPath } from "#app/domain/purchases/gifts/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import type { Route } from "./+types/gift-card.ts";

export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = () => [{ title: "Cartão do presente · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const gift = foundOr404(
    await giverGift(ctx, { giverId: member.id, giftId: params.id }),
    "Não encontramos este presente.",
  );
  const link =
    gift.state === "waiting" || gift.state === "scheduled"
      ? await giftLinkForGiver(ctx, { giftId: gift.id })
      : null;
  if (link === null) throw redirect(giverGiftPath(params.id));
  const {
    id,
    recipientName,
    message,
    planName,
    creatorName,
    creatorUsername,
    interval,
    claimUntil,
  } = gift;
  return {
    id,
    recipientName,
    message,
    planName,
    creatorName,
    creatorUsername,
    period: GIFT_PERIODS[interval],
    claimUntil,
    giverName: member.name,
    link,
    qr: qrDrawing(link),
  };
}

/** Shows a card to print and hand over, with the gift's address as a QR code and as text. */
export default function GiftCard({ loaderData: gift }: Route.ComponentProps) {
  const isHydrated = useHydrated();
  return (
    <article className="mx-auto w-full max-w-[560px] overflow-hidden rounded-card border border-line bg-card print:border-ink">
      <Bandeirinhas seed={gift.creatorUsername} columns={26} rows={2} lit className="h-16 w-full" />
      <div className="flex flex-col items-center gap-5 p-6 text-center sm:p-8">
        <h1 className="text-title wrap-anywhere">
          {gift.recipientName === "" ? "Um presente para você" : `Para ${gift.recipientName}`}
        </h1>
        {gift.message === "" ? null : (
          <p className="whitespace-pre-line wrap-anywhere">{quoted(gift.message)}</p>
        )}
        <p className="text-muted wrap-anywhere">
          {gift.planName}, de {gift.creatorName}, por {gift.period}. De {gift.giverName}.
        </p>
        <QrCode drawing={gift.qr} label="QR code do presente" />
        <p className="text-small text-muted">Aponte a câmera do telefone, ou abra o endereço:</p>
        <p className="font-mono text-small break-all select-all">{gift.link}</p>
        {gift.claimUntil === null ? null : (
          <p className="text-small text-muted">Vale até {formatDay(gift.claimUntil)}.</p>
        )}
        <div className="flex flex-wrap justify-center gap-2 print:hidden">
          {isHydrated ? (
            <Button type="button" onClick={() => window.print()}>
              <Printer aria-hidden="true" className="size-4.5" />
              Imprimir
            </Button>
          ) : null}
          <ButtonLink to={giverGiftPath(gift.id)} variant="ghost">
            Voltar
          </ButtonLink>
        </div>
      </div>
    </article>
  );
}
