import { eq } from "drizzle-orm";
import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import {
  invoiceFees,
  invoiceNextMonth,
  notifyMissingIssuer,
} from "#app/domain/fiscal/commands.server.ts";
import { invoiceBatches } from "#app/domain/fiscal/queries.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { notificationsFor } from "#tests/support/notifications.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { rpsFiles } from "#app/integrations/fiscal/rps-files.server.ts";
import * as months from "#app/routes/admin/fiscal/months.tsx";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import { insertSales } from "#tests/support/transactions.ts";

const VARIABLES = ["FISCAL_MUNICIPAL_ID", "FISCAL_SERVICE_CODE", "FISCAL_ISS_PERCENTAGE"];

const on = (ctx: Context, day: string): Context => ({
  ...ctx,
  now: () => instantOfIsoDay(day),
  realNow: () => instantOfIsoDay(day),
});
const withoutIssuer = (ctx: Context): Context => ({
  ...ctx,
  fiscal: rpsFiles(ctx.mediaStore, null),
});

async function page(ctx: Context) {
  const context = new RouterContextProvider();
  context.set(domainContext, ctx);
  return await months.loader({ context } as never);
}

test("without an issuer nothing is numbered or written and staff are notified once; with one, all months are written", async () => {
  const { ctx } = await testContext();
  const nobody = withoutIssuer(ctx);
  const [ana, bruno, staff] = [
    await createSeller(ctx),
    await createPerson(ctx, "Bruno"),
    await createModerator(ctx),
  ];
  const sale = { payerId: bruno.id, creatorId: ana.id, amountCents: 10_000 };
  await insertSales(ctx, [
    { ...sale, at: instantOfIsoDay("2026-03-10") },
    { ...sale, at: instantOfIsoDay("2026-04-10") },
  ]);
  const runOn = async (day: string) => {
    await invoiceFees(on(nobody, day));
    await notifyMissingIssuer(on(nobody, day), { moderatorIds: async () => [staff.id] });
  };
  const notifications = async () =>
    (await ctx.db.select().from(outbox).where(eq(outbox.type, "fiscal.no_issuer"))).map(
      ({ payload }) => payload as OutboxMessage,
    );
  const written = async () =>
    (await invoiceBatches(ctx)).map(({ month, firstNumber, filesHandedIn }) => [
      month,
      firstNumber,
      filesHandedIn,
    ]);

  await runOn("2026-03-31");
  expect([await notifications(), (await page(nobody)).waiting], "no month is sealed yet").toEqual([
    [],
    null,
  ]);
  while ((await sealNextMonth(on(ctx, "2026-05-02"), { digest: sha256Hex })) !== null);
  await runOn("2026-05-02");
  await runOn("2026-05-03");
  expect([await written(), await ctx.fiscal.file({ month: "2026-03", part: 0 })]).toEqual([
    [],
    null,
  ]);
  expect(await page(nobody)).toMatchObject({
    missing: VARIABLES,
    waiting: { first: "2026-03", last: "2026-04" },
    batches: [],
  });
  const [message, ...more] = await notifications();
  expect([message, more]).toEqual([
    expect.objectContaining({ month: "2026-03", missing: VARIABLES }),
    [],
  ]);
  expect(notificationsFor(message as OutboxMessage)).toMatchObject([
    {
      personId: staff.id,
      path: "/admin/fiscal",
      body: expect.stringContaining(`(${VARIABLES.join(", ")})`),
      mail: { subject: "Falta o cadastro de quem emite as notas da taxa" },
    },
  ]);

  await invoiceFees(on(ctx, "2026-05-04"));
  await invoiceFees(on(ctx, "2026-05-04"));
  expect(await written()).toEqual([
    ["2026-04", 2, 1],
    ["2026-03", 1, 1],
  ]);
  expect(await page(ctx)).toMatchObject({ missing: [], waiting: null });
  await notifyMissingIssuer(ctx, { moderatorIds: () => expect.unreachable("somebody issues") });
});

test("a numbered month is not written once the issuer is missing again; files written before still open", async () => {
  const { ctx } = await testContext();
  await insertSales(ctx, [
    {
      payerId: (await createPerson(ctx, "Bruno")).id,
      creatorId: (await createSeller(ctx)).id,
      amountCents: 10_000,
      at: instantOfIsoDay("2026-05-10"),
    },
  ]);
  while ((await sealNextMonth(on(ctx, "2026-06-02"), { digest: sha256Hex })) !== null);
  expect(await invoiceNextMonth(on(ctx, "2026-06-02"))).toBe("2026-05");
  await invoiceFees(on(withoutIssuer(ctx), "2026-06-02"));
  expect(await ctx.fiscal.file({ month: "2026-05", part: 0 })).toBeNull();
  await invoiceFees(on(ctx, "2026-06-03"));
  const file = await withoutIssuer(ctx).fiscal.file({ month: "2026-05", part: 0 });
  expect(await new Response(file?.body).text()).toContain("RPS  CORET");
});
