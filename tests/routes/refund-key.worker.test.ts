import { RouterContextProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundTransferLabel } from "#app/components/payments/charge-labels.ts";
import type { CheckoutRefundTransfer } from "#app/domain/payments/charges/queries/checkout-columns.server.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as keyPage from "#app/routes/settings/purchases/refund-key.tsx";
import * as keyLink from "#app/routes/settings/refund-key-link.ts";
import * as renewalPage from "#app/routes/settings/subscriptions/renewal-link.tsx";
import * as refundPage from "#app/routes/settings/sales/transaction-refund.tsx";
import * as transactionPage from "#app/routes/settings/sales/transaction.tsx";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { refundKeyPath } from "#app/domain/payments/refund-transfers/queries.server.ts";
import { subscriptionLinkUrl } from "#app/domain/subscriptions/email-links/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import type { PendingRefundTransfer } from "#app/components/payments/refund-transfer.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  createRouteCaller,
  formRequest,
  signUpFields,
  TEST_ORIGIN,
} from "#tests/support/call-route.ts";
import { expireRecentAuth } from "#tests/support/external-accounts.ts";
import { memberCookies } from "#tests/support/registered.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  backdatedTip,
  giveKey,
  openRefundTransfer,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";

const routes = callRoutesAs([
  { path: "checkout/:chargeId", module: chargePage },
  { path: "settings/transactions/:id", module: transactionPage },
  { path: "settings/transactions/:id/refund", module: refundPage },
  { path: "settings/transactions/:id/refund-key/:refundId", module: keyLink },
]);
const ask = createRouteCaller([{ path: "refund/:refundId/:signature", module: keyPage }]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
let charge: Charge;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
  charge = await backdatedTip(world, bruno, ana);
});
afterEach(() => expectInvariantsToHold(world.ctx));

type Shown = { onTheirWay: PendingRefundTransfer[]; timeline: { kind: string }[] };
const shownTo = async (caller: {
  person: TestPerson;
  isCreator?: boolean;
  isModerator?: boolean;
}) => routes.read<Shown>(caller, `/settings/transactions/${charge.id}`);

test("the seller reads that the refund is a transfer and decides; only the payer gets the link to give a Pix key", async () => {
  const signer = signUpFields();
  const sessionCookie = await memberCookies(signer);
  const sells = { person: ana, isCreator: true, sessionCookie };
  const path = `/settings/transactions/${charge.id}/refund`;
  const preview = await routes.read<{
    isByTransfer: boolean;
    problem: string | null;
    refundId: string;
  }>(sells, `${path}?amount=20,00`);
  expect(preview).toMatchObject({ isByTransfer: true, problem: null });
  const decided = await routes.post(sells, path, {
    refundId: preview.refundId,
    amountCents: "2000",
    reason: "",
  });
  expect(decided.status).toBe(302);
  await world.tick();
  const moderator = await createPerson(world.ctx, "Carla");
  for (const other of [sells, { person: moderator, isModerator: true }]) {
    const shown = await shownTo(other);
    expect(shown.onTheirWay).toEqual([
      {
        refundId: preview.refundId,
        amountCents: 2_000,
        isAwaitingKey: true,
        isHeld: false,
        keyPath: null,
      },
    ]);
    expect(shown.timeline.map(({ kind }) => kind)).toContain("refund_awaits_key");
  }
  const linkPath = (await shownTo({ person: bruno })).onTheirWay[0]?.keyPath ?? "";
  expect(linkPath).toBe(`/settings/transactions/${charge.id}/refund-key/${preview.refundId}`);
  // An old session learns no address where it could name its own key; nor does anybody else.
  const pays = { person: bruno, sessionCookie };
  expect((await routes.get(sells, linkPath)).status).toBe(404);
  const keyPath = (await routes.get(pays, linkPath)).headers.get("Location") ?? "";
  expect(keyPath).toMatch(new RegExp(`^/refund/${preview.refundId}/`));
  await expireRecentAuth(signer.email);
  expect((await routes.get(pays, linkPath)).headers.get("Location")).toBe(
    `/auth/confirm?to=${linkPath}`,
  );

  // Opening the e-mailed link only shows the refund, without the payer's data. A button submits
  // the key.
  const opened = await ask(new Request(TEST_ORIGIN + keyPath));
  expect([opened.status, opened.headers.get("X-Robots-Tag")]).toEqual([
    200,
    expect.stringContaining("noindex"),
  ]);
  expect(await opened.json()).toEqual({
    status: "awaiting_key",
    amountCents: 2_000,
    description: charge.description,
    hasFailed: false,
    isHeld: false,
    keyShown: null,
    ownerShown: null,
    isOwnerKnown: false,
  });
  const wrong = await ask(formRequest(keyPath, { key: "111.111.111-11" }));
  expect([wrong.status, ((await wrong.json()) as FormProblem).errors.key]).toEqual([
    400,
    expect.stringContaining("CPF"),
  ]);
  expect(
    (
      await ask(
        formRequest(`/refund/${preview.refundId}/${"A".repeat(43)}`, { key: "529.982.247-25" }),
      )
    ).status,
  ).toBe(409);
  expect(
    (await ask(new Request(`${TEST_ORIGIN}/refund/${preview.refundId}/${"A".repeat(43)}`))).status,
  ).toBe(404);
  const given = await ask(formRequest(keyPath, { key: "529.982.247-25" }));
  expect([given.status, given.headers.get("Location")]).toEqual([303, keyPath]);
  expect((await transferTriesOf(world, preview.refundId))[0]).toMatchObject({
    pixKeyKind: "cpf",
    pixKey: "52998224725",
  });
  expect(await (await ask(new Request(TEST_ORIGIN + keyPath))).json()).toMatchObject({
    keyShown: "CPF ***.982.247-**",
  });
  expect((await shownTo({ person: bruno })).onTheirWay).toMatchObject([{ isAwaitingKey: false }]);
  for (let minute = 0; minute < 3; minute += 1) {
    await world.advance(60_000);
    await world.tick();
  }
  expect((await transferTriesOf(world, preview.refundId)).map(({ status }) => status)).toEqual([
    "paid",
  ]);
  expect((await shownTo({ person: bruno })).onTheirWay).toEqual([]);
});

test("the page of the charge asks for the missing Pix key, and then says that the Pix was sent", async () => {
  const shown = async () =>
    routes.read<{ status: string; transfer: CheckoutRefundTransfer | null }>(
      { person: bruno },
      `/checkout/${charge.id}`,
    );
  expect((await shown()).transfer).toBeNull();
  const refundId = await openRefundTransfer(world, charge);
  const waiting = await shown();
  expect(waiting).toMatchObject({
    status: "refunded",
    transfer: { status: "awaiting_key", amountCents: 2_000 },
  });
  expect(waiting.transfer && refundTransferLabel(waiting.transfer)).toContain(
    "falta você informar a sua chave Pix",
  );
  await giveKey(world, refundId);
  expect((await shown()).transfer).toEqual({ status: "ready", amountCents: 2_000 });
  await world.advance(60_000);
  await world.tick();
  await world.advance(60_000);
  await world.tick();
  const { transfer } = await shown();
  expect(transfer && refundTransferLabel(transfer)).toMatch(/^O Pix de R\$\s20,00 foi feito/);
});

describe("a form posted to `.data` by the client router redirects to the page itself", () => {
  const sentByScript = async (
    path: string,
    page: { action: unknown },
    params: Record<string, string>,
    fields: Record<string, string>,
  ) => {
    const url = new URL(path, TEST_ORIGIN);
    const { method, body, headers } = formRequest(path, fields);
    const context = new RouterContextProvider();
    context.set(domainContext, world.ctx);
    const act = page.action as (posted: object) => Promise<Response>;
    const answer = await act({
      request: new Request(`${url.href}.data`, { method, body, headers }),
      params,
      context,
      url,
    });
    return [answer.status, answer.headers.get("Location")];
  };

  test("for the Pix key of a refund", async () => {
    const refundId = await openRefundTransfer(world, charge);
    const path = await refundKeyPath(world.ctx, { refundId });
    expect(
      await sentByScript(
        path,
        keyPage,
        { refundId, signature: path.split("/").at(-1) ?? "" },
        { key: "529.982.247-25" },
      ),
    ).toEqual([303, path]);
    await world.advance(2_000);
    await world.tick();
    expect((await transferTriesOf(world, refundId)).map(({ status }) => status)).toEqual(["paid"]);
  });

  test("for a pause by the link of a reminder e-mail", async () => {
    const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
    const path = new URL(
      await subscriptionLinkUrl(world.ctx, "pause", {
        subscriptionId,
        endsAt: world.ctx.now() + DAY_MS,
      }),
    ).pathname;
    const [, , act = "", , until = "", signature = ""] = path.split("/");
    expect(
      await sentByScript(path, renewalPage, { act, subscriptionId, until, signature }, {}),
    ).toEqual([303, path]);
  });
});
