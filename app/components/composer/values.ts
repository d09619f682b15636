import { choiceOfRules, civilMoment } from "#app/domain/posts/rules/composing.ts";
import type { PostToEdit } from "#app/domain/posts/queries/studio.server.ts";

/**
 * Values of a composer's fields by name, as a form sends them. Repeated fields hold one value per
 * line.
 */
export type ComposerValues = Record<string, string>;

/** Values of an empty composer. */
export function emptyValues({ postId, tab }: { postId: string; tab: string }): ComposerValues {
  return { postId, tab, version: "0", ways: "public" };
}

/**
 * The value that `?first` adds to a composer: the post comes from the first steps, and the next of
 * them follows its publication.
 */
export function firstPostValues(request: Request): ComposerValues {
  return new URL(request.url).searchParams.has("first") ? { first: "true" } : {};
}

/** Values of a composer for a stored post. */
export function valuesOfPost(post: PostToEdit, { tab }: { tab: string }): ComposerValues {
  const choice = choiceOfRules(post.rules);
  return {
    postId: post.id,
    tab,
    version: String(post.version),
    title: post.title,
    content: post.content,
    teaser: post.teaser,
    ...(post.isSensitive ? { isSensitive: "true" } : {}),
    collectionIds: post.collectionIds.join("\n"),
    mediaIds: post.media.map(({ id }) => id).join("\n"),
    mediaAlts: post.media.map(({ alt }) => alt).join("\n"),
    publishAt: civilMoment(post.scheduledAt),
    mailTo: post.mailTo,
    pollQuestion: post.poll?.question ?? "",
    pollOptions: post.poll?.options.join("\n") ?? "",
    ...(post.poll?.isMultiple ? { pollIsMultiple: "true" } : {}),
    pollClosesAt: civilMoment(post.poll?.closesAt ?? null),
    ways: choice.ways.join("\n"),
    planIds: choice.planIds.join("\n"),
    publicOpensAt: civilMoment(choice.publicOpensAt),
    followersOpensAt: civilMoment(choice.followersOpensAt),
    subscribersOpensAt: civilMoment(choice.subscribersOpensAt),
    plansOpensAt: civilMoment(choice.plansOpensAt),
    price: choice.price === null ? "" : (choice.price / 100).toFixed(2).replace(".", ","),
    priceOpensAt: civilMoment(choice.priceOpensAt),
  };
}
