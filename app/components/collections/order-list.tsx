import { quoted } from "#app/domain/text.ts";
import {
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import type { Announcements, DragEndEvent, UniqueIdentifier } from "@dnd-kit/core";
import {
  SortableContext,
  sortableKeyboardCoordinates,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Form, useFetcher } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { PlacedPost } from "#app/domain/collections/queries/studio.server.ts";
import { moveInOrder } from "#app/domain/collections/rules.ts";
import type { PostMove } from "#app/domain/collections/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { OrderRow } from "./order-row.tsx";

type OrderListProps = { collectionId: string; posts: PlacedPost[]; spaceId: string };

const INSTRUCTIONS =
  "Para mudar de lugar, aperte espaço, leve com as setas para cima e para baixo e aperte espaço de novo. Esc desiste.";

/**
 * Ordered posts of a collection. Supports drag, keyboard and form buttons; only the buttons work
 * without JavaScript.
 */
export function OrderList({ collectionId, posts, spaceId }: OrderListProps) {
  const { order, move, message } = useOrder({ collectionId, posts, spaceId });
  const list = useRef<HTMLOListElement>(null);
  const touched = useRef<string | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: sortableKeyboardCoordinates,
      scrollBehavior: "auto",
    }),
  );
  const titles = new Map(posts.map((post) => [post.id, post]));
  const shown = order.flatMap((id) => titles.get(id) ?? []);
  const shownOrder = order.join();
  // A move in the document takes focus away from the row's button.
  useLayoutEffect(() => {
    const key = touched.current;
    if (key === null) return;
    const row = list.current?.querySelector(`[data-row="${key.split(":")[0]}"]`);
    const button =
      row?.querySelector<HTMLButtonElement>(`[data-key="${key}"]:not(:disabled)`) ??
      row?.querySelector<HTMLButtonElement>("[data-key]:not(:disabled)");
    button?.focus();
  }, [shownOrder]);

  function submitted(event: FormEvent<HTMLFormElement>): void {
    const { submitter } = event.nativeEvent as SubmitEvent;
    if (!(submitter instanceof HTMLButtonElement) || submitter.name !== "move") return;
    event.preventDefault();
    const [postId = "", side, anchorId = ""] = submitter.value.split(":");
    touched.current = submitter.dataset["key"] ?? null;
    move({ postId, side: side === "before" ? "before" : "after", anchorId });
  }

  function dropped({ active, over }: DragEndEvent): void {
    touched.current = null;
    if (!over || active.id === over.id) return;
    const side =
      order.indexOf(String(active.id)) < order.indexOf(String(over.id)) ? "after" : "before";
    move({ postId: String(active.id), side, anchorId: String(over.id) });
  }

  return (
    <DndContext
      id={`order-${collectionId}`}
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={dropped}
      accessibility={{
        announcements: announcementsOf(
          order,
          (id) => titles.get(String(id))?.title || "Sem título",
        ),
        screenReaderInstructions: { draggable: INSTRUCTIONS },
      }}
    >
      <FormMessage message={message} />
      <SortableContext items={order} strategy={verticalListSortingStrategy}>
        <Form method="post" onSubmit={submitted}>
          <ActingField />
          <ol
            ref={list}
            aria-label="Publicações na ordem da coleção"
            className="flex flex-col gap-2"
          >
            {shown.map((post, index) => (
              <OrderRow
                key={post.id}
                collectionId={collectionId}
                post={post}
                number={index + 1}
                previousId={shown[index - 1]?.id ?? null}
                nextId={shown[index + 1]?.id ?? null}
              />
            ))}
          </ol>
        </Form>
      </SortableContext>
    </DndContext>
  );
}

/**
 * Saved order with pending moves applied on top. Sends each move after the answer to the previous
 * one. A move is dropped only when the answer and the reloaded list render together. So the list
 * never shows its old order.
 */
function useOrder({ collectionId, posts, spaceId }: OrderListProps) {
  const fetcher = useFetcher<FormProblem>();
  const { submit, state, data } = fetcher;
  const [pending, setPending] = useState<PostMove[]>([]);
  const sent = useRef<{ before: FormProblem | undefined } | null>(null);
  useEffect(() => {
    if (sent.current) {
      if (state !== "idle" || data === sent.current.before) return;
      sent.current = null;
      setPending((moves) => moves.slice(1));
      return;
    }
    const [next] = pending;
    if (!next) return;
    sent.current = { before: data };
    const move = `${next.postId}:${next.side}:${next.anchorId}`;
    void submit(
      { move, inPlace: "true", space: spaceId },
      { method: "post", action: `/collection/${collectionId}/posts` },
    );
  }, [pending, state, data, submit, collectionId, spaceId]);
  const order = pending.reduce<string[]>(
    moveInOrder,
    posts.map(({ id }) => id),
  );
  return {
    order,
    move: (wanted: PostMove) => setPending((moves) => [...moves, wanted]),
    message: data?.message,
  };
}

function announcementsOf(
  order: string[],
  titleOf: (id: UniqueIdentifier) => string,
): Announcements {
  const place = (id: UniqueIdentifier) => `${order.indexOf(String(id)) + 1} de ${order.length}`;
  return {
    onDragStart: ({ active }) =>
      `${quoted(titleOf(active.id))} foi pega. Está no lugar ${place(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over
        ? `${quoted(titleOf(active.id))} ${over.id === active.id ? "está no" : "iria para o"} lugar ${place(over.id)}.`
        : undefined,
    onDragEnd: ({ active, over }) =>
      over
        ? `${quoted(titleOf(active.id))} ficou no lugar ${place(over.id)}.`
        : `${quoted(titleOf(active.id))} ficou onde estava.`,
    onDragCancel: ({ active }) => `${quoted(titleOf(active.id))} ficou onde estava.`,
  };
}
