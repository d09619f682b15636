import { ConfirmCardExamples } from "./checkout-outcomes.tsx";
import { CardNeedsJavaScript } from "#app/components/checkout/card/card-field.tsx";
import { SaveCardField } from "#app/components/checkout/card/save-card-field.tsx";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { CheckoutObstacle } from "#app/components/checkout/checkout-obstacle.tsx";
import { Countdown } from "#app/components/checkout/charge/countdown.tsx";
import { CouponField } from "#app/components/checkout/order/coupon-field.tsx";
import { GuestFields } from "#app/components/checkout/payer/guest-fields.tsx";
import { IntervalLinks } from "#app/components/checkout/order/interval-links.tsx";
import { OrderChoices } from "#app/components/checkout/order/order-choices.tsx";
import { OrderSummary } from "#app/components/checkout/order/order-summary.tsx";
import type { OrderSummaryProps } from "#app/components/checkout/order/order-summary.tsx";
import { OtherWays } from "#app/components/checkout/methods/other-ways.tsx";
import { PayerField } from "#app/components/checkout/payer/payer-field.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { MandatePending } from "#app/components/checkout/pix/mandate-outcome.tsx";
import { MandateTerms } from "#app/components/checkout/pix/mandate-terms.tsx";
import { PixCard } from "#app/components/checkout/pix/pix-card.tsx";
import { PixPending } from "#app/components/checkout/pix/pix-pending.tsx";
import { PixSteps } from "#app/components/checkout/pix/pix-steps.tsx";
import { ShareLinkBox } from "#app/components/checkout/pix/share-link-box.tsx";
import { SharePixCard } from "#app/components/checkout/pix/share-pix.tsx";
import { PrepayNote } from "#app/components/checkout/order/prepay.tsx";
import { SharedPixRefundNote } from "#app/components/checkout/refund-note.tsx";
import { SignInFirst } from "#app/components/checkout/sign-in-first.tsx";
import { StartsLater } from "#app/components/checkout/order/starts-later.tsx";
import { RequiredTaxIdField, TaxIdField } from "#app/components/checkout/payer/tax-id-field.tsx";
import { TermsNote } from "#app/components/checkout/terms-note.tsx";
import { CARD_FIELD_PATH } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { PurchaseObstacle } from "#app/domain/purchases/schema.ts";
import {
  DAY_MS,
  HOUR_MS,
  LONG_NAME,
  noop,
  NOW,
  ORIGIN,
  problem,
  QR,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const order: OrderSummaryProps = {
  kind: "plan",
  title: "Camarim",
  creatorName: "Ana Prado",
  creatorUsername: "ana",
  creatorAvatarUrl: null,
  renews: "monthly",
  amountCents: 1_990,
  nextChargeAt: NOW + 30 * DAY_MS,
  seller: { name: "Ana Prado", taxIdShown: "***.456.789-**" },
};
const discount = {
  code: "PRACA20",
  label: "20% de desconto nos 3 primeiros pagamentos",
  firstCents: 1_592,
  cycles: 3,
  fullPriceAt: NOW + 90 * DAY_MS,
};
const mandate = {
  todayCents: 1_990,
  amountCents: 1_990,
  ceilingCents: 5_000,
  interval: "monthly",
  debitOn: "11 de dezembro",
} as const;
const pix = {
  code: "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR6009SAO PAULO",
  qr: QR,
  leftMs: 22 * 60_000,
  wholeMs: HOUR_MS,
  expiresAt: NOW + 22 * 60_000,
  onEnd: noop,
};

const form = (methods: PaymentMethod[], more: object = {}) => (
  <PaymentForm
    planPriceId="mes"
    periods={1}
    amountCents={1_990}
    coupon={null}
    methods={methods}
    cards={[]}
    cardFieldUrl={`${ORIGIN}/pay/card-field`}
    problem={undefined}
    taxIdFor={["pix", "card"]}
    {...more}
  />
);

export const CHECKOUT: GalleryScreen = {
  slug: "checkout",
  title: "Pagamento: pedido e formulário",
  parts: [
    {
      name: "A tela, por Pix e cartão",
      element: (
        <CheckoutFrame summary={<OrderSummary {...order} />}>{form(["pix", "card"])}</CheckoutFrame>
      ),
      isWide: true,
    },
    { name: "Só Pix", element: form(["pix"], { pixOnly: "O valor é baixo demais para cartão." }) },
    {
      name: "Cartão guardado",
      element: form(["card"], {
        cards: [{ id: "a", label: "Visa final 4242", isDefault: true }],
        hasWallets: true,
        taxIdFor: [],
      }),
    },
    {
      name: "Recusado",
      element: form(["pix", "card"], {
        problem: problem(
          { taxId: "Confira o CPF: um número não bate." },
          { taxId: "123.456.789-00" },
        ),
      }),
    },
    {
      name: "De quem ainda não tem conta",
      element: form(["pix"], {
        isGuest: true,
        loginPath: "/auth/login",
        who: (
          <GuestFields
            loginPath="/auth/login"
            values={{}}
            errors={{ email: "Confira o e-mail." }}
          />
        ),
      }),
    },
    {
      name: "Com dias grátis e Pix Automático",
      element: form(["pix", "card"], {
        trial: { days: 7, endsAt: NOW + 7 * DAY_MS },
        automatic: mandate,
      }),
    },
    { name: "Pedido com desconto", element: <OrderSummary {...order} discount={discount} /> },
    {
      name: "Pedido com dias grátis e nomes compridos",
      element: (
        <OrderSummary
          {...order}
          title={LONG_NAME}
          creatorName={LONG_NAME}
          trial={{ days: 7, endsAt: NOW + 7 * DAY_MS }}
        />
      ),
    },
    {
      name: "Pedido de uma publicação",
      element: (
        <OrderSummary {...order} kind="post" renews={null} nextChargeAt={null} seller={null} />
      ),
    },
    {
      name: "Escolhas do pedido",
      element: (
        <OrderChoices
          plan={{
            id: "camarim",
            priceId: "ano",
            prices: [
              { id: "mes", interval: "monthly", amountCents: 1_990 },
              { id: "ano", interval: "annual", amountCents: 19_900 },
            ],
          }}
          renews="monthly"
          coupon={{ code: "PRACA20", problem: null, discount }}
          couponError={undefined}
          ahead={{ choices: [{ count: 3, amountCents: 5_970 }], chosen: null }}
          offersTrial={false}
          link={null}
        />
      ),
    },
    {
      name: "De quanto em quanto tempo",
      element: (
        <IntervalLinks
          planId="camarim"
          priceId="mes"
          prices={[
            { id: "mes", interval: "monthly", amountCents: 1_990 },
            { id: "ano", interval: "annual", amountCents: 19_900 },
          ]}
          coupon={null}
        />
      ),
    },
    {
      name: "Cupom recusado",
      element: (
        <CouponField
          planId="camarim"
          interval="monthly"
          periods={1}
          code="VELHO"
          problem="Este cupom acabou."
          discount={null}
          link={null}
        />
      ),
    },
    {
      name: "Pagamento adiantado",
      element: (
        <PrepayNote
          interval="monthly"
          count={3}
          amountCents={5_970}
          fullCents={5_970}
          nextCents={1_990}
          startsAt={NOW}
          endsAt={NOW + 90 * DAY_MS}
        />
      ),
    },
    { name: "CPF", element: <RequiredTaxIdField problem={undefined} /> },
    {
      name: "CPF pedido pelo cartão",
      element: <TaxIdField methods={["card"]} problem={undefined} />,
    },
    { name: "Termos", element: <TermsNote /> },
    {
      name: "Entrar primeiro",
      element: <SignInFirst loginPath="/auth/login" registerPath="/auth/register" />,
    },
    {
      name: "Outras formas",
      element: <OtherWays otherPath="/checkout?method=card" abandonPath="/checkout/a/abandon" />,
    },
    { name: "Guardar o cartão", element: <SaveCardField savesCard /> },
    {
      name: "Cartão sem JavaScript",
      element: <CardNeedsJavaScript cardFieldUrl={`${ORIGIN}${CARD_FIELD_PATH}`} />,
    },
    { name: "Quem paga", element: <PayerField payerId="a" /> },
    {
      name: "Começa depois",
      element: <StartsLater beginsAt={NOW + DAY_MS} endsAt={NOW + DAY_MS} creatorName="Ana" />,
    },
    ...(
      [
        "own",
        "subscribed",
        "upcoming",
        "bought",
        "open",
        "full",
        "not_sold",
        "away",
      ] as PurchaseObstacle[]
    ).map((obstacle) => ({
      name: `Não dá para comprar: ${obstacle}`,
      element: (
        <CheckoutObstacle
          kind="plan"
          obstacle={obstacle}
          path="/checkout"
          creatorPath="/space/ana"
          creatorName="Ana Prado"
          plan={{ id: "camarim", priceId: "mes" }}
          live={null}
          awayUntil={obstacle === "away" ? NOW + 12 * DAY_MS : null}
          beginsAt={null}
        />
      ),
    })),
  ],
};

export const PIX: GalleryScreen = {
  slug: "pix",
  title: "Pagamento: Pix",
  parts: [
    { name: "Código", element: <PixCard {...pix} /> },
    {
      name: "Esperando, por quem assina",
      element: (
        <PixPending
          {...pix}
          amountCents={1_990}
          description="Camarim, de Ana Prado"
          shareUrl={`${ORIGIN}/pix/a`}
          automatic={null}
          answer={null}
          isAsking={false}
        />
      ),
    },
    {
      name: "Esperando, com Pix Automático e a resposta do banco",
      element: (
        <PixPending
          {...pix}
          amountCents={123_456}
          description={LONG_NAME}
          shareUrl={null}
          automatic={mandate}
          answer="O banco ainda não recebeu."
          isAsking={false}
        />
      ),
    },
    { name: "Tempo que falta, e acabado", element: <Countdown {...pix} /> },
    { name: "Tempo acabado", element: <Countdown {...pix} leftMs={0} /> },
    { name: "Como pagar", element: <PixSteps amountCents={1_990} /> },
    {
      name: "Pedir para alguém pagar",
      element: <SharePixCard url={`${ORIGIN}/pix/a`} description="Camarim" amountCents={1_990} />,
    },
    {
      name: "Endereço a mandar",
      element: (
        <ShareLinkBox
          url={`${ORIGIN}/pix/a`}
          label="Endereço"
          title="Pix"
          message="Paga para mim?"
        />
      ),
    },
    { name: "Pix Automático: termos", element: <MandateTerms {...mandate} /> },
    { name: "Pix Automático: esperando", element: <MandatePending {...mandate} /> },
    { name: "Reembolso a quem pagou", element: <SharedPixRefundNote payerFirstName="Bruno" /> },
  ],
};

export const PAYMENT_OUTCOMES: GalleryScreen = {
  slug: "payment-outcomes",
  title: "Pagamento: desfechos",
  parts: ConfirmCardExamples,
};
