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

/** How far back a transfer is looked for when its id does not say when it was made. */
const LOOK_BACK_DAYS = 90;
const PAGES = 50;

/**
 * Pix to a key, TED to a bank account. Asaas takes no idempotency key: a transfer under our id is
 * looked for before one is made.
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

/** How far its clock may be from ours, and how long after it was asked it may have made a transfer. */
const AROUND_MS = HOUR_MS;

/**
 * Among those of the days on which it was asked for, or made since it was ready, or our id was
 * made: the list cannot be asked for a reference, knows only days, and is read only so far. What
 * was never asked for is not looked for. A list that is refused says nothing of the transfer.
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
  // By TED, on the days that people are told: without a word Asaas would choose.
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
      // It knows two kinds; a payment account is a current one to it. Source: Asaas, "Transferência
      // para contas de outra instituição".
      bankAccountType: kind === "savings" ? "CONTA_POUPANCA" : "CONTA_CORRENTE",
    },
  };
}
