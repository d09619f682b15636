import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { SECOND_MS, DAY_MS } from "#app/domain/time.ts";
import { transferAnswer } from "./answers.ts";
import { eventStatements } from "./events.ts";
import type { IdempotentEffect } from "./idempotency.ts";
import { digest } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { notFound, PspRefusal } from "./refusal.ts";
import type { transferRequest } from "./requests.ts";
import { transfers } from "./tables.ts";
import type { TransferRow } from "./tables.ts";
import type { z } from "zod";

/** The receiving bank answers after a moment; a return comes the next day. */
export const SETTLES_AFTER_MS = SECOND_MS;
export const RETURNS_AFTER_MS = DAY_MS;

/** Keys with a deliberate failure; every other key is paid. */
export const magicKeys: readonly { key: string; outcome: TransferRow["outcome"]; says: string }[] =
  [
    {
      key: "falha@coreto.test",
      outcome: "failed",
      says: "A transferência falha: pix_key_not_found.",
    },
    {
      key: "devolve@coreto.test",
      outcome: "returned",
      says: "É paga e devolvida um dia depois: account_closed.",
    },
    {
      key: "98765432100",
      outcome: "failed",
      says: "CPF 987.654.321-00: a transferência falha: pix_key_not_found.",
    },
    {
      key: "39053344705",
      outcome: "returned",
      says: "CPF 390.533.447-05: é paga e devolvida um dia depois: account_closed.",
    },
    {
      key: "001 0001 999999-9",
      outcome: "failed",
      says: "Conta bancária (banco 001, agência 0001, conta 999999-9): a transferência falha: account_not_found.",
    },
    {
      key: "001 0001 888888-8",
      outcome: "returned",
      says: "Conta bancária (banco 001, agência 0001, conta 888888-8): é paga e devolvida um dia depois: account_closed.",
    },
  ];

export async function createTransfer(
  psp: Psp,
  body: z.infer<typeof transferRequest>,
): Promise<IdempotentEffect> {
  if (psp.chaos.no_balance)
    throw new PspRefusal(422, "insufficient_balance", "The balance is lower than the transfer.");
  const at = psp.now();
  const to = destinationOf(body);
  const outcome = magicKeys.find((magic) => magic.key === to.pixKey)?.outcome ?? "paid";
  const transfer: TransferRow = {
    id: `tr_${await digest(`transfer ${body.reference}`, 28)}`,
    reference: body.reference,
    status: "processing",
    amountCents: body.amount_cents,
    ...to,
    outcome,
    failureCode: null,
    settlesAt: at + SETTLES_AFTER_MS,
    returnsAt: outcome === "returned" ? at + RETURNS_AFTER_MS : null,
    createdAt: at,
  };
  return { answer: transferAnswer(transfer), writes: [psp.db.insert(transfers).values(transfer)] };
}

/** Stores a bank account as one line, with branch and number as people write them. */
function destinationOf(body: z.infer<typeof transferRequest>): {
  pixKeyKind: string;
  pixKey: string;
} {
  if ("pix_key" in body) return { pixKeyKind: body.pix_key_kind, pixKey: body.pix_key };
  const { bank_code, branch, account, account_digit } = body.bank_account;
  return {
    pixKeyKind: "bank_account",
    pixKey: `${bank_code} ${branch} ${account}-${account_digit}`,
  };
}

export async function transferById(psp: Psp, id: string): Promise<TransferRow> {
  const [transfer] = await psp.db.select().from(transfers).where(eq(transfers.id, id));
  if (!transfer) throw notFound("transfer");
  return transfer;
}

/** Settles a transfer with the result set by its key. */
export async function settleTransfer(psp: Psp, transfer: TransferRow): Promise<TransferRow> {
  const isFailed = transfer.outcome === "failed";
  return move(
    psp,
    transfer,
    "processing",
    isFailed ? "failed" : "paid",
    isFailed
      ? transfer.pixKeyKind === "bank_account"
        ? "account_not_found"
        : "pix_key_not_found"
      : null,
  );
}

/** The receiving bank returns a paid transfer. */
export async function returnTransfer(psp: Psp, transfer: TransferRow): Promise<TransferRow> {
  return move(psp, transfer, "paid", "returned", "account_closed");
}

async function move(
  psp: Psp,
  transfer: TransferRow,
  from: TransferRow["status"],
  to: TransferRow["status"],
  failureCode: string | null,
): Promise<TransferRow> {
  const events = await eventStatements(psp, `transfer.${to}`, "transfer", transfer.id);
  try {
    await commit(psp.db, [
      mustChangeOne(
        psp.db
          .update(transfers)
          .set({
            status: to,
            failureCode,
            returnsAt: to === "returned" ? null : transfer.returnsAt,
          })
          .where(and(eq(transfers.id, transfer.id), eq(transfers.status, from))),
      ),
      ...events,
    ]);
  } catch (error) {
    if (error instanceof StaleWrite)
      throw new PspRefusal(
        409,
        "transfer_not_waiting",
        `Only a transfer that is ${from} can be ${to}.`,
      );
    throw error;
  }
  return { ...transfer, status: to, failureCode };
}
