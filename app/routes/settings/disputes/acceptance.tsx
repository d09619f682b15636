import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { concedeDispute } from "#app/domain/disputes/commands/answer.server.ts";
import { DisputeNotFound } from "#app/domain/disputes/errors.ts";
import { disputeRow } from "#app/domain/disputes/queries.server.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import { canAcceptDispute } from "#app/domain/payments/providers/rules/providers.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { refuseWithoutReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { loadEditableDispute, disputePath } from "#app/http/money/dispute.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/acceptance.ts";

export const meta: Route.MetaFunction = () => [{ title: "Aceitar a perda · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { dispute, charge } = await loadEditableDispute({ context }, params.id);
  if (!canAcceptDispute(context.get(domainContext), dispute))
    throw redirect(disputePath(params.id));
  return {
    id: dispute.id,
    description: charge.description,
    amountCents: dispute.amountCents,
    netCents: dispute.amountCents - dispute.feeShareCents,
    hasRest: remainingCents(charge) > 0,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "disputes:answer",
    z.object({}),
    async (_, { member, space }) => {
      const ctx = context.get(domainContext);
      const dispute = await disputeRow(ctx, { disputeId: params.id });
      if (dispute?.creatorId !== space.personId) throw new DisputeNotFound();
      await refuseWithoutReauthentication(
        { env: context.get(cloudflareContext).env, ctx, request },
        { path: `${disputePath(params.id)}/acceptance`, before: "aceitar a perda" },
      );
      await concedeDispute(ctx, {
        disputeId: params.id,
        creatorId: space.personId,
        memberId: member.id,
      });
      return await redirectWithToast(request, disputePath(params.id), {
        kind: "success",
        message: "Pronto: o valor volta a quem pagou.",
      });
    },
  );
}

export default function Acceptance({
  loaderData: { id, description, amountCents, netCents, hasRest },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Aceitar a perda?" lead={description} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <ActingField />
          <FormMessage message={actionData?.message} link={actionData?.link} />
          <p>
            <Money cents={amountCents} className="font-semibold" /> voltam a quem pagou. Os{" "}
            <Money cents={netCents} className="font-semibold" /> que estão bloqueados não voltam
            para o seu saldo, o Coreto devolve a taxa
            {hasRest
              ? " desta parte, e o resto do pagamento continua seu"
              : ", e o acesso ao que foi comprado termina"}
            . Não dá para desfazer.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button variant="danger" disabled={isBusy}>
              Aceitar a perda
            </Button>
            <ButtonLink to={`/settings/transactions/disputes/${id}`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
