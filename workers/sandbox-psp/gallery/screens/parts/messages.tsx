import { X } from "lucide-react";
import type { ReactNode } from "react";
import { BroadcastForm } from "#app/components/broadcasts/broadcast-form.tsx";
import { BroadcastSendForm } from "#app/components/broadcasts/broadcast-send-form.tsx";
import {
  BroadcastPreview,
  BroadcastProgress,
  BroadcastStateBadge,
  BroadcastStatisticsList,
} from "#app/components/broadcasts/broadcast-summary.tsx";
import { ChatRow } from "#app/components/event-chat/chat-row.tsx";
import {
  FileAlt,
  FileButton,
  FilePreview,
  FileProgress,
  FileRow,
} from "#app/components/media/file-row.tsx";
import { MessageEditForm } from "#app/components/messages/message-edit-form.tsx";
import { EventChat } from "#app/components/event-chat/event-chat.tsx";
import { ConversationList } from "#app/components/messages/conversation-list.tsx";
import type { ListedConversation } from "#app/components/messages/conversation-list.tsx";
import { ConversationMenu } from "#app/components/messages/conversation-menu.tsx";
import { MessageComposer } from "#app/components/messages/message-composer.tsx";
import { MessageList } from "#app/components/messages/message-list.tsx";
import { FoundList, MessageSearch } from "#app/components/messages/message-search.tsx";
import { PendingMessages } from "#app/components/messages/outbox/pending-messages.tsx";
import { RecordingPlayer } from "#app/components/messages/recordings/recording-player.tsx";
import { Waveform } from "#app/components/messages/recordings/waveform.tsx";
import { BROADCAST_STATES } from "#app/domain/broadcasts/rules.ts";
import type { ChatMessage } from "#app/domain/event-chat/schema.ts";
import type { Message } from "#app/domain/messages/schema.ts";
import {
  HOUR_MS,
  LONG_NAME,
  LONG_WORD,
  noop,
  NOW,
  plan,
  problem,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const message: Message = {
  id: "m1",
  seq: 1,
  revision: 1,
  text: "Vi o show ontem. Que rabeca!",
  isOwn: false,
  writtenBy: null,
  clientMessageId: "c1",
  createdAt: NOW - HOUR_MS,
  isEdited: false,
  isDeleted: false,
  replyTo: null,
  files: [],
  sale: null,
  tipCents: null,
  reactions: [],
};
function ChosenFile({
  name,
  state,
  children,
}: {
  name: string;
  state: string;
  children: ReactNode;
}) {
  return (
    <FileRow
      name={name}
      preview={<FilePreview file={null} storedUrl={null} kind="document" />}
      state={state}
      actions={
        <FileButton label={`Remover ${name}`} onClick={noop}>
          <X aria-hidden="true" className="size-5" />
        </FileButton>
      }
    >
      {children}
    </FileRow>
  );
}
const messages: Message[] = [
  message,
  {
    ...message,
    id: "m2",
    seq: 2,
    isOwn: true,
    text: `Obrigada! ${LONG_WORD} https://exemplo.com.br/um/endereco/muito/comprido/de/verdade`,
    isEdited: true,
    replyTo: { seq: 1, text: message.text, isOwn: false },
    reactions: [
      { emoji: "❤️", count: 2, isOwn: true },
      { emoji: "👏", count: 1, isOwn: false },
    ],
  },
  { ...message, id: "m3", seq: 3, text: "", isDeleted: true },
  {
    ...message,
    id: "m4",
    seq: 4,
    text: "A cifra que prometi.",
    files: [
      {
        id: "cifra",
        kind: "document",
        alt: "",
        width: 0,
        height: 0,
        filename: "cifra.pdf",
        sizeBytes: 120_000,
        isSensitive: false,
        recording: null,
      },
    ],
  },
  {
    ...message,
    id: "m5",
    seq: 5,
    text: "A gravação inteira.",
    sale: { priceCents: 1_500, fileKinds: ["audio"], isBought: false, isOpen: false },
  },
  { ...message, id: "m6", seq: 6, text: "Para o café.", tipCents: 1_000 },
  {
    ...message,
    id: "m7",
    seq: 7,
    text: "",
    files: [
      {
        id: "voz",
        kind: "audio",
        alt: "",
        width: 0,
        height: 0,
        filename: "voz.webm",
        sizeBytes: 30_000,
        isSensitive: false,
        recording: { durationMs: 12_000, peaks: [1, 5, 9, 3, 7, 2, 8, 4, 6, 1, 9, 5] },
      },
    ],
  },
];

const conversation: ListedConversation = {
  id: "a",
  name: "Bruno Lima",
  avatarUrl: null,
  text: "Vi o show ontem.",
  ago: "há 1 h",
  unreadCount: 0,
  isUnread: false,
  isPinned: false,
  isMuted: false,
};

const list = (shown: Message[], mayWrite = true) => (
  <MessageList
    conversationId="a"
    otherName="Bruno Lima"
    messages={shown}
    pending={[]}
    now={NOW}
    otherReadSeq={2}
    mayWrite={mayWrite}
    isMembersOwn
    onRetry={noop}
    onDiscard={noop}
  />
);

const chatMessage: ChatMessage = {
  id: "a",
  seq: 1,
  revision: 1,
  text: "Boa noite, gente!",
  isOwn: false,
  clientMessageId: "c",
  createdAt: NOW,
  isEdited: false,
  isDeleted: false,
  replyTo: null,
  reactions: [],
  sender: { name: "Ana Prado", username: "ana", role: "host" },
};

export const MESSAGES_SCREEN: GalleryScreen = {
  slug: "messages",
  title: "Mensagens",
  parts: [
    {
      name: "Conversas",
      element: (
        <ConversationList
          conversations={[
            { ...conversation, unreadCount: 3, isUnread: true, isPinned: true },
            { ...conversation, id: "b", name: LONG_NAME, text: LONG_WORD, isMuted: true },
            conversation,
          ].map((one, index) => ({ ...one, id: `c${index}` }))}
        />
      ),
    },
    { name: "Uma mensagem", element: list([message]) },
    { name: "De todo tipo", element: list(messages) },
    { name: "Sem poder escrever", element: list([message], false) },
    {
      name: "Ainda não enviadas",
      element: (
        <PendingMessages
          pending={[
            {
              conversationId: "a",
              clientMessageId: "1",
              text: "Enviando…",
              replyTo: null,
              problem: null,
              state: "sending",
            },
            {
              conversationId: "a",
              clientMessageId: "2",
              text: LONG_WORD,
              replyTo: null,
              problem: "Sem conexão.",
              state: "failed",
            },
          ]}
          onRetry={noop}
          onDiscard={noop}
        />
      ),
    },
    {
      name: "Escrever",
      element: (
        <MessageComposer
          action="/messages/a"
          clientMessageId="c"
          replyTo={null}
          here="/messages/a"
          problem={undefined}
          uploadPath="/messages/a/files"
          canSellFile
        />
      ),
    },
    {
      name: "Responder, com erro",
      element: (
        <MessageComposer
          action="/messages/a"
          clientMessageId="d"
          replyTo={{ seq: 1, text: message.text }}
          here="/messages/a"
          problem={problem({ text: "Escreva a mensagem." })}
        />
      ),
    },
    {
      name: "Menu da conversa",
      element: (
        <ConversationMenu
          id="a"
          username="bruno"
          box="inbox"
          isPinned={false}
          isMuted={false}
          tipPath="/tips/bruno"
          mayBlock
        />
      ),
    },
    { name: "Procurar", element: <MessageSearch query="rabeca" /> },
    {
      name: "Encontradas, e nenhuma",
      element: (
        <div className="flex flex-col gap-4">
          <FoundList
            found={[
              {
                path: "/messages/a",
                name: LONG_NAME,
                avatarUrl: null,
                text: "Que rabeca!",
                ago: "há 1 h",
              },
            ]}
            clearedAt="/messages"
          />
          <FoundList found={[]} clearedAt="/messages" />
        </div>
      ),
    },
    {
      name: "Áudio",
      element: (
        <RecordingPlayer
          src="/media/voz"
          name="Áudio de Bruno"
          recording={{ durationMs: 12_000, peaks: [1, 5, 9, 3, 7] }}
        />
      ),
    },
    { name: "Onda de um áudio", element: <Waveform peaks={[1, 5, 9, 3, 7]} progress={0.4} /> },
    {
      name: "Arquivos escolhidos",
      element: (
        <ol className="flex flex-col gap-3">
          <ChosenFile name="coreto.png" state="Pronto · 1,2 MB">
            <FileAlt label="Descrição de coreto.png" name={undefined} alt="" onChange={noop} />
          </ChosenFile>
          <ChosenFile name={`${LONG_WORD}.pdf`} state="Enviando · 8 MB">
            <FileProgress name="partitura.pdf" percent={40} />
          </ChosenFile>
        </ol>
      ),
    },
    {
      name: "Conversa de um evento",
      element: (
        <EventChat
          chat={{
            id: "evento",
            account: "ana",
            isVideoAsked: false,
            mayModerate: true,
            revision: 1,
            messages: [
              { ...chatMessage, reactions: [{ emoji: "👍", count: 12, isOwn: true }] },
              {
                ...chatMessage,
                id: "b",
                seq: 2,
                text: LONG_WORD,
                isEdited: true,
                replyTo: { seq: 1, text: "Boa noite, gente!", isOwn: false, name: "Ana Prado" },
              },
            ],
            isLatest: true,
            earlier: null,
            replyTo: null,
            clientMessageId: "c",
            now: NOW,
            closed: null,
            listenAt: "/live/evento",
          }}
          problem={undefined}
        />
      ),
    },
    {
      name: "Conversa de um evento, fechada",
      element: (
        <EventChat
          chat={{
            id: "evento",
            account: "ana",
            isVideoAsked: false,
            mayModerate: false,
            revision: 1,
            messages: [{ ...chatMessage, reactions: [{ emoji: "👍", count: 12, isOwn: true }] }],
            isLatest: true,
            earlier: null,
            replyTo: null,
            clientMessageId: "c",
            now: NOW,
            closed: "A conversa fechou com o evento.",
            listenAt: "/live/evento",
          }}
          problem={undefined}
        />
      ),
    },
    {
      name: "Mensagem em edição",
      element: (
        <MessageEditForm
          text="Boa noite, gente!"
          limit={500}
          problem={undefined}
          back={{ to: "/events/evento/live", text: "Voltar ao chat" }}
        />
      ),
    },
    {
      name: "Linha da conversa",
      element: (
        <ul>
          <ChatRow
            message={{ ...chatMessage, isDeleted: true, text: "" }}
            chat={{ id: "a", mayModerate: false, closed: null, isVideoAsked: false, now: NOW }}
          />
        </ul>
      ),
    },
  ],
};

export const BROADCASTS: GalleryScreen = {
  slug: "broadcasts",
  title: "Mensagens a muitos",
  parts: [
    { name: "Nova", element: <BroadcastForm plans={[plan]} canSellFiles problem={undefined} /> },
    {
      name: "Com erro",
      element: (
        <BroadcastForm
          plans={[plan]}
          canSellFiles
          broadcast={{
            segment: "plans",
            planIds: [],
            text: "",
            files: [],
            isSensitive: false,
            priceCents: null,
          }}
          problem={problem({ text: "Escreva a mensagem.", planIds: "Escolha um plano." })}
        />
      ),
    },
    { name: "Enviar", element: <BroadcastSendForm id="a" sendAt="" /> },
    {
      name: "Estados",
      element: (
        <div className="flex flex-wrap gap-2">
          {BROADCAST_STATES.map((state) => (
            <BroadcastStateBadge key={state} state={state} />
          ))}
        </div>
      ),
    },
    {
      name: "Prévia",
      element: <BroadcastPreview text="Oi, {nome}!" name="Bruno" files={[]} priceCents={null} />,
    },
    {
      name: "Andamento",
      element: <BroadcastProgress recipientCount={100} deliveredCount={42} skippedCount={1} />,
    },
    {
      name: "Números",
      element: (
        <BroadcastStatisticsList
          deliveredCount={99}
          skippedCount={1}
          openedCount={60}
          answeredCount={7}
          bought={null}
        />
      ),
    },
  ],
};
