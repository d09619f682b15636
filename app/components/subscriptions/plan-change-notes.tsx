import { SellerNotice } from "#app/components/checkout/order/order-summary.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { PlanChangeDetails } from "./plan-change.tsx";

type NotesProps = {
  shown: PlanChangeDetails;
  replaces: string | null;
  movesToPix: boolean;
  losesAutomatic: boolean;
};

/** Other effects of a plan change, besides its price. */
export function PlanChangeNotes({
  shown: { fromPlanName, toPlanName, quote, coupon },
  replaces,
  movesToPix,
  losesAutomatic,
}: NotesProps) {
  const notes = [
    ...(coupon && !coupon.stays
      ? [`O cupom ${coupon.code} não vale para ${toPlanName}: o desconto termina com a mudança.`]
      : []),
    ...(replaces ? [`A mudança que estava marcada, para ${replaces}, deixa de valer.`] : []),
    ...(movesToPix
      ? [
          "Valores abaixo de R$\u00a010,00 se pagam só com Pix: as próximas cobranças passam a ser por Pix.",
        ]
      : []),
    ...(losesAutomatic
      ? [
          "O Pix Automático que você autorizou não é para este valor: as próximas cobranças chegam por código Pix, até você autorizar de novo.",
        ]
      : []),
    quote.happens === "now"
      ? `Nos 7 primeiros dias, se mudar de ideia, devolvemos a diferença e a assinatura volta para ${fromPlanName}.`
      : "Até lá dá para desfazer, quando você quiser.",
  ];
  return (
    <ul className="flex flex-col gap-2 text-small text-muted">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

/** Seller and terms of the new plan (Decreto 7.962/2013). */
export function PlanChangeTerms({
  seller,
  creatorName,
}: {
  seller: PublicSeller | null;
  creatorName: string;
}) {
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="text-caption text-muted">
        Assinatura da página de {creatorName}. Valem os{" "}
        <a href="/terms" className="underline">
          termos de uso
        </a>
        .
      </p>
      <SellerNotice seller={seller} className="" />
    </div>
  );
}

/** Why a plan change is refused, and a link back. */
export function PlanChangeObstacle({ id, problem }: { id: string; problem: string }) {
  return (
    <Card className="flex flex-col items-start gap-4 p-5 sm:p-6">
      <p role="status">{problem}</p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={`/settings/subscriptions/${id}`}>Ver a assinatura</ButtonLink>
        <ButtonLink to={`/settings/subscriptions/${id}/plan`} variant="outline">
          Ver os planos
        </ButtonLink>
      </div>
    </Card>
  );
}
