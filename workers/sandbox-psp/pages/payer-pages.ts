import { formatMoney } from "#app/domain/money.ts";
import { boundedText } from "#workers/sandbox-psp/body.ts";
import { cardFields } from "#workers/sandbox-psp/cards/card-form.ts";
import { authorise, readCard } from "#workers/sandbox-psp/cards/cards.ts";
import type { CardProblems, TypedCard } from "#workers/sandbox-psp/cards/cards.ts";
import {
  requireConfirmation,
  chargeById,
  closeUnpaidCharge,
  payCharge,
} from "#workers/sandbox-psp/charges.ts";
import { html, pageResponse } from "./html.ts";
import type { Markup } from "./html.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import { pageStyle } from "./style.ts";
import type { ChargeRow } from "#workers/sandbox-psp/tables.ts";

const FORM_LIMIT_BYTES = 2_048;

/** `/pay/:chargeId`: the payment on the provider's own page, with or without JavaScript. */
export async function answerPayPage(
  psp: Psp,
  request: Request,
  chargeId: string,
): Promise<Response> {
  const charge = await chargeById(psp, chargeId);
  if (charge.status !== "requires_action") return overPage(charge);
  if (charge.cardBehaviour) return seeOther(`/3ds/${charge.id}`);
  if (request.method !== "POST") return payPage(psp, charge);
  const form = await ownForm(psp, request);
  const typed: TypedCard = {
    number: of(form, "number"),
    expiry: of(form, "expiry"),
    cvv: of(form, "cvv"),
    holder: of(form, "holder"),
  };
  const read = readCard(typed, psp.realNow());
  if ("problems" in read)
    return payPage(psp, charge, { problems: read.problems, typed, status: 422 });
  const { status, failureCode } = authorise(read.card.behaviour, false, false);
  if (status === "requires_action") {
    await requireConfirmation(psp, charge.id, read.card);
    return seeOther(`/3ds/${charge.id}`);
  }
  if (status === "failed")
    return payPage(psp, charge, { typed, refusal: refusalText(failureCode), status: 402 });
  await payCharge(psp, charge.id, read.card);
  return back(charge);
}

/** `/3ds/:chargeId`: the confirmation that the payer's bank would ask in its app. */
export async function answerConfirmationPage(
  psp: Psp,
  request: Request,
  chargeId: string,
): Promise<Response> {
  const charge = await chargeById(psp, chargeId);
  if (charge.status !== "requires_action" || !charge.cardBehaviour) return overPage(charge);
  if (request.method !== "POST") return confirmationPage(psp, charge);
  const form = await ownForm(psp, request);
  if (of(form, "decision") === "approve") await payCharge(psp, charge.id);
  else await closeUnpaidCharge(psp, charge.id, "failed", "authentication_failed");
  return back(charge);
}

function refusalText(failureCode: string | null): string {
  return failureCode === "insufficient_funds"
    ? "O banco recusou: falta limite ou saldo. Tente outro cartão."
    : "O banco recusou este cartão. Tente outro, ou fale com o banco.";
}

type PayState = { problems?: CardProblems; typed?: TypedCard; refusal?: string; status?: number };

function payPage(psp: Psp, charge: ChargeRow, state: PayState = {}): Response {
  return pageResponse({
    title: "Pagar com cartão",
    style: pageStyle,
    status: state.status ?? 200,
    formAction: formAction(psp),
    body: html`<main>
<h1>Pagar com cartão</h1>
<div class="card"><p class="muted">${charge.description}</p><p class="amount">${formatMoney(charge.amountCents)}</p></div>
<form class="card" method="post" novalidate>
${state.refusal ? html`<p class="error" role="alert">${state.refusal}</p>` : null}
${cardFields(state.problems, state.typed)}
<button class="primary">Pagar ${formatMoney(charge.amountCents)}</button>
</form>
${backLink(charge, "Voltar sem pagar")}
</main>`,
  });
}

function confirmationPage(psp: Psp, charge: ChargeRow): Response {
  return pageResponse({
    title: "Confirme a compra",
    style: pageStyle,
    formAction: formAction(psp),
    body: html`<main>
<h1>É você quem está comprando?</h1>
<div class="card">
<p class="muted">${charge.description}</p>
<p class="amount">${formatMoney(charge.amountCents)}</p>
<p class="muted">Cartão final ${charge.cardLast4}</p>
</div>
<form class="card" method="post">
<button class="primary" name="decision" value="approve">Aprovar</button>
<button class="danger" name="decision" value="refuse">Recusar</button>
</form>
</main>`,
  });
}

/** The page of a closed charge: shows its result and links back. */
function overPage(charge: ChargeRow): Response {
  const text =
    charge.status === "succeeded"
      ? "Este pagamento já foi feito."
      : charge.method === "pix"
        ? "Este pagamento é por Pix: use o código no aplicativo do seu banco."
        : "Este pagamento não espera mais por você. Volte e comece de novo.";
  return pageResponse({
    title: "Pagamento",
    style: pageStyle,
    body: html`<main><h1>Pagamento</h1><div class="card"><p>${text}</p></div>${backLink(charge, "Voltar para o Coreto")}</main>`,
  });
}

function backLink(charge: ChargeRow, text: string): Markup | null {
  return charge.returnUrl ? html`<p><a href="${charge.returnUrl}">${text}</a></p>` : null;
}

/** The allowed form targets; the policy also covers redirects of the answer. */
function formAction(psp: Psp): string {
  return `'self' ${psp.env.APP_ORIGIN}`;
}

/** Redirects to the product. The return address was validated when the charge was created. */
function back(charge: ChargeRow): Response {
  return charge.returnUrl
    ? seeOther(charge.returnUrl)
    : overPage({ ...charge, status: "succeeded" });
}

export function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}

export async function ownForm(psp: Psp, request: Request): Promise<URLSearchParams> {
  const origin = request.headers.get("origin");
  const own = [new URL(psp.env.SANDBOX_PUBLIC_URL).origin, new URL(request.url).origin];
  if (origin !== null && !own.includes(origin))
    throw new PspRefusal(403, "foreign_origin", "Only this page's own form may pay.");
  return new URLSearchParams(await boundedText(request, FORM_LIMIT_BYTES));
}

const of = (form: URLSearchParams, name: string) => (form.get(name) ?? "").slice(0, 100);
