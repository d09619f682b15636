import { formatMoney } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import type { localMails } from "#drizzle/schema/mail.ts";
import type { localPushes } from "#drizzle/schema/push.ts";
import type { outbox } from "#drizzle/schema/outbox.ts";
import type { inbox } from "#drizzle/schema/payments.ts";
import type { localTexts } from "#drizzle/schema/sms.ts";
import type { ConsoleData } from "./console-data.ts";
import { html } from "#workers/sandbox-psp/pages/html.ts";
import type { Markup } from "#workers/sandbox-psp/pages/html.ts";
import type {
  ChargeRow,
  SandboxDisputeRow,
  InstructionRow,
  RecurringPixRow,
  TransferRow,
} from "#workers/sandbox-psp/tables.ts";

type Button = { act: string; label: string; tone?: "primary" | "danger" };

const stateTexts: Record<string, string> = {
  awaiting_payment: "Espera o Pix",
  requires_action: "Espera quem paga",
  processing: "Em andamento",
  succeeded: "Paga",
  failed: "Falhou",
  expired: "Vencida",
  canceled: "Cancelada",
  paid: "Feita",
  returned: "Devolvida",
  open: "Aberta",
  won: "Ganha",
  lost: "Perdida",
  created: "Espera resposta",
  active: "Ativa",
  rejected: "Recusada",
  scheduled: "Agendado",
  settled: "Debitado",
  refused: "Recusado",
  waiting: "Espera",
  delivered: "Entregue",
  dropped: "Perdido de propósito",
  abandoned: "Desistiu",
};

export function chargesTable(rows: readonly ChargeRow[], publicUrl: string): Markup {
  return table("charges", "Cobranças", "Nenhuma cobrança ainda.", rows, (charge) =>
    row(
      html`<span class="money">${formatMoney(charge.amountCents)}</span>${state(charge.status)}<span>${charge.method === "pix" ? "Pix" : "Cartão"}${charge.cardLast4 ? ` final ${charge.cardLast4}` : ""}</span><span>${charge.description}</span><span class="muted small">${charge.payerName} · ${formatMinute(charge.createdAt)}${charge.refundedCents ? ` · devolvido ${formatMoney(charge.refundedCents)}` : ""}</span><span class="muted small"><code>${charge.id}</code></span>${charge.status === "requires_action" ? html`<a href="${publicUrl}/pay/${charge.id}">página de pagamento</a>` : null}`,
      `/sandbox/charges/${charge.id}`,
      chargeButtons(charge),
    ),
  );
}

function chargeButtons(charge: ChargeRow): Button[] {
  const pay: Button = {
    act: "pay",
    label: charge.status === "expired" || charge.status === "canceled" ? "Pagar atrasado" : "Pagar",
    tone: "primary",
  };
  if (charge.status === "awaiting_payment" || charge.status === "requires_action") {
    return [pay, { act: "decline", label: "Recusar" }, { act: "expire", label: "Vencer" }];
  }
  if (charge.status === "succeeded")
    return [
      {
        act: "dispute",
        label: charge.method === "pix" ? "Abrir MED" : "Contestar",
        tone: "danger",
      },
    ];
  return charge.method === "pix" && charge.status !== "failed" ? [pay] : [];
}

export function transfersTable(rows: readonly TransferRow[]): Markup {
  return table("transfers", "Transferências", "Nenhuma transferência ainda.", rows, (transfer) =>
    row(
      html`<span class="money">${formatMoney(transfer.amountCents)}</span>${state(transfer.status)}<span>${transfer.pixKey}</span><span class="muted small">${formatMinute(transfer.createdAt)}${transfer.failureCode ? ` · ${transfer.failureCode}` : ""}</span><span class="muted small"><code>${transfer.id}</code></span>`,
      `/sandbox/transfers/${transfer.id}`,
      transfer.status === "processing"
        ? [{ act: "settle", label: "Responder já" }]
        : transfer.status === "paid"
          ? [{ act: "return", label: "Devolver", tone: "danger" }]
          : [],
    ),
  );
}

export function disputesTable(rows: readonly SandboxDisputeRow[]): Markup {
  return table("disputes", "Contestações", "Nenhuma contestação.", rows, (dispute) =>
    row(
      html`<span class="money">${formatMoney(dispute.amountCents)}</span>${state(dispute.status)}<span>${dispute.kind === "med" ? "MED (Pix)" : "Cartão"}${dispute.status === "open" ? (dispute.answeredAt === null ? `, espera resposta até ${formatMinute(dispute.respondBy)}` : ", em análise") : ""}</span><span class="muted small">${formatMinute(dispute.createdAt)} · <code>${dispute.chargeId}</code></span>`,
      `/sandbox/disputes/${dispute.id}`,
      dispute.status === "open"
        ? [
            { act: "win", label: "Vendedor ganha" },
            { act: "lose", label: "Vendedor perde", tone: "danger" },
          ]
        : [],
    ),
  );
}

export function recurringTable(rows: readonly RecurringPixRow[]): Markup {
  return table("recurring", "Pix Automático", "Nenhuma autorização ainda.", rows, (authorisation) =>
    row(
      html`<span class="money">${authorisation.amountCents === null ? "Valor variável" : formatMoney(authorisation.amountCents)}</span>${state(authorisation.status)}<span>${authorisation.description}</span><span class="muted small">${authorisation.payerName} · ${formatMinute(authorisation.createdAt)}</span><span class="muted small"><code>${authorisation.id}</code></span>`,
      `/sandbox/recurring/${authorisation.id}`,
      recurringButtons(authorisation.status),
    ),
  );
}

function recurringButtons(status: RecurringPixRow["status"]): Button[] {
  if (status === "active") return [{ act: "cancel", label: "Encerrar no banco", tone: "danger" }];
  if (status !== "created") return [];
  return [
    { act: "approve", label: "Aprovar e pagar", tone: "primary" },
    { act: "reject", label: "Recusar" },
    { act: "expire", label: "Vencer" },
  ];
}

export function instructionsTable(rows: readonly InstructionRow[]): Markup {
  return table(
    "instructions",
    "Débitos do Pix Automático",
    "Nenhum débito agendado.",
    rows,
    (order) =>
      row(
        html`<span>Débito em ${formatDay(order.dueAt)}</span>${state(order.status)}<span class="muted small">tentativa ${order.attempt}${order.failureCode ? ` · ${order.failureCode}` : ""}</span><span class="muted small"><code>${order.id}</code></span>`,
        `/sandbox/instructions/${order.id}`,
        order.status === "scheduled"
          ? [
              { act: "settle", label: "Debitar já", tone: "primary" },
              { act: "refuse", label: "Recusar" },
            ]
          : [],
      ),
  );
}

export function deliveriesTable(rows: ConsoleData["deliveries"]): Markup {
  return table(
    "deliveries",
    "Avisos (webhooks)",
    "Nenhum aviso ainda.",
    rows,
    ({ event, ...delivery }) =>
      html`<li><div class="line"><strong>${event.type}</strong>${state(delivery.state)}<span class="small muted">${counted(delivery.attempts, "tentativa", "tentativas")}${delivery.lastAnswer ? ` · resposta ${delivery.lastAnswer}` : ""}${delivery.state === "waiting" ? ` · próxima ${formatMinute(delivery.nextAttemptAt)}` : ""}</span><span class="small muted"><code>${event.id}</code></span></div>
<div class="acts">${delivery.state === "delivered" ? null : button(`/sandbox/deliveries/${delivery.id}`, { act: "retry", label: "Tentar já" })}${button(`/sandbox/events/${event.id}`, { act: "replay", label: "Reenviar" })}</div></li>`,
  );
}

export function mailsTable(rows: readonly (typeof localMails.$inferSelect)[]): Markup {
  return table(
    "mails",
    "E-mails enviados",
    "Nenhum e-mail ainda.",
    rows,
    (mail) =>
      html`<li><details><summary><strong>${mail.subject}</strong> <span class="muted small">para ${mail.recipient} · ${formatMinute(mail.createdAt)}</span></summary><div class="mail">${mail.html === null ? null : html`<iframe sandbox loading="lazy" title="E-mail: ${mail.subject}" srcdoc="${mail.html}"></iframe>`}<div><h3>Texto</h3><pre>${mail.body}</pre></div><details><summary>Código do HTML</summary><pre>${mail.html}</pre></details></div>${mail.unsubscribeUrl ? html`<p class="muted small">List-Unsubscribe: &lt;${mail.unsubscribeUrl}&gt;</p>` : ""}</details><div class="acts">${mailButtons(mail.id)}</div></li>`,
  );
}

const mailButtons = (id: string): Markup[] => [
  button(`/sandbox/mails/${encodeURIComponent(id)}`, { act: "bounce", label: "Devolver" }),
  button(`/sandbox/mails/${encodeURIComponent(id)}`, {
    act: "complain",
    label: "Marcar como spam",
  }),
];

export function textsTable(rows: readonly (typeof localTexts.$inferSelect)[]): Markup {
  return table(
    "texts",
    "SMS enviados",
    "Nenhum SMS ainda.",
    rows,
    (text) =>
      html`<li><div class="line"><span>${text.body}</span><span class="muted small">para ${text.recipient} · ${formatMinute(text.createdAt)}</span></div></li>`,
  );
}

export function pushesTable(rows: readonly (typeof localPushes.$inferSelect)[]): Markup {
  return table(
    "pushes",
    "Avisos nos aparelhos",
    "Nenhum aviso ainda.",
    rows,
    (push) =>
      html`<li><details><summary><strong>${(JSON.parse(push.payload) as { body: string }).body}</strong> <span class="muted small">${formatMinute(push.createdAt)}</span></summary><pre>${push.payload}</pre><p class="muted small">${push.endpoint}</p></details></li>`,
  );
}

type QueueRow = {
  id: string;
  type: string;
  attempts: number;
  handledAt: number | null;
  quarantinedAt: number | null;
  quarantineReason: string | null;
};

export function inboxTable(rows: readonly (typeof inbox.$inferSelect)[]): Markup {
  return queueTable(
    "inbox",
    "Inbox do produto",
    rows.map((item) => ({ ...item, at: item.receivedAt })),
  );
}

export function outboxTable(rows: readonly (typeof outbox.$inferSelect)[]): Markup {
  return queueTable(
    "outbox",
    "Outbox do produto",
    rows.map((item) => ({ ...item, at: item.createdAt })),
  );
}

function queueTable(
  id: "inbox" | "outbox",
  title: string,
  rows: readonly (QueueRow & { at: number })[],
): Markup {
  return table(id, title, "Vazia.", rows, (item) =>
    row(
      html`<strong>${item.type}</strong><span class="state">${item.handledAt ? "Feita" : item.quarantinedAt ? "Em quarentena" : "Espera"}</span><span class="small muted">${counted(item.attempts, "tentativa", "tentativas")} · ${formatMinute(item.at)}${item.quarantineReason ? ` · ${item.quarantineReason}` : ""}</span><span class="small muted"><code>${item.id}</code></span>`,
      `/sandbox/${id}/${encodeURIComponent(item.id)}`,
      item.quarantinedAt ? [{ act: "retry", label: "Tentar de novo" }] : [],
    ),
  );
}

function table<Row>(
  id: string,
  title: string,
  empty: string,
  rows: readonly Row[],
  item: (row: Row) => Markup,
): Markup {
  return html`<section id="${id}"><h2>${title}</h2>${rows.length === 0 ? html`<p class="muted">${empty}</p>` : html`<ul class="rows">${rows.map(item)}</ul>`}</section>`;
}

function row(line: Markup, path: string, buttons: readonly Button[]): Markup {
  return html`<li><div class="line">${line}</div>${buttons.length === 0 ? null : html`<div class="acts">${buttons.map((each) => button(path, each))}</div>`}</li>`;
}

function button(path: string, { act, label, tone }: Button): Markup {
  return html`<form method="post" action="${path}/${act}"><button class="${tone ?? ""}">${label}</button></form>`;
}

function state(status: string): Markup {
  return html`<span class="state">${stateTexts[status] ?? status}</span>`;
}
