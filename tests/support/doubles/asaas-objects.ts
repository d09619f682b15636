export type Payment = {
  id: string;
  customer: string;
  value: number;
  status: string;
  deleted: boolean;
  dueDate: string;
  externalReference: string | null;
  description: string | null;
  conciliationIdentifier: string | null;
  authorizationId: string | null;
  refunds: {
    dateCreated: string;
    status: string;
    value: number;
    description: string | null;
    transactionReceiptUrl: string | null;
  }[];
};
export type Authorization = {
  id: string;
  status: string;
  customerId: string;
  contractId: string;
  frequency: string;
  startDate: string;
  finishDate: string | null;
  value: number | null;
  firstValue: number;
  conciliationIdentifier: string;
};
export type Instruction = {
  id: string;
  paymentId: string;
  authorizationId: string;
  status: string;
  dueDate: string;
  refusalReason: string | null;
};
export type Transfer = {
  id: string;
  value: number;
  status: string;
  externalReference: string | null;
  failReason: string | null;
};
export type Chargeback = {
  id: string;
  payment: string;
  value: number;
  status: string;
  reason: string;
  disputeStartDate: string;
};

const PIX_FEE = 0.99;
const isPaid = ({ status }: Payment) => !["PENDING", "OVERDUE"].includes(status);

export function paymentAnswer(payment: Payment) {
  const { authorizationId, ...rest } = payment;
  return {
    object: "payment",
    dateCreated: payment.dueDate,
    ...rest,
    netValue: Math.round((payment.value - PIX_FEE) * 100) / 100,
    billingType: "PIX",
    pixAutomaticAuthorizationId: authorizationId,
    creditDate: isPaid(payment) ? payment.dueDate : null,
    estimatedCreditDate: isPaid(payment) ? payment.dueDate : null,
    refunds: payment.refunds.length > 0 ? payment.refunds : null,
    invoiceUrl: `https://www.asaas.test/i/${payment.id}`,
    anticipated: false,
  };
}

export function authorizationAnswer(authorization: Authorization) {
  const { conciliationIdentifier, firstValue: _firstValue, ...rest } = authorization;
  return {
    ...rest,
    payload: `00020101021226820014br.gov.bcb.pix2560qrpix.asaas.test/${authorization.id}6304ABCD`,
    encodedImage: "iVBORw0KGgo=",
    immediateQrCode: { conciliationIdentifier, expirationDate: "2030-01-01 00:00:00" },
    cancellationDate: null,
    originType: "API",
  };
}

export function instructionAnswer({ authorizationId, ...rest }: Instruction) {
  return {
    ...rest,
    endToEndIdentifier: null,
    authorization: { id: authorizationId, endToEndIdentifier: null, customerId: null },
  };
}

export function transferAnswer(transfer: Transfer) {
  return {
    object: "transfer",
    ...transfer,
    netValue: transfer.value,
    transferFee: transfer.status === "DONE" ? 1.99 : 0,
    operationType: "PIX",
    effectiveDate: null,
    scheduleDate: null,
    authorized: true,
  };
}

export function movementAnswer(payment: Payment, type: string, value: number, date: string) {
  return {
    object: "financialTransaction",
    id: `fit_${payment.id}_${type}`,
    value,
    balance: 0,
    type,
    date,
    description: type,
    paymentId: payment.id,
    transferId: null,
  };
}

/** A page of a list, by `offset` and `limit`. */
export function listAnswer<Item>(items: Item[], query: URLSearchParams) {
  const limit = Math.min(Number(query.get("limit") ?? 10), PAGE_LIMIT);
  const offset = Number(query.get("offset") ?? 0);
  return {
    object: "list",
    hasMore: items.length > offset + limit,
    totalCount: items.length,
    limit,
    offset,
    data: items.slice(offset, offset + limit),
  };
}

/** Smaller than Asaas's limit of 100, so that a few objects fill several pages. */
const PAGE_LIMIT = 5;
