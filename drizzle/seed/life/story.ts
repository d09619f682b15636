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
import { announceSpecialEvents } from "./gathering.ts";
import { cpfOf, makeModerator, register, tellCity } from "./people.ts";
import { arrange, planComments, planFollows, planLikes } from "./square.ts";
import { planMessageFiles } from "./message-files.ts";
import { planTalks } from "./talking.ts";
import { keepImage, openStudio, publish } from "./studio.ts";
import { planReports } from "./reporting.ts";
import { answerRenewal, habitKey, planSubscription } from "./subscribing.ts";
import type { Habit } from "./subscribing.ts";
import { planTeam } from "./team.ts";
import { planTips } from "./tipping.ts";
import { personOf, studioOf, unlessRefused } from "./town.ts";
import type { Town } from "./town.ts";
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
): Promise<Town> {
  const startAt = endAt - STORY_DAYS * DAY_MS;
  const habits = new Map<string, Habit>();
  const town: Town = {
    rehearsal,
    calendar: calendar({
      rehearsal,
      startAt,
      endAt,
      onRenewal: (chargeId) => answerRenewal(town, habits, chargeId),
    }),
    endAt,
    studios: new Map(),
    people: new Map(),
    published: [],
  };
  const joined = joiningTimes(startAt);
  planMembers(town, { startAt, passwordHash, album, joined });
  planPosts(town, startAt, album);
  planFollows(town, joined, startAt + OPENING_DAYS * DAY_MS);
  for (const wish of subscriptionWishes({ fans: joined, startAt, endAt })) {
    planSubscription(town, wish);
    town.calendar.at(
      wish.at,
      async () =>
        void habits.set(
          habitKey({
            payerId: personOf(town, wish.fan).id,
            creatorId: studioOf(town, wish.creator).person.id,
          }),
          wish.habit,
        ),
    );
  }
  planPurchases(town);
  planTips(town);
  planTalks(town);
  planMessageFiles(town);
  planMoney(town, startAt);
  planTeam(town);
  planReports(town);
  planPresent(town);
  await town.calendar.live();
  return town;
}

function joiningTimes(startAt: number): Joined[] {
  const random = randomFrom("joining");
  return fans.map(({ username }, index) => ({
    username,
    at: startAt + (index < 6 ? index * 0.3 + 1 : 2 + random.next() ** 1.6 * JOINING_DAYS) * DAY_MS,
  }));
}

type Members = { startAt: number; passwordHash: string; album: Album; joined: readonly Joined[] };

function planMembers(town: Town, { startAt, passwordHash, album, joined }: Members): void {
  const { ctx } = town.rehearsal;
  town.calendar.at(startAt, async () => {
    const carla = await register(ctx, { username: "carla", name: "Carla Menezes", passwordHash });
    await makeModerator(ctx, carla);
    await tellCity(ctx, carla, {
      city: "Recife, PE",
      avatarMediaId: await faceOf(ctx, album, carla),
    });
    town.people.set("carla", carla);
  });
  creators.forEach((creator, index) => {
    town.calendar.at(startAt + (index * 0.55 + 0.4) * DAY_MS, () =>
      opens(town, { creator, index, passwordHash, album }),
    );
  });
  joined.forEach(({ username, at }) => {
    const fan = fans.find((one) => one.username === username);
    if (!fan) throw new Error(`no fan ${username}`);
    town.calendar.at(at, async () => {
      const person = await register(ctx, { username, name: fan.name, passwordHash });
      await tellCity(ctx, person, {
        city: fan.city,
        avatarMediaId: await faceOf(ctx, album, person),
      });
      town.people.set(username, person);
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
    ? keepImage(ctx, {
        ownerId: id,
        purpose: "avatar",
        prepared,
        alt: `Retrato de ${name} em papel recortado.`,
      })
    : null;
}

async function opens(
  town: Town,
  {
    creator,
    index,
    passwordHash,
    album,
  }: { creator: SeedCreator; index: number; passwordHash: string; album: Album },
): Promise<void> {
  const { ctx } = town.rehearsal;
  const { username, name } = creator;
  const person = await register(ctx, { username, name, passwordHash });
  const banner = await album.banners.get(username);
  const studio = await openStudio(ctx, {
    person,
    creator,
    moderatorId: personOf(town, "carla").id,
    cpf: cpfOf(String(312_045_781 + index * 1_739_203).slice(0, 9)),
    pixKey: { kind: "email", key: username === "zefa" ? WRONG_KEY : person.email },
    avatarMediaId: await faceOf(ctx, album, person),
    bannerMediaId: banner
      ? await keepImage(ctx, {
          ownerId: person.id,
          purpose: "banner",
          prepared: banner,
          alt: `Faixa da página de ${name}.`,
        })
      : null,
  });
  town.people.set(username, person);
  town.studios.set(username, studio);
}

function planPosts(town: Town, startAt: number, album: Album): void {
  creators.forEach((creator, creatorIndex) => {
    const random = randomFrom(`posting ${creator.username}`);
    const newest = town.endAt - (FRESHEST_HOURS[creatorIndex] ?? 24) * HOUR_MS;
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
      town.calendar.at(at, async () => {
        const studio = studioOf(town, creator.username);
        const picture = album.pictures.get(`${creator.username} ${index}`);
        const { postId } = await publish(
          town.rehearsal.ctx,
          studio,
          post,
          picture ? { alt: picture.alt, prepared: await picture.prepared } : null,
        );
        const published = { postId, title: post.title, studio, at, opening: post.opening };
        town.published.unshift(published);
        planLikes(town, published);
        planComments(town, published);
      });
    });
  });
}

/**
 * Ana asks for her payouts herself, so that some is always there to be asked for; Zefa's bank
 * refuses until she corrects the key.
 */
function planMoney(town: Town, startAt: number): void {
  const { ctx } = town.rehearsal;
  town.calendar.at(startAt + OPENING_DAYS * DAY_MS, async () => {
    await ctx.db
      .update(withdrawalMethods)
      .set({ schedule: "manual" })
      .where(eq(withdrawalMethods.creatorId, personOf(town, "ana").id));
  });
  for (const day of [45.4, 76.6])
    town.calendar.at(
      startAt + day * DAY_MS,
      async () =>
        void (await unlessRefused(requestPayout(ctx, { creatorId: personOf(town, "ana").id }))),
    );
  town.calendar.at(startAt + 20 * DAY_MS, () => correctKey(town));
  town.calendar.at(town.endAt - 20 * HOUR_MS, async () => {
    const quiteria = personOf(town, "quiteria.lins");
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
async function correctKey(town: Town): Promise<void> {
  const { ctx } = town.rehearsal;
  const zefa = personOf(town, "zefa");
  const { items } = await payoutHistory(ctx, { creatorId: zefa.id, cursor: null, limit: 1 });
  if (items.some(({ status }) => status === "failed"))
    await changeWithdrawalMethod(ctx, {
      creatorId: zefa.id,
      to: { kind: "email", key: zefa.email },
    });
  else town.calendar.at(ctx.now() + 3 * DAY_MS, () => correctKey(town));
}

/** What was there to be read has been read, up to yesterday. */
function planPresent(town: Town): void {
  const { ctx } = town.rehearsal;
  town.calendar.at(town.endAt - 22 * HOUR_MS, async () => {
    for (const person of town.people.values())
      await markNotificationsRead(ctx, { personId: person.id });
  });
  town.calendar.at(town.endAt - MINUTE_MS, async () => {
    // Nobody of the demo is asked about new terms: all have just accepted them.
    for (const person of town.people.values())
      await acceptTerms(ctx, { personId: person.id, version: TERMS_VERSION });
    for (const studio of town.studios.values()) await arrange(ctx, studio, town.published);
    await announceSpecialEvents(town);
  });
}
