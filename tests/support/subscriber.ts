import { vi } from "vitest";
import type { CallingMember, SellingCaller } from "./caller.ts";
import { sandboxAct, sandboxCharges } from "./sandbox.ts";
import { sharedServer } from "./server.ts";

/** Subscribes to the shared product's `seller` by Pix without a browser, paid and applied; gives the charge. */
export async function subscribeByPix(member: CallingMember, seller: SellingCaller): Promise<string> {
  const { sandboxOrigin } = sharedServer();
  const form = await (await member.get(`/checkout?plan=${seller.planId}`)).text();
  const planPriceId = /name="planPriceId"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="planPriceId"/.exec(form)?.slice(1).find(Boolean) ?? "";
  const chargeId = (await member.postAndFollow(`/checkout?plan=${seller.planId}`, { planPriceId, method: "pix" })).split("/").at(-1) ?? "";
  const charge = (await sandboxCharges(sandboxOrigin)).find((one) => one.reference === chargeId);
  await sandboxAct(sandboxOrigin, `charges/${charge?.id ?? ""}/pay`);
  // In a hook there is no `expect.poll`.
  const status = async () => ((await (await member.get(`/checkout/${chargeId}/status`)).json()) as { status: string }).status;
  await vi.waitUntil(async () => (await status()) === "succeeded", { timeout: 30_000, interval: 250 });
  return chargeId;
}
