import { vi } from "vitest";
import type { MemberClient, SellerClient } from "./form-client.ts";
import { sandboxAct, sandboxCharge } from "./sandbox.ts";

/**
 * Starts a subscription to `seller` by Pix without a browser. Returns the ids of the unpaid charge,
 * ours and the provider's.
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

/** Subscribes to `seller` by Pix without a browser and pays. Returns the charge's id. */
export async function subscribeByPix(member: MemberClient, seller: SellerClient): Promise<string> {
  const { chargeId, providerChargeId } = await startByPix(member, seller);
  await sandboxAct(member.origin, `charges/${providerChargeId}/pay`);
  // `expect.poll` does not work in a hook.
  const status = async () =>
    ((await (await member.get(`/checkout/${chargeId}/status`)).json()) as { status: string })
      .status;
  await vi.waitUntil(async () => (await status()) === "succeeded", {
    timeout: 30_000,
    interval: 250,
  });
  return chargeId;
}
