import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { endCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { creatorCoupon } from "#app/domain/plans/queries/coupons.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/coupon-ending.ts";

export const meta: Route.MetaFunction = () => [{ title: "Encerrar cupom · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const creatorId = requireActor({ context }, "plans:edit").space.personId;
  const { code } = foundOr404(
    await creatorCoupon(context.get(domainContext), { couponId: params.couponId, creatorId }),
    "Não encontramos este cupom.",
  );
  return { code };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    z.object({}),
    async (_, actor) => {
      await endCoupon(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        couponId: params.couponId,
      });
      return await redirectWithToast(request, "/me/coupons", {
        kind: "success",
        message: "Cupom encerrado.",
      });
    },
  );
}

/** Asks first: the database never opens an ended coupon again, because a new one may have its code. */
export default function CouponEnding({ loaderData: { code }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title={`Encerrar ${code}?`} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          O código deixa de valer para quem chegar. Quem já assinou com ele continua com o desconto
          combinado. Um cupom encerrado não volta; o mesmo código pode ser usado num novo.
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Encerrar cupom
          </Button>
          <ButtonLink to="/me/coupons" variant="outline">
            Deixar valendo
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
