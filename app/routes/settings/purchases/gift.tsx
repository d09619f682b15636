import { quoted } from "#app/domain/text.ts";
import { Printer } from "lucide-react";
import { Form, useNavigation } from "react-router";
import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import { ShareLinkBox } from "#app/components/checkout/pix/share-link-box.tsx";
import { GIFT_PERIODS, giftBadge } from "#app/components/gifts/gift-labels.ts";
import { methodLabel } from "#app/components/payments/charge-labels.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { resendGift } from "#app/domain/purchases/gifts/commands/end-gift.server.ts";
import { giverGift } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { giftLinkForGiver } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import { giftCoolingOffRefundProblem, giverGiftPath } from "#app/domain/purchases/gifts/rules.ts";
import { giftDeliverySchema } from "#app/domain/purchases/gifts/schema.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import type { Route } from "./+types/gift.ts";

export const meta: Route.MetaFunction = () => [{ title: "Presente · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const gift = foundOr404(
    await giverGift(ctx, { giverId: context.get(memberContext).id, giftId: params.id }),
    "Não encontramos este presente.",
  );
  const isWaiting = gift.state === "waiting" || gift.state === "scheduled";
  const isInCoolingOff =
    giftCoolingOffRefundProblem(gift, { status: gift.chargeStatus }, ctx.now()) === null;
  return {
    ...gift,
    isWaiting,
    isInCoolingOff,
    usernameOffer: usernameOffer(context),
    link: isWaiting ? await giftLinkForGiver(ctx, { giftId: gift.id }) : null,
  };
}

/** Emails the recipient, for the first time or again. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, giftDeliverySchema, async ({ recipientEmail }) => {
    await resendGift(context.get(domainContext), {
      giverId: context.get(memberContext).id,
      giftId: params.id,
      recipientEmail,
    });
    return await redirectWithToast(request, giverGiftPath(params.id), {
      kind: "success",
      message: `Mandamos o presente para ${recipientEmail}.`,
    });
  });
}

type Given = Route.ComponentProps["loaderData"];

export default function GivenGift({ loaderData: gift, actionData }: Route.ComponentProps) {
  const badge = giftBadge(gift);
  return (
    <>
      <PageHeader
        title={gift.recipientName === "" ? "Presente" : `Presente para ${gift.recipientName}`}
      >
        <Badge tone={badge.tone}>{badge.label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-4">
        {gift.link === null ? null : <HandOver {...gift} link={gift.link} problem={actionData} />}
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <div className="flex items-center gap-3">
            <Avatar
              name={gift.creatorName}
              src={gift.creatorAvatarMediaId ? mediaUrl(gift.creatorAvatarMediaId, "320") : null}
              size="lg"
            />
            <p className="font-semibold wrap-anywhere">
              {gift.planName}, de {gift.creatorName}
            </p>
          </div>
          <DetailList details={detailsOf(gift)} />
          {gift.message === "" ? null : (
            <blockquote className="rounded-card bg-sand px-5 py-4 whitespace-pre-line wrap-anywhere">
              {quoted(gift.message)}
            </blockquote>
          )}
          <div className="flex flex-wrap gap-2">
            <ButtonLink to={`/settings/transactions/${gift.chargeId}`} variant="outline">
              Ver o recibo
            </ButtonLink>
            {gift.isInCoolingOff ? (
              <ButtonLink to={`/settings/transactions/${gift.chargeId}/regret`} variant="ghost">
                Desistir do presente
              </ButtonLink>
            ) : null}
          </div>
        </Card>
        {gift.usernameOffer ? (
          <UsernameOffer {...gift.usernameOffer} to={giverGiftPath(gift.id)} />
        ) : null}
      </div>
      <ButtonLink to="/settings/purchases" variant="ghost" className="mt-4 -ml-5 self-start">
        Voltar para as compras
      </ButtonLink>
    </>
  );
}

function HandOver({
  id,
  link,
  recipientEmail,
  creatorName,
  planName,
  state,
  deliverAt,
  problem,
}: Given & { link: string; problem: FormProblem | undefined }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card as="section" label="Entregar" className="flex flex-col gap-5 p-5 sm:p-6">
      <h2 className="text-heading">Entregar</h2>
      <p className="text-muted">
        {state === "scheduled" && deliverAt !== null
          ? `O e-mail sai em ${formatDay(deliverAt)}. `
          : ""}
        Quem abre este endereço pode resgatar: mande só a quem vai receber.
      </p>
      <ShareLinkBox
        url={link}
        label="Endereço do presente"
        title="Um presente para você"
        message={`Um presente para você: ${planName}, de ${creatorName}.`}
      />
      <ButtonLink to={`${giverGiftPath(id)}/cartao`} variant="outline" className="self-start">
        <Printer aria-hidden="true" className="size-4.5" />
        Cartão para imprimir
      </ButtonLink>
      <Form method="post" noValidate className="flex flex-col gap-3">
        <FormMessage message={problem?.message ?? null} />
        <TextField
          label="Mandar por e-mail"
          name="recipientEmail"
          type="email"
          inputMode="email"
          maxLength={254}
          autoComplete="off"
          defaultValue={problem?.values.recipientEmail ?? recipientEmail}
          error={problem?.errors.recipientEmail}
        />
        <Button variant="outline" className="self-start" disabled={isBusy}>
          {recipientEmail === "" || state === "scheduled" ? "Mandar agora" : "Mandar de novo"}
        </Button>
      </Form>
    </Card>
  );
}

function detailsOf({
  interval,
  amountCents,
  method,
  paidAt,
  deliveredAt,
  claimUntil,
  claimedAt,
  claimerName,
  endedAt,
  isWaiting,
}: Given): Detail[] {
  return [
    { label: "Abre por", value: GIFT_PERIODS[interval] },
    { label: "Preço", value: <Money cents={amountCents} /> },
    { label: "Pagamento", value: `${methodLabel(method)}, uma vez só` },
    ...(paidAt === null ? [] : [{ label: "Pago em", value: formatMinute(paidAt) }]),
    ...(deliveredAt === null ? [] : [{ label: "Mandado em", value: formatMinute(deliveredAt) }]),
    ...(claimedAt === null
      ? []
      : [
          {
            label: "Resgatado em",
            value: `${formatMinute(claimedAt)}, por ${claimerName ?? "alguém"}`,
          },
        ]),
    ...(isWaiting && claimUntil !== null
      ? [{ label: "Vale até", value: formatDay(claimUntil) }]
      : []),
    ...(endedAt === null ? [] : [{ label: "Devolvido em", value: formatMinute(endedAt) }]),
  ];
}
