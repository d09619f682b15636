import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { salesEndText } from "#app/components/payouts/documents/document-labels.ts";
import { SellerDetailsForm } from "#app/components/payouts/documents/seller-details-form.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { priceNetText } from "#app/components/plan-form/price-net.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { documentsOfPerson, salesDeadline } from "#app/domain/documents/queries.server.ts";
import { canSubmitDocuments, documentsStatus } from "#app/domain/documents/rules.ts";
import { formatMoney, formatPercent } from "#app/domain/money.ts";
import { submitSellerDetails } from "#app/domain/payouts/destinations/commands.server.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { destinationLabel } from "#app/domain/payouts/destinations/rules/destinations.ts";
import {
  sellerDetailsAgainSchema,
  sellerDetailsSchema,
} from "#app/domain/payouts/destinations/schema.ts";
import { activatePlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import {
  confirmPixKeyChange,
  refuseUnconfirmedPixKey,
} from "#app/http/money/pix-key-change.server.ts";
import {
  actorContext,
  cloudflareContext,
  domainContext,
  formSubmittedContext,
} from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import type { Route } from "./+types/plan-activation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Colocar à venda · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const actor = requireActor({ context }, "plans:edit");
  const creatorId = actor.space.personId;
  const plan = foundOr404(
    await creatorPlan(ctx, { planId: params.planId, creatorId }),
    "Não encontramos este plano.",
  );
  if (plan.state !== "draft") throw redirect(`/plan/${plan.id}/update`);
  const documents = await documentsOfPerson(ctx, { personId: creatorId });
  const asksDetails = canSubmitDocuments(documentsStatus(documents));
  const path = `/plan/${plan.id}/activation`;
  if (asksDetails && actor.may("billing:manage"))
    await confirmPixKeyChange(
      { env: context.get(cloudflareContext).env, ctx, request },
      { personId: creatorId, path, wasSent: context.get(formSubmittedContext) },
    );
  // Only a member who manages the payout details can enter them.
  const waitsFor = asksDetails && !actor.may("billing:manage") ? actor.space.name : null;
  const method =
    asksDetails && waitsFor === null ? await withdrawalMethodOfCreator(ctx, { creatorId }) : null;
  return {
    plan,
    asksDetails,
    keeps: method && destinationLabel(method.pixKeyKind, method.pixKey),
    waitsFor,
    rejectionReason:
      documentsStatus(documents) === "rejected" ? (documents?.rejectionReason ?? null) : null,
    feeBasisPoints: await creatorFee(ctx, { creatorId }),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  context.set(formSubmittedContext, true);
  const activated = async (actor: Actor) => {
    await activatePlan(ctx, {
      creatorId: actor.space.personId,
      actedBy: actingPersonId(actor),
      planId: params.planId,
    });
    const deadline = await salesDeadline(ctx, { personId: actor.space.personId });
    const isOnSale = `Pronto: ${actor.isOwn ? "seu" : "o"} plano está à venda.`;
    return await redirectWithToast(request, `/plan/${params.planId}/ready`, {
      kind: "success",
      message: deadline
        ? `${isOnSale} ${salesEndText(deadline.missing, deadline.endsAt)}`
        : isOnSale,
    });
  };
  const { space } = context.get(actorContext);
  const asksDetails = canSubmitDocuments(
    documentsStatus(await documentsOfPerson(ctx, { personId: space.personId })),
  );
  if (!asksDetails)
    return await submitForSpace(
      { request, context },
      "plans:edit",
      z.object({}),
      async (_, actor) => activated(actor),
    );
  const method = await withdrawalMethodOfCreator(ctx, { creatorId: space.personId });
  return await submitForSpace(
    { request, context },
    "billing:manage",
    method ? sellerDetailsAgainSchema : sellerDetailsSchema,
    async (details, actor) => {
      const { personId } = actor.space;
      await refuseUnconfirmedPixKey(
        { env: context.get(cloudflareContext).env, ctx, request },
        { personId, path: `/plan/${params.planId}/activation` },
      );
      await submitSellerDetails(ctx, { personId, ...details });
      return await activated(actor);
    },
  );
}

export default function PlanActivation({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, asksDetails, waitsFor, rejectionReason } = loaderData;
  return (
    <>
      <PageHeader
        title="Colocar à venda"
        lead={
          asksDetails && waitsFor === null
            ? "Antes da primeira venda, precisamos saber quem recebe. Leva um minuto, e a venda abre na hora. Depois você tem 14 dias para mandar as fotos dos documentos."
            : undefined
        }
      />
      <div className="flex flex-col gap-5">
        <PlanSummary {...loaderData} />
        {waitsFor !== null ? (
          <p className="text-muted">
            Falta {waitsFor} enviar os documentos e a chave Pix. Depois disso, dá para colocar à
            venda.
          </p>
        ) : asksDetails ? (
          <Card className="flex flex-col gap-5 p-5 sm:p-6">
            {rejectionReason ? (
              <FormMessage message={`Da última vez não deu: ${rejectionReason}`} />
            ) : null}
            <SellerDetailsForm
              problem={actionData}
              defaults={{}}
              submitLabel="Enviar e colocar à venda"
              keeps={loaderData.keeps}
            />
          </Card>
        ) : (
          <ActivateForm message={actionData?.message ?? null} />
        )}
        <ButtonLink to={`/plan/${plan.id}/update`} variant="ghost" className="-ml-5 self-start">
          Mudar o plano antes
        </ButtonLink>
      </div>
    </>
  );
}

function PlanSummary({ plan, feeBasisPoints }: Route.ComponentProps["loaderData"]) {
  return (
    <Card as="section" label="Plano" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">{plan.name}</h2>
      {plan.description ? <p className="text-muted">{plan.description}</p> : null}
      {plan.prices.map((price) => (
        <div key={price.id} className="flex flex-col gap-2">
          <p>
            <Money cents={price.amountCents} size="display" />{" "}
            <span className="text-muted">{intervalLabel(price.interval)}</span>
          </p>
          <p className="text-small font-semibold text-leaf">
            {priceNetText(formatMoney(price.amountCents), feeBasisPoints)?.text}
          </p>
        </div>
      ))}
      <p className="text-small text-muted">
        A taxa do Coreto é {formatPercent(feeBasisPoints)} de cada pagamento.
      </p>
    </Card>
  );
}

function ActivateForm({ message }: { message: string | null }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Form method="post" className="flex flex-col gap-4">
      <ActingField />
      <FormMessage message={message} />
      <Button size="lg" disabled={isBusy} className="self-start">
        Colocar à venda
      </Button>
    </Form>
  );
}
