import { STRIPE_API_VERSION } from "./version.ts";

/** Stripe.js of the same release as the adapter's API. It is only ever loaded from Stripe. */
export const STRIPE_JS_URL = `https://js.stripe.com/${STRIPE_API_VERSION.split(".")[1] ?? ""}/stripe.js`;

/**
 * The policy that Stripe.js needs; no other page gets it. Source: Stripe, "Integration security
 * guide", Content Security Policy.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' https://js.stripe.com https://*.js.stripe.com`,
    "style-src 'unsafe-inline'",
    "connect-src https://api.stripe.com",
    "frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    "img-src data: https://*.stripe.com",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

/**
 * The page with Stripe's Payment Element, framed by our own forms. Stripe.js runs in no other
 * document of ours, and no other has this policy. It uses the messages of the sandbox's card field.
 * To `{type:"tokenize", amountCents, keeps}` it answers `{type:"card-token", token}` with a
 * ConfirmationToken, or `{type:"card-error", message}` and leaves the input. `amountCents` is null
 * if nothing is charged now. `keeps` is whether the card is saved for later payments, which the
 * confirmation must match.
 */
export function stripeFieldPage({
  publishableKey,
  theme,
  nonce,
}: {
  publishableKey: string;
  theme: string | null;
  nonce: string;
}): Response {
  const page = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Cartão</title>
<style>html,body{margin:0;background:transparent;color-scheme:${theme === "dark" ? "dark" : "light"}}#field{padding:4px}</style></head>
<body><div id="field"></div><script nonce="${nonce}">${fieldScript({ publishableKey, isDark: theme === "dark" })}</script></body></html>`;
  return new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Frame-Options": "SAMEORIGIN",
      "Content-Security-Policy": policyOf(nonce),
    },
  });
}

const quoted = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");

function fieldScript({
  publishableKey,
  isDark,
}: {
  publishableKey: string;
  isDark: boolean;
}): string {
  return `
const FAILED = "Não foi possível ler o cartão. Tente de novo.";
const holder = document.getElementById("field");
const tell = (message) => parent.postMessage(message, location.origin);
const refuse = (error) => tell({ type: "card-error", message: error && error.type !== "validation_error" && error.message ? error.message.slice(0, 300) : error && error.type === "validation_error" ? "Confira os dados do cartão." : FAILED });
const tellHeight = () => tell({ type: "card-height", height: Math.min(600, Math.max(40, Math.ceil(holder.getBoundingClientRect().height))) });
function begin() {
  const stripe = Stripe(${quoted(publishableKey)}, { locale: "pt-BR" });
  const elements = stripe.elements({ mode: "setup", currency: "brl", setupFutureUsage: "off_session", allowedPaymentMethodTypes: ["card"], locale: "pt-BR", appearance: { theme: ${isDark ? '"night"' : '"stripe"'} } });
  const field = elements.create("payment", { layout: "accordion", wallets: { applePay: "never", googlePay: "never", link: "never" } });
  field.on("ready", () => tell({ type: "card-ready" }));
  field.on("loaderror", () => tell({ type: "card-unavailable" }));
  field.mount(holder);
  let isBusy = false;
  const tokenize = async ({ amountCents, keeps }) => {
    if (isBusy) return;
    isBusy = true;
    try {
      const isCharged = Number.isInteger(amountCents) && amountCents > 0;
      elements.update(isCharged ? { mode: "payment", amount: amountCents, setupFutureUsage: keeps ? "off_session" : null } : { mode: "setup", setupFutureUsage: "off_session" });
      const checked = await elements.submit();
      if (checked.error) return refuse(checked.error);
      const { error, confirmationToken } = await stripe.createConfirmationToken({ elements });
      if (error) return refuse(error);
      tell({ type: "card-token", token: confirmationToken.id });
    } catch {
      refuse(null);
    } finally {
      isBusy = false;
    }
  };
  addEventListener("message", (event) => {
    if (event.origin === location.origin && event.source === parent && event.data && event.data.type === "tokenize") void tokenize(event.data);
  });
}
const library = document.createElement("script");
library.src = ${quoted(STRIPE_JS_URL)};
library.onload = begin;
library.onerror = () => tell({ type: "card-unavailable" });
document.head.append(library);
new ResizeObserver(tellHeight).observe(holder);
`;
}
