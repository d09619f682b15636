import { testClock } from "#tests/support/clock.ts";
import {
  authorizationAnswer,
  instructionAnswer,
  listAnswer,
  movementAnswer,
  paymentAnswer,
  transferAnswer,
} from "./asaas-objects.ts";
import type { Authorization, Chargeback, Instruction, Payment, Transfer } from "./asaas-objects.ts";
import { newId, Refuses } from "./double.ts";
import type { Answer, Double, Received } from "./double.ts";

type Body = Record<string, unknown>;
type Call = { body: Body; query: URLSearchParams; id: string };

const DAY_MS = 86_400_000;

/** The day in São Paulo, `days` from today, in Asaas's format. */
const day = (days = 0) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo" }).format(
    testClock.now() + days * DAY_MS,
  );
const daysUntil = (text: string) => Math.round((Date.parse(text) - Date.parse(day())) / DAY_MS);

function refuse(code: string, status = 400, description = code): never {
  throw new Refuses({ status, body: status === 404 ? "" : { errors: [{ code, description }] } });
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);

function onlyKnown(body: Body, known: readonly string[]): void {
  for (const name of Object.keys(body)) if (!known.includes(name)) refuse(`invalid_${name}`);
}

function valueOf(body: Body, name = "value"): number {
  const value = body[name];
  if (
    typeof value !== "number" ||
    value <= 0 ||
    Math.abs(value * 100 - Math.round(value * 100)) > 1e-6
  )
    refuse(`invalid_${name}`);
  return value;
}

/** Balance of every account, in reais. */
const BALANCE = 1_234.56;

/** A double of an Asaas account. Source: what its public API reference (v3) says of what we use. */
export function asaasDouble(): Double {
  const customers = new Map<string, { id: string; cpfCnpj: string }>();
  const payments = new Map<string, Payment>();
  const authorizations = new Map<string, Authorization>();
  const instructions = new Map<string, Instruction>();
  const transfers = new Map<string, Transfer>();
  const chargebacks = new Map<string, Chargeback>();
  /** Whether each transfer needs a person's confirmation, which never comes here. */
  let isCritical = false;

  const found = <Item>(map: Map<string, Item>, id: string): Item =>
    map.get(id) ?? refuse("not_found", 404);

  function createPayment({ body }: Call): Answer {
    onlyKnown(body, [
      "customer",
      "billingType",
      "value",
      "dueDate",
      "description",
      "externalReference",
      "pixAutomaticAuthorizationId",
    ]);
    if (body["billingType"] !== "PIX") refuse("invalid_billingType");
    const customer = text(body["customer"]);
    if (!customer || ![...customers.values()].some(({ id }) => id === customer))
      refuse("invalid_customer");
    const dueDate = text(body["dueDate"]) ?? refuse("invalid_dueDate");
    const authorizationId = text(body["pixAutomaticAuthorizationId"]);
    if (daysUntil(dueDate) < 0) refuse("invalid_dueDate");
    const payment: Payment = {
      id: newId("pay_"),
      customer,
      value: valueOf(body),
      status: "PENDING",
      deleted: false,
      dueDate,
      externalReference: text(body["externalReference"]),
      description: text(body["description"]),
      conciliationIdentifier: null,
      authorizationId,
      refunds: [],
    };
    if (authorizationId) order(payment, found(authorizations, authorizationId), dueDate);
    payments.set(payment.id, payment);
    return ok(paymentAnswer(payment));
  }

  /** Schedules a debit instruction, due in 2 to 10 days. */
  function order(payment: Payment, authorization: Authorization, dueDate: string): void {
    if (authorization.status !== "ACTIVE") refuse("invalid_pixAutomaticAuthorizationId");
    if (daysUntil(dueDate) < 2 || daysUntil(dueDate) > 10) refuse("invalid_dueDate");
    const instruction: Instruction = {
      id: newId("ins_"),
      paymentId: payment.id,
      authorizationId: authorization.id,
      status: "SCHEDULED",
      dueDate,
      refusalReason: null,
    };
    instructions.set(instruction.id, instruction);
  }

  function removePayment({ id }: Call): Answer {
    const payment = found(payments, id);
    if (payment.status !== "PENDING" && payment.status !== "OVERDUE") refuse("invalid_action");
    payment.deleted = true;
    for (const one of instructions.values())
      if (one.paymentId === id && one.status === "SCHEDULED") one.status = "CANCELLED";
    return ok({ deleted: true, id });
  }

  function refundPayment({ id, body }: Call): Answer {
    onlyKnown(body, ["value", "description"]);
    const payment = found(payments, id);
    const left = payment.value - payment.refunds.reduce((sum, refund) => sum + refund.value, 0);
    if (payment.status !== "RECEIVED" && payment.status !== "REFUNDED") refuse("invalid_action");
    if (valueOf(body) > left + 1e-9) refuse("invalid_value");
    payment.refunds.push({
      dateCreated: `${day()} 10:00:00`,
      status: "DONE",
      value: valueOf(body),
      description: text(body["description"]),
      transactionReceiptUrl: null,
    });
    if (left - valueOf(body) < 0.005) payment.status = "REFUNDED";
    return ok(paymentAnswer(payment));
  }

  function createAuthorization({ body }: Call): Answer {
    onlyKnown(body, [
      "customerId",
      "contractId",
      "frequency",
      "startDate",
      "finishDate",
      "value",
      "minLimitValue",
      "description",
      "paymentCreationMode",
      "immediateQrCode",
    ]);
    const code = (body["immediateQrCode"] ?? refuse("invalid_immediateQrCode")) as Body;
    onlyKnown(code, ["originalValue", "expirationSeconds", "description"]);
    if (String(body["contractId"]).length > 35 || String(body["description"]).length > 35)
      refuse("invalid_contractId");
    if (!Number.isInteger(code["expirationSeconds"])) refuse("invalid_expirationSeconds");
    const authorization: Authorization = {
      id: newId("aut-"),
      status: "CREATED",
      customerId: String(body["customerId"]),
      contractId: String(body["contractId"]),
      frequency: String(body["frequency"]),
      startDate: String(body["startDate"]),
      finishDate: text(body["finishDate"]),
      value: body["value"] === undefined ? null : valueOf(body),
      firstValue: valueOf(code, "originalValue"),
      conciliationIdentifier: newId("CONC"),
    };
    authorizations.set(authorization.id, authorization);
    return ok(authorizationAnswer(authorization));
  }

  function retry({ id, body }: Call): Answer {
    onlyKnown(body, ["dueDate"]);
    const refused = found(instructions, id);
    if (refused.status !== "REFUSED") refuse("invalid_action");
    const again: Instruction = {
      ...refused,
      id: newId("ins_"),
      status: "SCHEDULED",
      dueDate: String(body["dueDate"]),
      refusalReason: null,
    };
    instructions.set(again.id, again);
    return ok(instructionAnswer(again));
  }

  function createTransfer({ body }: Call): Answer {
    onlyKnown(body, [
      "value",
      "operationType",
      "externalReference",
      "pixAddressKey",
      "pixAddressKeyType",
      "bankAccount",
      "description",
    ]);
    const isToKey = body["pixAddressKey"] !== undefined;
    if (
      isToKey &&
      !["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"].includes(String(body["pixAddressKeyType"]))
    )
      refuse("invalid_pixAddressKeyType");
    if (!isToKey && typeof body["bankAccount"] !== "object") refuse("invalid_bankAccount");
    if (isCritical)
      refuse(
        "invalid_action",
        400,
        "Sua conta possui autorização crítica habilitada. Para efetuar esta ação informe o código de confirmação.",
      );
    if (valueOf(body) > BALANCE)
      refuse("invalid_action", 400, "Saldo insuficiente para realizar a transferência.");
    const transfer: Transfer = {
      id: newId("tra-"),
      value: valueOf(body),
      status: "PENDING",
      externalReference: text(body["externalReference"]),
      failReason: null,
    };
    transfers.set(transfer.id, transfer);
    return ok(transferAnswer(transfer));
  }

  function createCustomer({ body }: Call): Answer {
    onlyKnown(body, ["name", "cpfCnpj", "email", "notificationDisabled"]);
    const cpfCnpj = text(body["cpfCnpj"]) ?? refuse("invalid_cpfCnpj");
    const made = { id: newId("cus_"), cpfCnpj };
    customers.set(made.id, made);
    return ok({ object: "customer", ...made, name: body["name"] });
  }

  /**
   * The Pix key directory. It knows the sellers of our tests, the payer of the contract tests and a
   * key of somebody else. Two keys are refused. Names come in capitals and tax ids masked.
   */
  function externalKey({ query }: Call): Answer {
    const [type, key] = [
      query.get("type") ?? refuse("invalid_type"),
      query.get("key") ?? refuse("invalid_key"),
    ];
    if (
      !["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"].includes(type) ||
      (type === "PHONE" && !/^\d{11}$/.test(key))
    )
      refuse("invalid_key");
    if (key === "nao-existe@coreto.test")
      refuse("invalid_action", 400, "A chave informada não foi encontrada.");
    if (key === "limite@coreto.test")
      refuse("invalid_action", 400, "Limite de consultas de chaves atingido.");
    const owner =
      key === "de-outra@coreto.test"
        ? { name: "OTAVIA PRADO", cpfCnpj: "***.444.777-**" }
        : key.endsWith("@exemplo.test")
          ? { name: "ANA MARIA LIRA", cpfCnpj: "***.***.***-**" }
          : { name: "BRUNO TESTE", cpfCnpj: "***.982.247-**" };
    return ok({
      type,
      key,
      ispb: "19540550",
      ispbName: "ASAAS IP S.A.",
      financialInstitution: { id: "1", name: "ASAAS", code: "461" },
      owner,
    });
  }

  /** The account statement, newest first: payments with their fees, and refunds. */
  const movements = () =>
    [...payments.values()]
      .filter(({ status }) => status === "RECEIVED" || status === "REFUNDED")
      .flatMap((payment) => [
        movementAnswer(payment, "PAYMENT_RECEIVED", payment.value, day()),
        movementAnswer(payment, "PAYMENT_FEE", -0.99, day()),
        ...payment.refunds.map((refund) =>
          movementAnswer(
            payment,
            "PAYMENT_REVERSAL",
            -refund.value,
            refund.dateCreated.slice(0, 10),
          ),
        ),
      ])
      .toReversed();

  const since = (query: URLSearchParams) =>
    (query.get("dateCreated[ge]") ?? "0000") <= day() &&
    day() <= (query.get("dateCreated[le]") ?? "9999");
  const is = (wanted: string | null, value: string | null) => wanted === null || wanted === value;

  const routes: Record<string, (call: Call) => Answer> = {
    "GET customers": ({ query }) =>
      ok(
        listAnswer(
          [...customers.values()]
            .filter((one) => is(query.get("cpfCnpj"), one.cpfCnpj))
            .map((one) => ({ object: "customer", ...one })),
          query,
        ),
      ),
    "POST customers": createCustomer,
    "GET payments": ({ query }) =>
      ok(
        listAnswer(
          [...payments.values()]
            .filter(
              (one) =>
                !one.deleted &&
                since(query) &&
                is(query.get("externalReference"), one.externalReference) &&
                is(query.get("customer"), one.customer),
            )
            .toReversed()
            .map(paymentAnswer),
          query,
        ),
      ),
    "POST payments": createPayment,
    "GET payments/:id": ({ id }) => ok(paymentAnswer(found(payments, id))),
    "DELETE payments/:id": removePayment,
    "GET payments/:id/pixQrCode": ({ id }) =>
      ok({
        success: true,
        encodedImage: "iVBORw0KGgo=",
        payload: `00020101021226820014br.gov.bcb.pix2560qrpix.asaas.test/${found(payments, id).id}6304ABCD`,
        expirationDate: `${day(365)} 23:59:59`,
      }),
    "POST payments/:id/refund": refundPayment,
    "GET payments/:id/refunds": ({ id }) =>
      ok({
        object: "list",
        hasMore: false,
        totalCount: 0,
        limit: 10,
        offset: 0,
        data: found(payments, id).refunds,
      }),
    "GET payments/:id/chargeback": ({ id }) => ok(found(chargebacks, id)),
    "GET chargebacks": ({ query }) => ok(listAnswer([...chargebacks.values()], query)),
    "GET pix/automatic/authorizations": ({ query }) =>
      ok(
        listAnswer(
          [...authorizations.values()]
            .filter((one) => is(query.get("customerId"), one.customerId))
            .toReversed()
            .map(authorizationAnswer),
          query,
        ),
      ),
    "POST pix/automatic/authorizations": createAuthorization,
    "GET pix/automatic/authorizations/:id": ({ id }) =>
      ok(authorizationAnswer(found(authorizations, id))),
    "DELETE pix/automatic/authorizations/:id": ({ id }) =>
      ok(authorizationAnswer(Object.assign(found(authorizations, id), { status: "CANCELLED" }))),
    "GET pix/automatic/paymentInstructions": ({ query }) =>
      ok(
        listAnswer(
          [...instructions.values()]
            .filter((one) => is(query.get("paymentId"), one.paymentId))
            .toReversed()
            .map(instructionAnswer),
          query,
        ),
      ),
    "GET pix/automatic/paymentInstructions/:id": ({ id }) =>
      ok(instructionAnswer(found(instructions, id))),
    "POST pix/automatic/paymentInstructions/:id/retries": retry,
    // Actions of Asaas's test mode, in place of the payer and the calendar.
    "POST sandbox/payment/:id/confirm": ({ id }) =>
      ok(paymentAnswer(Object.assign(found(payments, id), { status: "RECEIVED" }))),
    "POST sandbox/payment/:id/overdue": ({ id }) =>
      ok(paymentAnswer(Object.assign(found(payments, id), { status: "OVERDUE" }))),
    "GET pix/addressKeys/external": externalKey,
    "GET transfers": ({ query }) =>
      ok(
        listAnswer(
          [...transfers.values()]
            .filter(() => since(query))
            .toReversed()
            .map(transferAnswer),
          query,
        ),
      ),
    "POST transfers": createTransfer,
    "GET transfers/:id": ({ id }) => ok(transferAnswer(found(transfers, id))),
    "GET financialTransactions": ({ query }) =>
      ok(
        listAnswer(
          movements().filter(
            ({ date }) => date >= (query.get("startDate") ?? refuse("invalid_startDate")),
          ),
          query,
        ),
      ),
    "GET finance/balance": () => ok({ balance: BALANCE }),
    "GET finance/payment/statistics": () => ok({ quantity: 2, value: 30, netValue: 28.02 }),
  };

  return {
    answer(request) {
      if (!request.headers["user-agent"]) refuse("user_agent_required");
      // Asaas refuses a GET with a body before it reaches the API.
      if (request.method === "GET" && request.body !== "") return { status: 403, body: "" };
      const { route, call } = routed(request);
      return (routes[route] ?? refuse("not_found", 404))(call);
    },
    act(name, input) {
      const id = input["id"] ?? "";
      switch (name) {
        case "pay":
          return void (found(payments, id).status = "RECEIVED");
        case "expire":
          return void (found(payments, id).status = "OVERDUE");
        case "dispute": {
          const payment = found(payments, id);
          payment.status = "CHARGEBACK_REQUESTED";
          chargebacks.set(id, {
            id: newId("chb_"),
            payment: id,
            value: input["amount"] ? Number(input["amount"]) / 100 : payment.value,
            status: "REQUESTED",
            reason: "ABSENCE_OF_PRINT",
            disputeStartDate: day(),
          });
          return { id };
        }
        case "decide":
          return void (found(chargebacks, id).status =
            input["status"] === "won" ? "REVERSED" : "DISPUTE_LOST");
        case "criticalActions":
          return void (isCritical = input["is"] === "on");
        case "consent":
          return void consent(found(authorizations, id), input["decision"] ?? "");
        case "debit":
          return void debit(found(instructions, id), input["outcome"] === "settled");
        case "receive":
          return void Object.assign(
            found(transfers, id),
            input["outcome"] === "paid"
              ? { status: "DONE" }
              : { status: "FAILED", failReason: input["failReason"] ?? "Chave Pix não encontrada" },
          );
        default:
          return {
            under: [...payments.values()].filter(
              (one) => one.externalReference === input["reference"],
            ).length,
          };
      }
    },
  };

  /**
   * Answers an authorization. Approval pays its code and creates the first payment, which has the
   * code's identifier and no reference of ours.
   */
  function consent(authorization: Authorization, decision: string): void {
    const statuses: Record<string, string> = {
      approve: "ACTIVE",
      reject: "REFUSED",
      expire: "EXPIRED",
      cancel: "CANCELLED",
    };
    authorization.status = statuses[decision] ?? "CREATED";
    if (decision !== "approve") return;
    const first: Payment = {
      id: newId("pay_"),
      customer: authorization.customerId,
      value: authorization.firstValue,
      status: "RECEIVED",
      deleted: false,
      dueDate: day(),
      externalReference: null,
      description: null,
      conciliationIdentifier: authorization.conciliationIdentifier,
      authorizationId: null,
      refunds: [],
    };
    payments.set(first.id, first);
  }

  function debit(instruction: Instruction, isSettled: boolean): void {
    Object.assign(
      instruction,
      isSettled ? { status: "DONE" } : { status: "REFUSED", refusalReason: "INSUFFICIENT_BALANCE" },
    );
    found(payments, instruction.paymentId).status = isSettled ? "RECEIVED" : "OVERDUE";
  }
}

function routed(request: Received): { route: string; call: Call } {
  const url = new URL(request.path, "http://asaas");
  const parts = url.pathname.slice("/v3/".length).split("/");
  const at = { pix: 3, sandbox: 2 }[parts[0] ?? ""] ?? 1;
  const id = parts[0] === "finance" ? "" : (parts[at] ?? "");
  const path = parts.map((part, index) => (index === at && id !== "" ? ":id" : part)).join("/");
  const body = request.body === "" ? {} : (JSON.parse(request.body) as Body);
  return { route: `${request.method} ${path}`, call: { body, query: url.searchParams, id } };
}
