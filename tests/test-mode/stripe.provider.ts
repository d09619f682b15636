import { addDays, isoDay } from "#app/domain/time.ts";
import { stripeProvider } from "#app/integrations/stripe/provider.server.ts";
import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import { delivery, objects, secrets, stripeCards } from "#tests/integrations/stripe/stripe.ts";
import { testClock } from "#tests/support/clock.ts";
import { nobodyCanPlay } from "./payer-actions.ts";

const { STRIPE_SECRET_KEY: secretKey = "", STRIPE_API_URL: apiUrl } = process.env;

paymentContract({
  provider: stripeProvider({
    secretKey,
    webhookSecret: `${secrets.current} ${secrets.previous}`,
    ...(apiUrl ? { apiUrl } : {}),
  }),
  now: () => testClock.now(),
  returnUrl: "https://coreto.test/checkout/1",
  pay: nobodyCanPlay("pay a Pix"),
  expire: nobodyCanPlay("let a Pix run out"),
  dispute: nobodyCanPlay("dispute a Pix"),
  decide: nobodyCanPlay("decide a dispute"),
  cardToken: async (card) => stripeCards[card],
  answer: nobodyCanPlay("answer 3DS"),
  consent: nobodyCanPlay("consent"),
  debit: nobodyCanPlay("debit"),
  receive: nobodyCanPlay("receive"),
  day: (days) => isoDay(addDays(testClock.now(), days)),
  break: nobodyCanPlay("break the network"),
  delivery: ({ type, id }, signed) =>
    delivery(`${objects[type]}.updated`, { id, object: objects[type] }, secrets[signed]),
  unknownDelivery: () =>
    delivery("payroll.created", { id: "pr_1", object: "payroll" }, secrets.current),
  // Stripe's search lags minutes behind the writes.
  chargesUnder: nobodyCanPlay("count charges at once"),
});
