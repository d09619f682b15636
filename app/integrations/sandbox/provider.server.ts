import type { z } from "zod";
import {
  NotAtProvider,
  ProviderRefused,
  ProviderUnauthorized,
  ProviderUnclear,
} from "#app/domain/payments/errors.ts";
import { capabilities } from "#app/domain/payments/schema.ts";
import type {
  ChargeRequest,
  EvidenceKind,
  ListRequest,
  PaymentProvider,
  PixMandateRequest,
  TransferRequest,
} from "#app/domain/payments/schema.ts";
import {
  DEFAULT_TIMEOUT_MS,
  exchangeText,
  jsonOf,
  retryAfterMs,
} from "#app/integrations/provider-http.server.ts";
import {
  balanceAnswer,
  chargeAnswer,
  chargeList,
  disputeAnswer,
  disputeList,
  errorAnswer,
  fileAnswer,
  instructionAnswer,
  instructionList,
  pixKeyAnswer,
  recurringPixAnswer,
  recurringPixList,
  refundAnswer,
  refundList,
  savedMethodAnswer,
  transferAnswer,
  transferList,
} from "./answers.ts";
import {
  toCharge,
  toDispute,
  toInstruction,
  toPage,
  toSandboxPixMandate,
  toRefund,
  toSavedMethod,
  toTransfer,
} from "./from-answers.ts";
import { verifySandboxWebhook } from "./webhook.server.ts";

export type SandboxOptions = {
  /** How its API is reached: by a service binding locally, by the handler itself in tests. */
  fetch: (request: Request) => Promise<Response>;
  apiKey: string;
  /** One secret, or several separated by spaces during a rotation. */
  webhookSecret: string;
  /** The provider's origin, without a slash at the end. */
  publicUrl: string;
  timeoutMs?: number;
};

type Call = {
  method: "GET" | "POST";
  path: string;
  key?: string;
  body?: Record<string, unknown>;
  file?: { name: string; contentType: string; bytes: ArrayBuffer };
};
type Ask = <Schema extends z.ZodType>(schema: Schema, call: Call) => Promise<z.infer<Schema>>;

/** Codes that mean "not yet", not a refusal. */
const UNCLEAR_CODES = new Set(["idempotency_in_progress", "timeout"]);

const get = (path: string): Call => ({ method: "GET", path });
const safe = encodeURIComponent;

/**
 * Implements the sandbox provider over HTTP. A 4xx is `ProviderRefused` with its code. A network
 * error, the timeout, a 5xx, a 429 or an unreadable answer is `ProviderUnclear`: the effect may
 * exist.
 */
export function sandboxProvider(options: SandboxOptions): PaymentProvider {
  const ask: Ask = (schema, call) => exchange(options, schema, call);
  return {
    name: "sandbox",
    can: new Set(capabilities.filter((one) => one !== "card_wallets")),
    needsPayerTaxId: false,
    cardFieldUrl: `${options.publicUrl}/card-field`,
    ...charging(ask),
    ...savingCards(ask),
    ...recurring(ask),
    ...givingBack(ask),
    ...answering(ask),
    ...transferring(ask),
    balance: async () => {
      const { available_cents, pending_cents } = await ask(balanceAnswer, get("/v1/balance"));
      return { availableCents: available_cents, pendingCents: pending_cents };
    },
    verifyWebhook: async ({ headers, rawBody }) =>
      verifySandboxWebhook(options.webhookSecret.split(/\s+/), headers, rawBody),
  };
}

function charging(ask: Ask) {
  const charge = async (call: Call) => toCharge(await ask(chargeAnswer, call));
  const make = (request: ChargeRequest, body: Record<string, unknown>) =>
    charge({
      method: "POST",
      path: "/v1/charges",
      key: `charge-${request.chargeId}`,
      body: { ...chargeBody(request), ...body },
    });
  return {
    createPixCharge: (request) => make(request, { method: "pix", expires_at: request.expiresAt }),
    createCardCharge: (request) =>
      make(request, {
        method: "card",
        card_token: request.cardToken,
        saved_method: request.savedMethodId,
        save_card: request.saveMethod,
        payer_there: request.isPayerThere ?? false,
        return_url: request.returnUrl,
      }),
    chargeRecurringPix: (request) =>
      make(request, {
        method: "pix",
        recurring_pix: request.recurringPixId,
        due_on: request.dueOn,
      }),
    confirmCharge: ({ id, returnUrl }) =>
      charge({
        method: "POST",
        path: `/v1/charges/${safe(id)}/confirm`,
        body: { return_url: returnUrl },
      }),
    chargeById: (id) => charge(get(`/v1/charges/${safe(id)}`)),
    chargeByReference: async (chargeId) => {
      const [found] = (await ask(chargeList, get(`/v1/charges?reference=${safe(chargeId)}`))).data;
      return found ? toCharge(found) : null;
    },
    chargesSince: async (request) =>
      toPage(await ask(chargeList, get(`/v1/charges?${cursorQuery(request)}`)), toCharge),
    cancelCharge: (id) => charge({ method: "POST", path: `/v1/charges/${safe(id)}/cancel` }),
  } satisfies Partial<PaymentProvider>;
}

function savingCards(ask: Ask) {
  const method = async (call: Call) => toSavedMethod(await ask(savedMethodAnswer, call));
  return {
    saveMethod: ({ savedMethodId, cardToken, returnUrl }) =>
      method({
        method: "POST",
        path: "/v1/saved-methods",
        key: `method-${savedMethodId}`,
        body: { reference: savedMethodId, card_token: cardToken, return_url: returnUrl },
      }),
    savedMethodById: (id) => method(get(`/v1/saved-methods/${safe(id)}`)),
    removeSavedMethod: (id) =>
      method({ method: "POST", path: `/v1/saved-methods/${safe(id)}/remove` }),
  } satisfies Partial<PaymentProvider>;
}

function recurring(ask: Ask) {
  const authorisation = async (call: Call) =>
    toSandboxPixMandate(await ask(recurringPixAnswer, call));
  return {
    createRecurringPix: (request) =>
      authorisation({
        method: "POST",
        path: "/v1/recurring-pix",
        key: `recurring-${request.recurringPixId}`,
        body: recurringBody(request),
      }),
    recurringPixById: (id) => authorisation(get(`/v1/recurring-pix/${safe(id)}`)),
    recurringPixByReference: async (recurringPixId) => {
      const [found] = (
        await ask(recurringPixList, get(`/v1/recurring-pix?reference=${safe(recurringPixId)}`))
      ).data;
      return found ? toSandboxPixMandate(found) : null;
    },
    recurringPixSince: async (request) =>
      toPage(
        await ask(recurringPixList, get(`/v1/recurring-pix?${cursorQuery(request)}`)),
        toSandboxPixMandate,
      ),
    cancelRecurringPix: (id) =>
      authorisation({ method: "POST", path: `/v1/recurring-pix/${safe(id)}/cancel` }),
    instructionsOf: async (chargeId) =>
      (await ask(instructionList, get(`/v1/instructions?charge=${safe(chargeId)}`))).data.map(
        toInstruction,
      ),
    instructionById: async (id) =>
      toInstruction(await ask(instructionAnswer, get(`/v1/instructions/${safe(id)}`))),
    retryInstruction: async ({ instructionId, dueOn }) =>
      toInstruction(
        await ask(instructionAnswer, {
          method: "POST",
          path: `/v1/instructions/${safe(instructionId)}/retry`,
          key: `retry-${instructionId}-${dueOn}`,
          body: { due_on: dueOn },
        }),
      ),
  } satisfies Partial<PaymentProvider>;
}

function givingBack(ask: Ask) {
  return {
    refund: async ({ refundId, providerChargeId, amountCents }) =>
      toRefund(
        await ask(refundAnswer, {
          method: "POST",
          path: "/v1/refunds",
          key: `refund-${refundId}`,
          body: { reference: refundId, charge: providerChargeId, amount_cents: amountCents },
        }),
      ),
    refundById: async (id) => toRefund(await ask(refundAnswer, get(`/v1/refunds/${safe(id)}`))),
    refundByReference: async ({ refundId }) => {
      const [found] = (await ask(refundList, get(`/v1/refunds?reference=${safe(refundId)}`))).data;
      return found ? toRefund(found) : null;
    },
    refundsSince: async (request) =>
      toPage(await ask(refundList, get(`/v1/refunds?${cursorQuery(request)}`)), toRefund),
    disputeById: async (id) => toDispute(await ask(disputeAnswer, get(`/v1/disputes/${safe(id)}`))),
    disputesSince: async (request) =>
      toPage(await ask(disputeList, get(`/v1/disputes?${cursorQuery(request)}`)), toDispute),
  } satisfies Partial<PaymentProvider>;
}

function answering(ask: Ask) {
  return {
    async submitEvidence({ disputeId, answerId, ...evidence }) {
      const files: { kind: EvidenceKind; file: string }[] = [];
      for (const { id, kind, name, contentType, bytes } of evidence.files) {
        const storedFile = await ask(fileAnswer, {
          method: "POST",
          path: "/v1/files",
          key: `file-${id}`,
          file: { name, contentType, bytes: await bytes() },
        });
        files.push({ kind, file: storedFile.id });
      }
      const { text, product, customerName, customerEmail, boughtAt, accessLog } = evidence;
      const body = {
        text,
        product,
        customer_name: customerName,
        customer_email: customerEmail,
        bought_at: boughtAt,
        access_log: accessLog,
        files,
      };
      return toDispute(
        await ask(disputeAnswer, {
          method: "POST",
          path: `/v1/disputes/${safe(disputeId)}/evidence`,
          key: `evidence-${answerId}`,
          body,
        }),
      );
    },
    acceptDispute: async (id) =>
      toDispute(
        await ask(disputeAnswer, { method: "POST", path: `/v1/disputes/${safe(id)}/accept` }),
      ),
  } satisfies Partial<PaymentProvider>;
}

function transferring(ask: Ask) {
  const transfer = async (call: Call) => toTransfer(await ask(transferAnswer, call));
  return {
    transfer: (request) =>
      transfer({
        method: "POST",
        path: "/v1/transfers",
        key: `payout-${request.payoutId}`,
        body: transferBody(request),
      }),
    transferById: (id) => transfer(get(`/v1/transfers/${safe(id)}`)),
    transferByReference: async (payoutId) => {
      const [found] = (await ask(transferList, get(`/v1/transfers?reference=${safe(payoutId)}`)))
        .data;
      return found ? toTransfer(found) : null;
    },
    pixKeyOwner: async ({ kind, key, expected }) => {
      const { owner } = await ask(pixKeyAnswer, {
        method: "POST",
        path: "/v1/pix-keys/lookup",
        body: { kind, key, expected_owner: { name: expected.name, tax_id: expected.taxId } },
      });
      return owner && { name: owner.name, taxId: owner.tax_id };
    },
    transfersSince: async (request) =>
      toPage(await ask(transferList, get(`/v1/transfers?${cursorQuery(request)}`)), toTransfer),
  } satisfies Partial<PaymentProvider>;
}

function cursorQuery({ since, cursor }: ListRequest): string {
  const [at = "", id = ""] = (cursor ?? `${since}.`).split(".", 2);
  return new URLSearchParams({ since: at, after: id }).toString();
}

function chargeBody(request: ChargeRequest) {
  return {
    reference: request.chargeId,
    amount_cents: request.amountCents,
    description: request.description.slice(0, 200),
    payer_name: request.payerName.slice(0, 200),
  };
}

function recurringBody(request: PixMandateRequest) {
  return {
    reference: request.recurringPixId,
    interval: request.interval,
    amount_cents: request.amountCents,
    least_cents: request.leastCents,
    starts_on: request.startsOn,
    ends_on: request.endsOn,
    description: request.description.slice(0, 200),
    payer_name: request.payer.name.slice(0, 200),
    expires_at: request.expiresAt,
    first_charge: {
      reference: request.firstCharge.chargeId,
      amount_cents: request.firstCharge.amountCents,
    },
  };
}

function transferBody(request: TransferRequest) {
  const to = { reference: request.payoutId, amount_cents: request.amountCents };
  if (!("bankAccount" in request))
    return { ...to, pix_key_kind: request.pixKeyKind, pix_key: request.pixKey };
  const { bankCode, branch, account, accountDigit, kind, ownerName, ownerTaxId } =
    request.bankAccount;
  const named = {
    bank_code: bankCode,
    branch,
    account,
    account_digit: accountDigit,
    kind,
    owner_name: ownerName,
    owner_tax_id: ownerTaxId,
  };
  return { ...to, bank_account: named };
}

async function exchange<Schema extends z.ZodType>(
  options: SandboxOptions,
  schema: Schema,
  call: Call,
): Promise<z.infer<Schema>> {
  const what = `${call.method} ${call.path}`;
  const { status, headers, text } = await exchangeText(
    () => options.fetch(requestOf(options, call)),
    { what, timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS },
  );
  const json = jsonOf(text);
  if (status >= 200 && status < 300) {
    const answer = schema.safeParse(json);
    if (answer.success) return answer.data;
    throw new ProviderUnclear(`${what}: an answer of another shape`);
  }
  const error = errorAnswer.safeParse(json);
  if (error.success && error.data.error.code === "unauthorized")
    throw new ProviderUnauthorized(`${what}: ${status}`);
  if (
    status < 400 ||
    status >= 500 ||
    status === 429 ||
    !error.success ||
    UNCLEAR_CODES.has(error.data.error.code)
  ) {
    throw new ProviderUnclear(`${what}: ${status}`, {
      retryAfterMs: retryAfterMs(headers.get("retry-after")),
    });
  }
  throw new (status === 404 ? NotAtProvider : ProviderRefused)(error.data.error.code);
}

function requestOf(options: SandboxOptions, call: Call): Request {
  return new Request(`${options.publicUrl}${call.path}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${options.apiKey}`,
      ...(call.key ? { "idempotency-key": call.key } : {}),
      ...(call.body ? { "content-type": "application/json" } : {}),
      ...(call.file
        ? {
            "content-type": call.file.contentType,
            "x-file-name": encodeURIComponent(call.file.name),
          }
        : {}),
    },
    ...(call.body ? { body: JSON.stringify(call.body) } : {}),
    ...(call.file ? { body: call.file.bytes } : {}),
    redirect: "manual",
  });
}
