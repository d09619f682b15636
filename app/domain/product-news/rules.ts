import { DAY_MS, startOfDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long before new terms apply everybody is told. Source: /terms, "Mudanças e foro". */
export const TERMS_NOTICE_MS = 15 * DAY_MS;

/** Returns when the terms of a version ("2026-12-15") begin to apply: its midnight in São Paulo. */
export const termsApplyAt = (version: string): Instant => startOfDay(Date.parse(version) / DAY_MS);

/** Returns whether everybody can still be told of a version `TERMS_NOTICE_MS` before it applies. */
export const canAnnounceTerms = (version: string, now: Instant): boolean =>
  now + TERMS_NOTICE_MS <= termsApplyAt(version);

/** Fits a row of the list of notifications on a phone. */
export const NEWS_TEXT_MAX = 200;

/** The time between two pieces of news: nobody gets more than one in a day. */
export const NEWS_INTERVAL_MS = DAY_MS;

/** Returns when the next piece of news may be sent. `lastSentAt` is null before the first. */
export const nextNewsAt = (lastSentAt: Instant | null): Instant =>
  lastSentAt === null ? 0 : lastSentAt + NEWS_INTERVAL_MS;
