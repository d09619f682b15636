import { useEffect, useRef } from "react";
import { Form, Link, useNavigate } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import type { Box } from "#app/domain/messages/rules.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { ConversationMenu } from "./conversation-menu.tsx";
import { MessageComposer } from "./message-composer.tsx";
import { MessageList } from "./message-list.tsx";
import { useConversation } from "./live/use-conversation.ts";
import type { Outbox } from "./outbox/use-outbox.ts";
import { usePresence } from "./live/use-presence.ts";

/** A conversation as its page loads it. */
type OpenConversation = {
  id: string;
  /** Who reads it, for what they type here. */
  account: string;
  space: string;
  other: { id: string; name: string; username: string; avatarUrl: string | null };
  box: Box;
  isPinned: boolean;
  isMuted: boolean;
  revision: number;
  otherReadSeq: number | null;
  mayWrite: boolean;
  /** Files can be sent: nobody has to accept first. */
  canSendFile: boolean;
  /** Files can have a price. */
  canSellFile: boolean;
  /** Where the other person can be tipped; null where they cannot. */
  tipPath: string | null;
  /** Neither of the two hides whether they are here. */
  showsPresence: boolean;
  /** It is the member's own page: reports and blocks are of their own account. */
  isOwn: boolean;
  /** Why nothing can be written now. */
  closed: string | null;
  messages: Message[];
  replyTo: { seq: number; text: string } | null;
  isLatest: boolean;
  /** The seq before which there are more messages. */
  earlier: number | null;
  clientMessageId: string;
  now: number;
};

type ConversationProps = {
  loaded: OpenConversation;
  /** Changes when something may have changed. */
  changeCount: number;
  /** The other side is typing now. */
  isTyping: boolean;
  outbox: Outbox;
  problem: FormProblem | undefined;
};

/** An open conversation: its head, its messages from the oldest to the newest, and the form. */
export function ConversationView({
  loaded,
  changeCount,
  isTyping,
  outbox,
  problem,
}: ConversationProps) {
  const { id, other, isLatest, replyTo } = loaded;
  const { messages, state, pending, announced } = useConversation(loaded, changeCount, outbox);
  const { otherReadSeq, box, closed } = state;
  const { isPresent, sendTyping } = usePresence(id, loaded.showsPresence);
  const navigate = useNavigate();
  const here = `/messages/${id}`;
  const end = useRef<HTMLDivElement>(null);
  const last = messages.at(-1)?.seq;
  useEffect(() => {
    if (isLatest) end.current?.scrollIntoView({ block: "end" });
  }, [isLatest, last, pending.length]);
  return (
    <section
      aria-label={`Conversa com ${other.name}`}
      className="-mb-13 flex min-h-[calc(100dvh-8rem)] min-w-0 flex-col lg:mb-0 lg:h-full lg:min-h-0"
    >
      <ConversationHeader loaded={{ ...loaded, box }} isPresent={isPresent} />
      <div className="flex-1 py-4 lg:min-h-0 lg:overflow-y-auto lg:px-1">
        <EarlierLink here={here} earlier={loaded.earlier} />
        <MessageList
          conversationId={id}
          otherName={other.name}
          messages={messages}
          pending={pending}
          now={loaded.now}
          otherReadSeq={otherReadSeq}
          mayWrite={loaded.mayWrite}
          isMembersOwn={loaded.isOwn}
          onRetry={outbox.retry}
          onDiscard={outbox.discard}
        />
        <p className="flex justify-center pt-4">
          <ButtonLink to={`${here}#fim`} size="sm" variant="ghost" reloadDocument={isLatest}>
            {isLatest ? "Atualizar" : "Mensagens mais novas"}
          </ButtonLink>
        </p>
        <div id="fim" ref={end} className="scroll-mb-44" />
      </div>
      <Notices name={other.name} announced={announced} isTyping={isTyping} />
      <div className="sticky bottom-15 -mx-4 border-t border-line bg-paper px-4 py-3 lg:static lg:mx-0 lg:px-0">
        {box === "request" || box === "refused" ? <RequestAnswer loaded={loaded} /> : null}
        <Writing
          loaded={{ ...loaded, closed }}
          problem={problem}
          onTyping={sendTyping}
          onSend={(text) => {
            outbox.send({
              conversationId: id,
              clientMessageId: crypto.randomUUID(),
              text,
              replyTo: replyTo?.seq ?? null,
            });
            if (replyTo) void navigate(here, { replace: true });
          }}
        />
      </div>
    </section>
  );
}

/** What arrived, for screen readers, and that the other side is typing. */
function Notices({
  name,
  announced,
  isTyping,
}: {
  name: string;
  announced: string;
  isTyping: boolean;
}) {
  return (
    <>
      <p role="status" className="sr-only">
        {announced === "" ? "" : `${name}: ${announced}`}
      </p>
      <p role="status" className="min-h-6 text-small text-muted">
        {isTyping ? `${name} está digitando…` : ""}
      </p>
    </>
  );
}

function EarlierLink({ here, earlier }: { here: string; earlier: number | null }) {
  if (earlier === null) return null;
  return (
    <p className="flex justify-center pb-4">
      <ButtonLink to={`${here}?before=${earlier}`} size="sm" variant="outline">
        Mensagens anteriores
      </ButtonLink>
    </p>
  );
}

/** The form, or why there is none. */
function Writing({
  loaded: {
    id,
    account,
    space,
    mayWrite,
    canSendFile,
    canSellFile,
    closed,
    replyTo,
    clientMessageId,
    isLatest,
  },
  problem,
  onSend,
  onTyping,
}: Pick<ConversationProps, "loaded" | "problem"> & {
  onSend(text: string): void;
  onTyping(): void;
}) {
  if (!mayWrite || closed !== null)
    return <p className="text-muted">{closed ?? "O seu papel na equipe só lê as mensagens."}</p>;
  const here = `/messages/${id}`;
  return (
    <MessageComposer
      action={replyTo ? `${here}?reply=${replyTo.seq}` : here}
      here={here}
      clientMessageId={clientMessageId}
      replyTo={replyTo}
      uploadPath={canSendFile ? `${here}/files` : null}
      canSellFile={canSellFile}
      problem={problem}
      draftOf={{ account, space, conversationId: id }}
      onTyping={onTyping}
      {...(isLatest ? { onSend } : {})}
    />
  );
}

function ConversationHeader({
  loaded,
  isPresent,
}: Pick<ConversationProps, "loaded"> & { isPresent: boolean }) {
  const { other } = loaded;
  return (
    <header className="flex items-center gap-3 border-b border-line pb-3">
      <Link to="/messages" className="font-semibold text-leaf lg:hidden">
        Voltar
      </Link>
      <Avatar name={other.name} src={other.avatarUrl} />
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-heading">
          <Link to={`/space/${other.username}`} className="hover:underline">
            {other.name}
          </Link>
        </h1>
        {isPresent ? <p className="text-caption text-leaf">Está aqui agora</p> : null}
      </div>
      <ConversationMenu
        id={loaded.id}
        username={other.username}
        box={loaded.box}
        isPinned={loaded.isPinned}
        isMuted={loaded.isMuted}
        tipPath={loaded.tipPath}
        mayBlock={loaded.isOwn}
      />
    </header>
  );
}

/** What can be done with a stranger's messages; an answer accepts too. */
function RequestAnswer({ loaded: { id, other, isOwn } }: Pick<ConversationProps, "loaded">) {
  return (
    <Card className="mb-3 flex flex-col gap-3 p-4">
      <p>
        {other.name} quer conversar com você. Só vai saber que você leu se você aceitar ou
        responder.
      </p>
      <div className="flex flex-wrap gap-2">
        <Form method="post" action={`/messages/${id}/act`} className="flex flex-wrap gap-2">
          <ActingField />
          <Button name="act" value="accept" size="sm">
            Aceitar
          </Button>
          <Button name="act" value="refuse" size="sm" variant="outline">
            Recusar
          </Button>
        </Form>
        {isOwn ? (
          <ButtonLink to={`/space/${other.username}/block`} size="sm" variant="ghost">
            Bloquear
          </ButtonLink>
        ) : null}
      </div>
    </Card>
  );
}
