import { Pin } from "lucide-react";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ACTION_MENU_ITEM, ActionMenu } from "#app/components/ui/action-menu.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import type { Comment } from "#app/domain/comments/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { formatAgo } from "#app/domain/time.ts";
import { CommentBody } from "./comment-body.tsx";
import { CommentForm, EDIT_FORM_LABELS, REPLY_FORM_LABELS } from "./comment-form.tsx";
import { CommentActionButton } from "./comment-action-button.tsx";
import { Liked, LikeButton } from "#app/components/posts/like-button.tsx";

const QUIET =
  "inline-flex min-h-11 items-center rounded-full px-2.5 text-small font-semibold text-muted hover:bg-sand hover:text-ink";

type CommentRowProps = {
  comment: Comment;
  postId: string;
  now: number;
  /** Root of the thread of a reply: this comment, or the comment that it replies to. */
  rootId: string;
  /** The URL names this comment. */
  isNamed?: boolean;
  children?: ReactNode;
};

/** One comment or reply, with the actions that the viewer may take. */
export function CommentRow({
  comment,
  postId,
  now,
  rootId,
  isNamed = false,
  children,
}: CommentRowProps) {
  const [open, setOpen] = useState<"reply" | "edit" | null>(null);
  const replyLink = useRef<HTMLAnchorElement>(null);
  const path = `/post/${postId}/comments/${comment.id}`;
  const { author } = comment;
  const isReply = rootId !== comment.id;
  const close = () => {
    setOpen(null);
    replyLink.current?.focus();
  };
  return (
    <li
      id={`comentario-${comment.id}`}
      className={`flex scroll-mt-24 gap-3 ${isNamed ? "-mx-3 rounded-card bg-signal-soft/40 px-3 py-3" : ""}`}
    >
      {author ? (
        <Avatar
          name={author.name}
          src={author.avatarMediaId ? mediaUrl(author.avatarMediaId, "320") : null}
          size="sm"
        />
      ) : (
        <GoneFace />
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        {author && comment.state !== "removed" ? (
          <>
            <CommentHead comment={comment} now={now} path={path} />
            {open === "edit" ? (
              <CommentForm
                action={`${path}/edit`}
                labels={EDIT_FORM_LABELS}
                startsWith={comment.body}
                autoFocus
                onDone={close}
              />
            ) : (
              <CommentBody body={comment.body} mentions={comment.mentions} />
            )}
            <div className="-ml-2 flex items-center gap-1">
              {comment.may.like || comment.likesCount > 0 ? (
                <span className="ml-2">
                  {comment.may.like ? (
                    <LikeButton
                      action={`${path}/like`}
                      isLiked={comment.isLiked}
                      likesCount={comment.likesCount}
                      canLike
                    />
                  ) : (
                    <Liked liked={comment.isLiked} count={comment.likesCount} />
                  )}
                </span>
              ) : null}
              {comment.may.reply ? (
                <Link
                  ref={replyLink}
                  to={`/post/${postId}/comments/${comment.id}#responder`}
                  className={QUIET}
                  aria-expanded={open === "reply"}
                  onClick={(event) => {
                    event.preventDefault();
                    setOpen(open === "reply" ? null : "reply");
                  }}
                >
                  Responder<span className="sr-only"> a {author.name}</span>
                </Link>
              ) : null}
              <Powers
                comment={comment}
                path={path}
                name={author.name}
                onEdit={() => setOpen("edit")}
              />
            </div>
          </>
        ) : (
          <GoneText comment={comment} path={path} />
        )}
        {open === "reply" ? (
          <div className="mt-2">
            <CommentForm
              action={`/post/${postId}/comments`}
              labels={REPLY_FORM_LABELS}
              parentId={rootId}
              {...(isReply && author && !comment.isOwn
                ? { startsWith: `@${author.username} ` }
                : {})}
              autoFocus
              onDone={close}
            />
          </div>
        ) : null}
        {children}
      </div>
    </li>
  );
}

function CommentHead({ comment, now, path }: { comment: Comment; now: number; path: string }) {
  const { author } = comment;
  if (!author) return null;
  return (
    <>
      {comment.isPinned ? (
        <p className="flex items-center gap-1.5 text-small font-semibold text-leaf">
          <Pin aria-hidden="true" className="size-4" /> Fixado
        </p>
      ) : null}
      <p className="flex flex-wrap items-center gap-x-2">
        <Link
          to={`/space/${author.username}`}
          className="font-semibold wrap-anywhere hover:underline"
        >
          <bdi>{author.name}</bdi>
        </Link>
        {comment.isByHost ? <Badge tone="good">Desta página</Badge> : null}
        <Link to={path} className="text-small text-muted hover:underline">
          <time dateTime={new Date(comment.createdAt).toISOString()}>
            {formatAgo(comment.createdAt, now)}
          </time>
        </Link>
        {comment.isEdited ? <span className="text-small text-muted">editado</span> : null}
        {comment.state === "hidden" ? (
          <Badge tone="attention">
            {comment.isHeld
              ? "Escondido pela moderação"
              : comment.isOwn
                ? "Escondido por quem publicou"
                : "Escondido"}
          </Badge>
        ) : null}
      </p>
    </>
  );
}

function Powers({
  comment,
  path,
  name,
  onEdit,
}: {
  comment: Comment;
  path: string;
  name: string;
  onEdit: () => void;
}) {
  const { may, isPinned } = comment;
  const action = `${path}/act`;
  return (
    <ActionMenu label={`Mais sobre o comentário de ${name}`}>
      {may.edit ? (
        <Link
          to={`${path}/edit`}
          className={ACTION_MENU_ITEM}
          onClick={(event) => {
            event.preventDefault();
            onEdit();
          }}
        >
          Editar
        </Link>
      ) : null}
      {may.pin ? (
        <CommentActionButton action={action} act={isPinned ? "unpin" : "pin"}>
          {isPinned ? "Desafixar" : "Fixar no topo"}
        </CommentActionButton>
      ) : null}
      {may.hide ? (
        <CommentActionButton action={action} act="hide">
          Esconder de todo mundo
        </CommentActionButton>
      ) : null}
      {may.show ? (
        <CommentActionButton action={action} act="show">
          Mostrar de novo
        </CommentActionButton>
      ) : null}
      {may.remove ? (
        <CommentActionButton action={action} act="remove">
          Apagar
        </CommentActionButton>
      ) : null}
      {comment.isOwn || !comment.author ? null : (
        <Link to={`/space/${comment.author.username}/block`} className={ACTION_MENU_ITEM}>
          Bloquear {name}
        </Link>
      )}
      {comment.isOwn || !comment.author ? null : (
        <Link to={`/report/comment/${comment.id}`} className={ACTION_MENU_ITEM}>
          Denunciar
        </Link>
      )}
    </ActionMenu>
  );
}

function GoneFace() {
  return (
    <span
      aria-hidden="true"
      className="size-9 shrink-0 rounded-full border border-dashed border-edge"
    />
  );
}

function GoneText({ comment, path }: { comment: Comment; path: string }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-2 text-muted">
      <span>
        {comment.may.restore
          ? "Você apagou este comentário."
          : comment.state === "removed"
            ? "Comentário apagado."
            : "Este comentário não aparece para você."}
      </span>
      {comment.may.restore ? (
        <CommentActionButton
          action={`${path}/act`}
          act="restore"
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline-offset-3 hover:underline"
        >
          Desfazer
        </CommentActionButton>
      ) : null}
    </div>
  );
}
