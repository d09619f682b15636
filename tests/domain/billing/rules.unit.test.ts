import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressLine, STATES } from "#app/domain/billing/details/rules.ts";
import { previewRefund, refundProblem, REFUNDS_LIMIT } from "#app/domain/billing/refunds/rules.ts";
import type { Refundable } from "#app/domain/billing/refunds/rules.ts";
import {
  statementCsvHead,
  statementCsvRow,
} from "#app/domain/billing/statements/rules/statement-csv.ts";
import {
  parseStatementFilter,
  parseRefundAmount,
  statementPeriods,
  transactionStateOf,
  chargeStatusesOf,
} from "#app/domain/billing/statements/rules/statement.ts";
import { paymentTimeline } from "#app/domain/billing/statements/rules/timeline.ts";
import type { TimelinePayment } from "#app/domain/billing/statements/rules/timeline.ts";
import { transactionStates } from "#app/domain/billing/schema.ts";
import { billingDetailsSchema } from "#app/domain/billing/details/schema.ts";
import { formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { chargeStatuses } from "#app/domain/payments/rules.ts";
import { splitFee } from "#app/domain/payments/rules.ts";
import { DAY_MS, isoOfDayNumber } from "#app/domain/time.ts";

const NOON = Date.UTC(2026, 9, 15, 15);

test("the suggested statement periods are whole months and the year", () => {
  const named = statementPeriods(Date.UTC(2026, 0, 1, 2)).map(({ name, from, until }) => [
    name,
    from === null ? null : isoOfDayNumber(from),
    until === null ? null : isoOfDayNumber(until),
  ]);
  // At 02:00 UTC of 1 January it is still December in São Paulo.
  expect(named).toEqual([
    ["Desde sempre", null, null],
    ["Este mês", "2025-12-01", "2025-12-31"],
    ["Mês passado", "2025-11-01", "2025-11-30"],
    ["Este ano", "2025-01-01", "2025-12-31"],
  ]);
  expect(statementPeriods(Date.UTC(2026, 0, 15))[2]).toMatchObject({
    from: Date.UTC(2025, 11, 1) / DAY_MS,
    until: Date.UTC(2025, 11, 31) / DAY_MS,
  });
});

describe("the statement filter in the URL", () => {
  const asked = (search: string) => parseStatementFilter(new URLSearchParams(search));
  test("selects everything when empty or invalid", () => {
    const nothing = {
      from: null,
      until: null,
      state: null,
      method: null,
      kind: null,
      person: null,
      subscription: null,
    };
    expect(asked("")).toMatchObject({ face: null, filter: nothing, errors: {} });
    expect(asked("face=both&state=rich&method=boleto&kind='--")).toMatchObject({
      face: null,
      filter: nothing,
      errors: {},
    });
  });
  test("parses each filter, with usernames in any notation", () => {
    expect(
      asked(
        "face=paid&state=returned&method=card&kind=post&person=@Ana.Lira&from=2026-01-01&until=02/01/2026",
      ).filter,
    ).toEqual({
      state: "returned",
      method: "card",
      kind: "post",
      person: "ana.lira",
      subscription: null,
      from: Date.UTC(2026, 0, 1) / DAY_MS,
      until: Date.UTC(2026, 0, 2) / DAY_MS,
    });
  });
  test("parses a subscription only by its id", () => {
    expect(asked("face=paid&subscription=0191f5c0a1b2").filter.subscription).toBe("0191f5c0a1b2");
    expect(asked("subscription=%27%20OR%201").filter.subscription).toBeNull();
  });
  test.each([
    ["from=amanhã", "from", "Escreva o dia assim: 20/12/2026."],
    ["until=31/02/2026", "until", "Escreva o dia assim: 20/12/2026."],
    ["from=2026-01-02&until=2026-01-01", "until", "O fim vem antes do começo. Troque um dos dias."],
    ["person=Ana Lira!", "person", "Escreva o nome de usuário, como @ana.lira."],
  ])("%s shows an error at %s and keeps what was typed", (search, field, message) => {
    const { errors, filter, values } = asked(search);
    expect(errors).toEqual({ [field]: message });
    expect(filter[field as "from"]).toBeNull();
    expect(values[field]).toBe(new URLSearchParams(search).get(field));
  });
  test("every charge status belongs to exactly one filter state", () => {
    expect(transactionStates.flatMap((state) => chargeStatusesOf(state)).toSorted()).toEqual(
      [...chargeStatuses].toSorted(),
    );
    for (const status of chargeStatuses)
      expect(chargeStatusesOf(transactionStateOf(status))).toContain(status);
  });
});

describe("the CSV export", () => {
  test("has as many cells in a line as in its header, net amounts after refunds, and São Paulo times", () => {
    const row = {
      id: "a1",
      at: NOON,
      kindWord: "Assinatura",
      description: "Assinatura Camarim",
      counterpartName: "=Bia",
      counterpartUsername: "bia",
      methodWord: "Pix",
      stateWord: "Devolvido em parte",
      amountCents: 1_000,
      feeCents: 50,
      netCents: 950,
      refundedCents: 400,
      refundedFeeCents: 20,
      disputedCents: 0,
      disputedFeeCents: 0,
    };
    expect(statementCsvHead("received")).toBe(
      "Data;Tipo;Descrição;De;Usuário;Forma;Situação;Valor;Devolvido;Contestado;Taxa;Líquido;Código\r\n",
    );
    expect(statementCsvRow("received", row)).toBe(
      "15/10/2026 12:00;Assinatura;Assinatura Camarim;'=Bia;bia;Pix;Devolvido em parte;10,00;4,00;0,00;0,30;5,70;a1\r\n",
    );
    expect(statementCsvRow("paid", row).split(";")).toHaveLength(
      statementCsvHead("paid").split(";").length,
    );
  });
});

describe("a refund", () => {
  const paid: Refundable = {
    status: "succeeded",
    method: "pix",
    amountCents: 1_000,
    refundedCents: 0,
    disputedCents: 0,
    succeededAt: NOON,
  };
  const ask = (
    charge: Partial<Refundable>,
    {
      amountCents = null as number | null,
      refunds = [] as { status: "requested" | "succeeded" | "failed" }[],
    } = {},
  ) => refundProblem({ ...paid, ...charge }, refunds, { amountCents });
  test("is either possible or refused with its reason", () => {
    expect(ask({ succeededAt: null, status: "expired" })).toBe("unpaid");
    expect(ask({ status: "refunded", refundedCents: 1_000 })).toBe("all_back");
    expect(ask({ status: "disputed" })).toBe("disputed");
    expect(ask({ status: "dispute_lost" })).toBe("disputed");
    expect(ask({}, { refunds: [{ status: "requested" }] })).toBe("waiting");
    expect(ask({}, { refunds: [{ status: "failed" }] })).toBeNull();
    expect(
      ask(
        {},
        {
          refunds: Array.from({ length: REFUNDS_LIMIT }, () => ({ status: "succeeded" as const })),
        },
      ),
    ).toBe("too_many");
    expect(
      ask({ refundedCents: 400, status: "partially_refunded" }, { amountCents: 600 }),
    ).toBeNull();
    expect(ask({ refundedCents: 400, status: "partially_refunded" }, { amountCents: 601 })).toBe(
      "too_much",
    );
    expect(ask({ status: "dispute_won" }, { amountCents: 1_000 })).toBeNull();
    // The bank took a part in a dispute. The rest can still be refunded.
    expect(
      ask({ status: "partially_refunded", disputedCents: 300 }, { amountCents: 700 }),
    ).toBeNull();
    expect(ask({ status: "partially_refunded", disputedCents: 300 }, { amountCents: 701 })).toBe(
      "too_much",
    );
  });
  test("previews its exact effect: the parts sum to the whole and never exceed the available funds", () => {
    const charge = fc.record({
      amountCents: fc.integer({ min: 1, max: 500_000 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      pending: fc.integer({ min: 0, max: 500_000 }),
      available: fc.integer({ min: 0, max: 500_000 }),
      basisPoints: fc.integer({ min: 0, max: 10_000 }),
    });
    fc.assert(
      fc.property(charge, ({ amountCents, part, pending, available, basisPoints }) => {
        const back = Math.max(1, Math.round(amountCents * part));
        const { feeCents } = splitFee(amountCents, basisPoints);
        const seen = previewRefund(
          {
            amountCents,
            feeCents,
            refundedCents: 0,
            refundedFeeCents: 0,
            disputedCents: 0,
            disputedFeeCents: 0,
          },
          back,
          { pendingOfChargeCents: pending, availableCents: available },
        );
        expect(seen.feeCents + seen.pendingCents + seen.availableCents + seen.owedCents).toBe(back);
        expect(seen.pendingCents).toBeLessThanOrEqual(pending);
        expect(seen.availableCents).toBeLessThanOrEqual(available);
        if (seen.owedCents > 0)
          expect([seen.pendingCents, seen.availableCents]).toEqual([pending, available]);
        expect(seen.isWhole).toBe(back === amountCents);
        if (back === amountCents) expect(seen.feeCents).toBe(feeCents);
      }),
    );
  });
  test.each([
    ["19,90", 5_000, { cents: 1_990 }],
    ["50", 5_000, { cents: 5_000 }],
    ["50,01", 5_000, { problem: "É mais do que resta desta cobrança." }],
    ["0", 5_000, { problem: "Escreva o valor assim: 19,90." }],
    ["-1", 5_000, { problem: "Escreva o valor assim: 19,90." }],
    ["0,1+0,2", 5_000, { problem: "Escreva o valor assim: 19,90." }],
    ["9007199254740992", 5_000, { problem: "Escreva o valor assim: 19,90." }],
  ])("%s of at most %i", (typed, most, expected) => {
    expect(parseRefundAmount(typed, most)).toEqual(expected);
  });
});

describe("the timeline", () => {
  const waits = {
    netCents: 1_890,
    takenCents: 0,
    disputedCents: 0,
    releaseAt: 50,
    releasedAt: null,
  };
  const lived: TimelinePayment = {
    status: "succeeded",
    createdAt: 1,
    askedAt: 5,
    expiresAt: 9,
    succeededAt: 5,
    releases: [waits],
    refunds: [],
    transfers: [],
    disputes: [],
  };
  const kinds = (side: "payer" | "seller", payment: Partial<TimelinePayment>) =>
    paymentTimeline(side, { ...lived, ...payment }).map((moment) => `${moment.kind}@${moment.at}`);
  const unpaid = { succeededAt: null, releases: [] };
  test("lists the events in order, and tells the seller when the funds are released", () => {
    expect(kinds("payer", {})).toEqual(["created@1", "succeeded@5"]);
    expect(kinds("seller", {})).toEqual(["created@1", "succeeded@5", "to_release@50"]);
    expect(kinds("seller", { releases: [{ ...waits, releasedAt: 51 }] })).toEqual([
      "created@1",
      "succeeded@5",
      "released@51",
    ]);
    expect(kinds("payer", { ...unpaid, status: "awaiting_payment" })).toEqual([
      "created@1",
      "waiting@5",
    ]);
    expect(kinds("payer", { ...unpaid, status: "expired" })).toEqual(["created@1", "expired@9"]);
    expect(kinds("payer", { ...unpaid, status: "failed" })).toEqual(["created@1", "failed@5"]);
    expect(kinds("payer", { ...unpaid, status: "canceled" })).toEqual(["created@1", "canceled@5"]);
  });
  test("shows a refund confirmed at once as one event, and a slow one as two", () => {
    const refund = {
      id: "r",
      amountCents: 300,
      status: "succeeded" as const,
      reason: "Errei.",
      createdAt: 10,
      settledAt: 20,
    };
    expect(kinds("payer", { status: "partially_refunded", refunds: [refund] })).toEqual([
      "created@1",
      "succeeded@5",
      "refund_succeeded@20",
    ]);
    expect(kinds("payer", { refunds: [{ ...refund, settledAt: 100_000 }] })).toEqual([
      "created@1",
      "succeeded@5",
      "refund_requested@10",
      "refund_succeeded@100000",
    ]);
    expect(
      kinds("payer", { refunds: [{ ...refund, status: "requested", settledAt: null }] }),
    ).toContain("refund_requested@10");
    expect(kinds("payer", { refunds: [{ ...refund, status: "failed" }] })).toEqual([
      "created@1",
      "succeeded@5",
      "refund_requested@10",
      "refund_failed@20",
    ]);
  });
  test("shows a refund transfer as refunded once it is paid, and as waiting for a Pix key until then", () => {
    const refund = {
      id: "r",
      amountCents: 300,
      status: "succeeded" as const,
      reason: "Errei.",
      createdAt: 10,
      settledAt: 10,
    };
    const transfer = {
      refundId: "r",
      status: "awaiting_key" as const,
      amountCents: 300,
      createdAt: 10,
      keyGivenAt: null,
      settledAt: null,
    };
    const ends = (transfers: TimelinePayment["transfers"]) =>
      kinds("payer", { status: "partially_refunded", refunds: [refund], transfers }).slice(2);
    expect(ends([transfer])).toEqual(["refund_requested@10", "refund_awaits_key@10"]);
    expect(ends([{ ...transfer, status: "sent", keyGivenAt: 20 }])).toEqual([
      "refund_requested@10",
      "refund_sending@20",
    ]);
    expect(
      ends([
        { ...transfer, status: "failed", keyGivenAt: 20, settledAt: 21 },
        { ...transfer, createdAt: 21, status: "paid", keyGivenAt: 30, settledAt: 31 },
      ]),
    ).toEqual(["refund_requested@10", "refund_key_failed@21", "refund_succeeded@31"]);
    expect(ends([{ ...transfer, status: "canceled", settledAt: 40 }])).toEqual([
      "refund_requested@10",
      "refund_by_bank@40",
    ]);
  });
  test("shows no release when a dispute takes the funds first", () => {
    const dispute = { amountCents: 1_000, status: "open" as const, createdAt: 30, settledAt: null };
    expect(
      kinds("seller", {
        status: "disputed",
        releases: [
          { ...waits, releasedAt: 51 },
          { ...waits, disputedCents: 1_890 },
        ],
        disputes: [dispute],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30", "released@51"]);
    expect(
      kinds("seller", {
        status: "disputed",
        releases: [{ ...waits, disputedCents: 1_890 }],
        disputes: [dispute],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30"]);
    expect(
      kinds("seller", {
        status: "disputed",
        releases: [{ ...waits, disputedCents: 950 }],
        disputes: [dispute],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30", "to_release@50"]);
    expect(
      kinds("seller", {
        status: "dispute_lost",
        disputes: [{ ...dispute, status: "lost", settledAt: 40 }],
      }),
    ).toEqual(["created@1", "succeeded@5", "dispute_opened@30", "dispute_lost@40"]);
  });
});

describe("billing details", () => {
  const typed = {
    taxId: "529.982.247-25",
    name: "Bruno  Paz",
    cep: "50050-000",
    street: "Rua da Aurora",
    number: "295",
    complement: "",
    district: "Boa Vista",
    city: "Recife",
    state: "PE",
  };
  const problemOf = (fields: Partial<typeof typed>) => {
    const parsed = billingDetailsSchema.safeParse({ ...typed, ...fields });
    return parsed.success
      ? null
      : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)[0];
  };
  test("are saved without formatting, with the kind of the tax id", () => {
    expect(billingDetailsSchema.parse(typed)).toEqual({
      ...typed,
      taxId: { taxKind: "cpf", taxId: "52998224725" },
      name: "Bruno Paz",
      cep: "50050000",
      wantsInvoice: false,
    });
    expect(billingDetailsSchema.parse({ ...typed, taxId: "11.222.333/0001-81" }).taxId).toEqual({
      taxKind: "cnpj",
      taxId: "11222333000181",
    });
    expect(billingDetailsSchema.parse({ ...typed, taxId: "12.abc.345/01de-35" }).taxId).toEqual({
      taxKind: "cnpj",
      taxId: "12ABC34501DE35",
    });
  });
  test.each([
    [{ taxId: "" }, "taxId: Informe o CPF ou o CNPJ"],
    [{ taxId: "529.982.247-24" }, "taxId: Confira o CPF: os números não batem"],
    [{ taxId: "111.111.111-11" }, "taxId: Confira o CPF: os números não batem"],
    [{ taxId: "12.ABC.345/01DE-34" }, "taxId: Confira o CNPJ: os dígitos do fim não batem"],
    [{ taxId: "00.000.000/0000-00" }, "taxId: Confira o CNPJ: os dígitos do fim não batem"],
    [{ taxId: "12.ABC.345/01DE-3X" }, "taxId: O CPF tem 11 números; o CNPJ, 14 letras ou números"],
    [{ taxId: "123" }, "taxId: O CPF tem 11 números; o CNPJ, 14 letras ou números"],
    [{ name: " \u{200b} " }, "name: Informe o nome ou a razão social"],
    [{ name: "a".repeat(121) }, "name: Use até 120 letras"],
    [{ cep: "" }, "cep: Informe o CEP"],
    [{ cep: "5005-000" }, "cep: O CEP tem 8 números, como 50050-000"],
    [{ cep: "00000-000" }, "cep: O CEP tem 8 números, como 50050-000"],
    [{ street: "" }, "street: Informe a rua"],
    [{ number: "" }, "number: Informe o número, ou S/N"],
    [{ complement: "a".repeat(81) }, "complement: Use até 80 letras"],
    [{ district: "" }, "district: Informe o bairro"],
    [{ city: "" }, "city: Informe a cidade"],
    [{ state: "XX" }, "state: Escolha o estado"],
  ])("%j is refused at its field", (fields, message) => {
    expect(problemOf(fields)).toBe(message);
  });
  test("are shown in the Brazilian format", () => {
    expect(STATES).toHaveLength(27);
    expect(formatTaxId({ taxKind: "cnpj", taxId: "12ABC34501DE35" })).toBe("12.ABC.345/01DE-35");
    expect(addressLine({ ...typed, cep: "50050000" })).toBe(
      "Rua da Aurora, 295, Boa Vista, Recife/PE, CEP 50050-000",
    );
    expect(addressLine({ ...typed, cep: "50050000", complement: "ap. 3" })).toContain(
      "295, ap. 3, Boa Vista",
    );
  });
});
