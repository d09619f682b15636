import type { CardProblems, TypedCard } from "./cards.ts";
import { html } from "#workers/sandbox-psp/pages/html.ts";
import type { Markup } from "#workers/sandbox-psp/pages/html.ts";

const fields = [
  {
    name: "number",
    label: "Número do cartão",
    autocomplete: "cc-number",
    inputmode: "numeric",
    placeholder: "0000 0000 0000 0000",
    maxlength: 23,
  },
  {
    name: "expiry",
    label: "Validade",
    autocomplete: "cc-exp",
    inputmode: "numeric",
    placeholder: "MM/AA",
    maxlength: 7,
  },
  {
    name: "cvv",
    label: "CVV",
    autocomplete: "cc-csc",
    inputmode: "numeric",
    placeholder: "123",
    maxlength: 4,
  },
  {
    name: "holder",
    label: "Nome no cartão",
    autocomplete: "cc-name",
    inputmode: "text",
    placeholder: "Como está impresso",
    maxlength: 60,
  },
] as const;

/**
 * The four fields of a card, each with its error, and a place where a script shows the brand. The
 * number and CVV are never rendered back.
 */
export function cardFields(
  problems: CardProblems = {},
  typed?: Pick<TypedCard, "expiry" | "holder">,
): Markup {
  const [number, expiry, cvv, holder] = fields.map((field) => {
    const problem = problems[field.name];
    const value =
      field.name === "expiry" || field.name === "holder" ? (typed?.[field.name] ?? "") : "";
    return html`<div class="${field.name}">
<label for="${field.name}">${field.label}</label>
<input id="${field.name}" name="${field.name}" value="${value}" autocomplete="${field.autocomplete}" inputmode="${field.inputmode}" placeholder="${field.placeholder}" maxlength="${field.maxlength}" required aria-describedby="${field.name}-error" aria-invalid="${problem ? "true" : "false"}">
${field.name === "number" ? html`<output id="brand" for="number"></output>` : null}
<p class="error" id="${field.name}-error">${problem}</p>
</div>`;
  });
  return html`${number}<div class="row">${expiry}${cvv}</div>${holder}`;
}
