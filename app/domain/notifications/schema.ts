import type { Instant } from "#app/domain/time.ts";

export type NotificationRow = {
  id: string;
  kind: string;
  body: string;
  path: string;
  readAt: Instant | null;
  createdAt: Instant;
};
