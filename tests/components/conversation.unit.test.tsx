import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { ConversationView } from "#app/components/messages/conversation-view.tsx";
import type { Box } from "#app/domain/messages/rules.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

const loaded = {
  account: "bia",
  space: "bia",
  id: "c1",
  other: { id: "p2", name: "Bia", username: "bia", avatarUrl: null },
  box: "inbox" as Box,
  isPinned: false,
  isMuted: false,
  revision: 1,
  otherReadSeq: null,
  mayWrite: true,
  canSendFile: true,
  showsPresence: false,
  isOwn: true,
  closed: null,
  messages: [],
  replyTo: null as { seq: number; text: string } | null,
  isLatest: true,
  earlier: null,
  canSellFile: false,
  tipPath: null,
  clientMessageId: "key-of-the-form",
  now: 0,
};

/** What the page of a conversation shows without a browser. */
function shown(changes: Partial<typeof loaded>, problem?: FormProblem): string {
  const Stub = createRoutesStub([
    {
      path: "/",
      Component: () => (
        <ConversationView
          loaded={{ ...loaded, ...changes }}
          changeCount={0}
          isTyping={false}
          outbox={{ pending: [], send() {}, retry() {}, discard() {}, release() {} }}
          problem={problem}
        />
      ),
    },
  ]);
  return renderToStaticMarkup(<Stub />);
}

test("a refused form keeps what it answers, also without JavaScript", () => {
  expect(shown({ replyTo: { seq: 3, text: "Oi" } })).toContain(`action="/messages/c1?reply=3"`);
  expect(shown({})).toContain(`action="/messages/c1"`);
});

describe("a block, which is of the member's own account", () => {
  test.each(["inbox", "request"] as const)("is offered on one's own page (%s)", (box) => {
    expect(shown({ box })).toContain("/space/bia/block");
    expect(shown({ box, isOwn: false })).not.toContain("/block");
  });
});
