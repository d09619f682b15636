import { z } from "zod";
import type { DoorAnswer, DoorEntry, DoorTicket, EntryState } from "./rules.ts";
import { ENTRIES_PER_SYNC } from "./rules.ts";

/** The form of the door. */
export const doorSchema = z.object({
  code: z.string({ error: "Escreva o código do ingresso." }).trim().min(1).max(200),
});

const UNREADABLE = "Não conseguimos ler o pedido da portaria.";
const entryId = z.string(UNREADABLE).regex(/^[0-9a-f-]{16,40}$/, UNREADABLE);
const moment = z.int(UNREADABLE).min(0, UNREADABLE);

/** What the device of a door sends: its queued entries, and perhaps a scan that asks. */
export const doorSyncSchema = z.object({
  account: z.string(UNREADABLE),
  space: z.string(UNREADABLE),
  ask: z.object({ id: entryId, code: z.string(UNREADABLE).max(200, UNREADABLE) }).nullable(),
  entries: z
    .array(
      z.object({
        id: entryId,
        seatId: z.string(UNREADABLE).max(64, UNREADABLE).nullable(),
        at: moment,
        isUndone: z.boolean(UNREADABLE),
      }),
      UNREADABLE,
    )
    .max(ENTRIES_PER_SYNC, UNREADABLE),
  /** The revision of the last entry that the device knows. */
  since: moment,
});

/** An entry of the queue of a door's device. */
export type QueuedEntry = z.infer<typeof doorSyncSchema>["entries"][number];

/** What a sync answers. */
export type DoorSync = {
  /** Null without a scan that asks. */
  answer: DoorAnswer | null;
  states: { id: string; state: EntryState }[];
  /** Entries of all doors that changed after `since`, in the order of their changes. */
  changes: DoorEntry[];
  since: number;
  isComplete: boolean;
  isEventCanceled: boolean;
  /** People inside. */
  inside: number;
};

/** A page of the list that a door's device stores. */
export type DoorList = { tickets: DoorTicket[]; next: string | null; isEventCanceled: boolean };
