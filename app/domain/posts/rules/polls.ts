import { counted } from "#app/domain/text.ts";
import type { PollSummary } from "#app/domain/posts/schema.ts";
import type { Poll } from "#app/domain/posts/schema/polls.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A poll's row with the viewer's choices as bits; null when they did not vote. */
export type PollRow = {
  question: string;
  isMultiple: boolean;
  closesAt: Instant | null;
  votersCount: number;
  choices: number | null;
  options: { position: number; label: string; votesCount: number }[];
};

export function isPollClosed({ closesAt }: Pick<PollRow, "closesAt">, now: Instant): boolean {
  return closesAt !== null && closesAt <= now;
}

/**
 * Maps a poll to what its viewer sees. Results are shown to voters, to the author, and to everyone
 * once it closed. Others vote before they see results.
 */
export function pollForViewer(
  row: PollRow,
  { isOwn, now }: { isOwn: boolean; now: Instant },
): Poll {
  const isClosed = isPollClosed(row, now);
  const hasVoted = row.choices !== null;
  const isShown = isOwn || isClosed || hasVoted;
  return {
    question: row.question,
    isMultiple: row.isMultiple,
    closesAt: row.closesAt,
    isClosed,
    hasVoted,
    votersCount: isShown ? row.votersCount : null,
    options: row.options.map(({ position, label, votesCount }) => ({
      position,
      label,
      votesCount: isShown ? votesCount : null,
      isChosen: isChosen(row.choices ?? 0, position),
    })),
  };
}

/** Returns what a card shows of a poll at `now`. */
export function pollSummary(
  row: Pick<PollRow, "closesAt" | "votersCount">,
  now: Instant,
): PollSummary {
  return { closesAt: row.closesAt, votersCount: isPollClosed(row, now) ? row.votersCount : null };
}

/**
 * Formats the status of a poll: "Enquete aberta", "Enquete até 12/03/2027, 14:00", "Enquete
 * encerrada · 12 votaram".
 */
export function pollLabel({ closesAt, votersCount }: PollSummary): string {
  if (votersCount !== null)
    return `Enquete encerrada · ${counted(votersCount, "pessoa votou", "pessoas votaram")}`;
  return closesAt === null ? "Enquete aberta" : `Enquete até ${formatMinute(closesAt)}`;
}

/**
 * Encodes choices as the bits of one number, as a vote is stored: one row for any number of
 * choices.
 */
export function encodeChoices(places: readonly number[]): number {
  return places.reduce((bits, place) => bits | (1 << place), 0);
}

export function isChosen(choices: number, place: number): boolean {
  return ((choices >> place) & 1) === 1;
}

/**
 * Returns a share in whole percent, rounded half up; 0 of 0 is 0. With several choices a person the
 * sum can exceed 100.
 */
export function percentageOf(votesCount: number, votersCount: number): number {
  return votersCount === 0 ? 0 : Math.round((votesCount * 100) / votersCount);
}
