import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { saveTaxId } from "#app/domain/billing/details/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { CheckoutMemberChanged } from "#app/domain/purchases/errors.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { handleForm, readTypedForm } from "#app/http/form.ts";
import { submitGuestPayment } from "./guest.server.ts";
import { nextStepUrl } from "./next-step.ts";
import { PAYER_FIELD } from "#app/lib/payer-field.ts";
import { paymentFormAt, methodsNeedingTaxIdOnSubmit, withTaxIdField } from "./payment.server.ts";

type PaymentFormRequest = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  /** The page's own address; a data request has another path. */ url: URL;
};

/** Handles the form of a payment page: a member pays, and a guest gets a code first. */
export async function submitPayment({ request, context, url }: PaymentFormRequest) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const payment = paymentFormAt(url.href, request);
  if (!viewer) {
    const { env, ctx: execution } = context.get(cloudflareContext);
    return await submitGuestPayment(
      { env, ctx, request, waitUntil: (work) => execution.waitUntil(work) },
      { path: url.pathname + url.search, payment },
    );
  }
  const { values } = await readTypedForm(request.clone() as Request);
  if (values[PAYER_FIELD] && values[PAYER_FIELD] !== viewer.id)
    return await handleForm(request, z.unknown(), () =>
      Promise.reject(new CheckoutMemberChanged()),
    );
  const isTrial = "trialDays" in values;
  return await submitAsPayer(request, { ctx, member: viewer, isTrial }, payment, async (pay) =>
    redirect(
      nextStepUrl(request, await pay(ctx, { memberId: viewer.id, memberName: viewer.name })),
      303,
    ),
  );
}

/**
 * `handleForm` for a member's payment, immediate or scheduled. It also requires a CPF or CNPJ if
 * none is saved and the method's provider needs one, or a trial starts (`TaxIdField`). Saves it
 * before `act`.
 */
export async function submitAsPayer<Form>(
  request: Request,
  {
    ctx,
    member,
    isTrial = false,
  }: { ctx: Context; member: { id: string; name: string }; isTrial?: boolean },
  schema: z.ZodType<Form>,
  act: (form: Form) => Promise<Response>,
) {
  const methods = await methodsNeedingTaxIdOnSubmit(ctx, { personId: member.id, isTrial });
  if (methods.length === 0) return await handleForm(request, schema, act);
  return await handleForm(request, withTaxIdField(schema, methods), async ({ form, taxId }) => {
    if (taxId) await saveTaxId(ctx, { personId: member.id, name: member.name, ...taxId });
    return await act(form);
  });
}

/** The subject of rate limits: the member, or a guest's network address. */
export async function rateLimitSubject(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<string> {
  return (
    context.get(viewerContext)?.id ??
    `address:${await sha256Hex(request.headers.get("CF-Connecting-IP") ?? "")}`
  );
}
