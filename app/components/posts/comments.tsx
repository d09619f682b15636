import { useEffect, useRef } from "react";
import { Link, useFetcher } from "react-router";
import { toast } from "sonner";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { TextArea } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { COMMENT_MAX } from "#app/domain/comments/schema.ts";
import type { Comment } from "#app/domain/comments/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { formatAgo } from "#app/domain/time.ts";

type Problem = { errors?: Record<string, string>; message?: string | null; values?: Record<string, string>; commented?: boolean };
type CommentsProps = { postId: string; comments: Comment[]; now: number; me: { name: string; avatarUrl: string | null } };

/** What people said, newest first, and the place to say something: shown at once, taken back with its text when refused. */
export function Comments({ postId, comments, now, me }: CommentsProps) {
  const fetcher = useFetcher<Problem>();
  const form = useRef<HTMLFormElement>(null);
  const pending = fetcher.formData?.get("body");
  const wasCommented = fetcher.state === "idle" && fetcher.data?.commented === true;
  useEffect(() => {
    if (wasCommented) form.current?.reset();
  }, [wasCommented, fetcher.data]);
  return (
    <div className="flex flex-col gap-5">
      <fetcher.Form
        ref={form}
        method="post"
        noValidate
        action={`/post/${postId}/comments`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!navigator.onLine) return void toast.error("Você está sem internet. O seu texto continua aqui.");
          const typed = new FormData(event.currentTarget);
          typed.set("inPlace", "true");
          void fetcher.submit(typed, { method: "post", action: `/post/${postId}/comments` });
        }}
      >
        <CommentFields problem={fetcher.state === "idle" ? fetcher.data : undefined} busy={fetcher.state !== "idle"} />
      </fetcher.Form>
      <ul aria-live="polite" className="flex flex-col gap-5">
        {typeof pending === "string" && pending.trim() ? (
          <CommentRow author={{ name: me.name, username: null, src: me.avatarUrl }} body={pending.trim()} when="enviando…" />
        ) : null}
        {comments.map((comment) => (
          <CommentRow
            key={comment.id}
            author={{ name: comment.author.name, username: comment.author.username, src: comment.author.avatarMediaId ? mediaUrl(comment.author.avatarMediaId, "320") : null }}
            body={comment.body}
            when={formatAgo(comment.createdAt, now)}
          />
        ))}
      </ul>
    </div>
  );
}

/** The fields of "Comentar", also of its own page, where a form without JavaScript lands when refused. */
export function CommentFields({ problem, busy = false }: { problem: Problem | undefined; busy?: boolean }) {
  return (
    <div className="flex flex-col gap-3">
      <FormMessage message={problem?.message} />
      <TextArea label="Seu comentário" name="body" rows={3} maxLength={COMMENT_MAX} defaultValue={problem?.values?.["body"]} error={problem?.errors?.["body"]} required />
      <Button variant="ink" size="sm" className="self-end" aria-disabled={busy}>
        Comentar
      </Button>
    </div>
  );
}

type CommentRowProps = { author: { name: string; username: string | null; src: string | null }; body: string; when: string };

function CommentRow({ author, body, when }: CommentRowProps) {
  return (
    <li className={`flex gap-3 ${author.username ? "" : "opacity-60"}`}>
      <Avatar name={author.name} src={author.src} size="sm" />
      <div className="flex min-w-0 flex-1 flex-col">
        <p className="flex flex-wrap items-baseline gap-x-2">
          {author.username ? (
            <Link to={`/space/${author.username}`} className="font-semibold hover:underline">
              {author.name}
            </Link>
          ) : (
            <span className="font-semibold">{author.name}</span>
          )}
          <span className="text-small text-muted">{when}</span>
        </p>
        <p className="whitespace-pre-line">{body}</p>
      </div>
    </li>
  );
}
