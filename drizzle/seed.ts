import { openDatabase } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { invariantFindings } from "#app/domain/ledger/queries.server.ts";
import { passwordHashOf } from "#app/integrations/local-identity/registration.server.ts";
import { DEMO_PASSWORD } from "./seed/life/people.ts";
import { liveStory, STORY_DAYS } from "./seed/life/story.ts";
import { beginAlbum } from "./seed/pictures/album.ts";
import { preparedMediaStore } from "./seed/pictures/render.ts";
import { replay } from "./seed/rehearsal/replay.ts";
import { rehearse } from "./seed/rehearsal/rehearsal.ts";
import { DAY_MS } from "#app/domain/time.ts";

/** What the town is written into. */
export type SeedHandles = {
  db: D1Database;
  pspDb: D1Database;
  media: R2Bucket;
  appOrigin: string;
  /** Where the provider's own pages are. */
  sandboxOrigin: string;
  sandboxApiKey: string;
  log(line: string): void;
  /** The town's present; the wall clock when not given. */
  now?: number;
};

/**
 * Fills an empty product, and its sandbox provider, with a believable town: 12 creators, 60 fans, 240 posts and four months of
 * subscriptions, charges, refunds and payouts made through the real commands. The same for the same `now`, save the
 * provider's opaque tokens and the passwords' salt. Throws when the books do not balance at the end.
 */
export async function seed(handles: SeedHandles): Promise<void> {
  const endAt = handles.now ?? Date.now();
  const clock = stopwatch(handles.log);
  const album = beginAlbum();
  const passwordHash = await passwordHashOf(DEMO_PASSWORD);
  const media = preparedMediaStore(handles.media);
  const rehearsal = rehearse({ startAt: endAt - STORY_DAYS * DAY_MS, appOrigin: handles.appOrigin, sandboxOrigin: handles.sandboxOrigin, sandboxApiKey: handles.sandboxApiKey, mediaStore: media.store, log: () => {} });
  await liveStory(rehearsal, { endAt, passwordHash, album });
  await media.settled();
  clock("drew the pictures and lived four months");
  await replay(handles.pspDb, rehearsal.psp.writes);
  await replay(handles.db, rehearsal.product.writes);
  clock("wrote it down");
  await refuseBrokenBooks({ ...rehearsal.ctx, db: openDatabase(handles.db) });
}

/** A seed whose books do not balance is worse than none. */
async function refuseBrokenBooks(ctx: Context): Promise<void> {
  const broken = (await invariantFindings(ctx)).filter(({ rows }) => rows.length > 0);
  if (broken.length > 0) throw new Error(`the seeded books do not hold: ${JSON.stringify(broken).slice(0, 2_000)}`);
}

function stopwatch(log: (line: string) => void): (what: string) => void {
  let since = performance.now();
  return (what) => {
    const at = performance.now();
    log(`Seed: ${what} in ${((at - since) / 1_000).toFixed(1)} s.`);
    since = at;
  };
}
