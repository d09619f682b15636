import type { ReactNode } from "react";
import { GiftFields } from "#app/components/gifts/gift-fields.tsx";
import { GiftLink } from "#app/components/gifts/gift-link.tsx";
import { CouponForm } from "#app/components/plan-form/coupon-form.tsx";
import { PlanDrafts } from "#app/components/plan-form/plan-drafts.tsx";
import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { PlanSuggestions } from "#app/components/plan-form/plan-suggestions.tsx";
import { PlanCard } from "#app/components/plans/plan-card.tsx";
import { PlanNextSteps } from "#app/components/plans/plan-next-steps.tsx";
import { PlanStrip } from "#app/components/plans/plan-strip.tsx";
import { PriceChangeCard } from "#app/components/plans/price-change-card.tsx";
import { SellingStopped } from "#app/components/plans/selling-stopped.tsx";
import { VacationNotice } from "#app/components/plans/vacation-notice.tsx";
import { NextPrice } from "#app/components/subscriptions/next-price.tsx";
import {
  PlanChangeObstacle,
  PlanChangeTerms,
} from "#app/components/subscriptions/plan-change-notes.tsx";
import { PriceAnswerForm } from "#app/components/subscriptions/price-answer.tsx";
import { SubscriptionPayments } from "#app/components/subscriptions/subscription-payments.tsx";
import { TipForm } from "#app/components/tips/tip-form.tsx";
import { TipLink } from "#app/components/tips/tip-link.tsx";
import { TipPaidCard } from "#app/components/tips/tip-paid-card.tsx";
import {
  DAY_MS,
  fullPlan,
  LONG_NAME,
  NOW,
  ORIGIN,
  plan,
  problem,
  QR,
  trialPlan,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const card = (shown: ReactNode) => <ul>{shown}</ul>;

export const PLANS: GalleryScreen = {
  slug: "plans",
  title: "Planos",
  parts: [
    { name: "Plano", element: card(<PlanCard plan={plan} featured />) },
    {
      name: "Lotado, com nome comprido e dois preços",
      element: card(<PlanCard plan={fullPlan} />),
    },
    { name: "Com dias grátis e um lugar", element: card(<PlanCard plan={trialPlan} signedIn />) },
    { name: "De quem assina", element: card(<PlanCard plan={plan} isTheirs signedIn />) },
    { name: "De quem vende", element: card(<PlanCard plan={plan} way="edit" />) },
    { name: "Da equipe, que só olha", element: card(<PlanCard plan={plan} way="look" />) },
    { name: "De férias", element: card(<PlanCard plan={plan} awayUntil={NOW + 12 * DAY_MS} />) },
    {
      name: "Todos os planos",
      element: <PlanStrip plans={[plan, fullPlan, trialPlan]} />,
      isWide: true,
    },
    {
      name: "Rascunhos",
      element: <PlanDrafts drafts={[{ ...plan, state: "draft" }]} hasPlans mayEdit />,
    },
    {
      name: "Depois do primeiro plano",
      element: (
        <PlanNextSteps
          plan={plan}
          username="ana"
          page={{ url: `${ORIGIN}/@ana`, qr: QR }}
          publishes
          hasPosts={false}
        />
      ),
    },
    {
      name: "Férias",
      element: <VacationNotice until={NOW + 12 * DAY_MS} name="Ana Prado" />,
    },
    { name: "Vendas paradas", element: <SellingStopped why="empty" /> },
    {
      name: "Mudança de preço",
      element: (
        <PriceChangeCard
          planId="camarim"
          prices={[
            {
              price: { id: "mes", interval: "monthly", amountCents: 2_490 },
              status: { interval: "monthly", olderCount: 3, ask: null },
            },
          ]}
        />
      ),
    },
    {
      name: "Próximo preço",
      element: <NextPrice amountCents={1_990} priceCents={2_490} interval="monthly" />,
    },
    {
      name: "Troca de plano: termos",
      element: (
        <PlanChangeTerms
          seller={{ name: LONG_NAME, taxIdShown: "***.456.789-**" }}
          creatorName="Ana"
        />
      ),
    },
    {
      name: "Troca de plano: impedida",
      element: <PlanChangeObstacle id="a" problem="O plano está lotado." />,
    },
    ...(["asked", "accepted", "kept"] as const).map((state) => ({
      name: `Resposta ao preço novo: ${state}`,
      element: (
        <PriceAnswerForm
          ask={{
            askId: "a",
            state,
            fromPrice: "R$ 19,90 por mês",
            toPrice: "R$ 24,90 por mês",
            takesEffectAt: NOW + 30 * DAY_MS,
            needsMandate: false,
            movesToPix: false,
            isChargeOpen: false,
          }}
          message={null}
          isBusy={false}
        />
      ),
    })),
    {
      name: "Pagamentos da assinatura",
      element: (
        <SubscriptionPayments
          subscriptionId="a"
          none="Nenhum pagamento."
          payments={[
            {
              id: "a",
              kind: "subscription",
              at: NOW,
              amountCents: 1_990,
              refundedCents: 0,
              method: "pix",
              recurringPixId: null,
              status: "succeeded",
              hasReceipt: true,
            },
            {
              id: "b",
              kind: "plan_change",
              at: NOW - DAY_MS,
              amountCents: 123_456,
              refundedCents: 123_456,
              method: "card",
              recurringPixId: null,
              status: "refunded",
              hasReceipt: true,
            },
          ]}
        />
      ),
    },
  ],
};

export const PLAN_FORMS: GalleryScreen = {
  slug: "plan-forms",
  title: "Formulários de venda",
  parts: [
    {
      name: "Plano novo",
      element: (
        <PlanForm
          plan={null}
          feeBasisPoints={500}
          problem={undefined}
          submitLabel="Criar plano"
          welcomeDraft="Que bom que você veio!"
        />
      ),
    },
    {
      name: "Plano, com erros",
      element: (
        <PlanForm
          plan={plan}
          feeBasisPoints={500}
          problem={problem(
            { name: "Dê um nome ao plano", price: "Pelo menos R$ 5,00" },
            { name: "" },
          )}
          submitLabel="Salvar"
          welcomeDraft=""
        />
      ),
    },
    {
      name: "Sugestões de planos",
      element: (
        <PlanSuggestions
          kinds={[
            { kind: "music", label: "Música" },
            { kind: "art", label: "Arte" },
          ]}
          kind="music"
          plans={[
            { name: "Camarim", amountCents: 1_990, description: "Tudo.", benefits: plan.benefits },
          ]}
          isAsked
        />
      ),
    },
    {
      name: "Cupom",
      element: <CouponForm plans={[plan]} problem={undefined} />,
    },
    {
      name: "Presente",
      element: (
        <GiftFields
          planPriceId="mes"
          creatorName="Ana Prado"
          values={{}}
          errors={{ email: "Confira o e-mail." }}
        />
      ),
    },
    { name: "Presentear", element: <GiftLink planId="camarim" planName="Camarim" /> },
    {
      name: "Gorjeta",
      element: (
        <TipForm
          creatorName={LONG_NAME}
          methods={["pix", "card"]}
          cards={[{ id: "a", label: "Visa final 4242", isDefault: true }]}
          cardFieldUrl={null}
          minimumCardCents={500}
          values={{}}
          problem={undefined}
          who={null}
          taxIdFor={["pix"]}
          isGuest={false}
        />
      ),
    },
    { name: "Mandar gorjeta", element: <TipLink username="ana" /> },
    {
      name: "Gorjeta paga",
      element: (
        <TipPaidCard
          id="a"
          amountCents={1_000}
          creatorName="Ana Prado"
          creatorUsername="ana"
          creatorPath="/space/ana"
        />
      ),
    },
  ],
};
