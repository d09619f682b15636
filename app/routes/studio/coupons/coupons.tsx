import { HelpLink } from "#app/components/help/help-link.tsx";
import { counted } from "#app/domain/text.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { creatorCoupons } from "#app/domain/plans/queries/coupons.server.ts";
import {
  couponClosedProblem,
  couponLabel,
  isCouponForPlan,
} from "#app/domain/plans/rules/coupons.ts";
import { addDays, formatDay } from "#app/domain/time.ts";
import { requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/coupons.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cupons · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const creatorId = requireWriter({ context }, "plans:edit").space.personId;
  const [coupons, plans] = await Promise.all([
    creatorCoupons(ctx, { creatorId }),
    plansOfCreator(ctx, { creatorId, states: ["draft", "active", "archived"] }),
  ]);
  return {
    coupons: coupons.map((coupon) => {
      const closed = couponClosedProblem(coupon, ctx.now());
      const sold = plans.filter(
        (plan) => plan.state === "active" && isCouponForPlan(coupon, plan.id),
      );
      return {
        id: coupon.id,
        code: coupon.code,
        label: couponLabel(coupon),
        planNames:
          coupon.planIds === null
            ? null
            : plans.filter((plan) => isCouponForPlan(coupon, plan.id)).map((plan) => plan.name),
        usesCount: coupon.usesCount,
        usesLimit: coupon.usesLimit,
        lastDayAt: coupon.expiresAt === null ? null : addDays(coupon.expiresAt, -1),
        closed,
        links: closed
          ? []
          : sold.map((plan) => ({
              planName: plan.name,
              url: `${ctx.settings.appOrigin}/checkout?${new URLSearchParams({ plan: plan.id, coupon: coupon.code }).toString()}`,
            })),
      };
    }),
  };
}

type Shown = Route.ComponentProps["loaderData"]["coupons"][number];

export default function Coupons({ loaderData: { coupons } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Cupons"
        lead="Um desconto nos primeiros pagamentos de quem assina com o código."
      >
        <ButtonLink to="/me/coupons/create" size="sm">
          Novo cupom
        </ButtonLink>
      </PageHeader>
      {coupons.length === 0 ? (
        <EmptyState
          title="Nenhum cupom"
          action={<ButtonLink to="/me/coupons/create">Criar cupom</ButtonLink>}
        >
          Um código para o lançamento, para quem voltou, para quem veio do show: vale pelo tempo e
          pelos usos que você disser.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {coupons.map((coupon) => (
            <CouponRow key={coupon.id} {...coupon} />
          ))}
        </ul>
      )}
      <HelpLink answer="criar-cupom">Como funciona um cupom</HelpLink>
    </>
  );
}

const STATES = { ended: "Encerrado", expired: "Venceu", used_up: "Usos esgotados" };

function CouponRow({
  id,
  code,
  label,
  planNames,
  usesCount,
  usesLimit,
  lastDayAt,
  closed,
  links,
}: Shown) {
  const uses =
    usesLimit === null
      ? `${counted(usesCount, "uso", "usos")}`
      : `${usesCount.toLocaleString("pt-BR")} de ${counted(usesLimit, "uso", "usos")}`;
  const details = [
    planNames === null ? "todos os planos" : planNames.join(", "),
    uses,
    lastDayAt === null ? "sem data para acabar" : `até ${formatDay(lastDayAt)}`,
  ];
  return (
    <Card as="li" className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-mono font-semibold wrap-anywhere">{code}</span>
            {closed ? (
              <Badge tone="neutral">{STATES[closed]}</Badge>
            ) : (
              <Badge tone="good">Valendo</Badge>
            )}
          </p>
          <p>{label}</p>
          <p className="text-small text-muted wrap-anywhere">{details.join(" · ")}</p>
        </div>
        {closed === "ended" ? null : (
          <ButtonLink
            to={`/me/coupons/${id}/ending`}
            variant="outline"
            size="sm"
            aria-label={`Encerrar ${code}`}
          >
            Encerrar
          </ButtonLink>
        )}
      </div>
      {links.length > 0 ? (
        <details>
          <summary className="flex min-h-11 w-fit items-center text-small font-semibold text-leaf underline underline-offset-4">
            Link com o cupom
          </summary>
          <ul className="flex flex-col gap-2 pt-1">
            {links.map((link) => (
              <li key={link.url} className="text-small">
                {link.planName}:{" "}
                <code className="rounded-field bg-sand px-2 py-1 font-mono break-all select-all">
                  {link.url}
                </code>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Card>
  );
}
