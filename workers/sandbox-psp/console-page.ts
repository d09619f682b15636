import { asc, desc, eq } from "drizzle-orm";
import { formatMinute } from "#app/domain/time.ts";
import { chaosSection, clockSection, listSection } from "./console-controls.ts";
import { chargesTable, deliveriesTable, disputesTable, inboxTable, mailsTable, outboxTable, transfersTable } from "./console-tables.ts";
import { html, pageResponse } from "./html.ts";
import { productView } from "./product.ts";
import type { Psp } from "./psp.ts";
import { consoleStyle } from "./console-style.ts";
import { charges, deliveries, disputes, events, transfers } from "./tables.ts";

const SHOWN = 40;

/** Everything the provider and the product are doing, on one page that needs no JavaScript. */
export async function consolePage(psp: Psp, params: URLSearchParams): Promise<Response> {
  const [chargeRows, transferRows, disputeRows, deliveryRows] = await psp.db.batch([
    psp.db.select().from(charges).orderBy(desc(charges.createdAt), asc(charges.id)).limit(SHOWN),
    psp.db.select().from(transfers).orderBy(desc(transfers.createdAt), asc(transfers.id)).limit(SHOWN),
    psp.db.select().from(disputes).orderBy(desc(disputes.createdAt)).limit(SHOWN),
    psp.db.select().from(deliveries).innerJoin(events, eq(events.id, deliveries.eventId)).orderBy(desc(deliveries.id)).limit(SHOWN),
  ]);
  const product = await productView(psp);
  const said = params.get("said");
  return pageResponse({
    title: "Sandbox · Coreto",
    style: consoleStyle,
    body: html`<header><h1>Sandbox</h1><p class="muted">O provedor de pagamentos de mentira, o relógio e o correio desta máquina. Nada aqui existe em produção.</p>
<nav><a href="#clock">Relógio</a><a href="#charges">Cobranças</a><a href="#transfers">Transferências</a><a href="#disputes">Contestações</a><a href="#mails">E-mails</a><a href="#deliveries">Avisos</a><a href="#inbox">Inbox</a><a href="#outbox">Outbox</a><a href="#chaos">Caos</a><a href="#calls">Chamadas</a></nav></header>
<main>
${said ? html`<p class="said" role="status">${said.slice(0, 200)}</p>` : null}
${clockSection(psp, formatMinute)}
${chargesTable(chargeRows, psp.env.SANDBOX_PUBLIC_URL)}
${transfersTable(transferRows)}
${disputesTable(disputeRows)}
${product ? html`${mailsTable(product.mails)}` : null}
${deliveriesTable(deliveryRows)}
${product ? html`${inboxTable(product.inbox)}${outboxTable(product.outbox)}` : null}
${chaosSection(psp.chaos)}
${listSection()}
</main>`,
  });
}
