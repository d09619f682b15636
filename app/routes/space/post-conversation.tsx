import { Form } from "react-router";
import { Comments } from "#app/components/comments/comments.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import type { Route } from "./+types/post.ts";

type PostData = Route.ComponentProps["loaderData"];

/** The comments of a post, for who can see it. */
export function PostConversation({ data }: { data: PostData }) {
  const { post, comments, pinned, isHost, isPublic, me, now } = data;
  return (
    <Card as="section" label="Comentários" className="flex flex-col gap-4 p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="comentarios" className="text-heading">
          Comentários
        </h2>
        {isHost ? <ClosingForm postId={post.id} areClosed={post.areCommentsClosed} /> : null}
      </div>
      {post.access.visible ? (
        <>
          <Comments
            postId={post.id}
            pinned={pinned}
            threads={comments.items}
            now={now}
            me={me}
            areClosed={post.areCommentsClosed}
            isPublic={isPublic}
          />
          {comments.items.length === 0 && !pinned && !post.areCommentsClosed ? (
            <p className="text-muted">Ninguém comentou ainda. Puxe a conversa.</p>
          ) : null}
          <MoreLink next={comments.next} />
        </>
      ) : (
        <p className="text-muted">Quem vê a publicação vê também os comentários.</p>
      )}
    </Card>
  );
}

function ClosingForm({ postId, areClosed }: { postId: string; areClosed: boolean }) {
  return (
    <Form method="post" action={`/post/${postId}/comments/closing`} preventScrollReset>
      <input type="hidden" name="closed" value={String(!areClosed)} />
      <Button variant="outline" size="sm">
        {areClosed ? "Abrir comentários" : "Fechar comentários"}
      </Button>
    </Form>
  );
}
