import { ProviderUnsupported } from "#app/domain/payments/errors.ts";
import type { Capability, PaymentProvider } from "#app/domain/payments/schema.ts";
import { asaasCharges } from "./charges.server.ts";
import { asaasApi } from "./client.server.ts";
import type { AsaasOptions } from "./client.server.ts";
import { asaasInstructions } from "./instructions.server.ts";
import { asaasRefunds } from "./refunds-and-disputes.server.ts";
import { asaasPixKeys } from "./pix-keys.server.ts";
import { asaasPixMandates } from "./pix-mandates.server.ts";
import { asaasTransfers } from "./transfers.server.ts";
import { verifyAsaasWebhook } from "./webhook.server.ts";

/**
 * Asaas: Pix, Pix Automático, Pix transfers, refunds. It has no hosted card field, so cards are not
 * offered.
 */
export function asaasProvider(options: AsaasOptions): PaymentProvider {
  const api = asaasApi(options);
  const tokens = options.webhookToken.split(/\s+/);
  return {
    name: "asaas",
    can: new Set<Capability>([
      "pix",
      "recurring_pix",
      "transfer_to_pix_key",
      "transfer_to_bank_account",
      "pix_key_owner",
    ]),
    needsPayerTaxId: true,
    cardFieldUrl: null,
    ...asaasCharges(api),
    ...asaasPixMandates(api),
    ...asaasInstructions(api),
    ...asaasRefunds(api),
    ...asaasTransfers(api),
    ...asaasPixKeys(api),
    ...withoutCards(),
    submitEvidence: lacks("dispute_evidence"),
    acceptDispute: lacks("dispute_acceptance"),
    verifyWebhook: (request) => verifyAsaasWebhook(tokens, request),
  };
}

const lacks = (capability: Capability) => async (): Promise<never> => {
  throw new ProviderUnsupported(capability);
};

function withoutCards() {
  const noSaved = lacks("saved_card");
  return {
    createCardCharge: lacks("card"),
    confirmCharge: lacks("card"),
    saveMethod: noSaved,
    savedMethodById: noSaved,
    removeSavedMethod: noSaved,
  } satisfies Partial<PaymentProvider>;
}
