import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Album } from "#drizzle/seed/pictures/album.ts";
import type { Rehearsal } from "#drizzle/seed/rehearsal/rehearsal.ts";
import { ana } from "#drizzle/seed/town/ana.ts";
import { deliverWaiting } from "./calendar.ts";
import { cpfOf, makeModerator, register, saveCity } from "./people.ts";
import { openStudio, publish } from "./studio.ts";

export const SMALL_STORY_DAYS = 3;
/** One of each: public, of two plans, of subscribers, of followers, sold alone. */
const POSTS = [0, 1, 3, 4, 9];

/**
 * Ana with her three plans and five posts, Bruno who has nothing to do with her yet, and Carla who
 * moderates.
 */
export async function liveSmallStory(
  rehearsal: Rehearsal,
  { endAt, passwordHash, album }: { endAt: number; passwordHash: string; album: Album },
): Promise<void> {
  const { ctx, travelTo } = rehearsal;
  const carla = await register(ctx, { username: "carla", name: "Carla Menezes", passwordHash });
  await makeModerator(ctx, carla);
  const bruno = await register(ctx, { username: "bruno", name: "Bruno Tavares", passwordHash });
  await saveCity(ctx, bruno, { city: "Olinda, PE", avatarMediaId: null });
  const person = await register(ctx, { username: "ana", name: ana.name, passwordHash });
  const studio = await openStudio(ctx, {
    person,
    creator: ana,
    moderatorId: carla.id,
    cpf: cpfOf("312045781"),
    pixKey: { kind: "email", key: person.email },
    avatarMediaId: null,
    bannerMediaId: null,
  });
  for (const [order, index] of POSTS.toReversed().entries()) {
    const post = ana.posts[index];
    if (!post) throw new Error(`Ana has no post ${index}`);
    travelTo(endAt - (POSTS.length - order) * 4 * HOUR_MS - DAY_MS / 2);
    const picture = album.pictures.get(`ana ${index}`);
    await publish(
      ctx,
      studio,
      post,
      picture ? { alt: picture.alt, prepared: await picture.prepared } : null,
    );
  }
  await deliverWaiting(rehearsal);
}
