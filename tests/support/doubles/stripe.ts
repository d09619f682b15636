import { testClock } from "#tests/support/clock.ts";
import { newId, Refuses } from "./double.ts";
import type { Answer, Double, Received } from "./double.ts";
import { formOf } from "./form.ts";
import type { Form } from "./form.ts";
import { cardOf, intentAnswer, listAnswer } from "./stripe-objects.ts";
import type {
  Card,
  Dispute,
  File,
  Intent,
  Method,
  Refund,
  Session,
  Setup,
} from "./stripe-objects.ts";

/** API version of the objects here. */
const API_VERSION = "2026-10-28.endive";

const madeSince = (one: { created: number }, query: Form) =>
  one.created >= Number(query.get("created[gte]") ?? 0);

const now = () => Math.floor(testClock.now() / 1_000);

const metadataOf = (form: Form) =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith("metadata[") ? [[name.slice(9, -1), value] as const] : [],
    ),
  );

function refuse(status: number, code: string, more: Record<string, unknown> = {}): never {
  throw new Refuses({
    status,
    body: {
      error: {
        type: status === 402 ? "card_error" : "invalid_request_error",
        code,
        message: code,
        ...more,
      },
    },
  });
}

/**
 * A double of a Stripe account. Source: what its public API reference says of what we use. `pages`
 * is the URL of its hosted pages.
 */
export function stripeDouble(pages: string): Double {
  const intents = new Map<string, Intent>();
  const sessions = new Map<string, Session>();
  const setups = new Map<string, Setup>();
  const methods = new Map<string, Method>();
  const refunds = new Map<string, Refund>();
  const disputes = new Map<string, Dispute>();
  const files = new Map<string, File>();
  const keys = new Map<string, { asked: string; answer: Answer }>();

  const found = <Item>(map: Map<string, Item>, id: string | undefined): Item =>
    map.get(id ?? "") ?? refuse(404, "resource_missing");
  const refundedOf = (intent: string) =>
    [...refunds.values()]
      .filter((refund) => refund.payment_intent === intent)
      .reduce((sum, { amount }) => sum + amount, 0);
  const shown = (intent: Intent) => intentAnswer(intent, refundedOf(intent.id), pages);

  function newIntent(form: Form): Intent {
    const isPix = form.get("allowed_payment_method_types[0]") === "pix";
    const intent: Intent = {
      id: newId("pi_"),
      created: now(),
      amount: Number(form.get("amount")),
      isPix,
      status: "requires_payment_method",
      cancellationReason: null,
      expiresAt: isPix ? Number(form.get("payment_method_options[pix][expires_at]")) : null,
      customer: form.get("customer") ?? null,
      method: form.get("payment_method") ?? form.get("confirmation_token") ?? null,
      keeps: form.get("setup_future_usage") === "off_session",
      isOffSession: form.get("off_session") === "true",
      returnUrl: form.get("return_url") ?? null,
      metadata: metadataOf(form),
      failure: null,
    };
    if (!Number.isInteger(intent.amount) || intent.amount < 1 || form.get("currency") !== "brl")
      refuse(400, "parameter_invalid_integer");
    return intent;
  }

  function confirm(intent: Intent): Answer {
    if (intent.isPix) intent.status = "requires_action";
    else chargeCard(intent, cardFor(intent));
    if (intent.failure === null) return { status: 200, body: shown(intent) };
    return {
      status: 402,
      body: {
        error: {
          type: "card_error",
          ...intent.failure,
          message: "Your card was declined.",
          payment_intent: shown(intent),
        },
      },
    };
  }

  function cardFor(intent: Intent): Card {
    const saved = methods.get(intent.method ?? "");
    if (!saved) return cardOf(intent.method ?? "") ?? refuse(400, "resource_missing");
    if (saved.customer === null || saved.customer !== intent.customer)
      refuse(400, "payment_method_unexpected_state");
    return saved.card;
  }

  function chargeCard(intent: Intent, card: Card): void {
    intent.failure = null;
    if (card.does === "declines")
      intent.failure = { code: "card_declined", decline_code: "generic_decline" };
    else if (card.does === "asks" && intent.isOffSession)
      intent.failure = { code: "authentication_required", decline_code: "authentication_required" };
    else intent.status = card.does === "asks" ? "requires_action" : "succeeded";
    if (intent.failure) intent.status = "requires_payment_method";
    if (intent.status === "succeeded" && intent.keeps) keep(intent, card);
  }

  /** Saves a card as a payment method of the customer. */
  function keep(holder: Intent | Setup, card: Card): void {
    const id = newId("pm_");
    methods.set(id, { id, customer: holder.customer, card });
    holder.method = id;
  }

  function createIntent(form: Form): Answer {
    const intent = newIntent(form);
    intents.set(intent.id, intent);
    return confirm(intent);
  }

  function createSetup(form: Form): Answer {
    const setup: Setup = {
      id: newId("seti_"),
      status: "requires_payment_method",
      customer: form.get("customer") ?? null,
      method: form.get("payment_method") ?? form.get("confirmation_token") ?? null,
      failure: null,
    };
    setups.set(setup.id, setup);
    const card = cardOf(setup.method ?? "") ?? refuse(400, "resource_missing");
    if (card.does === "declines")
      setup.failure = { code: "card_declined", decline_code: "generic_decline" };
    else setup.status = card.does === "asks" ? "requires_action" : "succeeded";
    if (setup.status === "succeeded") keep(setup, card);
    if (setup.failure)
      return {
        status: 402,
        body: {
          error: {
            type: "card_error",
            ...setup.failure,
            message: "declined",
            setup_intent: setupAnswer(setup),
          },
        },
      };
    return { status: 200, body: setupAnswer(setup) };
  }

  const setupAnswer = (setup: Setup) => ({
    id: setup.id,
    object: "setup_intent",
    status: setup.status,
    customer: setup.customer,
    payment_method: setup.method,
    last_setup_error: setup.failure,
    next_action:
      setup.status === "requires_action"
        ? {
            type: "redirect_to_url",
            redirect_to_url: { url: `${pages}/answer?of=${setup.id}`, return_url: null },
          }
        : null,
    livemode: false,
  });

  function createRefund(form: Form): Answer {
    const intent = found(intents, form.get("payment_intent"));
    const amount = Number(form.get("amount"));
    if (intent.status !== "succeeded") refuse(400, "charge_not_refundable");
    if (amount > intent.amount - refundedOf(intent.id)) refuse(400, "charge_already_refunded");
    const disputed = [...disputes.values()].filter(
      (one) => one.payment_intent === intent.id && one.status !== "won",
    );
    const lost = disputed
      .filter(({ status }) => status === "lost")
      .reduce((sum, one) => sum + one.amount, 0);
    if (
      disputed.some(({ status }) => status !== "lost") ||
      amount > intent.amount - refundedOf(intent.id) - lost
    )
      refuse(400, "charge_disputed");
    const refund: Refund = {
      id: newId("re_"),
      object: "refund",
      created: now(),
      amount,
      currency: "brl",
      status: "succeeded",
      payment_intent: intent.id,
      metadata: { coreto_refund: form.get("metadata[coreto_refund]") ?? "" },
    };
    refunds.set(refund.id, refund);
    return { status: 200, body: refund };
  }

  function createSession(form: Form): Answer {
    const id = newId("cs_test_");
    const expiresAt = Number(form.get("expires_at") ?? now() + 86_400);
    if (expiresAt < now() + 1_800 || expiresAt > now() + 86_400)
      refuse(400, "parameter_invalid_integer");
    const session: Session = {
      id,
      object: "checkout.session",
      status: "open",
      url: `${pages}/checkout?of=${id}`,
      amount_total: Number(form.get("line_items[0][price_data][unit_amount]")),
      currency: "brl",
      expires_at: expiresAt,
      metadata: metadataOf(form),
      payment_intent: null,
      customer_creation: form.get("customer_creation") ?? "if_required",
      line_items: {
        data: [{ description: form.get("line_items[0][price_data][product_data][name]") ?? "" }],
      },
      keeps: form.get("payment_intent_data[setup_future_usage]") === "off_session",
    };
    sessions.set(id, session);
    return { status: 200, body: sessionAnswer(session) };
  }

  /** A session's answer. It includes `line_items` only if expanded. */
  const sessionAnswer = (
    { line_items, ...session }: Session,
    expanded: readonly string[] = [],
  ) => ({
    ...session,
    ...(expanded.includes("line_items") ? { line_items } : {}),
    payment_intent: session.payment_intent && shown(session.payment_intent),
  });

  /**
   * Tries a card on the page of a session. The session has one intent for all attempts and stays
   * open until one pays.
   */
  function tryCard(session: Session, card: string): Intent {
    if (session.status !== "open") refuse(400, "session_not_open");
    const terms = {
      amount: String(session.amount_total),
      currency: "brl",
      "allowed_payment_method_types[0]": "card",
      "metadata[coreto_charge]": session.metadata["coreto_charge"] ?? "",
      ...(session.keeps ? { setup_future_usage: "off_session", customer: newId("cus_") } : {}),
    };
    const intent = session.payment_intent ?? newIntent(new Map(Object.entries(terms)));
    intents.set(intent.id, intent);
    intent.method = card;
    chargeCard(intent, cardFor(intent));
    Object.assign(session, {
      payment_intent: intent,
      ...(intent.status === "succeeded" ? { status: "complete", url: null } : {}),
    });
    return intent;
  }

  function expireSession(session: Session): Answer {
    if (session.status !== "open") refuse(400, "session_not_open");
    if (session.payment_intent) cancelIntent(session.payment_intent);
    return ok(sessionAnswer(Object.assign(session, { status: "expired", url: null })));
  }

  const ok = (body: unknown): Answer => ({ status: 200, body });

  function createFile(request: Received): Answer {
    if (!(request.headers["content-type"] ?? "").startsWith("multipart/form-data; boundary="))
      refuse(400, "parameter_missing");
    const purpose =
      /name="purpose"\r\n\r\n(\w+)/.exec(request.body)?.[1] ?? refuse(400, "parameter_missing");
    if (!/name="file"; filename="[^"]+"/.test(request.body)) refuse(400, "parameter_missing");
    const file: File = { id: newId("file_"), object: "file", purpose, size: request.body.length };
    files.set(file.id, file);
    return ok(file);
  }

  /** Saves evidence, whose files must exist. Once submitted, the dispute accepts no more. */
  function answerDispute(dispute: Dispute, form: Form): Answer {
    if (dispute.status !== "needs_response") refuse(400, "dispute_not_needing_response");
    for (const [name, value] of form) {
      const field = /^evidence\[(\w+)\]$/.exec(name)?.[1];
      if (!field) continue;
      if (value.startsWith("file_") && !files.has(value)) refuse(400, "resource_missing");
      dispute.evidence[field] = value;
    }
    if (form.get("submit") === "true")
      Object.assign(dispute, {
        status: "under_review",
        evidence_details: { ...dispute.evidence_details, has_evidence: true, submission_count: 1 },
      });
    return ok(dispute);
  }

  function cancelIntent(intent: Intent): Answer {
    if (intent.status === "succeeded" || intent.status === "canceled")
      refuse(400, "payment_intent_unexpected_state");
    intent.status = "canceled";
    return ok(shown(intent));
  }

  function methodAnswer({ id, customer, card }: Method): Answer {
    return ok({
      id,
      object: "payment_method",
      type: "card",
      customer,
      card: { brand: "visa", last4: card.last4, exp_month: 12, exp_year: 2040 },
    });
  }

  const posts: Record<string, (form: Form, id: string) => Answer> = {
    payment_intents: createIntent,
    "payment_intents/:id/cancel": (_form, id) => cancelIntent(found(intents, id)),
    "payment_intents/:id/confirm": (form, id) => {
      const intent = found(intents, id);
      Object.assign(intent, {
        isOffSession: false,
        returnUrl: form.get("return_url") ?? null,
        method: form.get("payment_method") ?? intent.method,
      });
      return confirm(intent);
    },
    customers: (form) =>
      ok({
        id: newId("cus_"),
        object: "customer",
        name: form.get("name") ?? null,
        email: form.get("email") ?? null,
      }),
    setup_intents: createSetup,
    "payment_methods/:id/detach": (_form, id) => {
      const method = found(methods, id);
      method.customer = null;
      return methodAnswer(method);
    },
    refunds: createRefund,
    "disputes/:id": (form, id) => answerDispute(found(disputes, id), form),
    "disputes/:id/close": (_form, id) => {
      const dispute = found(disputes, id);
      if (dispute.status === "lost" || dispute.status === "won") refuse(400, "dispute_closed");
      return ok(Object.assign(dispute, { status: "lost" }));
    },
    "checkout/sessions": createSession,
    "checkout/sessions/:id/expire": (_form, id) => expireSession(found(sessions, id)),
  };

  const gets: Record<string, (query: Form, id: string) => Answer> = {
    "payment_intents/:id": (_query, id) => ok(shown(found(intents, id))),
    "payment_intents/search": (query) => {
      const reference =
        /^metadata\['coreto_charge'\]:'([\w-]+)'$/.exec(query.get("query") ?? "")?.[1] ??
        refuse(400, "parameter_invalid_string_empty");
      return ok({
        ...listAnswer(
          [...intents.values()]
            .filter((one) => one.metadata["coreto_charge"] === reference)
            .map(shown),
          query,
        ),
        object: "search_result",
      });
    },
    payment_intents: (query) =>
      ok(
        listAnswer(
          [...intents.values()]
            .filter((one) => madeSince(one, query))
            .toReversed()
            .map(shown),
          query,
        ),
      ),
    "checkout/sessions/:id": (query, id) =>
      ok(
        sessionAnswer(
          found(sessions, id),
          [...query].flatMap(([name, value]) => (name.startsWith("expand") ? [value] : [])),
        ),
      ),
    "setup_intents/:id": (_query, id) => ok(setupAnswer(found(setups, id))),
    "payment_methods/:id": (_query, id) => methodAnswer(found(methods, id)),
    "refunds/:id": (_query, id) => ok(found(refunds, id)),
    refunds: (query) =>
      ok(
        listAnswer(
          [...refunds.values()]
            .filter(
              (one) =>
                madeSince(one, query) &&
                (!query.has("payment_intent") ||
                  one.payment_intent === query.get("payment_intent")),
            )
            .toReversed(),
          query,
        ),
      ),
    "disputes/:id": (_query, id) => ok(found(disputes, id)),
    disputes: (query) =>
      ok(
        listAnswer(
          [...disputes.values()].filter((one) => madeSince(one, query)).toReversed(),
          query,
        ),
      ),
    balance: () =>
      ok({
        object: "balance",
        available: [
          { amount: 12_300, currency: "brl" },
          { amount: 5, currency: "usd" },
        ],
        pending: [{ amount: 700, currency: "brl" }],
        livemode: false,
      }),
  };

  /**
   * Repeats the first answer of an idempotency key, whatever it was. Other parameters with the same
   * key are an error.
   */
  function once(request: Received, make: () => Answer): Answer {
    const key = request.headers["idempotency-key"];
    if (!key) return make();
    const asked = `${request.path} ${request.body}`;
    const earlier = keys.get(key);
    if (earlier && earlier.asked !== asked)
      return {
        status: 400,
        body: {
          error: {
            type: "idempotency_error",
            message:
              "Keys for idempotent requests can only be used with the same parameters they were first used with.",
          },
        },
      };
    if (earlier) return { ...earlier.answer, headers: { "idempotent-replayed": "true" } };
    let answer: Answer;
    try {
      answer = make();
    } catch (error) {
      if (!(error instanceof Refuses)) throw error;
      answer = error.answer;
    }
    keys.set(key, { asked, answer: structuredClone(answer) });
    return answer;
  }

  return {
    answer(request) {
      if (request.headers["stripe-version"] !== API_VERSION)
        return {
          status: 400,
          body: { error: { type: "invalid_request_error", message: "Invalid Stripe API version" } },
        };
      const url = new URL(request.path, "http://stripe");
      const parts = url.pathname.slice("/v1/".length).split("/");
      const at = parts[0] === "checkout" ? 2 : 1;
      const id = parts[at] ?? "";
      const isNamed = id === "search";
      const route = parts.map((part, index) => (index === at && !isNamed ? ":id" : part)).join("/");
      const query = formOf(request.method === "POST" ? request.body : url.search.slice(1));
      // Two uploads of one file differ only in the multipart boundary.
      if (route === "files" && request.method === "POST")
        return once({ ...request, body: request.body.replaceAll(/^--.*$/gm, "") }, () =>
          createFile(request),
        );
      const handler = (request.method === "POST" ? posts : gets)[route];
      if (!handler || !["POST", "GET"].includes(request.method))
        return {
          status: 404,
          body: {
            error: {
              type: "invalid_request_error",
              message: `Unrecognized request URL (${request.method}: ${request.path})`,
            },
          },
        };
      return request.method === "POST"
        ? once(request, () => handler(query, id))
        : handler(query, id);
    },
    act(name, input) {
      const id = input["id"] ?? "";
      switch (name) {
        case "pay":
          return void (found(intents, id).status = "succeeded");
        case "expire":
          return void Object.assign(found(intents, id), {
            status: "requires_payment_method",
            failure: { code: "payment_intent_payment_attempt_expired" },
          });
        case "dispute": {
          const intent = found(intents, id);
          const dispute: Dispute = {
            id: newId("du_"),
            object: "dispute",
            created: now(),
            amount: input["amount"] ? Number(input["amount"]) : intent.amount - refundedOf(id),
            currency: "brl",
            status: "needs_response",
            payment_intent: id,
            payment_method_details: { type: intent.isPix ? "pix" : "card" },
            balance_transactions: [
              {
                id: newId("txn_"),
                fee: intent.isPix ? 0 : 5_500,
                currency: "brl",
                available_on: now(),
              },
            ],
            evidence: {},
            evidence_details: {
              due_by: now() + 9 * 86_400,
              has_evidence: false,
              submission_count: 0,
            },
          };
          disputes.set(dispute.id, dispute);
          return { id: dispute.id };
        }
        case "decide":
          return void Object.assign(found(disputes, id), { status: input["status"] ?? "won" });
        case "tryCard":
          return { id: tryCard(found(sessions, id), input["card"] ?? "").id };
        // The session expires, as Stripe's do after a day.
        case "runOut":
          return void expireSession(Object.assign(found(sessions, id), { expires_at: now() }));
        case "answer":
          return answerOwner(input["of"] ?? "", input["decision"] === "approve");
        default:
          return {
            under: [...intents.values()].filter(
              (one) => one.metadata["coreto_charge"] === input["reference"],
            ).length,
          };
      }
    },
  };

  /** Answers the bank's 3DS check as the card's owner. */
  function answerOwner(id: string, isApproved: boolean): void {
    const asked = intents.get(id) ?? found(setups, id);
    const card = cardOf(asked.method ?? "") ?? { does: "approves", last4: "3184" };
    asked.status = isApproved ? "succeeded" : "requires_payment_method";
    if (!isApproved)
      asked.failure = {
        code:
          "setup" in asked
            ? "setup_intent_authentication_failure"
            : "payment_intent_authentication_failure",
      };
    if (isApproved) keep(asked, card);
  }
}
