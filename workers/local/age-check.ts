import { REFERENCE_PARAMETER } from "#app/domain/age/schema.ts";
import { readAgeCheckRequest, signAgeCheckAnswer } from "#app/integrations/age-check/tokens.ts";
import { boundedText } from "#workers/sandbox-psp/body.ts";
import { html, pageResponse } from "#workers/sandbox-psp/pages/html.ts";
import { pageStyle } from "#workers/sandbox-psp/pages/style.ts";

const FORM_LIMIT_BYTES = 256;

/**
 * `/sandbox-age/:token`: the age check page, as a real provider's, except that it accepts any
 * answer.
 */
export async function answerAgeCheck(
  request: Request,
  { secret, now }: { secret: string; now: number },
): Promise<Response> {
  const token = new URL(request.url).pathname.split("/").at(-1) ?? "";
  const asked = await readAgeCheckRequest(secret, token, now);
  if (!asked) return over();
  if (request.method !== "POST") return question();
  const answer = new URLSearchParams(await boundedText(request, FORM_LIMIT_BYTES)).get("adult");
  if (answer !== "yes" && answer !== "no") return question(400);
  const back = new URL(asked.returnTo);
  back.searchParams.set(
    REFERENCE_PARAMETER,
    await signAgeCheckAnswer(secret, { checkId: asked.checkId, isAdult: answer === "yes", now }),
  );
  return new Response(null, {
    status: 303,
    headers: { location: back.href, "cache-control": "no-store" },
  });
}

function question(status = 200): Response {
  return pageResponse({
    title: "Verificação de idade",
    style: pageStyle,
    status,
    body: html`<main>
<h1>Verificação de idade</h1>
<div class="card"><p>Este é um provedor de teste: ele acredita em quem está no teclado. Um de verdade confere um documento ou o rosto, e conta ao Coreto só sim ou não.</p></div>
<form class="card" method="post">
<button class="primary" name="adult" value="yes">Tem 18 anos ou mais</button>
<button name="adult" value="no">Ainda não tem 18 anos</button>
</form>
</main>`,
  });
}

function over(): Response {
  return pageResponse({
    title: "Verificação de idade",
    style: pageStyle,
    status: 404,
    body: html`<main><h1>Verificação de idade</h1><div class="card"><p>Esta verificação não existe ou já terminou. Volte ao Coreto e comece de novo.</p></div></main>`,
  });
}
