import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { acceptTerms } from "#app/domain/identity/registration/commands.server.ts";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { markNotificationsRead } from "#app/domain/notifications/commands.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import {
  changeWithdrawalMethod,
  submitSellerDetails,
} from "#app/domain/payouts/destinations/commands.server.ts";
import { payoutHistory } from "#app/domain/payouts/queries.server.ts";
import { civilDate, DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import type { Album } from "#drizzle/seed/pictures/album.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import type { Rehearsal } from "#drizzle/seed/rehearsal/rehearsal.ts";
import { creators } from "#drizzle/seed/town/creators.ts";
import { fans } from "#drizzle/seed/town/fans.ts";
import type { SeedCreator } from "#drizzle/seed/town/shape.ts";
import { planPurchases } from "./buying.ts";
import { calendar } from "./calendar.ts";
import { announceAskingEvents } from "./asking.ts";
import { announceSpecialEvents } from "./gathering.ts";
import { planPastClass } from "./past-class.ts";
import { cpfOf, makeModerator, register, saveCity } from "./people.ts";
import { arrange, planComments, planFollows, planLikes } from "./square.ts";
import { planMessageFiles } from "./message-files.ts";
import { planTalks } from "./talking.ts";
import { storeSeedImage, openStudio, publish } from "./studio.ts";
import { planReports } from "./reporting.ts";
import { answerRenewal, habitKey, planSubscription } from "./subscribing.ts";
import type { Habit } from "./subscribing.ts";
import { planTeam } from "./team.ts";
import { planTips } from "./tipping.ts";
import { personOf, studioOf, unlessRefused } from "./town.ts";
import type { SeededWorld } from "./town.ts";
import { subscriptionWishes } from "./wishes.ts";
import type { Joined } from "./wishes.ts";

export const STORY_DAYS = 122;
/** Pages open in the town's first days; fans find them from then on. */
const OPENING_DAYS = 8;
const JOINING_DAYS = 96;
/** How long ago each creator's newest post is, in hours, in the order of `creators`. */
const FRESHEST_HOURS = [2, 0.42, 5, 21, 26, 9, 31, 12, 44, 52, 7, 29];
/** Her bank refuses, until she writes the right key. Source: the provider's magic keys. */
const WRONG_KEY = "falha@coreto.test";

/** Lives four months of the town, from its first registration to `endAt`. */
export async function liveStory(
  rehearsal: Rehearsal,
  { endAt, passwordHash, album }: { endAt: number; passwordHash: string; album: Album },
): Promise<SeededWorld> {
  const startAt = endAt - STORY_DAYS * DAY_MS;
  const habits = new Map<string, Habit>();
  const world: SeededWorld = {
    rehearsal,
    calendar: calendar({
      rehearsal,
      startAt,
      endAt,
      onRenewal: (chargeId) => answerRenewal(world, habits, chargeId),
    }),
    endAt,
    studios: new Map(),
    people: new Map(),
    published: [],
  };
  const joined = joiningTimes(startAt);
  planMembers(world, { startAt, passwordHash, album, joined });
  planPosts(world, startAt, album);
  planFollows(world, joined, startAt + OPENING_DAYS * DAY_MS);
  for (const wish of subscriptionWishes({ fans: joined, startAt, endAt })) {
    planSubscription(world, wish);
    world.calendar.at(
      wish.at,
      async () =>
        void habits.set(
          habitKey({
            payerId: personOf(world, wish.fan).id,
            creatorId: studioOf(world, wish.creator).person.id,
          }),
          wish.habit,
        ),
    );
  }
  planPurchases(world);
  planTips(world);
  planTalks(world);
  planMessageFiles(world);
  planMoney(world, startAt);
  planTeam(world);
  planReports(world);
  planPastClass(world);
  planPresent(world);
  await world.calendar.live();
  return world;
}

function joiningTimes(startAt: number): Joined[] {
  const random = randomFrom("joining");
  return fans.map(({ username }, index) => ({
    username,
    at: startAt + (index < 6 ? index * 0.3 + 1 : 2 + random.next() ** 1.6 * JOINING_DAYS) * DAY_MS,
  }));
}

type Members = { startAt: number; passwordHash: string; album: Album; joined: readonly Joined[] };

function planMembers(world: SeededWorld, { startAt, passwordHash, album, joined }: Members): void {
  const { ctx } = world.rehearsal;
  world.calendar.at(startAt, async () => {
    const carla = await register(ctx, { username: "carla", name: "Carla Menezes", passwordHash });
    await makeModerator(ctx, carla);
    await saveCity(ctx, carla, {
      city: "Recife, PE",
      avatarMediaId: await faceOf(ctx, album, carla),
    });
    world.people.set("carla", carla);
  });
  creators.forEach((creator, index) => {
    world.calendar.at(startAt + (index * 0.55 + 0.4) * DAY_MS, () =>
      opens(world, { creator, index, passwordHash, album }),
    );
  });
  joined.forEach(({ username, at }) => {
    const fan = fans.find((one) => one.username === username);
    if (!fan) throw new Error(`no fan ${username}`);
    world.calendar.at(at, async () => {
      const person = await register(ctx, { username, name: fan.name, passwordHash });
      await saveCity(ctx, person, {
        city: fan.city,
        avatarMediaId: await faceOf(ctx, album, person),
      });
      world.people.set(username, person);
    });
  });
}

async function faceOf(
  ctx: Context,
  album: Album,
  { id, username, name }: { id: string; username: string; name: string },
): Promise<string | null> {
  const prepared = await album.faces.get(username);
  return prepared
    ? storeSeedImage(ctx, {
        ownerId: id,
        purpose: "avatar",
        prepared,
        alt: `Retrato de ${name} em papel recortado.`,
      })
    : null;
}

async function opens(
  world: SeededWorld,
  {
    creator,
    index,
    passwordHash,
    album,
  }: { creator: SeedCreator; index: number; passwordHash: string; album: Album },
): Promise<void> {
  const { ctx } = world.rehearsal;
  const { username, name } = creator;
  const person = await register(ctx, { username, name, passwordHash });
  const banner = await album.banners.get(username);
  const studio = await openStudio(ctx, {
    person,
    creator,
    moderatorId: personOf(world, "carla").id,
    cpf: cpfOf(String(312_045_781 + index * 1_739_203).slice(0, 9)),
    pixKey: { kind: "email", key: username === "zefa" ? WRONG_KEY : person.email },
    avatarMediaId: await faceOf(ctx, album, person),
    bannerMediaId: banner
      ? await storeSeedImage(ctx, {
          ownerId: person.id,
          purpose: "banner",
          prepared: banner,
          alt: `Faixa da página de ${name}.`,
        })
      : null,
  });
  world.people.set(username, person);
  world.studios.set(username, studio);
}

function planPosts(world: SeededWorld, startAt: number, album: Album): void {
  creators.forEach((creator, creatorIndex) => {
    const random = randomFrom(`posting ${creator.username}`);
    const newest = world.endAt - (FRESHEST_HOURS[creatorIndex] ?? 24) * HOUR_MS;
    const oldest = startAt + OPENING_DAYS * DAY_MS;
    const step = (newest - oldest) / (creator.posts.length - 1);
    creator.posts.forEach((post, index) => {
      // At a waking hour of its day, except for the newest, which is as fresh as it says; the
      // second was the day before.
      const about =
        newest - (index === 1 ? DAY_MS : index * step + random.between(-0.3, 0.3) * step);
      const at =
        index === 0
          ? newest
          : Math.max(
              oldest,
              Math.min(
                instantOf(civilDate(about), random.int(8 * 60, 21 * 60) * MINUTE_MS),
                newest - DAY_MS / 2,
              ),
            );
      world.calendar.at(at, async () => {
        const studio = studioOf(world, creator.username);
        const picture = album.pictures.get(`${creator.username} ${index}`);
        const { postId } = await publish(
          world.rehearsal.ctx,
          studio,
          post,
          picture ? { alt: picture.alt, prepared: await picture.prepared } : null,
        );
        const published = { postId, title: post.title, studio, at, opening: post.opening };
        world.published.unshift(published);
        planLikes(world, published);
        planComments(world, published);
      });
    });
  });
}

/**
 * Ana asks for her payouts herself, so that some is always there to be asked for; Zefa's bank
 * refuses until she corrects the key.
 */
function planMoney(world: SeededWorld, startAt: number): void {
  const { ctx } = world.rehearsal;
  world.calendar.at(startAt + OPENING_DAYS * DAY_MS, async () => {
    await ctx.db
      .update(withdrawalMethods)
      .set({ schedule: "manual" })
      .where(eq(withdrawalMethods.creatorId, personOf(world, "ana").id));
  });
  for (const day of [45.4, 76.6])
    world.calendar.at(
      startAt + day * DAY_MS,
      async () =>
        void (await unlessRefused(requestPayout(ctx, { creatorId: personOf(world, "ana").id }))),
    );
  world.calendar.at(startAt + 20 * DAY_MS, () => correctKey(world));
  world.calendar.at(world.endAt - 20 * HOUR_MS, async () => {
    const quiteria = personOf(world, "quiteria.lins");
    const pixKey = { kind: "email" as const, key: quiteria.email };
    await submitSellerDetails(ctx, {
      personId: quiteria.id,
      fullName: "Quitéria Maria Lins",
      cpf: cpfOf("904317256"),
      birthDate: "1972-05-22",
      pixKey,
    });
  });
}

/** Once her bank has refused, Zefa looks at her key some days later. */
async function correctKey(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const zefa = personOf(world, "zefa");
  const { items } = await payoutHistory(ctx, { creatorId: zefa.id, cursor: null, limit: 1 });
  if (items.some(({ status }) => status === "failed"))
    await changeWithdrawalMethod(ctx, {
      creatorId: zefa.id,
      to: { kind: "email", key: zefa.email },
    });
  else world.calendar.at(ctx.now() + 3 * DAY_MS, () => correctKey(world));
}

/** What was there to be read has been read, up to yesterday. */
function planPresent(world: SeededWorld): void {
  const { ctx } = world.rehearsal;
  world.calendar.at(world.endAt - 22 * HOUR_MS, async () => {
    for (const person of world.people.values())
      await markNotificationsRead(ctx, { personId: person.id });
  });
  world.calendar.at(world.endAt - MINUTE_MS, async () => {
    // Nobody of the demo is asked about new terms: all have just accepted them.
    for (const person of world.people.values())
      await acceptTerms(ctx, { personId: person.id, version: TERMS_VERSION });
    for (const studio of world.studios.values()) await arrange(ctx, studio, world.published);
    await announceSpecialEvents(world);
    await announceAskingEvents(world);
  });
}
