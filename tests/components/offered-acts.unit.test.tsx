import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import type { ReactNode } from "react";
import { describe, expect, test } from "vitest";
import { InvariantFindings } from "#app/components/ledger/invariant-findings.tsx";
import { PageLinkCard } from "#app/components/profiles/page-link-card.tsx";
import { Sidebar } from "#app/components/shell/navigation/sidebar.tsx";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import LedgerSeals from "#app/routes/admin/ledger/ledger-seals.tsx";
import Billing from "#app/routes/settings/billing/billing.tsx";
import Transfers from "#app/routes/settings/payouts/transfers.tsx";
import SpaceCreate from "#app/routes/studio/space/space-create.tsx";
import { spaceAddress } from "#app/domain/profiles/rules.ts";
import { instantOf } from "#app/domain/time.ts";

/** What a page, or a part of it, shows without a browser. */
function shown(part: ReactNode): string {
  const Stub = createRoutesStub([{ path: "/", Component: () => part }]);
  return renderToStaticMarkup(<Stub />);
}

/** A route's component, given only the loader data that it shows. */
function pageOf(Page: unknown, loaderData: object): string {
  const Component = Page as (props: { loaderData: object; actionData: undefined }) => ReactNode;
  return shown(<Component loaderData={loaderData} actionData={undefined} />);
}

describe("saved cards", () => {
  const card = (id: string, isDefault: boolean) => ({
    id,
    brand: "visa",
    last4: id,
    expiresAt: null,
    isDefault,
    isPayable: true,
    renews: 0,
  });
  const billing = (cards: object[]) =>
    pageOf(Billing, { upcoming: [], isMore: false, cards, keepsCards: true, billedTo: null });

  test("the only card cannot be made the main one: there is nothing to choose", () => {
    const page = billing([card("4242", false)]);
    expect(page).toContain("4242");
    expect(page).toContain("Remover");
    expect(page).not.toContain("Tornar principal");
  });

  test("of two cards, the one that is not the main one can become it", () => {
    const page = billing([card("4242", true), card("5555", false)]);
    expect(page.match(/>Tornar principal</g)).toHaveLength(1);
    expect(page).toMatch(/methods\/5555\/default/);
  });
});

describe("payouts", () => {
  const releaseAt = instantOf({ year: 2026, month: 12, day: 1 });
  const balances = (availableCents: number, pendingCents: number) => ({
    availableCents,
    pendingCents,
    reservedCents: 0,
    inTransitCents: 0,
    owedCents: 0,
    coming: {
      days: pendingCents > 0 ? [{ releaseAt, netCents: pendingCents }] : [],
      later: null,
      undatedCents: 0,
    },
  });
  const transfers = (availableCents: number, pendingCents = 0) =>
    pageOf(Transfers, {
      of: null,
      isSeller: true,
      balances: balances(availableCents, pendingCents),
      hasUnpaid: availableCents + pendingCents > 0,
      history: { items: [], next: null },
      obstacle: null,
      isHeldByBooks: false,
      holdReason: null,
      mayCancel: true,
      to: "ana@coreto.test",
      arrivesAt: null,
      awaits: null,
      isConfirming: false,
    });
  const sidebar = (availableCents: number) =>
    shown(
      <Sidebar
        money={{ availableCents, pendingCents: 0, releases: [], lastReleaseAt: null }}
        people={[]}
      />,
    );

  test("a payout and its reasons are offered only where there is money", () => {
    expect(transfers(1_000)).toMatch(/>Sacar</);
    expect(transfers(1_000)).toContain("Ver por que cada valor ainda não saiu");
    expect(transfers(0)).not.toMatch(/>Sacar</);
    expect(transfers(0)).not.toContain("Ver por que cada valor");
  });

  test("money that is not free yet has its reasons and its dates open, and no payout", () => {
    const page = transfers(0, 2_000);
    expect(page).not.toMatch(/>Sacar</);
    expect(page).toContain("Ver por que cada valor ainda não saiu");
    expect(page).toMatch(/<details open="">.*01\/12\/2026/);
  });

  test("beside a page, a payout is offered only where there is money", () => {
    expect(sidebar(1_000)).toMatch(/>Sacar</);
    expect(sidebar(0)).not.toMatch(/>Sacar</);
  });

  test("the monthly statement is named apart from the statement of payments", () => {
    expect(transfers(0)).toContain(">Resumo mensal<");
    expect(transfers(0)).not.toContain(">Extrato<");
  });
});

test("the staff reads how many checks of the books hold, in plain words", () => {
  const finding = (name: string) => ({
    name,
    title: name,
    isKnown: true,
    isByDay: false,
    wholeAt: null,
    brokenCount: 0,
    brokenSince: null,
    example: null,
    mendedAt: null,
  });
  const books = (names: string[]) =>
    shown(<InvariantFindings findings={names.map(finding)} checkedAt={null} />);
  expect(books(["a", "b"])).toContain("2 conferências, todas certas");
  expect(books(["a"])).toContain("1 conferência, certa");
});

test("the code of a month's seal is folded: staff compare it, and never read it first", () => {
  const seal = { month: "2026-10", entriesCount: 4, hash: "a".repeat(64), sealedAt: 0 };
  const page = pageOf(LedgerSeals, { seals: [{ ...seal, isReadHere: true }] });
  const codes = [...page.matchAll(/<details>(.*?)<\/details>/g)].map(([, folded]) => folded);
  expect(codes.length).toBeGreaterThan(0);
  for (const code of codes) expect(code).toMatch(/Ver o código do selo.*a{64}/);
  expect(page.replaceAll(/<details>.*?<\/details>/g, "")).not.toContain(seal.hash);
});

describe("the address of one's page", () => {
  const url = `https://coreto.test${spaceAddress("joana")}`;

  test("is said before the page is opened", () => {
    const initial = { name: "Joana", bio: "", craft: "", city: "", category: "music" };
    const page = pageOf(SpaceCreate, { initial, address: "coreto.test/@joana" });
    expect(page).toContain("Ela fica em coreto.test/@joana.");
  });

  test("is copied, selected or scanned from one card", () => {
    const page = shown(<PageLinkCard url={url} qr={qrDrawing(url)} />);
    expect(page).toMatch(/select-all[^>]*>https:\/\/coreto\.test\/@joana</);
    expect(page).toContain("Copiar o link da minha página");
    expect(page).toMatch(/<svg role="img" aria-label="QR code da minha página"/);
    expect(page).toContain(qrDrawing(url).path);
  });
});
