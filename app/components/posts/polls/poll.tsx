import { counted } from "#app/domain/text.ts";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { useRefusalToast } from "#app/components/ui/toasts/use-refusal-toast.ts";
import { percentageOf } from "#app/domain/posts/rules/polls.ts";
import type { Poll } from "#app/domain/posts/schema/polls.ts";
import { formatMinute } from "#app/domain/time.ts";
import { loginPath } from "#app/lib/own-path.ts";

type PollProps = {
  postId: string;
  poll: Poll;
  /** The viewer manages the page: sees the results and does not vote. */
  isOwn: boolean;
  mayEnd: boolean;
};

/** Poll of a post. Members vote, change their vote until it ends, and see allowed results. */
export function PollCard({ postId, poll, isOwn, mayEnd }: PollProps) {
  const mayVote = !isOwn && !poll.isClosed;
  return (
    <PollFrame poll={poll}>
      {mayVote && !poll.hasVoted ? (
        <Ballot postId={postId} poll={poll} />
      ) : (
        <PollResults poll={poll} />
      )}
      <PollNote poll={poll} isOwn={isOwn} />
      {mayVote && poll.hasVoted ? (
        <details key={JSON.stringify(poll.options)}>
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-leaf hover:underline">
            Mudar o voto
          </summary>
          <Ballot postId={postId} poll={poll} />
        </details>
      ) : null}
      {mayEnd && !poll.isClosed ? <Ending postId={postId} /> : null}
    </PollFrame>
  );
}

/**
 * The poll for a signed-out visitor on a page without JavaScript: the question and a link to answer
 * it.
 */
export function PublicPoll({ postId, poll }: { postId: string; poll: Poll }) {
  return (
    <PollFrame poll={poll}>
      <PollResults poll={poll} />
      <PollNote poll={poll} isOwn={false} />
      {poll.isClosed ? null : (
        <a
          href={loginPath(`/post/${postId}#enquete`)}
          className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
        >
          Entrar para votar
        </a>
      )}
    </PollFrame>
  );
}

function PollFrame({ poll, children }: { poll: Poll; children: ReactNode }) {
  return (
    <section
      id="enquete"
      aria-label="Enquete"
      className="flex flex-col gap-3 rounded-field border border-line p-4"
    >
      <h2 dir="auto" className="text-heading wrap-anywhere">
        {poll.question}
      </h2>
      {children}
    </section>
  );
}

function Ballot({ postId, poll }: { postId: string; poll: Poll }) {
  const fetcher = useFetcher<{ message?: string | null; errors?: Record<string, string> }>();
  useRefusalToast(fetcher);
  const error = fetcher.data?.errors?.["choice"];
  const action = `/post/${postId}/vote`;
  return (
    <fetcher.Form
      method="post"
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        const vote = new FormData(event.currentTarget);
        vote.set("inPlace", "true");
        void fetcher.submit(vote, { method: "post", action });
      }}
      className="flex flex-col gap-2"
    >
      <fieldset
        className="flex min-w-0 flex-col gap-2"
        aria-describedby={error ? `voto-${postId}` : undefined}
      >
        <legend className="sr-only">{poll.question}</legend>
        {poll.isMultiple ? <p className="text-small text-muted">Escolha uma ou mais.</p> : null}
        {poll.options.map(({ position, label, isChosen }) => (
          <label
            key={position}
            className="flex min-h-12 items-center gap-3 rounded-field border border-edge px-4 py-2 has-checked:border-leaf has-checked:bg-signal-soft has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-leaf"
          >
            <input
              type={poll.isMultiple ? "checkbox" : "radio"}
              name="choice"
              value={position}
              defaultChecked={isChosen}
              required={!poll.isMultiple}
              className="size-5 shrink-0 accent-leaf outline-none"
            />
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              {label}
            </span>
          </label>
        ))}
      </fieldset>
      {error ? (
        <p id={`voto-${postId}`} role="alert" className="text-small font-medium text-refusal">
          {error}
        </p>
      ) : null}
      <Button className="self-start" disabled={fetcher.state !== "idle"}>
        Votar
      </Button>
    </fetcher.Form>
  );
}

function PollResults({ poll }: { poll: Poll }) {
  return (
    <ul className="flex flex-col gap-2">
      {poll.options.map(({ position, label, votesCount, isChosen }) => {
        const share = votesCount === null ? null : percentageOf(votesCount, poll.votersCount ?? 0);
        return (
          <li
            key={position}
            className="relative isolate flex min-h-12 items-center gap-3 overflow-hidden rounded-field border border-line px-4 py-2"
          >
            {share === null ? null : (
              <svg aria-hidden="true" className="absolute inset-0 -z-10 size-full">
                <rect width={`${share}%`} height="100%" className="fill-signal-soft" />
              </svg>
            )}
            <span
              dir="auto"
              className={`min-w-0 flex-1 wrap-anywhere ${isChosen ? "font-semibold" : ""}`}
            >
              {label}
            </span>
            {isChosen ? (
              <>
                <Check aria-hidden="true" className="size-5 shrink-0 text-leaf" />
                <span className="sr-only">, o seu voto</span>
              </>
            ) : null}
            {share === null ? null : (
              <span className="shrink-0 text-small tabular-nums">
                {share}%<span className="sr-only">, {votes(votesCount ?? 0)}</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Live note about the votes: a screen reader announces that the vote counted. */
function PollNote({ poll, isOwn }: { poll: Poll; isOwn: boolean }) {
  const { votersCount, closesAt, isClosed, hasVoted } = poll;
  const notes = [
    votersCount === null ? "O resultado aparece para quem vota" : people(votersCount),
    hasVoted && !isClosed ? "o seu voto conta" : null,
    isOwn && !isClosed ? "só você e quem vota veem o resultado" : null,
    isClosed ? "encerrada" : closesAt === null ? null : `até ${formatMinute(closesAt)}`,
  ];
  return (
    <p role="status" className="text-small text-muted">
      {notes.filter(Boolean).join(" · ")}
    </p>
  );
}

function Ending({ postId }: { postId: string }) {
  const fetcher = useFetcher<{ message?: string | null }>();
  useRefusalToast(fetcher);
  return (
    <fetcher.Form method="post" action={`/post/${postId}/poll/closing`}>
      <ActingField />
      <Button variant="outline" size="sm" disabled={fetcher.state !== "idle"}>
        Encerrar a enquete
      </Button>
    </fetcher.Form>
  );
}

const votes = (count: number) => counted(count, "voto", "votos");
const people = (count: number) => counted(count, "pessoa votou", "pessoas votaram");
