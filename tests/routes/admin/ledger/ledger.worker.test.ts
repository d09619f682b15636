import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { checksVerdictText } from "#app/components/ledger/invariant-text.ts";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { decidePlatformWithdrawal } from "#app/domain/ledger/platform-money/commands/platform-money.server.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { chargeSucceeded } from "#app/domain/ledger/rules.ts";
import { DAY_MS, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { requireModerator } from "#app/http/require-member.ts";
import { takeToast } from "#app/http/toast.server.ts";
import * as account from "#app/routes/admin/ledger/ledger-account.tsx";
import * as accountFile from "#app/routes/admin/ledger/ledger-account-file.ts";
import * as check from "#app/routes/admin/ledger/ledger-check.tsx";
import * as kind from "#app/routes/admin/ledger/ledger-kind.tsx";
import * as platform from "#app/routes/admin/ledger/ledger-platform.tsx";
import * as providers from "#app/routes/admin/ledger/ledger-providers.tsx";
import * as seals from "#app/routes/admin/ledger/ledger-seals.tsx";
import * as ledger from "#app/routes/admin/ledger/ledger.tsx";
import * as entries from "#app/routes/settings/payouts/balance-entries.tsx";
import * as entriesFile from "#app/routes/settings/payouts/balance-entries-file.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { withoutTriggers } from "#tests/support/without-triggers.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import { cookiesOf, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const ofStaff = (module: object) => ({
  module,
  middleware: [requireModerator as MiddlewareFunction],
});
const routes = callRoutesAs([
  { path: "settings/transfers/entries", module: entries },
  { path: "settings/transfers/entries/:file", module: entriesFile },
  { path: "admin/ledger", ...ofStaff(ledger) },
  { path: "admin/ledger/check", ...ofStaff(check) },
  { path: "admin/ledger/seals", ...ofStaff(seals) },
  { path: "admin/ledger/providers", ...ofStaff(providers) },
  { path: "admin/ledger/platform", ...ofStaff(platform) },
  { path: "admin/ledger/kinds/:kind", ...ofStaff(kind) },
  { path: "admin/ledger/accounts/:accountId", ...ofStaff(account) },
  {
    path: "admin/ledger/accounts/:accountId/:file",
    module: accountFile,
    middleware: accountFile.middleware as unknown as MiddlewareFunction[],
  },
]);

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
let maria: ActingCaller;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });
const json = async (answer: Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;

beforeAll(async () => {
  const world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_990 });
  bruno = await createPerson(ctx, "Bruno");
  await paidSubscription(world, bruno, ana);
  maria = { person: await createModerator(ctx), isModerator: true };
});

test("the account at the sandbox provider is named in words", async () => {
  const page = "/admin/ledger/accounts/provider_clearing:sandbox";
  expect(await json(routes.get(maria, page))).toMatchObject({ name: "Provedor de testes" });
  expect(await json(routes.get(maria, "/admin/ledger/kinds/provider_clearing"))).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ name: "Provedor de testes" })]),
  });
});

describe("staff ledger pages", () => {
  const paths = [
    "",
    "/seals",
    "/providers",
    "/platform",
    "/accounts/platform_fees",
    "/accounts/platform_fees/planilha.csv",
  ];
  test.each(paths)(
    "answer 404 to members who are not moderators: /admin/ledger%s",
    async (path) => {
      expect(await responseOutcome(routes.get(asAna(), `/admin/ledger${path}`))).toBe("404");
      expect(await responseOutcome(routes.get(maria, `/admin/ledger${path}`))).toBe("200");
    },
  );

  test("run the ledger checks on request, for staff only", async () => {
    expect(await responseOutcome(routes.post(asAna(), "/admin/ledger/check", {}))).toBe("404");
    expect(await json(routes.get(maria, "/admin/ledger"))).toMatchObject({ checkedAt: null });
    expect(await responseOutcome(routes.post(maria, "/admin/ledger/check", {}))).toBe("302");
    const { checkedAt, findings } = await json(routes.get(maria, "/admin/ledger"));
    expect(checkedAt).toEqual(expect.any(Number));
    expect(
      (findings as { isKnown: boolean; brokenCount: number }[]).every(
        ({ isKnown, brokenCount }) => isKnown && brokenCount === 0,
      ),
    ).toBe(true);
  });

  test("do not report a clean ledger when one check could not run", async () => {
    const look = async () =>
      (
        await takeToast(
          new Request(TEST_ORIGIN, {
            headers: { Cookie: cookiesOf(await routes.post(maria, "/admin/ledger/check", {})) },
          }),
        )
      ).toast;
    const verdict = async () =>
      checksVerdictText(
        (await json(routes.get(maria, "/admin/ledger"))).findings as Parameters<
          typeof checksVerdictText
        >[0],
      );
    // One check needs this index, and fails without it.
    const index =
      (await testEnv.DB.prepare(
        "SELECT sql FROM sqlite_master WHERE name = 'inbox_aside'",
      ).first<string>("sql")) ?? "";
    await testEnv.DB.exec("DROP INDEX inbox_aside");
    expect([await look(), await verdict()]).toEqual([
      { kind: "error", message: "Não deu para conferir uma regra. As outras fecham." },
      "Nenhuma regra quebrada, mas uma não foi conferida",
    ]);
    await testEnv.DB.prepare(index).run();
    expect([await look(), await verdict()]).toEqual([
      { kind: "success", message: "Conferido: tudo fecha." },
      "Tudo fecha",
    ]);
  });

  test("record transfers between providers for staff only, and refuse invalid amounts, notes and providers", async () => {
    const typed = { id: "0".repeat(32), from: "sandbox", to: "sandbox", amount: "dez", note: " " };
    expect(await responseOutcome(routes.post(asAna(), "/admin/ledger/providers", typed))).toBe(
      "404",
    );
    const bad = await routes.post(maria, "/admin/ledger/providers", typed);
    expect([bad.status, await bad.json()]).toMatchObject([
      400,
      {
        errors: {
          amount: expect.any(String),
          note: "Diga como foi movido, como o número da transferência",
        },
        values: { amount: "dez", from: "sandbox" },
      },
    ]);
    const nowhere = await routes.post(maria, "/admin/ledger/providers", {
      ...typed,
      amount: "1,00",
      note: "TED 1",
    });
    expect([nowhere.status, await nowhere.json()]).toMatchObject([
      400,
      { values: { amount: "1,00" } },
    ]);
    expect((await json(routes.get(maria, "/admin/ledger/providers"))).moves).toEqual([]);
  });

  test("are shown even when the provider does not report its balance", async () => {
    expect(await json(routes.get(maria, "/admin/ledger/providers"))).toMatchObject({
      providers: [{ name: "sandbox", cents: expect.any(Number), theirCents: null }],
    });
  });

  test("record platform deposits and withdrawals, and a withdrawal needs a second person", async () => {
    const at = "/admin/ledger/platform";
    const typed = {
      act: "out",
      id: "a".repeat(32),
      provider: "sandbox",
      amount: "dez",
      movedOn: "31/02/2026",
      note: " ",
    };
    expect(await responseOutcome(routes.post(asAna(), at, typed))).toBe("404");
    const bad = await routes.post(maria, at, typed);
    expect([bad.status, await bad.json()]).toMatchObject([
      400,
      {
        errors: {
          amount: expect.any(String),
          movedOn: "Escreva o dia assim: 20/12/2026.",
          note: expect.any(String),
        },
        values: { act: "out", amount: "dez" },
      },
    ]);
    const good = { ...typed, amount: "0,10", movedOn: isoDay(ctx.now()), note: "TED 9" };
    const tooMuch = await routes.post(maria, at, { ...good, amount: "18,90" });
    expect([tooMuch.status, await tooMuch.json()]).toMatchObject([
      400,
      {
        errors: {
          amount: "É mais do que é da plataforma. O resto é de quem cria e de quem pagou.",
        },
      },
    ]);
    expect((await routes.post(maria, at, good)).status).toBe(302);
    expect(await json(routes.get(maria, at))).toMatchObject({
      withdrawals: { items: [{ amountCents: 10, isOwn: true, state: "asked" }] },
      moves: { items: [] },
    });
    const own = await routes.post(maria, at, { act: "approve", id: good.id });
    expect([own.status, await own.json()]).toMatchObject([
      403,
      { message: expect.stringMatching(/outra pessoa/) },
    ]);
    const carla: ActingCaller = { person: await createModerator(ctx), isModerator: true };
    // These routes have no provider. Its balance cannot be compared, so the withdrawal is not
    // approved.
    const unknown = await routes.post(carla, at, { act: "approve", id: good.id });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      409,
      { message: expect.stringContaining("não respondeu") },
    ]);
    await decidePlatformWithdrawal(ctx, {
      id: good.id,
      decision: "approved",
      personId: carla.person.id,
    });
    expect((await routes.post(maria, at, { ...good, act: "in", id: "b".repeat(32) })).status).toBe(
      302,
    );
    expect(await json(routes.get(maria, at))).toMatchObject({
      withdrawals: { items: [] },
      moves: {
        items: [
          { way: "in", amountCents: 10 },
          { way: "out", amountCents: 10, approvedBy: carla.person.name },
        ],
        isCut: false,
      },
    });
    expect((await routes.post(carla, at, { act: "refuse", id: "none" })).status).toBe(404);
  });

  test("show a trial balance of any day whose sides are equal", async () => {
    const { trial } = await json(routes.get(maria, "/admin/ledger"));
    const lines = trial as { kind: string; debitCents: number; creditCents: number }[];
    expect(lines).toContainEqual({ kind: "platform_fees", debitCents: 0, creditCents: 100 });
    expect(
      lines.reduce((sum, { debitCents, creditCents }) => sum + debitCents - creditCents, 0),
    ).toBe(0);
    expect(
      await json(routes.get(maria, `/admin/ledger?until=${isoDay(ctx.now() - DAY_MS)}`)),
    ).toMatchObject({ trial: [] });
  });

  test("open every account, and answer 404 for an unknown one", async () => {
    expect(
      await json(routes.get(maria, `/admin/ledger/accounts/creator_pending:${ana.id}`)),
    ).toMatchObject({ title: "A liberar", sums: { closingCents: 1_890 } });
    expect(await responseOutcome(routes.get(maria, "/admin/ledger/accounts/constructor"))).toBe(
      "404",
    );
  });

  test("verify the seal of a sealed month, for staff only", async () => {
    // This posting has no charge behind it.
    allowBrokenInvariants();
    const on = (day: string): Context => ({
      ...ctx,
      now: () => instantOfIsoDay(day),
      realNow: () => instantOfIsoDay(day),
    });
    await commit(
      ctx.db,
      postingStatements(
        on("2026-01-10"),
        chargeSucceeded({
          chargeId: "of-january",
          creatorId: "dora",
          provider: "sandbox",
          grossCents: 1_000,
          feeCents: 50,
        }),
      ),
    );
    await sealNextMonth(on("2026-02-03"), { digest: sha256Hex });
    expect((await json(routes.get(maria, "/admin/ledger/seals"))).seals).toMatchObject([
      { month: "2026-01", entriesCount: 3, isReadHere: true },
    ]);
    expect(
      await responseOutcome(routes.post(asAna(), "/admin/ledger/seals", { month: "2026-01" })),
    ).toBe("404");
    expect(await json(routes.post(maria, "/admin/ledger/seals", { month: "2026-01" }))).toEqual({
      verdict: { month: "2026-01", holds: true, entriesCount: 3 },
    });
    expect(await json(routes.post(maria, "/admin/ledger/seals", { month: "2026-02" }))).toEqual({
      verdict: null,
    });
    expect(
      await responseOutcome(routes.post(maria, "/admin/ledger/seals", { month: "ontem" })),
    ).toBe("400");
    await withoutTriggers(
      "UPDATE ledger_entries SET amount_cents = amount_cents + 1 WHERE account_id = 'creator_pending:dora'",
    );
    expect(
      await json(routes.post(maria, "/admin/ledger/seals", { month: "2026-01" })),
    ).toMatchObject({ verdict: { holds: false } });
    await withoutTriggers(
      "UPDATE ledger_entries SET amount_cents = amount_cents - 1 WHERE account_id = 'creator_pending:dora'",
    );
  });
});
