import { consoleActions } from "./console-actions.ts";
import { testCards } from "#workers/sandbox-psp/cards/cards.ts";
import type { Chaos } from "#workers/sandbox-psp/chaos.ts";
import { html } from "#workers/sandbox-psp/pages/html.ts";
import type { Markup } from "#workers/sandbox-psp/pages/html.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { magicKeys } from "#workers/sandbox-psp/transfers.ts";

const looks = [
  "clock",
  "chaos",
  "card-field",
  "charges",
  "transfers",
  "disputes",
  "recurring",
  "instructions",
  "deliveries",
  "mails",
  "texts",
  "pushes",
  "inbox",
  "outbox",
] as const;

const jumps = [
  { duration: "PT30M", label: "+30 minutos" },
  { duration: "P1D", label: "+1 dia" },
  { duration: "P8D", label: "+8 dias" },
  { duration: "P30D", label: "+30 dias" },
] as const;

export function clockSection(psp: Psp, format: (at: number) => string): Markup {
  return html`<section id="clock"><h2>Relógio do produto</h2>
<p><strong>${format(psp.now())}</strong> <span class="muted small">hora de verdade: ${format(psp.realNow())}</span></p>
<p class="muted small">Anda de um vencimento ao próximo e roda cada cron uma vez por parada. Um mês pode levar alguns segundos.</p>
<div class="acts">
${jumps.map(({ duration, label }) => html`<form method="post" action="/sandbox/clock"><input type="hidden" name="advance" value="${duration}"><button>${label}</button></form>`)}
<form method="post" action="/sandbox/clock"><input type="hidden" name="reset" value="true"><button>Voltar à hora de verdade</button></form>
<form method="post" action="/sandbox/tick"><button>Fazer o que venceu</button></form>
</div></section>`;
}

export function chaosSection(chaos: Chaos): Markup {
  return html`<section id="chaos"><h2>Caos</h2>
<form method="post" action="/sandbox/chaos">
<div class="fields">
${numberField("duplicate", "Repetir cada aviso (vezes a mais)", chaos.duplicate)}
${numberField("delay_ms", "Atrasar avisos (ms)", chaos.delay_ms)}
${numberField("drop", "Perder os próximos avisos", chaos.drop)}
${numberField("api_errors", "Próximas chamadas com erro 500", chaos.api_errors)}
${numberField("api_error_percent", "Chance de erro 500 (%)", chaos.api_error_percent)}
${numberField("rate_limits", "Próximas chamadas com 429 (espere 3 s)", chaos.rate_limits)}
${numberField("malformed", "Próximas respostas que não são JSON", chaos.malformed)}
${numberField("slow_ms", "Demora para responder (ms)", chaos.slow_ms)}
${numberField("timeouts", "Próximas escritas sem resposta (504)", chaos.timeouts)}
${numberField("timeout_percent", "Chance de uma escrita ficar sem resposta (%)", chaos.timeout_percent)}
${checkField("reorder", "Trocar a ordem dos avisos", chaos.reorder)}
${checkField("stale_replay", "Reenviar avisos velhos", chaos.stale_replay)}
${checkField("no_balance", "Ficar sem saldo para transferir", chaos.no_balance)}
</div>
<div class="acts"><button class="primary">Guardar</button></div>
</form>
<form method="post" action="/sandbox/chaos"><button>Desligar tudo</button></form></section>`;
}

function numberField(name: keyof Chaos, label: string, value: number): Markup {
  return html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" type="number" min="0" value="${value}"></div>`;
}

function checkField(name: keyof Chaos, label: string, isOn: boolean): Markup {
  return html`<div class="check"><input id="${name}" name="${name}" type="checkbox"${isOn ? html` checked` : null}><label for="${name}">${label}</label></div>`;
}

/** The section for scripts: the same actions, cards and keys. */
export function listSection(): Markup {
  return html`<section id="calls"><h2>Chamadas, cartões e chaves</h2>
<p class="muted small">Cada botão é também uma chamada JSON (sem <code>accept: text/html</code>). A API inteira: <code>GET /v1/docs</code> no endereço do provedor.</p>
<ul class="rows">
${consoleActions.map((act) => html`<li><div class="line"><code>POST ${act.path}${act.body ? ` ${act.body}` : ""}</code><span class="small muted">${act.says}</span></div></li>`)}
<li><div class="line">${looks.map((name) => html`<code>GET /sandbox/${name}</code> `)}</div></li>
</ul>
<h2>Cartões</h2>
<ul class="rows">${testCards.map((card) => html`<li><div class="line"><code>${card.number}</code><span class="small muted">${card.says}</span></div></li>`)}</ul>
<h2>Chaves Pix</h2>
<ul class="rows">${magicKeys.map((magic) => html`<li><div class="line"><code>${magic.key}</code><span class="small muted">${magic.says}</span></div></li>`)}</ul></section>`;
}
