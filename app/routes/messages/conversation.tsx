import { redirect, useOutletContext } from "react-router";
import type { ShouldRevalidateFunctionArgs } from "react-router";
import { ConversationView } from "#app/components/messages/conversation-view.tsx";
import type { InboxChanges } from "#app/components/messages/live/use-inbox-changes.ts";
import type { Outbox } from "#app/components/messages/outbox/use-outbox.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { messageSnapshot } from "#app/domain/messages/queries/message.server.ts";
import { CONVERSATION_PAGE } from "#app/domain/messages/rules.ts";
import { parseRecording } from "#app/domain/messages/rules/recording.ts";
import { WRITING_PROBLEM_TEXTS } from "#app/domain/messages/rules/writing.ts";
import { conversationMessageSchema, filesOfForm } from "#app/domain/messages/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { withTypedOnOffline } from "#app/http/offline-action.ts";
import { markOpened } from "#app/http/message-reading.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/conversation.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.other.name ?? "Conversa"} · Mensagens · Coreto` },
];

export const handle = { shell: "wide" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const actor = requireActor({ context }, "messages:read");
  const { personId } = actor.space;
  const before = seqOf(url.searchParams.get("before"));
  const found = foundOr404(
    await conversationWith(ctx, {
      conversationId: params.id,
      personId,
      limit: CONVERSATION_PAGE,
      ...(before === null ? {} : { before }),
    }),
    "Não encontramos esta conversa.",
  );
  const { head, messages } = found;
  if (before === null) await markOpened(context, { head, personId });
  const { avatarMediaId, ...other } = head.other;
  const answered = seqOf(url.searchParams.get("reply"));
  const replied =
    answered === null
      ? null
      : await messageSnapshot(ctx, { conversationId: head.id, seq: answered, personId });
  return {
    id: head.id,
    account: actor.member.id,
    space: personId,
    other: { ...other, avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320") },
    box: head.box,
    isPinned: head.isPinned,
    isMuted: head.isMuted,
    revision: head.revision,
    otherReadSeq: head.otherReadSeq,
    mayWrite: actor.may("messages:write"),
    canSendFile: head.canSendFile,
    canSellFile: head.canSellFile,
    tipPath: actor.isOwn && head.acceptsTips ? `/space/${other.username}/tip` : null,
    showsPresence: head.showsPresence,
    isOwn: actor.isOwn,
    closed: head.writingProblem && WRITING_PROBLEM_TEXTS[head.writingProblem],
    messages,
    replyTo:
      replied && !replied.isDeleted && answered !== null
        ? { seq: answered, text: replied.body || "Arquivo" }
        : null,
    isLatest: before === null,
    earlier: messages.length === CONVERSATION_PAGE ? (messages[0]?.seq ?? null) : null,
    clientMessageId: ctx.newId(),
    now: ctx.now(),
  };
}

const seqOf = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

export async function action({ request, context, params }: Route.ActionArgs) {
  const { id } = params;
  return await submitForSpace(
    { request, context },
    "messages:write",
    conversationMessageSchema,
    async ({ text, clientMessageId, replyTo, ...form }, actor) => {
      const ctx = context.get(domainContext);
      const place = { conversationId: id, personId: actor.space.personId, clientMessageId };
      const files = await prepareMessageFiles(ctx, {
        ...place,
        ...filesOfForm(form),
        isSensitive: form.isSensitive === "true",
        recording: parseRecording(form.recordingMs, form.recordingPeaks),
        priceCents: form.price,
      });
      await sendMessage(ctx, {
        ...place,
        writtenById: actingPersonId(actor),
        text,
        replyToSeq: replyTo,
        files,
      });
      return redirect(`/messages/${id}#fim`);
    },
  );
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return await withTypedOnOffline(request, serverAction);
}

/** An open page asks for what changed by itself: a mere reload of the list reads nothing here. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod === undefined && currentUrl.href === nextUrl.href) return false;
  return defaultShouldRevalidate;
}

export default function ConversationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { changeCount, typingIn, outbox } = useOutletContext<InboxChanges & { outbox: Outbox }>();
  const first = loaderData.isLatest ? "" : loaderData.messages[0]?.seq;
  return (
    <ConversationView
      key={`${loaderData.id} ${first}`}
      loaded={loaderData}
      changeCount={changeCount}
      isTyping={typingIn === loaderData.id}
      outbox={outbox}
      problem={actionData && "errors" in actionData ? actionData : undefined}
    />
  );
}
