import { describe, expect, test } from "vitest";
import {
  statementCsvHead,
  statementCsvRow,
} from "#app/domain/billing/statements/rules/statement-csv.ts";

const NOON = Date.UTC(2026, 9, 15, 15);

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
