import { vi } from "vitest";
import type { CallingMember, SellingCaller } from "./caller.ts";
import { sandboxAct, sandboxCharge } from "./sandbox.ts";

/** Subscribes to `seller` by Pix without a browser, paid and applied; gives the charge. */
export async function subscribeByPix(member: CallingMember, seller: SellingCaller): Promise<string> {
  const form = await (await member.get(`/checkout?plan=${seller.planId}`)).text();
  const planPriceId = /name="planPriceId"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="planPriceId"/.exec(form)?.slice(1).find(Boolean) ?? "";
  const chargeId = (await member.postAndFollow(`/checkout?plan=${seller.planId}`, { planPriceId, method: "pix" })).split("/").at(-1) ?? "";
  await sandboxAct(member.origin, `charges/${(await sandboxCharge(member.origin, chargeId)).id}/pay`);
  // In a hook there is no `expect.poll`.
  const status = async () => ((await (await member.get(`/checkout/${chargeId}/status`)).json()) as { status: string }).status;
  await vi.waitUntil(async () => (await status()) === "succeeded", { timeout: 30_000, interval: 250 });
  return chargeId;
}
