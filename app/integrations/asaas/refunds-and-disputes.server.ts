import { NotAtProvider, ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentProvider, ProviderRefund } from "#app/domain/payments/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import { balance, chargeback, movement, payment, refundList, statistics } from "./answers.ts";
import type { RefundItem } from "./answers.ts";
import { centsOf, get, fetchAsaasPage, reaisOf } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";
import { toDispute } from "./from-answers.ts";

const safe = encodeURIComponent;

/**
 * Implements refunds, disputes and the balance. A refund of Asaas has no id and accepts no key. So
 * our id is in its description, and it is looked up before one is created. Its id here is
 * `payment/ours`.
 */
export function asaasRefunds(api: AsaasApi) {
  return {
    async refund({ refundId, providerChargeId, amountCents }) {
      const look = () => refundUnder(api, providerChargeId, refundId);
      return await api.once(`refund:${refundId}`, look, async () => {
        const body = { value: reaisOf(amountCents), description: descriptionOf(refundId) };
        await api.ask(payment, {
          method: "POST",
          path: `/payments/${safe(providerChargeId)}/refund`,
          body,
        });
        const asked = await look();
        if (!asked) throw new ProviderUnclear("a refund that is not listed yet");
        return asked;
      });
    },
    async refundById(id) {
      const [chargeId = "", refundId = ""] = id.split("/", 2);
      const found = await refundUnder(api, chargeId, refundId);
      if (!found) throw new NotAtProvider("refund_not_found");
      return found;
    },
    refundByReference: ({ refundId, providerChargeId }) =>
      refundUnder(api, providerChargeId, refundId),
    async refundsSince({ since, cursor }) {
      const { data, next } = await fetchAsaasPage(api, movement, {
        path: "/financialTransactions",
        query: { startDate: isoDay(since) },
        cursor,
        limit: MOVEMENTS,
      });
      const chargeIds = new Set(
        data.flatMap(({ type, value, paymentId }) =>
          paymentId && value < 0 && GIVEN_BACK.test(type) ? [paymentId] : [],
        ),
      );
      const items: ProviderRefund[] = [];
      for (const chargeId of chargeIds)
        items.push(...(await refundsOf(api, chargeId)).map((item) => toRefund(chargeId, item)));
      return { items, next };
    },
    disputeById: async (id) =>
      toDispute(await api.ask(chargeback, get(`/payments/${safe(id)}/chargeback`))),
    async disputesSince({ since, cursor }) {
      const { data, next } = await fetchAsaasPage(api, chargeback, {
        path: "/chargebacks",
        cursor,
      });
      return {
        items: data
          .filter(({ disputeStartDate }) => !disputeStartDate || disputeStartDate >= isoDay(since))
          .map(toDispute),
        next,
      };
    },
    async balance() {
      const available = await api.ask(balance, get("/finance/balance"));
      const pending = await api.ask(
        statistics,
        get("/finance/payment/statistics", { status: "CONFIRMED" }),
      );
      return {
        availableCents: centsOf(available.balance),
        pendingCents: centsOf(pending.netValue),
      };
    },
  } satisfies Partial<PaymentProvider>;
}

/**
 * Asaas has no list of refunds. The statement lists refunded payments, and each payment has its
 * refunds. The pages are smaller, because each row may need a request.
 */
const MOVEMENTS = 50;
const GIVEN_BACK = /REVERSAL|REFUND/;

const OURS = "Reembolso ";
const descriptionOf = (refundId: string) => `${OURS}${refundId}`;

async function refundsOf(api: AsaasApi, chargeId: string): Promise<RefundItem[]> {
  return (await api.ask(refundList, get(`/payments/${safe(chargeId)}/refunds`))).data;
}

async function refundUnder(
  api: AsaasApi,
  chargeId: string,
  refundId: string,
): Promise<ProviderRefund | null> {
  const found = (await refundsOf(api, chargeId)).find(
    ({ description }) => description === descriptionOf(refundId),
  );
  return found ? toRefund(chargeId, found) : null;
}

/** A refund made on Asaas's own pages is identified by its time. */
function toRefund(
  chargeId: string,
  { status, value, description, dateCreated }: RefundItem,
): ProviderRefund {
  const reference = description?.startsWith(OURS) ? description.slice(OURS.length) : null;
  return {
    id: `${chargeId}/${reference ?? dateCreated ?? value}`,
    reference,
    chargeId,
    status: status === "DONE" ? "succeeded" : status === "CANCELLED" ? "failed" : "processing",
    amountCents: centsOf(value),
  };
}
