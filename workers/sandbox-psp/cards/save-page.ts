import { html, pageResponse } from "#workers/sandbox-psp/pages/html.ts";
import { ownForm, seeOther } from "#workers/sandbox-psp/pages/payer-pages.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { answerSavedMethod, savedMethodById } from "./saved-methods.ts";
import { pageStyle } from "#workers/sandbox-psp/pages/style.ts";

/** `/save/:savedMethodId`: the bank's confirmation before a card is saved. */
export async function answerSavePage(psp: Psp, request: Request, id: string): Promise<Response> {
  const method = await savedMethodById(psp, id);
  if (method.status !== "requires_action") {
    return pageResponse({
      title: "Guardar cartão",
      style: pageStyle,
      body: html`<main><h1>Guardar cartão</h1><div class="card"><p>Este cartão não espera mais por você.</p></div></main>`,
    });
  }
  if (request.method === "POST") {
    const form = await ownForm(psp, request);
    await answerSavedMethod(psp, id, form.get("decision") === "approve" ? "ready" : "failed");
    return seeOther(method.returnUrl ?? psp.env.APP_ORIGIN);
  }
  return pageResponse({
    title: "Guardar cartão",
    style: pageStyle,
    formAction: `'self' ${psp.env.APP_ORIGIN}`,
    body: html`<main>
<h1>Guardar este cartão?</h1>
<div class="card"><p class="muted">Cartão final ${method.last4}</p><p>Ele passa a pagar suas renovações. Nada é cobrado agora.</p></div>
<form class="card" method="post">
<button class="primary" name="decision" value="approve">Aprovar</button>
<button class="danger" name="decision" value="refuse">Recusar</button>
</form>
</main>`,
  });
}
