import { counted } from "#app/domain/text.ts";
import { Pin } from "lucide-react";
import type { ReactNode } from "react";
import { ReportLink } from "#app/components/reports/report-link.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import type { Comment, CommentThread } from "#app/domain/comments/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import { loginPath, registerPath } from "#app/lib/own-path.ts";
import { CommentBody } from "./comment-body.tsx";
import { Liked } from "#app/components/posts/like-button.tsx";

export type ShownComments = {
  pinned: CommentThread | null;
  threads: CommentThread[];
  /** The cursor of the next page, of comments or of replies. */
  next: string | null;
  /** The page shows only this conversation, with all its replies. */
  conversationId: string | null;
};

type PublicCommentsProps = {
  comments: ShownComments;
  postId: string;
  postPath: string;
  isOpen: boolean;
  areClosed: boolean;
};

const LINK = "inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline";

/** Comments of a post for visitors, in the order that members see, on a page without JavaScript. */
export function PublicComments({
  comments,
  postId,
  postPath,
  isOpen,
  areClosed,
}: PublicCommentsProps) {
  const { pinned, threads, next, conversationId } = comments;
  const all = [...(pinned ? [pinned] : []), ...threads];
  const more = new URLSearchParams({
    ...(conversationId ? { conversation: conversationId } : {}),
    cursor: next ?? "",
  });
  return (
    <Card as="section" label="Comentários" className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 id="comentarios" className="scroll-mt-4 text-heading">
        {conversationId ? "Conversa" : "Comentários"}
      </h2>
      {conversationId ? (
        <a href={`${postPath}#comentarios`} className={LINK}>
          Ver todos os comentários
        </a>
      ) : null}
      {isOpen ? null : <p className="text-muted">Quem vê a publicação vê também os comentários.</p>}
      {isOpen && all.length === 0 ? <p className="text-muted">Ninguém comentou ainda.</p> : null}
      {all.length > 0 ? (
        <ul className="flex flex-col gap-5">
          {all.map((thread) => (
            <Row key={thread.id} comment={thread}>
              <Replies thread={thread} postPath={postPath} isWhole={conversationId !== null} />
            </Row>
          ))}
        </ul>
      ) : null}
      {next ? (
        <ButtonLink
          to={`${postPath}?${more.toString()}#comentarios`}
          reloadDocument
          variant="outline"
          className="self-center"
        >
          {conversationId ? "Mais respostas" : "Mais comentários"}
        </ButtonLink>
      ) : null}
      {isOpen ? <ToComment postId={postId} areClosed={areClosed} /> : null}
    </Card>
  );
}

function ToComment({ postId, areClosed }: { postId: string; areClosed: boolean }) {
  if (areClosed)
    return (
      <p className="rounded-field bg-sand px-4 py-3 text-muted">
        Os comentários desta publicação estão fechados.
      </p>
    );
  const path = `/post/${postId}#comentarios`;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
      <ButtonLink to={registerPath(path)} reloadDocument>
        Criar conta para comentar
      </ButtonLink>
      <a href={loginPath(path)} className={LINK}>
        Já tenho conta
      </a>
    </p>
  );
}

function Replies({
  thread,
  postPath,
  isWhole,
}: {
  thread: CommentThread;
  postPath: string;
  isWhole: boolean;
}) {
  const more = isWhole ? 0 : thread.repliesCount - thread.replies.length;
  if (thread.replies.length === 0) return null;
  return (
    <>
      <ul className="mt-3 flex flex-col gap-4 border-l-2 border-line pl-3 sm:pl-4">
        {thread.replies.map((reply) => (
          <Row key={reply.id} comment={reply} />
        ))}
      </ul>
      {more > 0 ? (
        <a href={`${postPath}?conversation=${thread.id}#comentarios`} className={LINK}>
          Ver mais {counted(more, "resposta", "respostas")}
        </a>
      ) : null}
    </>
  );
}

function Row({ comment, children }: { comment: Comment; children?: ReactNode }) {
  const { author } = comment;
  return (
    <li id={`comentario-${comment.id}`} className="flex scroll-mt-4 gap-3">
      {author ? (
        <Avatar
          name={author.name}
          src={author.avatarMediaId ? mediaUrl(author.avatarMediaId, "320") : null}
          size="sm"
        />
      ) : (
        <span
          aria-hidden="true"
          className="size-9 shrink-0 rounded-full border border-dashed border-edge"
        />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {author && comment.state === "there" ? (
          <>
            {comment.isPinned ? (
              <p className="flex items-center gap-1.5 text-small font-semibold text-leaf">
                <Pin aria-hidden="true" className="size-4" /> Fixado
              </p>
            ) : null}
            <p className="flex flex-wrap items-center gap-x-2">
              <a
                href={`/space/${author.username}/public`}
                className="font-semibold wrap-anywhere hover:underline"
              >
                <bdi>{author.name}</bdi>
              </a>
              {comment.isByHost ? <Badge tone="good">Desta página</Badge> : null}
              <time
                dateTime={new Date(comment.createdAt).toISOString()}
                className="text-small text-muted"
              >
                {formatDay(comment.createdAt)}
              </time>
              {comment.isEdited ? <span className="text-small text-muted">editado</span> : null}
            </p>
            <CommentBody body={comment.body} mentions={comment.mentions} isPublic />
            <div className="flex items-center gap-2">
              {comment.likesCount > 0 ? <Liked liked={false} count={comment.likesCount} /> : null}
              <ReportLink
                to={`/report/comment/${comment.id}`}
                of={`o comentário de ${author.name}`}
              />
            </div>
          </>
        ) : (
          <p className="min-h-9 text-muted">
            {comment.state === "removed" ? "Comentário apagado." : "Comentário escondido."}
          </p>
        )}
        {children}
      </div>
    </li>
  );
}
