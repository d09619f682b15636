import type { Instant } from "#app/domain/time.ts";

/** The numbers of one message to many people. */
export type BroadcastNumbers = {
  id: string;
  /** As it was written, with `{nome}` for the name. */
  text: string;
  startedAt: Instant;
  recipientCount: number;
  /** Delivered messages. */
  sentCount: number;
  /** Who opened it, answered it, and paid within seven days; null before the first count. */
  openedCount: number | null;
  answeredCount: number | null;
  buyersCount: number | null;
};
