import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import { throughRouter } from "#tests/contracts/payment-provider/through-router.ts";
import { openStripe } from "#tests/integrations/stripe/stripe.ts";
import { openAsaas } from "./asaas.ts";

paymentContract(throughRouter(openAsaas(), { beside: openStripe(), method: "pix" }));
