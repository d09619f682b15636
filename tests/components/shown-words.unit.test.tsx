import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { TermsField } from "#app/components/account/registration-fields.tsx";
import { TransactionTotals } from "#app/components/payments/transaction-totals.tsx";
import { PickedRow } from "#app/components/media/picked-row.tsx";
import { PollCard } from "#app/components/posts/poll.tsx";
import { PostByline } from "#app/components/posts/post-card.tsx";
import Evidence from "#app/routes/settings/disputes/evidence.tsx";

function shown(part: ReactNode): string {
  const Stub = createRoutesStub([{ path: "/", Component: () => part }]);
  return renderToStaticMarkup(<Stub />);
}

test("the acceptance of the terms leads to both documents, each in another tab", () => {
  const page = shown(<TermsField values={{}} errors={{}} />);
  for (const path of ["/terms", "/terms/privacy"])
    expect(page).toMatch(new RegExp(`<a href="${path}" target="_blank"`));
});

test("what a payer paid in all is called so", () => {
  const totals = {
    count: 2,
    amountCents: 3_980,
    refundedCents: 1_990,
    disputedCents: 0,
    feeCents: 199,
    netCents: 1_791,
  };
  const page = shown(<TransactionTotals face="paid" totals={totals} />);
  expect(page).toMatch(/Total pago.*R\$\s19,90/s);
});

test.each([
  [true, "agora"],
  [false, "ainda não publicada"],
])("the byline of a post that is out: %s, says %s", (isPublished, words) => {
  const post = {
    author: { id: "a", name: "Ana", username: "ana", avatarMediaId: null },
    publishedAt: 0,
    editedAt: null,
    isPinned: false,
    rules: [{ kind: "public" as const, opensAt: null }],
    plans: [],
    publishedBy: null,
  };
  const page = shown(
    <PostByline
      post={post as unknown as Parameters<typeof PostByline>[0]["post"]}
      now={0}
      path="/post/p"
      authorPath="/space/ana"
      isPublished={isPublished}
    />,
  );
  expect(page).toContain(words);
  expect(page.includes("<time")).toBe(isPublished);
});

test("a poll's author reads who sees its result", () => {
  const poll = {
    question: "Qual forró?",
    isMultiple: false,
    closesAt: null,
    isClosed: false,
    votersCount: 2,
    options: [{ position: 0, label: "Pé de serra", votesCount: 2, isMine: false }],
    hasVoted: false,
  };
  const page = shown(<PollCard postId="p" poll={poll} isOwn mayEnd={false} />);
  expect(page).toContain("só você e quem vota veem o resultado");
});

test("a file that waits for its turn says so, with its size", () => {
  const item = {
    key: "k",
    name: "foto.jpg",
    kind: "image" as const,
    sizeBytes: 425_984,
    sentBytes: 0,
    state: "sending" as const,
    message: null,
    isWorthTrying: true,
    alt: "",
    upload: null,
    media: null,
  };
  const uploads = { fileOf: () => null } as unknown as Parameters<typeof PickedRow>[0]["uploads"];
  const page = shown(
    <PickedRow
      item={item}
      isFirst
      isLast
      uploads={uploads}
      choose={() => undefined}
      onPicture={undefined}
    />,
  );
  expect(page).toContain("Na fila · 426");
});

test("the text of an answer to a dispute is not optional", () => {
  const Page = Evidence as unknown as (props: {
    loaderData: object;
    actionData: undefined;
  }) => ReactNode;
  const page = shown(
    <Page loaderData={{ id: "d1", text: "", files: [] }} actionData={undefined} />,
  );
  const label = /<label[^>]*>O que aconteceu(.*?)<\/label>/s.exec(page)?.[1];
  expect(label).not.toContain("opcional");
  expect(page).toContain("Guardar rascunho da resposta");
});
