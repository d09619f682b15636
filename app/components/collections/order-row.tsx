import { useSortable } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { ArrowDown, ArrowUp, GripVertical, X } from "lucide-react";
import type { ComponentProps } from "react";
import { Link } from "react-router";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import type { PlacedPost } from "#app/domain/collections/queries/studio.server.ts";
import { formatMinute } from "#app/domain/time.ts";

type OrderRowProps = {
  collectionId: string;
  post: PlacedPost;
  number: number;
  previousId: string | null;
  nextId: string | null;
};

/** Row of a post that can be dragged, moved by one place, or removed. */
export function OrderRow({ collectionId, post, number, previousId, nextId }: OrderRowProps) {
  const isAwake = useHydrated();
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
  } = useSortable({ id: post.id });
  const title = post.title || "Sem título";
  const style = transform
    ? { transform: CSS.Transform.toString(transform), transition }
    : undefined;
  return (
    <li
      ref={setNodeRef}
      id={`post-${post.id}`}
      data-row={post.id}
      style={style}
      className={`flex scroll-mt-24 flex-wrap items-center gap-x-3 gap-y-1 rounded-card border bg-card p-2 pl-3 ${isDragging ? "relative z-10 border-leaf shadow-float" : "border-line"}`}
    >
      {isAwake ? (
        <button
          type="button"
          ref={setActivatorNodeRef}
          {...attributes}
          {...listeners}
          aria-roledescription="item que muda de lugar"
          aria-label={`Mudar ${title} de lugar`}
          className="-ml-1 inline-flex size-11 shrink-0 cursor-grab touch-none items-center justify-center rounded-full text-muted hover:bg-sand active:cursor-grabbing"
        >
          <GripVertical aria-hidden="true" className="size-5" />
        </button>
      ) : null}
      <span className="w-6 shrink-0 text-right font-semibold text-muted tabular-nums">
        {number}
      </span>
      <span className="flex min-w-0 flex-1 basis-40 flex-wrap items-center gap-x-3 gap-y-1">
        <Link to={`/post/${post.id}`} className="font-semibold wrap-anywhere hover:underline">
          {title}
        </Link>
        <State post={post} />
      </span>
      <span className="ml-auto flex shrink-0 items-center">
        <RowButton
          name="move"
          value={`${post.id}:before:${previousId}`}
          data-key={`${post.id}:up`}
          aria-label={`Subir ${title}`}
          disabled={previousId === null}
        >
          <ArrowUp aria-hidden="true" className="size-5" />
        </RowButton>
        <RowButton
          name="move"
          value={`${post.id}:after:${nextId}`}
          data-key={`${post.id}:down`}
          aria-label={`Descer ${title}`}
          disabled={nextId === null}
        >
          <ArrowDown aria-hidden="true" className="size-5" />
        </RowButton>
        <RowButton
          formAction={`/collection/${collectionId}/posts/${post.id}/removal`}
          aria-label={`Tirar ${title} da coleção`}
        >
          <X aria-hidden="true" className="size-5" />
        </RowButton>
      </span>
    </li>
  );
}

function RowButton(props: ComponentProps<"button">) {
  return (
    <button
      className="inline-flex size-11 items-center justify-center rounded-full hover:bg-sand disabled:opacity-40"
      {...props}
    />
  );
}

/** Why other people do not see the post. */
function State({ post }: { post: PlacedPost }) {
  if (post.isHeld) return <Badge tone="attention">Retida pela moderação</Badge>;
  if (post.state === "draft") return <Badge>Rascunho: só você vê</Badge>;
  if (post.scheduledAt !== null) return <Badge>Sai em {formatMinute(post.scheduledAt)}</Badge>;
  return null;
}
