import { SavedCardConfirmation } from "#app/components/checkout/card/confirm-card.tsx";
import {
  AlreadyBoughtCard,
  ChargeConfirmationCard,
  DisputedCard,
  PaidCard,
  ProcessingCard,
  RefundedCard,
  RefundPendingCard,
  RetryPaymentCard,
} from "#app/components/checkout/charge/charge-outcome.tsx";
import { RefreshPaymentButton } from "#app/components/checkout/charge/refresh-button.tsx";
import { SuggestedCreators } from "#app/components/checkout/suggested-creators.tsx";
import {
  ana,
  bia,
  DAY_MS,
  LONG_NAME,
  NOW,
  plan,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryPart } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const creator = { creatorPath: "/space/ana", creatorName: "Ana Prado" };

/** What a checkout shows once the payment was answered. */
export const ConfirmCardExamples: readonly GalleryPart[] = [
  {
    name: "Pago, com boas-vindas",
    element: (
      <PaidCard
        {...creator}
        planName="Camarim"
        benefits={plan.benefits}
        creatorUsername="ana"
        paid={{ kind: "open", until: NOW + 30 * DAY_MS, nextChargeAt: NOW + 30 * DAY_MS }}
        firstPost={{ path: "/post/a", title: "Itinerário de março" }}
        welcomeMessage={plan.welcomeMessage}
      />
    ),
  },
  {
    name: "Pago uma vez, com nome comprido",
    element: (
      <PaidCard
        {...creator}
        creatorName={LONG_NAME}
        planName={null}
        benefits={[]}
        creatorUsername="ana"
        paid={null}
        soldBy={{ path: "/post/a", title: LONG_NAME }}
      />
    ),
  },
  { name: "Em processamento", element: <ProcessingCard /> },
  {
    name: "Pix expirado",
    element: (
      <RetryPaymentCard
        {...creator}
        text="O código expirou. Peça um novo."
        label="Código expirado"
        method="pix"
        again={{ path: "/checkout", fields: { planPriceId: "mes" }, label: "Pedir outro código" }}
      />
    ),
  },
  {
    name: "Cartão recusado",
    element: (
      <RetryPaymentCard
        {...creator}
        text="O banco não aprovou a compra."
        label="Cartão recusado"
        method="card"
        again={{ path: "/checkout", fields: null }}
      />
    ),
  },
  {
    name: "Confirmar no banco",
    element: (
      <ChargeConfirmationCard
        chargeId="a"
        isRenewal={false}
        answer="O banco ainda não respondeu."
        isAsking={false}
      />
    ),
  },
  {
    name: "Confirmar um cartão",
    element: (
      <SavedCardConfirmation
        text="O banco pede que você confirme."
        nextActionUrl="/sandbox/confirm"
        problem="Não deu certo. Tente de novo."
      />
    ),
  },
  { name: "Já comprado", element: <AlreadyBoughtCard path="/post/a" /> },
  { name: "Reembolso a caminho", element: <RefundPendingCard reason={null} isRefused={false} /> },
  { name: "Reembolso recusado", element: <RefundPendingCard reason={null} isRefused /> },
  {
    name: "Reembolsado",
    element: (
      <RefundedCard
        {...creator}
        id="a"
        method="pix"
        reason={null}
        refundedCents={1_990}
        transfer={null}
      />
    ),
  },
  {
    name: "Contestado",
    element: (
      <DisputedCard isLost={false} hasEnded={false} disputedCents={1_990} amountCents={1_990} />
    ),
  },
  {
    name: "Contestação perdida",
    element: <DisputedCard isLost hasEnded disputedCents={1_000} amountCents={1_990} />,
  },
  { name: "Quem mais seguir", element: <SuggestedCreators people={[ana, bia]} />, isWide: true },
  {
    name: "Perguntar de novo",
    element: <RefreshPaymentButton isAsking={false}>Já paguei</RefreshPaymentButton>,
  },
];
