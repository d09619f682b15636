import type { AccessRule } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import type { Composition } from "#app/domain/posts/commands/save.server.ts";

export const OPEN: AccessRule = { kind: "public", planId: null, amountCents: null, opensAt: null };

/** The composer's content for a post of `authorId`. By default a new public post. */
export function composition(
  ctx: Context,
  authorId: string,
  more: Partial<Composition> = {},
): Composition {
  return {
    postId: ctx.newId(),
    version: 0,
    tab: crypto.randomUUID(),
    authorId,
    title: "Ensaio",
    content: "Oito músicas.",
    teaser: "",
    isSensitive: false,
    rules: [OPEN],
    image: null,
    media: null,
    removesImage: false,
    ...more,
  };
}
