/**
 * A double of Stripe.js: `window.Stripe` with the documented methods that our card field uses. A
 * card `4000…` is refused when it becomes a token, an empty one before that. `window.asked` records
 * the calls. Source: Stripe.js reference, in the adapter's release.
 */
export const STRIPE_JS_DOUBLE = `
window.asked = [];
window.Stripe = (key, options) => {
  asked.push({ key, locale: options.locale });
  const input = Object.assign(document.createElement("input"), { ariaLabel: "Número do cartão" });
  return {
    elements(created) {
      let now = created;
      asked.push({ created });
      return {
        create(type, settings) {
          const heard = {};
          asked.push({ type, wallets: settings.wallets });
          return { on: (event, hear) => (heard[event] = hear), mount: (holder) => (holder.append(input), setTimeout(() => heard.ready())) };
        },
        update: (more) => (now = { ...now, ...more }),
        submit: async () => (input.value === "" ? { error: { type: "validation_error", message: "O número do seu cartão está incompleto." } } : { selectedPaymentMethod: "card" }),
        now: () => now,
      };
    },
    async createConfirmationToken({ elements }) {
      const { mode, amount, setupFutureUsage } = elements.now();
      if (input.value.startsWith("4000")) return { error: { type: "card_error", message: "Seu cartão foi recusado." } };
      return { confirmationToken: { id: ["ctoken", mode, mode === "payment" ? amount : 0, setupFutureUsage ?? "once"].join("_") } };
    },
  };
};
`;
