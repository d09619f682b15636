import { timeOfId } from "#app/lib/ids.ts";
import type { PaymentProvider, TransferRequest } from "#app/domain/payments/schema.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { addDays, HOUR_MS, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { transfer } from "./answers.ts";
import type { TransferAnswer } from "./answers.ts";
import { findIn, get, fetchAsaasPage, reaisOf } from "./client.server.ts";
import type { AsaasApi } from "./client.server.ts";
import { asaasKey } from "./pix-keys.server.ts";
import { toTransfer } from "./from-answers.ts";

/** How far back a transfer is searched if its id does not contain its time. */
const LOOK_BACK_DAYS = 90;
const PAGES = 50;

/**
 * Implements transfers: Pix to a key, TED to a bank account. Asaas accepts no idempotency key, so a
 * transfer with our id is looked up before one is created.
 */
export function asaasTransfers(api: AsaasApi) {
  return {
    async transfer(request) {
      const made = await api.once(
        `transfer:${request.payoutId}`,
        () => transferUnder(api, request),
        () => api.ask(transfer, { method: "POST", path: "/transfers", body: bodyOf(request) }),
      );
      return toTransfer(made);
    },
    transferById: async (id) =>
      toTransfer(await api.ask(transfer, get(`/transfers/${encodeURIComponent(id)}`))),
    async transferByReference(payoutId, since) {
      const found = await transferUnder(api, { ...since, payoutId });
      return found && toTransfer(found);
    },
    async transfersSince({ since, cursor }) {
      const { data, next } = await fetchAsaasPage(api, transfer, {
        path: "/transfers",
        query: { "dateCreated[ge]": isoDay(since) },
        cursor,
      });
      return { items: data.map(toTransfer), next };
    },
  } satisfies Partial<PaymentProvider>;
}

/** The tolerance for clock differences, and for a transfer created after its request. */
const AROUND_MS = HOUR_MS;

/**
 * Searches the transfers of the days on which it was requested, or since it was ready, or since our
 * id was created. The list cannot be filtered by reference, has only dates, and is read only so
 * far. A transfer that was never requested is not searched. A refused list is inconclusive.
 */
async function transferUnder(
  api: AsaasApi,
  { payoutId, readyAt, asked }: Pick<TransferRequest, "payoutId" | "readyAt" | "asked">,
): Promise<TransferAnswer | null> {
  if (asked === null) return null;
  try {
    return await findIn(
      api,
      transfer,
      {
        path: "/transfers",
        query: asked
          ? askedDays(asked)
          : { "dateCreated[ge]": isoDay(madeSince(api, { payoutId, readyAt })) },
        pages: PAGES,
      },
      (each) => each.externalReference === payoutId,
    );
  } catch (error) {
    throw error instanceof ProviderRefused
      ? new ProviderUnclear(`GET /transfers: ${error.code}`)
      : error;
  }
}

const askedDays = ({ from, until }: NonNullable<TransferRequest["asked"]>) => ({
  "dateCreated[ge]": isoDay(from - AROUND_MS),
  "dateCreated[le]": isoDay(until + AROUND_MS),
});

function madeSince(
  api: AsaasApi,
  { payoutId, readyAt }: Pick<TransferRequest, "payoutId" | "readyAt">,
): Instant {
  const from = readyAt ?? timeOfId(payoutId);
  return from !== null && from <= api.now()
    ? addDays(from, -1)
    : addDays(api.now(), -LOOK_BACK_DAYS);
}

function bodyOf(request: TransferRequest): Record<string, unknown> {
  const common = { value: reaisOf(request.amountCents), externalReference: request.payoutId };
  if (!("bankAccount" in request)) {
    const { type, key } = asaasKey(request.pixKeyKind, request.pixKey);
    return { ...common, operationType: "PIX", pixAddressKey: key, pixAddressKeyType: type };
  }
  const { bankCode, branch, account, accountDigit, kind, ownerName, ownerTaxId } =
    request.bankAccount;
  // Always by TED, which settles on the days that we announce: by default Asaas would choose.
  return {
    ...common,
    operationType: "TED",
    bankAccount: {
      bank: { code: bankCode },
      ownerName,
      cpfCnpj: ownerTaxId,
      agency: branch,
      account,
      accountDigit,
      // Asaas knows two kinds; it treats a payment account as a current one. Source: Asaas,
      // "Transferência para contas de outra instituição".
      bankAccountType: kind === "savings" ? "CONTA_POUPANCA" : "CONTA_CORRENTE",
    },
  };
}
