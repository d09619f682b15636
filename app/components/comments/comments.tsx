import { counted } from "#app/domain/text.ts";
import { useCallback, useState } from "react";
import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import type { CommentThread } from "#app/domain/comments/schema.ts";
import { COMMENT_FORM_LABELS, CommentForm } from "./comment-form.tsx";
import { CommentRow } from "./comment-row.tsx";

type CommentsProps = {
  postId: string;
  pinned: CommentThread | null;
  threads: CommentThread[];
  now: number;
  me: { name: string; avatarUrl: string | null };
  areClosed: boolean;
  /** Anybody may open the post, and then reads its comments without an account. */
  isPublic: boolean;
};

/**
 * Comments of a post, the pinned one first and then the newest, with a form. A new comment shows at
 * once; a refused one returns to the form.
 */
export function Comments({ postId, pinned, threads, now, me, areClosed, isPublic }: CommentsProps) {
  const [pending, setPending] = useState<string | null>(null);
  const onPending = useCallback((body: string | null) => setPending(body), []);
  return (
    <div className="flex flex-col gap-5">
      {areClosed ? (
        <p className="rounded-field bg-sand px-4 py-3 text-muted">
          Os comentários desta publicação estão fechados.
        </p>
      ) : (
        <CommentForm
          action={`/post/${postId}/comments`}
          labels={COMMENT_FORM_LABELS}
          hint={isPublic ? "Qualquer pessoa lê este comentário, mesmo sem conta." : undefined}
          onPending={onPending}
        />
      )}
      <ul aria-live="polite" className="flex flex-col gap-5">
        {pending ? <PendingComment me={me} body={pending} /> : null}
        {[...(pinned ? [pinned] : []), ...threads].map((thread) => (
          <ThreadRow key={thread.id} thread={thread} postId={postId} now={now} />
        ))}
      </ul>
    </div>
  );
}

function ThreadRow({
  thread,
  postId,
  now,
}: {
  thread: CommentThread;
  postId: string;
  now: number;
}) {
  const more = thread.repliesCount - thread.replies.length;
  return (
    <CommentRow comment={thread} postId={postId} now={now} rootId={thread.id}>
      {thread.replies.length === 0 ? null : (
        <ul className="mt-3 flex flex-col gap-4 border-l-2 border-line pl-3 sm:pl-4">
          {thread.replies.map((reply) => (
            <CommentRow
              key={reply.id}
              comment={reply}
              postId={postId}
              now={now}
              rootId={thread.id}
            />
          ))}
        </ul>
      )}
      {more > 0 && thread.replies.length > 0 ? (
        <Link
          to={`/post/${postId}/comments/${thread.id}`}
          className="inline-flex min-h-11 items-center self-start text-small font-semibold text-leaf hover:underline"
        >
          Ver mais {counted(more, "resposta", "respostas")}
        </Link>
      ) : null}
    </CommentRow>
  );
}

function PendingComment({
  me,
  body,
}: {
  me: { name: string; avatarUrl: string | null };
  body: string;
}) {
  return (
    <li className="flex gap-3 opacity-60">
      <Avatar name={me.name} src={me.avatarUrl} size="sm" />
      <div className="flex min-w-0 flex-1 flex-col">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-semibold">{me.name}</span>
          <span className="text-small text-muted">enviando…</span>
        </p>
        <p className="whitespace-pre-line wrap-anywhere">{body}</p>
      </div>
    </li>
  );
}
