import { SharePanel } from "#app/components/posts/sharing/share-panel.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import type { Route } from "./+types/post-share.ts";

export const meta: Route.MetaFunction = () => [{ title: "Compartilhar · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const post = foundOr404(
    await postFor(ctx, { postId: params.id, viewerId: context.get(memberContext).id }),
    "Não encontramos esta publicação.",
  );
  const url = ctx.settings.appOrigin + publicPostPath(post.author.username, post.id);
  return { title: post.title, url, qr: qrDrawing(url) };
}

/** Shows the public address of a post to copy, to share and to scan. */
export default function PostShare({ loaderData, params }: Route.ComponentProps) {
  const { title, url, qr } = loaderData;
  return (
    <>
      <PageHeader title="Compartilhar" lead={title} />
      <Card className="flex flex-col items-start gap-4 p-5 sm:p-6">
        <SharePanel title={title} url={url} qr={qr} />
        <ButtonLink to={`/post/${params.id}`} variant="outline">
          Voltar à publicação
        </ButtonLink>
      </Card>
    </>
  );
}
