import { QuickComposer } from "#app/components/composer/quick-composer.tsx";
import { StepFrame } from "#app/components/first-steps/step-frame.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { domainContext } from "#app/http/contexts.ts";
import { loadStep } from "./step.server.ts";
import type { Route } from "./+types/post.ts";

export const handle = { shell: "wide" };

export const meta: Route.MetaFunction = () => [{ title: "A primeira publicação · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { steps, preview, profile } = await loadStep({ context });
  return {
    steps,
    preview,
    hasPost: profile.postsCount > 0,
    name: profile.name,
    seed: { authorId: profile.id, postId: ctx.newId(), tab: ctx.newId() },
  };
}

/** A short composer, with a button to the full one. After the post comes the next step. */
export default function PostStep({ loaderData }: Route.ComponentProps) {
  const { hasPost, name, seed, ...frame } = loaderData;
  return (
    <StepFrame
      step="post"
      {...frame}
      isPlain
      lead="Um título e duas frases bastam. Deixe a primeira para todo mundo: é ela que convence."
    >
      {hasPost ? (
        <Card className="flex flex-col items-start gap-4 p-5 sm:p-6">
          <p>A sua página já tem publicação.</p>
          <ButtonLink to="/post/create" variant="outline">
            Publicar mais uma
          </ButtonLink>
        </Card>
      ) : (
        <QuickComposer
          key={seed.authorId}
          name={name}
          avatarUrl={frame.preview.avatarUrl}
          seed={seed}
          isFirst
          startsOpen
        />
      )}
    </StepFrame>
  );
}
