import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { emailPictureLinks } from "#app/domain/media/queries/links.server.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { isMailed, mailedPost } from "#app/domain/newsletters/queries.server.ts";
import { clickAddress, openAddress } from "./addresses.server.ts";
import { linksOf, newsletterMail } from "#app/domain/newsletters/rules.ts";
import { choicesOf } from "#app/domain/notifications/queries.server.ts";
import { countsOpenings } from "#app/domain/notifications/rules/kinds.ts";
import type { NewsletterMail } from "#app/domain/notifications/schema/senders.ts";
import { postFromRow, postStatement } from "#app/domain/posts/queries.server.ts";
import type { MailAudience, Post } from "#app/domain/posts/schema.ts";

/**
 * Writes a post's email for each of `personIds`, as they may see it now. Leaves out who does not
 * get it any more: the post was deleted, or they neither follow nor subscribe, as its author chose.
 * "paused" while the post is taken down or held.
 */
export async function writeNewsletters(
  ctx: Context,
  { postId, personIds }: { postId: string; personIds: readonly string[] },
): Promise<ReadonlyMap<string, NewsletterMail> | "paused"> {
  const post = await mailedPost(ctx, { postId });
  if (post?.isPaused) return "paused";
  const mailed = post ? await mailedNow(ctx, { postId, mailTo: post.mailTo, personIds }) : [];
  const [first, ...rest] = mailed.map((viewerId) => postStatement(ctx, { postId, viewerId }));
  if (!first) return new Map();
  const rows = await ctx.db.batch([first, ...rest]);
  const choices = await choicesOf(ctx, { personIds: mailed });
  const mails = new Map<string, NewsletterMail>();
  // The same for each reader to whom it is open, and for each to whom it is closed the same way.
  const links = new Map<string, string[]>();
  const linksFor = (post: Post): string[] => {
    const version = JSON.stringify([post.access, post.content === null]);
    const versionLinks = links.get(version) ?? linksOf(post, ctx.settings.appOrigin);
    links.set(version, versionLinks);
    return versionLinks;
  };
  for (const [index, personId] of mailed.entries()) {
    const row = rows[index]?.[0];
    const post = row && postFromRow(row, personId, ctx.now());
    if (!post) continue;
    const mail = await mailOf(ctx, { post, personId, links: linksFor(post) });
    const openingCount = {
      pixelUrl: await openAddress(ctx, { postId, personId }),
      settingsUrl: `${ctx.settings.appOrigin}/settings/notifications#openings`,
    };
    const isRefused = !countsOpenings(choices.get(personId) ?? []);
    mails.set(personId, isRefused ? mail : { ...mail, openingCount });
  }
  return mails;
}

async function mailedNow(
  ctx: Context,
  {
    postId,
    mailTo,
    personIds,
  }: { postId: string; mailTo: MailAudience; personIds: readonly string[] },
): Promise<string[]> {
  const rows = await ctx.db.all<{ personId: string }>(sql`
    SELECT reader.value AS "personId" FROM json_each(${JSON.stringify(personIds)}) reader JOIN posts ON posts.id = ${postId}
    WHERE ${isMailed(ctx, mailTo, sql`reader.value`)}`);
  return rows.map(({ personId }) => personId);
}

async function mailOf(
  ctx: Context,
  { post, personId, links }: { post: Post; personId: string; links: readonly string[] },
): Promise<NewsletterMail> {
  const { appOrigin } = ctx.settings;
  // Also of a post for everyone: on an adult page a visitor sees no picture.
  const signed = post.access.visible
    ? await emailPictureLinks(ctx, { personId, media: post.media })
    : new Map<string, string>();
  const counted = new Map(
    await Promise.all(
      links.map(
        async (to) => [to, await clickAddress(ctx, { postId: post.id, personId, to })] as const,
      ),
    ),
  );
  return newsletterMail({
    post,
    appOrigin,
    urlOfPicture: ({ id }) => `${appOrigin}${signed.get(id) ?? mediaUrl(id, "640")}`,
    urlOfLink: (address) => counted.get(address) ?? address,
  });
}
