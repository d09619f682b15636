import { useRevalidator } from "react-router";
import { CommentForm, REPLY_FORM_LABELS } from "#app/components/comments/comment-form.tsx";
import { CommentRow } from "#app/components/comments/comment-row.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import {
  repliesFromRows,
  repliesStatement,
  threadFromRow,
  threadStatement,
} from "#app/domain/comments/queries.server.ts";
import { postFromRow, postStatement } from "#app/domain/posts/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { commentHostId } from "#app/http/identity/hosting.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/comment.ts";

const REPLIES_PER_PAGE = 50;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? `Conversa em ${loaderData.title} · Coreto`
      : "Comentário não encontrado · Coreto",
  },
];

export async function loader({
  context,
  params: { id: postId, commentId },
  url,
}: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = context.get(memberContext).id;
  const hostId = commentHostId(context);
  const cursor = url.searchParams.get("cursor");
  const [[postRow], [root], replyRows] = await ctx.db.batch([
    postStatement(ctx, { postId, viewerId }),
    threadStatement(ctx, { postId, viewerId, hostId, commentId }),
    repliesStatement(ctx, { postId, viewerId, hostId, commentId, cursor, limit: REPLIES_PER_PAGE }),
  ]);
  const eyes = { viewerId, hostId, now: ctx.now() };
  const post = postRow ? postFromRow(postRow, viewerId, ctx.now()) : null;
  const thread = foundOr404(
    post?.access.visible && root ? threadFromRow(root, eyes) : null,
    "Não encontramos este comentário. Ele pode ter sido apagado.",
  );
  return {
    title: post?.title ?? "",
    areClosed: post?.areCommentsClosed ?? true,
    thread,
    replies: repliesFromRows(replyRows, eyes, REPLIES_PER_PAGE),
    now: ctx.now(),
  };
}

/** Shows one conversation. Notifications link here, and so do replies that a post leaves out. */
export default function CommentPage({ loaderData, params }: Route.ComponentProps) {
  const { title, areClosed, thread, replies, now } = loaderData;
  const { revalidate } = useRevalidator();
  return (
    <>
      <PageHeader title="Conversa" lead={title}>
        <ButtonLink to={`/post/${params.id}#comentarios`} variant="outline" size="sm">
          Ver a publicação
        </ButtonLink>
      </PageHeader>
      <Card as="section" label="Conversa" className="flex flex-col gap-5 p-5 sm:p-6">
        <ul aria-live="polite" className="flex flex-col gap-5">
          <CommentRow
            comment={thread}
            postId={params.id}
            now={now}
            rootId={thread.id}
            isNamed={thread.id === params.commentId}
          />
        </ul>
        {replies.items.length === 0 ? null : (
          <ul
            aria-label="Respostas"
            className="flex flex-col gap-4 border-l-2 border-line pl-3 sm:pl-5"
          >
            {replies.items.map((reply) => (
              <CommentRow
                key={reply.id}
                comment={reply}
                postId={params.id}
                now={now}
                rootId={thread.id}
                isNamed={reply.id === params.commentId}
              />
            ))}
          </ul>
        )}
        <MoreLink next={replies.next} />
        <div id="responder" className="scroll-mt-24">
          {areClosed ? (
            <p className="rounded-field bg-sand px-4 py-3 text-muted">
              Os comentários desta publicação estão fechados.
            </p>
          ) : thread.may.reply ? (
            <CommentForm
              action={`/post/${params.id}/comments`}
              labels={REPLY_FORM_LABELS}
              parentId={thread.id}
              onDone={() => void revalidate()}
            />
          ) : null}
        </div>
      </Card>
    </>
  );
}
