import type { Dice } from "./stage.ts";
import type { Town, Work } from "./town.ts";

/** What happens in the town: how many do it at the same moment, and who of them dies where. */
export type Act = (town: Town, dice: Dice, how: { times: number; dies: { who: number; at: number } | null }) => Promise<void> | void;

export type Acts = Record<string, { weight: number; act: Act }>;

export const repeated = (times: number, work: Work): Work[] => Array.from({ length: times }, () => work);
const WAYS = [
  ["pix", null],
  ["pix", null],
  ["card", "good"],
  ["card", "declined"],
  ["card", null],
] as const;

export function asked(dice: Dice, town: Town) {
  const [fan, [method, cardToken]] = [dice.pick(town.fans), dice.pick(WAYS) ?? WAYS[0]];
  return { memberId: fan?.id ?? "", memberName: fan?.name ?? "", method, cardToken };
}
