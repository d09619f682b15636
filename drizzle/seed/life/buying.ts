import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { pay } from "./subscribing.ts";
import { personOf, unlessRefused } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/**
 * Who buys the one post that a creator sells by itself, and how long before the present. Bruno's
 * last is still young enough to be regretted.
 */
const buys: {
  fan: string;
  creator: string;
  daysAgo: number;
  method: "pix" | "card";
  withdrawsAfterDays?: number;
}[] = [
  { fan: "caio.brito", creator: "ana", daysAgo: 24.3, method: "pix" },
  { fan: "marina.rocha", creator: "ana", daysAgo: 17.6, method: "card" },
  { fan: "pedro.sales", creator: "ana", daysAgo: 11.2, method: "pix", withdrawsAfterDays: 2 },
  { fan: "helena.duarte", creator: "ana", daysAgo: 1.4, method: "pix" },
  { fan: "gabi.nunes", creator: "bia", daysAgo: 19.7, method: "pix" },
  { fan: "luiza.moura", creator: "lia", daysAgo: 8.5, method: "card" },
  { fan: "bruno", creator: "bia", daysAgo: 15.3, method: "pix" },
  { fan: "bruno", creator: "tiao", daysAgo: 3.1, method: "pix" },
];

/** Puts each of them on the calendar. */
export function planPurchases(world: SeededWorld): void {
  for (const wish of buys)
    world.calendar.at(world.endAt - wish.daysAgo * DAY_MS, () => buy(world, wish));
}

async function buy(
  world: SeededWorld,
  { fan, creator, method, withdrawsAfterDays }: (typeof buys)[number],
): Promise<void> {
  const { ctx, provider } = world.rehearsal;
  const { id: memberId, name: memberName } = personOf(world, fan);
  const sold = world.published.find(
    (post) => post.opening === "paid" && post.studio.creator.username === creator,
  );
  if (!sold) throw new Error(`${creator} sells no post by itself yet`);
  const cardToken = method === "card" ? await provider.cardToken("4242424242424242") : null;
  const wish = {
    memberId,
    memberName,
    kind: "post" as const,
    targetId: sold.postId,
    method,
    cardToken,
  };
  let chargeId = "";
  const isOpen = await unlessRefused(
    startPurchase(ctx, wish).then((started) => void (chargeId = started.chargeId)),
  );
  if (!isOpen) return;
  world.calendar.at(ctx.now() + 3 * MINUTE_MS, () => pay(world, chargeId));
  if (withdrawsAfterDays === undefined) return;
  world.calendar.at(ctx.now() + withdrawsAfterDays * DAY_MS, async () => {
    const charge = await chargeRow(ctx, { chargeId });
    await unlessRefused(
      requestPurchaseCoolingOffRefund(ctx, {
        personId: memberId,
        purchaseId: charge?.purchaseId ?? "",
      }),
    );
  });
}
