import { cardFields } from "./card-form.ts";
import { brands } from "./cards.ts";
import { html, pageResponse } from "#workers/sandbox-psp/pages/html.ts";
import { settingStatement } from "#workers/sandbox-psp/psp.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { baseStyle } from "#workers/sandbox-psp/pages/style.ts";

/**
 * The hosted card field: an iframe on another hostname than the product's, so that neither reads
 * the other's cookies or inputs. The parent posts `{type:"tokenize"}`. The field answers
 * `{type:"card-token", token, brand, last4}` or `{type:"card-error", fields, message}`, to the
 * product's origin only. It also posts `{type:"card-ready"}` and `{type:"card-height", height}`.
 */
export async function answerCardField(psp: Psp, request: Request): Promise<Response> {
  const hadCookie = request.headers.has("cookie");
  await psp.db.batch([
    settingStatement(psp.db, "last_request_had_cookie", hadCookie ? "yes" : "no"),
  ]);
  const theme = new URL(request.url).searchParams.get("theme");
  return pageResponse({
    title: "Cartão",
    style: `${baseStyle}body{background:var(--card)}form{display:grid;gap:8px;padding:4px}.row{display:grid;grid-template-columns:1fr 1fr;gap:12px}.number{position:relative}.number input{padding-right:106px}#brand{position:absolute;top:24px;right:14px;font-size:14px;font-weight:600;line-height:48px;color:var(--muted);pointer-events:none}.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}`,
    theme: theme === "dark" || theme === "light" ? theme : null,
    body: html`<form id="card" novalidate>${cardFields()}<p class="error" id="form-error" role="alert"></p><button class="sr" tabindex="-1">Continuar</button></form>`,
    script: fieldScript(psp.env.APP_ORIGIN),
    frameAncestors: psp.env.APP_ORIGIN,
    formAction: "'none'",
  });
}

function fieldScript(appOrigin: string): string {
  return `
const APP = ${JSON.stringify(appOrigin).replaceAll("<", "\\u003c")};
const form = document.getElementById("card");
const formError = document.getElementById("form-error");
const inputs = [...form.querySelectorAll("input")];
const brand = document.getElementById("brand");
const brands = ${JSON.stringify(brands.map(({ name, starts }) => ({ name, starts: starts.source })))};
let isBusy = false;
const tell = (message) => parent.postMessage(message, APP);
const tellHeight = () => tell({ type: "card-height", height: Math.ceil(form.getBoundingClientRect().height) });
const show = (problems, message) => {
  formError.textContent = message || "";
  for (const input of inputs) {
    const problem = problems[input.name] || "";
    input.setAttribute("aria-invalid", problem ? "true" : "false");
    document.getElementById(input.name + "-error").textContent = problem;
  }
  const wrong = inputs.find((input) => problems[input.name]);
  if (wrong) wrong.focus();
  tellHeight();
};
const tokenize = async () => {
  if (isBusy) return;
  isBusy = true;
  try {
    const response = await fetch("/v1/tokens", { method: "POST", headers: { "content-type": "application/json" }, credentials: "omit", body: JSON.stringify(Object.fromEntries(new FormData(form))) });
    const answer = await response.json();
    if (response.ok) {
      show({}, "");
      tell({ type: "card-token", token: answer.id, brand: answer.brand, last4: answer.last4 });
    } else {
      const fields = answer.error.fields || {};
      show(fields, answer.error.fields ? "" : "Não foi possível ler o cartão. Tente de novo.");
      tell({ type: "card-error", fields, message: "Confira os dados do cartão." });
    }
  } catch {
    show({}, "Sem conexão com quem processa o cartão. Tente de novo.");
    tell({ type: "card-error", fields: {}, message: "Sem conexão com quem processa o cartão. Tente de novo." });
  } finally {
    isBusy = false;
  }
};
form.addEventListener("submit", (event) => { event.preventDefault(); tell({ type: "card-submit" }); });
form.number.addEventListener("input", () => {
  const digits = form.number.value.replace(/\\D/g, "");
  const name = brands.find(({ starts }) => new RegExp(starts).test(digits))?.name || "";
  if (brand.textContent !== name) brand.textContent = name;
  if (form.number.selectionStart !== form.number.value.length) return;
  form.number.value = form.number.value.replace(/\\D/g, "").slice(0, 19).replace(/(.{4})(?=.)/g, "$1 ");
});
form.expiry.addEventListener("input", (event) => {
  if (event.inputType === "deleteContentBackward") return;
  const digits = form.expiry.value.replace(/\\D/g, "").slice(0, 4);
  form.expiry.value = digits.length > 2 ? digits.slice(0, 2) + "/" + digits.slice(2) : digits;
});
addEventListener("message", (event) => {
  if (event.origin !== APP || event.source !== parent) return;
  if (event.data && event.data.type === "tokenize") void tokenize();
  if (event.data && event.data.type === "theme") document.documentElement.dataset.theme = event.data.theme === "dark" ? "dark" : "light";
});
tell({ type: "card-ready" });
tellHeight();
new ResizeObserver(tellHeight).observe(form);
`;
}
