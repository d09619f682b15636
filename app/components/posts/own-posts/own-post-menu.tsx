import { Form, Link } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import type { Post } from "#app/domain/posts/schema.ts";

const ITEM =
  "inline-flex min-h-11 items-center rounded-full px-3 text-small font-semibold text-muted hover:bg-sand hover:text-ink";

/** Actions of an author on a post, shown below it. */
export function OwnPostMenu({ post }: { post: Pick<Post, "id" | "state" | "isPinned"> }) {
  return (
    <nav
      aria-label="Sua publicação"
      className="-mx-3 flex flex-wrap gap-1 border-t border-line pt-2"
    >
      <Link to={`/post/${post.id}/edit`} className={ITEM}>
        Editar
      </Link>
      {post.state === "published" ? (
        <Form method="post" action={`/post/${post.id}/pin`}>
          <ActingField />
          <input type="hidden" name="pinned" value={String(!post.isPinned)} />
          <button type="submit" className={ITEM}>
            {post.isPinned ? "Soltar do topo" : "Fixar no topo"}
          </button>
        </Form>
      ) : null}
      {post.state === "draft" ? null : (
        <Form method="post" action={`/post/${post.id}/unpublication`}>
          <ActingField />
          <button type="submit" className={ITEM}>
            {post.state === "scheduled" ? "Voltar para rascunho" : "Tirar do ar"}
          </button>
        </Form>
      )}
      <Link to={`/post/${post.id}/mute`} className={ITEM}>
        Avisos
      </Link>
      <Form method="post" action={`/post/${post.id}/deletion`}>
        <ActingField />
        <button type="submit" className={ITEM}>
          Apagar
        </button>
      </Form>
    </nav>
  );
}
