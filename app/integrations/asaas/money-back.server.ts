import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentProvider, ProviderRefund } from "#app/domain/payments/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import { balance, chargeback, payment, refundList, statistics } from "./answers.ts";
import { centsOf, get, pageOf, reaisOf } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";
import { toDispute } from "./from-answers.ts";

const safe = encodeURIComponent;

/**
 * Refunds, disputes and the balance. A refund of Asaas has no id and takes no key: ours is in its description, is looked for before
 * one is made, and its id here is `payment/ours`.
 */
export function givingBack(api: AsaasApi) {
  return {
    async refund({ refundId, providerChargeId, amountCents }) {
      const made = await refundUnder(api, providerChargeId, refundId);
      if (made) return made;
      const body = { value: reaisOf(amountCents), description: descriptionOf(refundId) };
      await api.ask(payment, { method: "POST", path: `/payments/${safe(providerChargeId)}/refund`, body });
      const asked = await refundUnder(api, providerChargeId, refundId);
      if (!asked) throw new ProviderUnclear("a refund that is not listed yet");
      return asked;
    },
    async refundById(id) {
      const [chargeId = "", refundId = ""] = id.split("/", 2);
      const found = await refundUnder(api, chargeId, refundId);
      if (!found) throw new ProviderRefused("refund_not_found");
      return found;
    },
    refundByReference: ({ refundId, providerChargeId }) => refundUnder(api, providerChargeId, refundId),
    disputeById: async (id) => toDispute(await api.ask(chargeback, get(`/payments/${safe(id)}/chargeback`))),
    async disputesSince({ since, cursor }) {
      const { data, next } = await pageOf(api, chargeback, { path: "/chargebacks", cursor });
      return { items: data.filter(({ disputeStartDate }) => !disputeStartDate || disputeStartDate >= isoDay(since)).map(toDispute), next };
    },
    async balance() {
      const available = await api.ask(balance, get("/finance/balance"));
      const pending = await api.ask(statistics, get("/finance/payment/statistics", { status: "CONFIRMED" }));
      return { availableCents: centsOf(available.balance), pendingCents: centsOf(pending.netValue) };
    },
  } satisfies Partial<PaymentProvider>;
}

const descriptionOf = (refundId: string) => `Reembolso ${refundId}`;

async function refundUnder(api: AsaasApi, chargeId: string, refundId: string): Promise<ProviderRefund | null> {
  const { data } = await api.ask(refundList, get(`/payments/${safe(chargeId)}/refunds`));
  const found = data.find(({ description }) => description === descriptionOf(refundId));
  if (!found) return null;
  const status = found.status === "DONE" ? "succeeded" : found.status === "CANCELLED" ? "failed" : "processing";
  return { id: `${chargeId}/${refundId}`, reference: refundId, chargeId, status, amountCents: centsOf(found.value) };
}
