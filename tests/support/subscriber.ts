import { vi } from "vitest";
import type { MemberClient, SellerClient } from "./form-client.ts";
import { sandboxAct, sandboxCharge } from "./sandbox.ts";

/**
 * Starts a subscription to `createSeller` by Pix without a browser; gives the charge here, and at
 * the provider, which waits for its payment.
 */
export async function startByPix(
  member: MemberClient,
  seller: SellerClient,
): Promise<{ chargeId: string; providerChargeId: string }> {
  const form = await (await member.get(`/checkout?plan=${seller.planId}`)).text();
  const planPriceId =
    /name="planPriceId"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="planPriceId"/
      .exec(form)
      ?.slice(1)
      .find(Boolean) ?? "";
  const chargeId =
    (await member.postAndFollow(`/checkout?plan=${seller.planId}`, { planPriceId, method: "pix" }))
      .split("/")
      .at(-1) ?? "";
  return { chargeId, providerChargeId: (await sandboxCharge(member.origin, chargeId)).id };
}

/** Subscribes to `createSeller` by Pix without a browser, paid and applied; gives the charge. */
export async function subscribeByPix(member: MemberClient, seller: SellerClient): Promise<string> {
  const { chargeId, providerChargeId } = await startByPix(member, seller);
  await sandboxAct(member.origin, `charges/${providerChargeId}/pay`);
  // In a hook there is no `expect.poll`.
  const status = async () =>
    ((await (await member.get(`/checkout/${chargeId}/status`)).json()) as { status: string })
      .status;
  await vi.waitUntil(async () => (await status()) === "succeeded", {
    timeout: 30_000,
    interval: 250,
  });
  return chargeId;
}
