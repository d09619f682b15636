import type Stripe from "stripe";
import type { EvidenceKind, PaymentProvider } from "#app/domain/payments/schema.ts";
import { dispute, file } from "./answers.ts";
import type { StripeApi } from "./client.server.ts";
import { toDispute } from "./from-answers.ts";

/**
 * The fields of Stripe's evidence for each kind of file. Source: Stripe's API reference, "Dispute
 * evidence object".
 */
const ROOM: Record<EvidenceKind, keyof Stripe.DisputeUpdateParams.Evidence> = {
  receipt: "receipt",
  conversation: "customer_communication",
  access: "service_documentation",
  policy: "cancellation_policy",
  other: "uncategorized_file",
};

/** Answers a dispute: uploads each file, then submits the evidence that names them. */
export function answering(api: StripeApi) {
  return {
    async submitEvidence({ disputeId, answerId, files, ...submission }) {
      const sent: Stripe.DisputeUpdateParams.Evidence = {};
      for (const { id, kind, name, contentType, bytes } of files) {
        const data = new Uint8Array(await bytes());
        const storedFile = await api.ask(file, "create file", (sdk) =>
          sdk.files.create(
            { purpose: "dispute_evidence", file: { data, name, type: contentType } },
            { idempotencyKey: `file-${id}` },
          ),
        );
        Object.assign(sent, { [ROOM[kind]]: storedFile.id });
      }
      const evidence: Stripe.DisputeUpdateParams.Evidence = {
        ...sent,
        uncategorized_text: submission.text,
        product_description: submission.product,
        customer_name: submission.customerName,
        ...(submission.customerEmail ? { customer_email_address: submission.customerEmail } : {}),
        service_date: new Date(submission.boughtAt).toISOString().slice(0, 10),
        ...(submission.accessLog ? { access_activity_log: submission.accessLog } : {}),
      };
      return toDispute(
        await api.ask(dispute, "update dispute", (sdk) =>
          sdk.disputes.update(
            disputeId,
            { evidence, submit: true },
            { idempotencyKey: `evidence-${answerId}` },
          ),
        ),
      );
    },
    async acceptDispute(id) {
      const stripeDispute = toDispute(
        await api.ask(dispute, "retrieve dispute", (sdk) => sdk.disputes.retrieve(id)),
      );
      if (stripeDispute.status === "lost") return stripeDispute;
      return toDispute(await api.ask(dispute, "close dispute", (sdk) => sdk.disputes.close(id)));
    },
  } satisfies Partial<PaymentProvider>;
}
