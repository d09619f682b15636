import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { SubscriptionPayments } from "#app/components/subscriptions/subscription-payments.tsx";
import { nothingPaidText } from "#app/components/subscriptions/subscription-labels.ts";
import type { SubscriptionPayment } from "#app/domain/subscriptions/history/queries/payments.server.ts";
import { instantOf } from "#app/domain/time.ts";

const paid: SubscriptionPayment = {
  id: "c1",
  kind: "subscription",
  at: instantOf({ year: 2026, month: 3, day: 12 }),
  amountCents: 1_990,
  refundedCents: 0,
  method: "pix",
  recurringPixId: null,
  status: "succeeded",
  hasReceipt: true,
};

const shown = (payments: SubscriptionPayment[]) => {
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <SubscriptionPayments subscriptionId="s1" payments={payments} none="Nada." />
      ),
    },
  ]);
  return renderToStaticMarkup(<Stub initialEntries={["/"]} />);
};

test("each payment shows its day, amount and status, with links to itself, its receipt and the statement", () => {
  const page = shown([
    paid,
    { ...paid, id: "c2", kind: "plan_change", status: "expired", hasReceipt: false },
    { ...paid, id: "c3", status: "partially_refunded", refundedCents: 500 },
  ]);
  for (const said of [
    "12/03/2026",
    "19,90",
    "Pago",
    "Expirado",
    "Mudança de plano",
    "Devolvido em parte",
    "voltaram",
  ])
    expect(page).toContain(said);
  const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, to]) => to?.replace("&amp;", "&"));
  expect(links).toEqual([
    "/settings/transactions?face=paid&subscription=s1",
    "/settings/transactions/c1",
    "/settings/transactions/c1/recibo",
    "/settings/transactions/c2",
    "/settings/transactions/c3",
    "/settings/transactions/c3/recibo",
  ]);
});

test("a subscription without payments explains why", () => {
  expect(shown([])).toContain("Nada.");
  const own = { creatorName: "Ana", compEndsAt: null, giftedBy: null, isOnTrial: false };
  const said = [
    nothingPaidText(own),
    nothingPaidText({ ...own, isOnTrial: true }),
    nothingPaidText({ ...own, giftedBy: "p" }),
    nothingPaidText({ ...own, compEndsAt: 1 }),
  ];
  expect(said).toEqual([
    expect.stringContaining("Nada foi pago"),
    expect.stringContaining("dias grátis"),
    expect.stringContaining("presente"),
    expect.stringContaining("cortesia de Ana"),
  ]);
});
