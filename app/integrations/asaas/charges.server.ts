import { ProviderRefused } from "#app/domain/payments/errors.ts";
import type {
  ChargeRequest,
  PaymentProvider,
  Payer,
  ProviderCharge,
} from "#app/domain/payments/schema.ts";
import { isoDay } from "#app/domain/time.ts";
import { authorization, customer, listOf, payment, pixQrCode, removed } from "./answers.ts";
import type { PaymentAnswer } from "./answers.ts";
import { findIn, get, fetchAsaasPage, reaisOf } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";
import { isDebit, isAwaitingPaymentAnswer, toCharge, toDebit } from "./from-answers.ts";
import { instructionsOf } from "./instructions.server.ts";

const AUTHORISATION_PAGES = 5;
const safe = encodeURIComponent;

/**
 * Implements charges as payments of Asaas. It accepts no idempotency key, so an object with our
 * reference is looked up before one is created.
 */
export function asaasCharges(api: AsaasApi) {
  return {
    async createPixCharge(request) {
      const made =
        (await paymentUnder(api, request.chargeId)) ??
        (await createPayment(api, request, await customerOf(api, payerOf(request)), {
          dueDate: isoDay(request.expiresAt),
        }));
      return withCode(api, made, request.expiresAt);
    },
    chargeById: (id) => chargeById(api, id),
    async chargeByReference(chargeId) {
      const found = await paymentUnder(api, chargeId);
      return (
        found &&
        (isDebit(found) || !isAwaitingPaymentAnswer(found)
          ? described(api, found)
          : withCode(api, found, null))
      );
    },
    async chargesSince({ since, cursor }) {
      const { data, next } = await fetchAsaasPage(api, payment, {
        path: "/payments",
        query: { "dateCreated[ge]": isoDay(since) },
        cursor,
      });
      return { items: data.map((each) => toCharge(each)), next };
    },
    async cancelCharge(id) {
      const charge = await chargeById(api, id);
      if (charge.status === "succeeded") throw new ProviderRefused("charge_already_paid");
      if (charge.status === "canceled") return charge;
      await api.ask(removed, { method: "DELETE", path: `/payments/${safe(id)}` });
      return chargeById(api, id);
    },
    /**
     * Orders one debit of a charge from the bank. A second code is harmless unless it is paid; a
     * second order would take the money.
     */
    async chargeRecurringPix(request) {
      const ordered = await api.once(
        `debit:${request.chargeId}`,
        () => paymentUnder(api, request.chargeId),
        async () => {
          const consent = await api.ask(
            authorization,
            get(`/pix/automatic/authorizations/${safe(request.recurringPixId)}`),
          );
          if (consent.status !== "ACTIVE") throw new ProviderRefused("authorization_not_active");
          return await createPayment(api, request, consent.customerId, {
            dueDate: request.dueOn,
            pixAutomaticAuthorizationId: consent.id,
          });
        },
      );
      return described(api, ordered);
    },
  } satisfies Partial<PaymentProvider>;
}

async function paymentUnder(api: AsaasApi, chargeId: string): Promise<PaymentAnswer | null> {
  const found = await api.ask(
    listOf(payment),
    get("/payments", { externalReference: chargeId, limit: "1", offset: "0" }),
  );
  return found.data[0] ?? null;
}

function createPayment(
  api: AsaasApi,
  request: ChargeRequest,
  customerId: string,
  more: Record<string, unknown>,
): Promise<PaymentAnswer> {
  const body = {
    customer: customerId,
    billingType: "PIX",
    value: reaisOf(request.amountCents),
    description: request.description.slice(0, 500),
    externalReference: request.chargeId,
    ...more,
  };
  return api.ask(payment, { method: "POST", path: "/payments", body });
}

const payerOf = (request: ChargeRequest): Payer => ({
  name: request.payerName,
  email: request.payerEmail ?? null,
  taxId: request.payerTaxId ?? null,
});

/** Finds the customer of a CPF or CNPJ, or creates one. Asaas creates no charge without one. */
export async function customerOf(api: AsaasApi, payer: Payer): Promise<string> {
  if (!payer.taxId) throw new ProviderRefused("payer_tax_id_required");
  const existing = await api.ask(
    listOf(customer),
    get("/customers", { cpfCnpj: payer.taxId, limit: "1", offset: "0" }),
  );
  if (existing.data[0]) return existing.data[0].id;
  const body = {
    name: payer.name.slice(0, 200),
    cpfCnpj: payer.taxId,
    notificationDisabled: true,
    ...(payer.email ? { email: payer.email } : {}),
  };
  return (await api.ask(customer, { method: "POST", path: "/customers", body })).id;
}

/** Loads the code of an open Pix from its own address. */
async function withCode(
  api: AsaasApi,
  answer: PaymentAnswer,
  expiresAt: number | null,
): Promise<ProviderCharge> {
  if (toCharge(answer).status !== "awaiting_payment") return described(api, answer);
  const { payload } = await api.ask(pixQrCode, get(`/payments/${safe(answer.id)}/pixQrCode`));
  return toCharge(answer, { pixCode: payload, expiresAt });
}

async function chargeById(api: AsaasApi, id: string): Promise<ProviderCharge> {
  return described(api, await api.ask(payment, get(`/payments/${safe(id)}`)));
}

/**
 * Completes a charge's status. The result of an open debit comes from its orders. A first payment
 * without our reference is identified by its mandate.
 */
async function described(api: AsaasApi, answer: PaymentAnswer): Promise<ProviderCharge> {
  if (isDebit(answer) && isAwaitingPaymentAnswer(answer))
    return toCharge(answer, { debit: toDebit(await instructionsOf(api, answer.id)) });
  if (
    answer.externalReference ||
    answer.pixAutomaticAuthorizationId ||
    !answer.conciliationIdentifier
  )
    return toCharge(answer);
  const consent = await findIn(
    api,
    authorization,
    {
      path: "/pix/automatic/authorizations",
      query: { customerId: answer.customer },
      pages: AUTHORISATION_PAGES,
    },
    (each) => each.immediateQrCode?.conciliationIdentifier === answer.conciliationIdentifier,
  );
  return toCharge(answer, { recurringPixId: consent?.id ?? null });
}
