import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { TermsField } from "#app/components/account/sign-in/registration-fields.tsx";
import { ComposerOptions } from "#app/components/composer/composer-options.tsx";
import { TransactionTotals } from "#app/components/payments/transaction-totals.tsx";
import { PickedRow } from "#app/components/media/picked-row.tsx";
import type { PickedFile } from "#app/components/media/use-uploads.ts";
import { PollCard } from "#app/components/posts/polls/poll.tsx";
import { PostByline } from "#app/components/posts/post-card.tsx";
import { Sidebar } from "#app/components/shell/navigation/sidebar.tsx";
import { ALT_MAX } from "#app/domain/media/rules/limits.ts";
import PlanArchive from "#app/routes/studio/plans/plan-archive.tsx";
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
    options: [{ position: 0, label: "Pé de serra", votesCount: 2, isChosen: false }],
    hasVoted: false,
  };
  const page = shown(<PollCard postId="p" poll={poll} isOwn mayEnd={false} />);
  expect(page).toContain("só você e quem vota veem o resultado");
});

const PICTURE = {
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

function rowOf(item: PickedFile): string {
  const uploads = { fileOf: () => null } as unknown as Parameters<typeof PickedRow>[0]["uploads"];
  return shown(
    <PickedRow
      item={item}
      isFirst
      isLast
      uploads={uploads}
      choose={() => undefined}
      onPicture={undefined}
    />,
  );
}

test("a file that waits for its turn says so, with its size", () => {
  expect(rowOf(PICTURE)).toContain("Na fila · 426");
});

test.each([
  [ALT_MAX - 30, "Faltam 30 caracteres."],
  [ALT_MAX + 1, "Passou 1 caractere do limite"],
])("under a picture description of %i letters stands its count", (letters, words) => {
  const page = rowOf({ ...PICTURE, alt: "a".repeat(letters) });
  expect(page).toContain(words);
  expect(page.includes('aria-invalid="true"')).toBe(letters > ALT_MAX);
  expect(page).not.toContain("maxlength=");
});

test.each([
  ["", "Sai agora"],
  ["2026-12-24T20:00", "Com data"],
])("the folded schedule of a post dated '%s' says: %s", (publishAt, words) => {
  const page = shown(
    <ComposerOptions
      state="new"
      plans={[]}
      collections={[]}
      selling={{ canSell: true } as never}
      values={{}}
      errors={{}}
      isPollFixed={false}
      onChanged={() => undefined}
      publishAt={publishAt}
      onPublishAt={() => undefined}
    />,
  );
  expect(/Agendar<.*?<\/summary>/s.exec(page)?.[0]).toContain(words);
});

test.each([
  [0, "Ninguém assina agora."],
  [1, "1 pessoa que assina continua com acesso e renovando."],
  [2, "2 pessoas que assinam continuam com acesso e renovando."],
])(
  "the question before a plan with %i subscribers is archived counts them",
  (seatsTaken, words) => {
    const Page = PlanArchive as unknown as (props: { loaderData: object }) => ReactNode;
    const page = shown(<Page loaderData={{ id: "p", name: "Camarim", seatsTaken }} />);
    expect(page).toContain(words);
  },
);

test("the people to follow leave out the creator of the open page, and the empty card goes", () => {
  const person = (name: string) => ({
    id: name,
    username: name,
    name,
    craft: "Rabeca",
    avatarUrl: null,
  });
  const sidebar = (names: string[]) => {
    const Stub = createRoutesStub([
      { path: "*", Component: () => <Sidebar money={null} people={names.map(person)} /> },
    ]);
    return renderToStaticMarkup(<Stub initialEntries={["/space/ana"]} />);
  };
  const both = sidebar(["ana", "bruno"]);
  expect(both).toContain("Seguir bruno");
  expect(both).not.toContain("Seguir ana");
  expect(sidebar(["ana"])).not.toContain("Gente para seguir");
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
