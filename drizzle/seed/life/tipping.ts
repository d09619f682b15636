import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { pay } from "./subscribing.ts";
import { personOf, unlessRefused } from "./town.ts";
import type { SeededWorld } from "./town.ts";

/** Who gives once, how long before the present, and what they write. */
const given: {
  fan: string;
  creator: string;
  daysAgo: number;
  amountCents: number;
  method: "pix" | "card";
  message: string;
}[] = [
  {
    fan: "helena.duarte",
    creator: "ana",
    daysAgo: 22.8,
    amountCents: 2_000,
    method: "pix",
    message: "Toquei no aniversário do meu pai. Ele chorou, eu também.",
  },
  {
    fan: "pedro.sales",
    creator: "bia",
    daysAgo: 13.9,
    amountCents: 5_000,
    method: "card",
    message: "",
  },
  {
    fan: "bruno",
    creator: "ana",
    daysAgo: 5.2,
    amountCents: 1_000,
    method: "pix",
    message: "Pelo café da aula de sábado.",
  },
  {
    fan: "marina.rocha",
    creator: "tiao",
    daysAgo: 2.6,
    amountCents: 3_750,
    method: "pix",
    message: "A mesa ficou de pé!",
  },
];

/** Puts each of them on the calendar. */
export function planTips(world: SeededWorld): void {
  for (const tip of given)
    world.calendar.at(world.endAt - tip.daysAgo * DAY_MS, () => give(world, tip));
}

async function give(
  world: SeededWorld,
  { fan, creator, amountCents, method, message }: (typeof given)[number],
): Promise<void> {
  const { ctx, provider } = world.rehearsal;
  const { id: memberId, name: memberName } = personOf(world, fan);
  const cardToken = method === "card" ? await provider.cardToken("4242424242424242") : null;
  let chargeId = "";
  const isOpen = await unlessRefused(
    startTip(ctx, {
      memberId,
      memberName,
      creatorKey: creator,
      amountCents,
      message,
      method,
      cardToken,
    }).then((started) => void (chargeId = started.chargeId)),
  );
  if (isOpen) world.calendar.at(ctx.now() + 3 * MINUTE_MS, () => pay(world, chargeId));
}
