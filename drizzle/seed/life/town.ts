import { Refusal } from "#app/domain/errors.ts";
import type { Rehearsal } from "#drizzle/seed/rehearsal/rehearsal.ts";
import type { Random } from "#drizzle/seed/random.ts";
import type { Opening } from "#drizzle/seed/town/shape.ts";
import type { Calendar } from "./calendar.ts";
import type { Townsperson } from "./people.ts";
import type { Studio } from "./studio.ts";

export type PublishedPost = {
  postId: string;
  title: string;
  studio: Studio;
  at: number;
  opening: Opening;
};

/** The town while it is being lived. */
export type SeededWorld = {
  rehearsal: Rehearsal;
  calendar: Calendar;
  /** The present, where the story stops. */
  endAt: number;
  studios: Map<string, Studio>;
  /** Who has an account already, by username. */
  people: Map<string, Townsperson>;
  published: PublishedPost[];
};

export function personOf(world: SeededWorld, username: string): Townsperson {
  const person = world.people.get(username);
  if (!person) throw new Error(`nobody is called ${username} yet`);
  return person;
}

export function studioOf(world: SeededWorld, username: string): Studio {
  const studio = world.studios.get(username);
  if (!studio) throw new Error(`${username} has no page yet`);
  return studio;
}

/**
 * People also try what the product refuses (a locked post, a full plan); that is life, and not the
 * seed's fault.
 */
export async function unlessRefused(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** An instant between two, sooner rather than later. */
export const soonBetween = (random: Random, from: number, to: number): number =>
  from + (to - from) * random.next() ** 2;
