import type { MiddlewareFunction } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { DAY_MS, isoDay } from "#app/domain/time.ts";
import { requireModerator } from "#app/http/require-member.ts";
import * as account from "#app/routes/admin/ledger/ledger-account.tsx";
import * as accountFile from "#app/routes/admin/ledger/ledger-account-file.ts";
import * as check from "#app/routes/admin/ledger/ledger-check.tsx";
import * as platform from "#app/routes/admin/ledger/ledger-platform.tsx";
import * as providers from "#app/routes/admin/ledger/ledger-providers.tsx";
import * as seals from "#app/routes/admin/ledger/ledger-seals.tsx";
import * as ledger from "#app/routes/admin/ledger/ledger.tsx";
import * as entries from "#app/routes/settings/payouts/balance-entries.tsx";
import * as entriesFile from "#app/routes/settings/payouts/balance-entries-file.ts";
import { callRoutesAs, responseOutcome } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

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
let charge: Charge;
let maria: ActingCaller;
const asAna = (): ActingCaller => ({ person: ana, isCreator: true });
const json = async (answer: Promise<Response>) =>
  (await answer).json() as Promise<Record<string, unknown>>;
const HERE = "/settings/transfers/entries";

beforeAll(async () => {
  const world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_990 });
  bruno = await createPerson(ctx, "Bruno");
  charge = await paidSubscription(world, bruno, ana);
  maria = { person: await createModerator(ctx), isModerator: true };
});

describe("ledger entries of a creator's account", () => {
  test("are those of the creator's own account, each linked to its cause", async () => {
    expect(await json(routes.get(asAna(), `${HERE}?account=pending`))).toMatchObject({
      sums: { closingCents: 1_890 },
      lines: [
        {
          amountCents: 1_890,
          balanceCents: 1_890,
          to: `/settings/transactions/${charge.id}`,
          text: `Pagamento confirmado: Assinatura ${ana.planName}, de ${ana.name}`,
        },
      ],
    });
    expect(await json(routes.get(asAna(), HERE))).toMatchObject({
      account: "available",
      lines: [],
      sums: { closingCents: 0 },
    });
  });

  test("of another creator are never shown", async () => {
    expect(await json(routes.get({ person: bruno }, `${HERE}?account=pending`))).toMatchObject({
      lines: [],
      sums: { closingCents: 0 },
    });
    const file = await routes.get({ person: bruno }, `${HERE}/planilha.csv?account=pending`);
    expect((await file.text()).trim().split("\r\n")).toHaveLength(1);
  });

  test("are shown to billing roles of the team, and refused to other roles", async () => {
    const made = await createTeamFor(ctx, ana);
    const admin = {
      person: await createTeammate(ctx, made, "admin", { mayManageBilling: true }),
      teamId: made.teamId,
    };
    const basic = { person: await createTeammate(ctx, made), teamId: made.teamId };
    expect(await json(routes.get(admin, `${HERE}?account=pending`))).toMatchObject({
      sums: { closingCents: 1_890 },
      of: ana.name,
    });
    expect(await responseOutcome(routes.get(basic, `${HERE}?account=pending`))).toBe("403");
    expect(await responseOutcome(routes.get(basic, `${HERE}/planilha.csv?account=pending`))).toBe(
      "403",
    );
  });

  test("an invalid date is named beside its field, and the typed values stay", async () => {
    expect(
      await json(routes.get(asAna(), `${HERE}?account=pending&from=31%2F02%2F2026&until=ontem`)),
    ).toMatchObject({
      errors: {
        from: "Escreva o dia assim: 20/12/2026.",
        until: "Escreva o dia assim: 20/12/2026.",
      },
      values: { from: "31/02/2026", until: "ontem" },
      sums: { closingCents: 1_890 },
    });
  });

  test("download as a spreadsheet of the shown period", async () => {
    const file = await routes.get(asAna(), `${HERE}/planilha.csv?account=pending`);
    expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("Cache-Control")).toBe("private, no-store");
    const [head = "", line = ""] = (await file.text()).split("\r\n");
    expect(head).toContain("Data;Lançamento;Valor;Saldo;Código");
    expect(line).toContain(
      `;Pagamento confirmado: Assinatura ${ana.planName}, de ${ana.name};18,90;18,90;`,
    );
    const before = await routes.get(
      asAna(),
      `${HERE}/planilha.csv?account=pending&until=${isoDay(ctx.now() - DAY_MS)}`,
    );
    expect((await before.text()).trim().split("\r\n")).toHaveLength(1);
  });

  test("download as OFX with the closing balance", async () => {
    const file = await routes.get(asAna(), `${HERE}/extrato.ofx?account=pending`);
    expect(file.headers.get("Content-Disposition")).toMatch(
      /coreto-saldo-pending-\d{4}-\d\d-\d\d\.ofx/,
    );
    const text = new TextDecoder().decode(await file.arrayBuffer());
    expect(text).toContain("<TRNAMT>18.90<FITID>");
    expect(text).toContain("<LEDGERBAL><BALAMT>18.90");
    // The period starts with the first entry.
    expect(/<DTSTART>([^<]+)/.exec(text)?.[1]).toBe(/<DTPOSTED>([^<]+)/.exec(text)?.[1]);
  });

  test("download as OFX with the same account number for creator and staff, also after a change of name", async () => {
    const numberIn = async (who: ActingCaller, address: string) =>
      /<ACCTID>([^<]*)</.exec(await (await routes.get(who, address)).text())?.[1];
    const number = await numberIn(asAna(), `${HERE}/extrato.ofx?account=pending`);
    expect(number).toMatch(/^[0-9a-f]{20}$/);
    expect(
      await numberIn(maria, `/admin/ledger/accounts/creator_pending:${ana.id}/extrato.ofx`),
    ).toBe(number);
    expect(
      await numberIn(
        { person: { ...ana, name: "Outro nome" }, isCreator: true },
        `${HERE}/extrato.ofx?account=pending`,
      ),
    ).toBe(number);
    expect(await numberIn(asAna(), `${HERE}/extrato.ofx?account=in_transit`)).not.toBe(number);
  });

  test("download no file for an invalid period, and as OFX up to the last second of the last day", async () => {
    for (const wrong of [
      "from=31%2F02%2F2026",
      "until=ontem",
      "from=2026-11-20&until=2026-11-01",
    ]) {
      const refused = await routes.get(asAna(), `${HERE}/extrato.ofx?account=pending&${wrong}`);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringMatching(/Escreva o dia assim|vem antes/),
      ]);
    }
    const month = await (
      await routes.get(
        asAna(),
        `${HERE}/extrato.ofx?account=pending&from=2026-01-01&until=2026-01-31`,
      )
    ).text();
    expect(month).toContain("<DTSTART>20260101000000[-3:BRT]<DTEND>20260131235959[-3:BRT]");
    expect(month).toContain("<DTASOF>20260131235959[-3:BRT]");
  });

  test("download in no other format", async () => {
    expect(await responseOutcome(routes.get(asAna(), `${HERE}/tudo.zip`))).toBe("404");
  });
});
