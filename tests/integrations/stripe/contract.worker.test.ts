import { paymentContract } from "#tests/contracts/payment-provider/contract.ts";
import { throughRouter } from "#tests/contracts/payment-provider/through-router.ts";
import { openAsaas } from "#tests/integrations/asaas/asaas.ts";
import { openStripe } from "./stripe.ts";

paymentContract(throughRouter(openStripe(), { beside: openAsaas(), method: "card" }));
