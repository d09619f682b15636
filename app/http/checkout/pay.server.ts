import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import { keepTaxId } from "#app/domain/billing/commands/details.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ShownToAnother } from "#app/domain/purchases/errors.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { submitted, typedInto } from "#app/http/form.ts";
import { guestPays } from "./guest.server.ts";
import { onwardFrom } from "./onward.ts";
import { PAYER_FIELD } from "#app/lib/payer-field.ts";
import { paymentAt, taxIdSentFor, withTaxId } from "./payment.server.ts";

type Posted = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  /** The page's own address: a request for its data alone has another path. */ url: URL;
};

/**
 * What a payment page does with its form, whoever sends it: a member pays, and who has no account
 * gets a code first.
 */
export async function paid({ request, context, url }: Posted) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const payment = paymentAt(url.href);
  if (!viewer) {
    const { env, ctx: execution } = context.get(cloudflareContext);
    return await guestPays(
      { env, ctx, request, waitUntil: (work) => execution.waitUntil(work) },
      { path: url.pathname + url.search, payment },
    );
  }
  const { values } = await typedInto(request.clone() as Request);
  if (values[PAYER_FIELD] && values[PAYER_FIELD] !== viewer.id)
    return await submitted(request, z.unknown(), () => Promise.reject(new ShownToAnother()));
  const isTrial = "trialDays" in values;
  return await submittedByPayer(request, { ctx, member: viewer, isTrial }, payment, async (pay) =>
    redirect(
      onwardFrom(request, await pay(ctx, { memberId: viewer.id, memberName: viewer.name })),
      303,
    ),
  );
}

/**
 * `submitted` for what a member pays, or sets to be paid: where who takes the chosen method charges
 * nobody without a CPF or CNPJ, or it begins free days, and none is kept, the form asks for it too
 * (`TaxIdField`), and it is kept before `act`.
 */
export async function submittedByPayer<Form>(
  request: Request,
  {
    ctx,
    member,
    isTrial = false,
  }: { ctx: Context; member: { id: string; name: string }; isTrial?: boolean },
  schema: z.ZodType<Form>,
  act: (form: Form) => Promise<Response>,
) {
  const methods = await taxIdSentFor(ctx, { personId: member.id, isTrial });
  if (methods.length === 0) return await submitted(request, schema, act);
  return await submitted(request, withTaxId(schema, methods), async ({ form, taxId }) => {
    if (taxId) await keepTaxId(ctx, { personId: member.id, name: member.name, ...taxId });
    return await act(form);
  });
}

/**
 * Under whose name what somebody tries is counted: the member's, or the address of who has no
 * account.
 */
export async function triedBy(
  request: Request,
  context: Readonly<RouterContextProvider>,
): Promise<string> {
  return (
    context.get(viewerContext)?.id ??
    `address:${await sha256Hex(request.headers.get("CF-Connecting-IP") ?? "")}`
  );
}
