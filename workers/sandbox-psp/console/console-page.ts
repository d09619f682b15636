import { formatMinute } from "#app/domain/time.ts";
import { consoleData, shownOf } from "./console-data.ts";
import { chaosSection, clockSection, listSection } from "./console-controls.ts";
import { consoleStyle } from "./console-style.ts";
import {
  chargesTable,
  deliveriesTable,
  disputesTable,
  inboxTable,
  instructionsTable,
  mailsTable,
  outboxTable,
  pushesTable,
  recurringTable,
  textsTable,
  transfersTable,
} from "./console-tables.ts";
import { html, pageResponse } from "#workers/sandbox-psp/pages/html.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";

/** Shows the state of the provider and the product on one page that needs no JavaScript. */
export async function consolePage(psp: Psp, params: URLSearchParams): Promise<Response> {
  const shown = shownOf(params);
  const data = await consoleData(psp, shown);
  const notice = params.get("said");
  const isCut = Object.values(data).some((rows) => rows.length === shown);
  return pageResponse({
    title: "Sandbox · Coreto",
    style: consoleStyle,
    body: html`<header><h1>Sandbox</h1><p class="muted">O provedor de pagamentos de mentira, o relógio e o correio desta máquina. Nada aqui existe em produção.</p>
<nav aria-label="Seções"><a href="#clock">Relógio</a><a href="#charges">Cobranças</a><a href="#transfers">Transferências</a><a href="#disputes">Contestações</a><a href="#recurring">Pix Automático</a><a href="#mails">E-mails</a><a href="/sandbox/gallery">Avisos de exemplo</a><a href="/sandbox/gallery/buttons">Galeria</a><a href="#texts">SMS</a><a href="#pushes">Aparelhos</a><a href="#deliveries">Avisos</a><a href="#inbox">Inbox</a><a href="#outbox">Outbox</a><a href="#chaos">Caos</a><a href="#calls">Chamadas</a></nav></header>
<main>
${notice ? html`<p class="said" role="status">${notice.slice(0, 200)}</p>` : null}
${clockSection(psp, formatMinute)}
${chargesTable(data.charges, psp.env.SANDBOX_PUBLIC_URL)}
${transfersTable(data.transfers)}
${disputesTable(data.disputes)}
${recurringTable(data.recurring)}
${instructionsTable(data.instructions)}
${mailsTable(data.mails)}
${textsTable(data.texts)}
${pushesTable(data.pushes)}
${deliveriesTable(data.deliveries)}
${inboxTable(data.inbox)}
${outboxTable(data.outbox)}
${isCut ? html`<p><a href="/sandbox?shown=1000">Mostrar até mil de cada lista</a></p>` : null}
${chaosSection(psp.chaos)}
${listSection()}
</main>`,
  });
}
