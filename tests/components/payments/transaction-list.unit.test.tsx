import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { TransactionList } from "#app/components/payments/transaction-list.tsx";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";

const row = (more: {
  status: ChargeStatus;
  refundedCents?: number;
  refundedFeeCents?: number;
}) => ({
  id: "1",
  at: 0,
  description: "Camarim",
  method: "pix" as const,
  recurringPixId: null,
  counterpartName: "Ana",
  amountCents: 1_990,
  feeCents: 100,
  netCents: 1_890,
  refundedCents: 0,
  refundedFeeCents: 0,
  disputedCents: 0,
  disputedFeeCents: 0,
  ...more,
});

function shown(face: "paid" | "received", more: Parameters<typeof row>[0]): string {
  const Stub = createRoutesStub([
    { path: "/", Component: () => <TransactionList face={face} rows={[row(more)]} /> },
  ]);
  return renderToStaticMarkup(<Stub initialEntries={["/"]} />);
}

test("a received payment shows a plus sign, and a fully refunded one shows a muted zero", () => {
  expect(shown("received", { status: "succeeded" })).toMatch(/\+ <span[^>]*>R\$\s18,90/);
  const returned = shown("received", {
    status: "refunded",
    refundedCents: 1_990,
    refundedFeeCents: 100,
  });
  expect(returned).toMatch(/text-muted">R\$\s0,00/);
  expect(returned).not.toContain("+ ");
});

test("an expired payment has a muted amount", () => {
  expect(shown("paid", { status: "succeeded" })).not.toMatch(
    /font-semibold text-muted">R\$\s19,90/,
  );
  expect(shown("paid", { status: "expired" })).toMatch(/font-semibold text-muted">R\$\s19,90/);
});
