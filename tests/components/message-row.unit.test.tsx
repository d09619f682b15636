import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { MessageList } from "#app/components/messages/message-list.tsx";
import type { PendingMessage } from "#app/components/messages/outbox/use-outbox.ts";
import type { Message, MessageSale } from "#app/domain/messages/schema.ts";

const message: Message = {
  id: "m1",
  seq: 1,
  revision: 1,
  text: "Oi",
  isOwn: false,
  writtenBy: null,
  clientMessageId: "",
  createdAt: 0,
  isEdited: false,
  isDeleted: false,
  replyTo: null,
  files: [],
  sale: null,
  tipCents: null,
  reactions: [],
};

function shown(
  changes: Partial<Message>,
  { isMembersOwn = true, pending = [] as PendingMessage[] } = {},
): string {
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <MessageList
          conversationId="c1"
          otherName="Bia"
          messages={[{ ...message, ...changes }]}
          pending={pending}
          now={0}
          otherReadSeq={null}
          mayWrite
          isMembersOwn={isMembersOwn}
          onRetry={() => {}}
          onDiscard={() => {}}
        />
      ),
    },
  ]);
  return renderToStaticMarkup(<Stub />);
}

test("a file for sale is bought by the member, not for a team's page", () => {
  const sale: MessageSale = {
    priceCents: 2_000,
    fileKinds: ["image"],
    isBought: false,
    isOpen: false,
  };
  expect(shown({ sale })).toContain("/checkout?message=m1");
  const ofTeam = shown({ sale }, { isMembersOwn: false });
  expect(ofTeam).not.toContain("/checkout");
  expect(ofTeam).toContain("20,00");
});

test("a message can be reported, the line of a tip cannot", () => {
  expect(shown({})).toContain("Denunciar");
  expect(shown({}, { isMembersOwn: false })).not.toContain("Denunciar");
  expect(shown({ text: "", tipCents: 1_000 })).not.toContain("Denunciar");
});

test("messages that were not sent are said once and politely, and interrupt nobody", () => {
  const pending: PendingMessage[] = ["k1", "k2"].map((clientMessageId) => ({
    conversationId: "c1",
    clientMessageId,
    text: "Sem conexão",
    replyTo: null,
    problem: null,
    state: "failed",
  }));
  const page = shown({}, { pending });
  expect(page).not.toContain(`role="alert"`);
  expect(page.match(/role="status"[^>]*>2 mensagens não enviadas\.</g)).toHaveLength(1);
  expect(page.match(/descartar/g)).toHaveLength(2);
});
