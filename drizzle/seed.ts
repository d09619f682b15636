import type { Context } from "#app/domain/context.ts";
import { sealNextMonth } from "#app/domain/ledger/months/commands.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { passwordHashOf } from "#app/integrations/local-identity/registration/registration.server.ts";
import { DEMO_PASSWORD } from "./seed/life/people.ts";
import { liveStory, STORY_DAYS } from "./seed/life/story.ts";
import { liveSmallStory, SMALL_STORY_DAYS } from "./seed/life/small.ts";
import { seedVisits } from "./seed/life/visits.ts";
import { beginAlbum } from "./seed/pictures/album.ts";
import type { Album } from "./seed/pictures/album.ts";
import { preparedMediaStore } from "./seed/pictures/render.ts";
import { rehearse } from "./seed/rehearsal/rehearsal.ts";
import type { Rehearsal } from "./seed/rehearsal/rehearsal.ts";
import type { RehearsalDatabase } from "./seed/rehearsal/sqlite-d1.ts";
import { ana } from "./seed/town/ana.ts";

export type SeedHandles = {
  /** Where the town's files are stored. */
  media: R2Bucket;
  appOrigin: string;
  /** Where the provider's own pages are. */
  sandboxOrigin: string;
  sandboxApiKey: string;
  /** Whether the product shows what is still being built. */
  uncompletedFeatures?: boolean;
  log(line: string): void;
  /** The town's present; the wall clock when not given. */
  now?: number;
};

/** The databases of a seeded product and its sandbox provider, with every migration. */
export type SeededWorld = { product: RehearsalDatabase; psp: RehearsalDatabase };

/**
 * Makes a product, and its sandbox provider, of a believable town: 12 creators, 60 fans, 240 posts
 * and four months of subscriptions, charges, refunds and payouts made through the real commands.
 * The same for the same `now`, save the provider's opaque tokens and the passwords' salt. Throws
 * when the books do not balance at the end.
 */
export async function seed(handles: SeedHandles): Promise<SeededWorld> {
  return made(handles, { days: STORY_DAYS, album: beginAlbum(), live: liveStory });
}

/**
 * In a second: Ana with three plans and five posts, one for each kind of access, Bruno and Carla.
 * For tests.
 */
export async function seedSmall(handles: SeedHandles): Promise<SeededWorld> {
  return made(handles, { days: SMALL_STORY_DAYS, album: beginAlbum([ana]), live: liveSmallStory });
}

type Story = {
  days: number;
  album: Album;
  live(
    rehearsal: Rehearsal,
    told: { endAt: number; passwordHash: string; album: Album },
  ): Promise<unknown>;
};

async function made(handles: SeedHandles, { days, album, live }: Story): Promise<SeededWorld> {
  const endAt = handles.now ?? Date.now();
  const clock = stopwatch(handles.log);
  const passwordHash = await passwordHashOf(DEMO_PASSWORD);
  const media = preparedMediaStore(handles.media);
  const { appOrigin, sandboxOrigin, sandboxApiKey } = handles;
  const rehearsal = await rehearse({
    startAt: endAt - days * DAY_MS,
    appOrigin,
    sandboxOrigin,
    sandboxApiKey,
    uncompletedFeatures: handles.uncompletedFeatures ?? false,
    mediaStore: media.store,
    log: () => {},
  });
  await live(rehearsal, { endAt, passwordHash, album });
  await seedVisits(rehearsal, { endAt, days });
  await media.settled();
  clock("drawn and lived");
  while ((await sealNextMonth(rehearsal.ctx, { digest: sha256Hex })) !== null);
  await refuseBrokenBooks(rehearsal.ctx);
  clock("sealed and checked");
  return { product: rehearsal.product, psp: rehearsal.psp };
}

/** A seed whose books do not balance is worse than none. */
async function refuseBrokenBooks(ctx: Context): Promise<void> {
  const broken = (await invariantFindings(ctx)).filter(({ rows }) => rows.length > 0);
  if (broken.length > 0)
    throw new Error(`the seeded books do not hold: ${JSON.stringify(broken).slice(0, 2_000)}`);
}

function stopwatch(log: (line: string) => void): (what: string) => void {
  let since = performance.now();
  return (what) => {
    const at = performance.now();
    log(`Seed: ${what} in ${((at - since) / 1_000).toFixed(1)} s.`);
    since = at;
  };
}
