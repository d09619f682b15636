import { redirect } from "react-router";
import type { RouterContextProvider } from "react-router";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { sha256Hex } from "#app/http/digest.ts";
import { submitted } from "#app/http/form.ts";
import { guestPays } from "./guest.server.ts";
import { asksTaxId, paymentAt, withTaxId } from "./payment.server.ts";

type Posted = { request: Request; context: Readonly<RouterContextProvider>; /** The page's own address: a request for its data alone has another path. */ url: URL };

/** What a payment page does with its form, whoever sends it: a member pays, and who has no account gets a code first. */
export async function paid({ request, context, url }: Posted) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const payment = paymentAt(url.href);
  if (!viewer) {
    const { env, ctx: execution } = context.get(cloudflareContext);
    return await guestPays({ env, ctx, request, waitUntil: (work) => execution.waitUntil(work) }, { path: url.pathname + url.search, payment });
  }
  const payer = { memberId: viewer.id, memberName: viewer.name };
  const asked = (await asksTaxId(ctx, { personId: viewer.id })) ? withTaxId(payment) : payment;
  return await submitted(request, asked, async (pay) => redirect(await pay(ctx, payer), 303));
}

/** Under whose name what somebody tries is counted: the member's, or the address of who has no account. */
export async function triedBy(request: Request, context: Readonly<RouterContextProvider>): Promise<string> {
  return context.get(viewerContext)?.id ?? `address:${await sha256Hex(request.headers.get("CF-Connecting-IP") ?? "")}`;
}
