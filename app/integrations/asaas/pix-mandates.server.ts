import type {
  PaymentProvider,
  ProviderPixMandate,
  PixMandateRequest,
} from "#app/domain/payments/schema.ts";
import { SECOND_MS } from "#app/domain/time.ts";
import { authorization, payment } from "./answers.ts";
import type { AuthorizationAnswer } from "./answers.ts";
import { customerOf } from "./charges.server.ts";
import { findIn, get, fetchAsaasPage, reaisOf } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";
import { FREQUENCIES, toPixMandate } from "./from-answers.ts";

const PATH = "/pix/automatic/authorizations";
/** How many pages of mandates, and of one payer's charges, are searched. */
const PAGES = 50;
const DESCRIPTION_LIMIT = 35;

/**
 * Implements Pix Automático of Asaas. Its code is both the first payment and the consent (journey
 * 3); we order every debit (MANUAL).
 */
export function asaasPixMandates(api: AsaasApi) {
  return {
    async createRecurringPix(request) {
      const customerId = await customerOf(api, request.payer);
      const made = await findIn(
        api,
        authorization,
        { path: PATH, query: { customerId }, pages: PAGES },
        isUnder(request.recurringPixId),
      );
      const answer =
        made ??
        (await api.ask(authorization, {
          method: "POST",
          path: PATH,
          body: bodyOf(api, request, customerId),
        }));
      return described(api, answer, { expiresAt: request.expiresAt });
    },
    recurringPixById: async (id) => described(api, await byId(api, id)),
    async recurringPixByReference(recurringPixId) {
      const found = await findIn(
        api,
        authorization,
        { path: PATH, query: {}, pages: PAGES },
        isUnder(recurringPixId),
      );
      return found && described(api, found);
    },
    /** Asaas lists mandates without dates, so this returns all of them, whatever was requested. */
    async recurringPixSince({ cursor }) {
      const { data, next } = await fetchAsaasPage(api, authorization, { path: PATH, cursor });
      return { items: data.map((each) => toPixMandate(each)), next };
    },
    async cancelRecurringPix(id) {
      const before = await byId(api, id);
      const isOver = before.status !== "CREATED" && before.status !== "ACTIVE";
      return described(
        api,
        isOver
          ? before
          : await api.ask(authorization, {
              method: "DELETE",
              path: `${PATH}/${encodeURIComponent(id)}`,
            }),
      );
    },
  } satisfies Partial<PaymentProvider>;
}

const isUnder = (recurringPixId: string) => (each: AuthorizationAnswer) =>
  each.contractId === recurringPixId;

const byId = (api: AsaasApi, id: string) =>
  api.ask(authorization, get(`${PATH}/${encodeURIComponent(id)}`));

/**
 * Finds the first payment. Asaas creates it without our reference; it has the identifier of the
 * code.
 */
async function described(
  api: AsaasApi,
  answer: AuthorizationAnswer,
  more: { expiresAt?: number } = {},
): Promise<ProviderPixMandate> {
  const identifier = answer.immediateQrCode?.conciliationIdentifier;
  // Also for a refused mandate: its payment may have been made without it.
  if (!identifier || answer.status === "CREATED") return toPixMandate(answer, more);
  const first = await findIn(
    api,
    payment,
    { path: "/payments", query: { customer: answer.customerId }, pages: PAGES },
    (each) => each.conciliationIdentifier === identifier,
  );
  return toPixMandate(answer, { ...more, firstChargeId: first?.id ?? null });
}

function bodyOf(
  api: AsaasApi,
  request: PixMandateRequest,
  customerId: string,
): Record<string, unknown> {
  return {
    customerId,
    contractId: request.recurringPixId,
    frequency: FREQUENCIES[request.interval],
    startDate: request.startsOn,
    ...(request.endsOn ? { finishDate: request.endsOn } : {}),
    ...(request.amountCents === null
      ? { minLimitValue: reaisOf(request.leastCents) }
      : { value: reaisOf(request.amountCents) }),
    description: request.description.slice(0, DESCRIPTION_LIMIT),
    paymentCreationMode: "MANUAL",
    immediateQrCode: {
      originalValue: reaisOf(request.firstCharge.amountCents),
      expirationSeconds: Math.max(1, Math.floor((request.expiresAt - api.now()) / SECOND_MS)),
      description: request.description.slice(0, DESCRIPTION_LIMIT),
    },
  };
}
