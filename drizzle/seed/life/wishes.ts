import { DAY_MS } from "#app/domain/time.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import type { Random } from "#drizzle/seed/random.ts";
import { creators } from "#drizzle/seed/town/creators.ts";
import type { Habit, Subscribing } from "./subscribing.ts";
import { soonBetween } from "./town.ts";

export type Joined = { username: string; at: number };

const habitsByChance: [Habit, number][] = [
  ["forgetful", 0.08],
  ["late", 0.07],
  ["cancels", 0.1],
  ["regrets", 0.05],
  ["abandons", 0.06],
];

/** Who subscribes to Ana: twelve of her twenty seats, and Camarim is what most choose. */
const ANAS_SEATS = 12;
const ANAS_CAMARIM = 17;
const ANAS_BANQUINHO = 8;

function habitOf(random: Random): Habit {
  let left = random.next();
  for (const [habit, share] of habitsByChance) {
    if (left < share) return habit;
    left -= share;
  }
  return "faithful";
}

/**
 * Who subscribes to whom, when and how. Bruno's are told apart: he has a history, and none of it
 * with Ana.
 */
export function subscriptionWishes({
  fans,
  startAt,
  endAt,
}: {
  fans: readonly Joined[];
  startAt: number;
  endAt: number;
}): Subscribing[] {
  const random = randomFrom("wishes");
  const others = fans.filter(({ username }) => username !== "bruno");
  const wish = (fan: Joined, creator: string, planIndex: number, habit: Habit): Subscribing => {
    const from = Math.max(fan.at, startAt + 9 * DAY_MS) + DAY_MS / 2;
    return {
      fan: fan.username,
      creator,
      planIndex,
      habit,
      at: soonBetween(random, from, endAt - DAY_MS),
    };
  };
  const toAna = random.shuffled(others).slice(0, ANAS_SEATS + ANAS_CAMARIM + ANAS_BANQUINHO);
  const wishes = toAna.map((fan, index) => {
    const planIndex = index < ANAS_SEATS ? 2 : index < ANAS_SEATS + ANAS_CAMARIM ? 1 : 0;
    const made = wish(
      fan,
      "ana",
      planIndex,
      planIndex === 2 || index % 2 === 0 ? "faithful" : habitOf(random),
    );
    return planIndex === 1 && index % 5 === 0
      ? { ...made, interval: "annual" as const, method: "card" as const }
      : made;
  });
  for (const creator of creators.filter(({ username }) => username !== "ana")) {
    const circle = random.shuffled(others).slice(0, random.int(6, 10));
    circle.forEach((fan, index) =>
      wishes.push(
        wish(
          fan,
          creator.username,
          creator.plans.length === 3 && index < 3 ? 2 : random.chance(0.6) ? 0 : 1,
          habitOf(random),
        ),
      ),
    );
  }
  // One of each of the rarer ways that money takes.
  special(wishes, "jaci", "pays_twice", "pix");
  special(wishes, "otavio", "disputes_and_wins", "card");
  special(wishes, "zefa", "disputes_and_loses", "pix");
  return [
    ...wishes,
    ...brunosOwn(startAt, endAt),
    {
      fan: "ana",
      creator: "tiao",
      planIndex: 0,
      habit: "faithful",
      at: startAt + 30 * DAY_MS,
      method: "card",
    },
  ];
}

function special(
  wishes: Subscribing[],
  creator: string,
  habit: Habit,
  method: "pix" | "card",
): void {
  const index = wishes.findIndex((wish) => wish.creator === creator && wish.habit === "faithful");
  const found = wishes[index];
  if (found) wishes[index] = { ...found, habit, method, planIndex: 1 };
}

function brunosOwn(startAt: number, endAt: number): Subscribing[] {
  return [
    {
      fan: "bruno",
      creator: "tiao",
      planIndex: 0,
      habit: "forgetful",
      at: startAt + 14.4 * DAY_MS,
      method: "pix",
    },
    {
      fan: "bruno",
      creator: "cida",
      planIndex: 0,
      habit: "faithful",
      at: startAt + 40.3 * DAY_MS,
      method: "pix",
    },
    {
      fan: "bruno",
      creator: "jaci",
      planIndex: 0,
      habit: "cancels",
      cancelAfterDays: 11,
      at: endAt - 16.6 * DAY_MS,
      method: "pix",
    },
    {
      fan: "bruno",
      creator: "rua8",
      planIndex: 0,
      habit: "regrets",
      at: endAt - 20.2 * DAY_MS,
      method: "pix",
    },
  ];
}
