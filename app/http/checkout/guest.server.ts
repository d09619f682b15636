import { redirect } from "react-router";
import { z } from "zod";
import { guestSchema } from "#app/domain/billing/guests/schema.ts";
import type { DeferrableRequest } from "#app/http/identity/account.server.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { zodIssueMessage, handleForm, readTypedForm } from "#app/http/form.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import { refusalOf } from "#app/http/refusal.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { RegistrationEnd } from "#app/domain/identity/embedded/schema.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { nextStepUrl } from "./next-step.ts";
import { paymentFormAt } from "./payment.server.ts";
import type { SubmitPayment } from "./payment.server.ts";
import { saveDraftForm } from "./draft-form.server.ts";

/** Only the guest form sends this field; any other form was of an expired session. */
const MARK = "email";
/** The other fields of payment forms. A card token is never stored: it pays at once or never. */
const GUEST_FIELDS = new Set([
  "planPriceId",
  "amountCents",
  "method",
  "periods",
  "trialDays",
  "coupon",
  "keep",
  "amount",
  "other",
  "message",
  "recipientName",
  "recipientEmail",
  "deliverOn",
]);
/** Longer than any of them may be. */
const LONGEST_FIELD = 1_000;

/**
 * Handles a payment form without a session. A guest form saves the cart and emails a code. A
 * member's form, of an expired session, leads to the sign-in and back to the saved input.
 */
export async function submitGuestPayment(
  asked: DeferrableRequest,
  { path, payment }: { path: string; payment: z.ZodType<SubmitPayment> },
) {
  const { env, request, ctx } = asked;
  const { values } = await readTypedForm(request.clone() as Request);
  if (isClerkConfigured(env) || !(MARK in values)) {
    const cookie = await saveDraftForm({ env, path, now: ctx.realNow() }, values);
    return redirect(loginPath(path), {
      status: 303,
      headers: cookie === null ? {} : { "Set-Cookie": cookie },
    });
  }
  return handleForm(request, guestSchema.and(alsoRight(payment)), async (guest, form) => {
    const fields = Object.fromEntries(
      [...form].filter(
        (field): field is [string, string] =>
          typeof field[1] === "string" &&
          GUEST_FIELDS.has(field[0]) &&
          field[1].length <= LONGEST_FIELD,
      ),
    );
    const headers = await asIdentityUnavailable(ctx, () =>
      embedded(asked).registration.signUpToPay(asked, guest, { to: path, fields }),
    );
    return redirect("/auth/register/code", { status: 303, headers });
  });
}

/**
 * Pays the cart right after the account is created. A refusal is shown on the page where the
 * purchase was chosen.
 */
export async function payGuestCart(
  { ctx, request }: Pick<DeferrableRequest, "ctx" | "request">,
  { personId, name, to, headers, cart }: Extract<RegistrationEnd, { kind: "member" }>,
): Promise<Response> {
  const parsed = paymentFormAt(new URL(to, ctx.settings.appOrigin).href, request).safeParse(cart);
  try {
    if (parsed.success)
      return redirect(
        nextStepUrl(request, await parsed.data(ctx, { memberId: personId, memberName: name })),
        { status: 303, headers },
      );
  } catch (error) {
    const refusal = refusalOf(error);
    // The account exists, so its session must be set whatever happens to the payment.
    if (!refusal)
      ctx.log("checkout.cart_failed", {
        personId,
        error: error instanceof Error ? error.name : "unknown",
      });
    return redirectWithToast(
      request,
      to,
      {
        kind: "error",
        message:
          refusal?.message ??
          "A sua conta está pronta, mas o pagamento não começou. Tente de novo.",
      },
      headers,
    );
  }
  return redirect(to, { status: 303, headers });
}

/** Validates the same fields by another form's rules, only for their errors. */
function alsoRight(form: z.ZodType) {
  return z.unknown().transform((fields, check) => {
    for (const { path, message } of form.safeParse(fields, { error: zodIssueMessage }).error
      ?.issues ?? [])
      check.addIssue({ code: "custom", path, message });
    return {};
  });
}
