import type { RouterContextProvider } from "react-router";
import { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";

type Routed = { context: Readonly<RouterContextProvider>; params: { id: string } };

/**
 * Loads a post of the page that the member acts for, deleted or not. Its pages of deletion,
 * withdrawal and restoration name it.
 */
export async function ownPost({
  context,
  params,
}: Routed): Promise<{ post: { id: string; title: string; state: PostState } }> {
  const stored = await storedPost(context.get(domainContext), { postId: params.id });
  const { space } = requireActor({ context }, "posts:publish");
  const { title, state } = foundOr404(
    stored?.authorId === space.personId ? stored : null,
    "Não encontramos esta publicação.",
  );
  return { post: { id: params.id, title, state } };
}

/** `confirmed` comes from the page that says what an act means; a button elsewhere has none. */
const actSchema = z.object({ confirmed: z.literal("true").optional() });

/**
 * Runs `act` on the post of the page that the member acts for, and answers with `done`. `act` knows
 * whether the member saw the page that says what it means.
 */
export function actOnPost(
  { request, context, params }: Routed & { request: Request },
  act: (
    ctx: Context,
    post: { postId: string; authorId: string },
    isConfirmed: boolean,
  ) => Promise<unknown>,
  done: () => Promise<Response>,
) {
  return submitForSpace(
    { request, context },
    "posts:publish",
    actSchema,
    async ({ confirmed }, { space }) => {
      const post = { postId: params.id, authorId: space.personId };
      await act(context.get(domainContext), post, confirmed === "true");
      return done();
    },
  );
}
