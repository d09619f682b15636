import { z } from "zod";
import { noChaos, chaosSchema } from "#workers/sandbox-psp/chaos.ts";
import {
  chargeAnswer,
  disputeAnswer,
  instructionAnswer,
  recurringPixAnswer,
  transferAnswer,
} from "#workers/sandbox-psp/answers.ts";
import { chargeById, closeUnpaidCharge, payCharge } from "#workers/sandbox-psp/charges.ts";
import { tick } from "#workers/sandbox-psp/due.ts";
import { replayEvent, retryWebhookDelivery } from "#workers/sandbox-psp/events.ts";
import { reportMail } from "#workers/sandbox-psp/mail-events.ts";
import { settingStatement } from "#workers/sandbox-psp/psp.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import {
  answerMandatePartially,
  answerInstruction,
  closePixMandate,
} from "#workers/sandbox-psp/pix/pix-mandates.ts";
import { pixMandateById } from "#workers/sandbox-psp/pix/mandate-rules.ts";
import {
  decideDispute,
  disputeRequest,
  openDispute,
} from "#workers/sandbox-psp/refunds-and-disputes.ts";
import { returnTransfer, settleTransfer, transferById } from "#workers/sandbox-psp/transfers.ts";
import { moveClock, clockRequest } from "#workers/sandbox-psp/time-travel.ts";
import { retryProductRow } from "#workers/sandbox-psp/product.ts";

/** An action of the console, as a form or as a JSON call of the same address. */
export type ConsoleAction = {
  path: string;
  says: string;
  /** An example of the JSON body, for the list on the page. */
  body?: string;
  run(psp: Psp, id: string, input: Record<string, unknown>): Promise<unknown>;
};

export const consoleActions: readonly ConsoleAction[] = [
  {
    path: "/sandbox/charges/:id/pay",
    says: "Paga a cobrança (Pix vencido também: banco atrasado). Com ?webhook=off, sem avisos.",
    run: pay,
  },
  {
    path: "/sandbox/charges/:id/decline",
    says: "Recusa a cobrança.",
    run: (psp, id) => end(psp, id, "failed"),
  },
  {
    path: "/sandbox/charges/:id/expire",
    says: "Vence a cobrança agora.",
    run: (psp, id) => end(psp, id, "expired"),
  },
  {
    path: "/sandbox/charges/:id/dispute",
    says: "Abre contestação (cartão) ou MED (Pix) de tudo o que resta, ou de uma parte.",
    body: '{"amount_cents":500}',
    run: dispute,
  },
  {
    path: "/sandbox/disputes/:id/win",
    says: "O vendedor ganha a contestação.",
    run: async (psp, id) => disputeAnswer(await decideDispute(psp, id, "won")),
  },
  {
    path: "/sandbox/disputes/:id/lose",
    says: "O vendedor perde a contestação.",
    run: async (psp, id) => disputeAnswer(await decideDispute(psp, id, "lost")),
  },
  {
    path: "/sandbox/transfers/:id/settle",
    says: "O banco responde já à transferência.",
    run: async (psp, id) => transferAnswer(await settleTransfer(psp, await transferById(psp, id))),
  },
  {
    path: "/sandbox/transfers/:id/return",
    says: "O banco devolve uma transferência paga.",
    run: async (psp, id) => transferAnswer(await returnTransfer(psp, await transferById(psp, id))),
  },
  {
    path: "/sandbox/recurring/:id/approve",
    says: "O banco aprova o Pix Automático e paga a primeira cobrança.",
    run: async (psp, id) => pay(psp, (await pixMandateById(psp, id)).firstChargeId),
  },
  {
    path: "/sandbox/recurring/:id/reject",
    says: "Quem paga recusa o Pix Automático no banco.",
    run: async (psp, id) => recurringPixAnswer(await closePixMandate(psp, id, "rejected")),
  },
  {
    path: "/sandbox/recurring/:id/pay-only",
    says: "O primeiro pagamento chega, e quem paga recusa o Pix Automático.",
    run: async (psp, id) => recurringPixAnswer(await answerMandatePartially(psp, id, "rejected")),
  },
  {
    path: "/sandbox/recurring/:id/approve-only",
    says: "O banco aprova o Pix Automático, mas o primeiro pagamento falha.",
    run: async (psp, id) => recurringPixAnswer(await answerMandatePartially(psp, id, "active")),
  },
  {
    path: "/sandbox/recurring/:id/cancel",
    says: "Quem paga encerra o Pix Automático no banco.",
    run: async (psp, id) => recurringPixAnswer(await closePixMandate(psp, id, "canceled")),
  },
  {
    path: "/sandbox/recurring/:id/expire",
    says: "Ninguém respondeu ao pedido de Pix Automático.",
    run: async (psp, id) => recurringPixAnswer(await closePixMandate(psp, id, "expired")),
  },
  {
    path: "/sandbox/instructions/:id/settle",
    says: "O banco debita já, sem esperar o dia.",
    run: async (psp, id) => instructionAnswer(await answerInstruction(psp, id, "settled")),
  },
  {
    path: "/sandbox/instructions/:id/refuse",
    says: "O banco não debita: falta saldo.",
    run: async (psp, id) => instructionAnswer(await answerInstruction(psp, id, "refused")),
  },
  {
    path: "/sandbox/events/:id/replay",
    says: "Reenvia um aviso antigo com assinatura nova.",
    run: async (psp, id) => done(replayEvent(psp, id)),
  },
  {
    path: "/sandbox/deliveries/:id/retry",
    says: "Tenta a entrega outra vez, já.",
    run: async (psp, id) => done(retryWebhookDelivery(psp, Number(id))),
  },
  {
    path: "/sandbox/mails/:id/bounce",
    says: "A caixa de correio devolve o e-mail para sempre.",
    run: (psp, id) => reportMail(psp, id, "bounced"),
  },
  {
    path: "/sandbox/mails/:id/complain",
    says: "Quem recebeu marca o e-mail como spam.",
    run: (psp, id) => reportMail(psp, id, "complained"),
  },
  {
    path: "/sandbox/inbox/:id/retry",
    says: "Tira da quarentena e tenta de novo.",
    run: async (psp, id) => done(retryProductRow(psp, "inbox", id)),
  },
  {
    path: "/sandbox/outbox/:id/retry",
    says: "Tira da quarentena e tenta de novo.",
    run: async (psp, id) => done(retryProductRow(psp, "outbox", id)),
  },
  {
    path: "/sandbox/tick",
    says: "Faz o que venceu e envia os avisos que esperam.",
    run: async (psp) => done(tick(psp)),
  },
  {
    path: "/sandbox/chaos",
    says: "Troca as chaves do caos; o que faltar volta ao repouso.",
    body: '{"duplicate":1,"reorder":true,"delay_ms":2000,"drop":1,"stale_replay":true,"api_errors":2,"api_error_percent":10,"timeouts":1,"timeout_percent":10,"rate_limits":1,"malformed":1,"slow_ms":500}',
    run: changeChaos,
  },
  {
    path: "/sandbox/clock",
    says: 'Adianta o relógio do produto, parando em cada vencimento. Também {"to":"2027-01-01T12:00:00Z"}, {"reset":true} e "run":false para só mudar a hora.',
    body: '{"advance":"P30D"}',
    run: (psp, _id, input) => moveClock(psp, clockRequest.parse(input)),
  },
];

async function pay(psp: Psp, id: string): Promise<unknown> {
  return chargeAnswer(await payCharge(psp, id), psp.env.SANDBOX_PUBLIC_URL);
}

async function end(psp: Psp, id: string, status: "failed" | "expired"): Promise<unknown> {
  const charge = await chargeById(psp, id);
  const code = charge.method === "card" ? "card_declined" : "payer_bank_declined";
  return chargeAnswer(
    await closeUnpaidCharge(psp, id, status, status === "failed" ? code : null),
    psp.env.SANDBOX_PUBLIC_URL,
  );
}

async function dispute(psp: Psp, id: string, input: Record<string, unknown>): Promise<unknown> {
  return disputeAnswer(await openDispute(psp, id, disputeRequest.parse(input)));
}

const checkbox = z.preprocess(
  (value) => (value === "on" || value === "true" ? true : value),
  z.boolean().optional(),
);
const chaosInput = chaosSchema.extend({
  reorder: checkbox,
  stale_replay: checkbox,
  no_balance: checkbox,
});

async function changeChaos(
  psp: Psp,
  _id: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  const typed = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ""));
  const chaos = chaosSchema.parse({ ...noChaos, ...chaosInput.partial().parse(typed) });
  await psp.db.batch([settingStatement(psp.db, "chaos", JSON.stringify(chaos))]);
  return chaos;
}

async function done(work: Promise<unknown>): Promise<{ ok: true }> {
  await work;
  return { ok: true };
}
