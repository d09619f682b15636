import { CouponForm } from "#app/components/plan-form/coupon-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { couponSchema } from "#app/domain/plans/schema/coupons.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/coupon-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Novo cupom · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const creatorId = requireWriter({ context }, "plans:edit").space.personId;
  const plans = await plansOfCreator(context.get(domainContext), {
    creatorId,
    states: ["draft", "active"],
  });
  return { plans: plans.map(({ id, name }) => ({ id, name })) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    couponSchema,
    async (coupon, actor) => {
      await createCoupon(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        ...coupon,
      });
      return await redirectWithToast(request, "/me/coupons", {
        kind: "success",
        message: `Cupom ${coupon.code} criado. Já vale.`,
      });
    },
  );
}

export default function CouponCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Novo cupom"
        lead="Depois de criado, um cupom não muda: para mudar, encerre e crie outro. Quem já usou continua com o desconto."
      />
      <Card className="p-5 sm:p-6">
        <CouponForm plans={loaderData.plans} problem={actionData} />
      </Card>
    </>
  );
}
