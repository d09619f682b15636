import { z } from "zod";
import { BROADCAST_MAX, BROADCAST_PLANS_MAX, isOnlyName, SEGMENTS } from "./rules.ts";
import type { BroadcastState, Segment } from "./rules.ts";
import { cleanMessageText } from "#app/domain/messages/rules.ts";
import { checkFilesForm, messageFilesFields } from "#app/domain/messages/schema.ts";
import type { MessageFile } from "#app/domain/messages/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

const planIdsSchema = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .default([])
  .pipe(
    z
      .array(z.string().regex(/^[0-9a-z-]{1,64}$/, "Escolha um dos seus planos."))
      .max(BROADCAST_PLANS_MAX, `Escolha até ${BROADCAST_PLANS_MAX} planos.`),
  );

/** The form "Mensagem para muitos". `savedFileIds` are those of its files that stay. */
export const broadcastSchema = z
  .object({
    segment: z.enum(SEGMENTS, "Escolha quem recebe."),
    planIds: planIdsSchema,
    text: z
      .string({ error: "Escreva a sua mensagem." })
      .transform(cleanMessageText)
      .pipe(
        z
          .string()
          .min(1, "Escreva a sua mensagem.")
          .max(BROADCAST_MAX, "Use até 3.500 caracteres.")
          .refine((text) => !isOnlyName(text), "Escreva mais do que o nome."),
      ),
    ...messageFilesFields,
    savedFileIds: messageFilesFields.fileIds,
  })
  .superRefine(({ savedFileIds, fileIds, ...form }, check) =>
    checkFilesForm({ ...form, fileIds: [...savedFileIds, ...fileIds] }, check),
  )
  .refine(({ segment, planIds }) => segment !== "plans" || planIds.length > 0, {
    path: ["planIds"],
    message: "Escolha pelo menos um plano.",
  });

export type Broadcast = {
  id: string;
  creatorId: string;
  writtenById: string | null;
  text: string;
  segment: Segment;
  planIds: string[];
  /** Its files, in their order. */
  files: MessageFile[];
  isSensitive: boolean;
  /** What the files cost each recipient (centavos); null for files that are not sold. */
  priceCents: Cents | null;
  state: BroadcastState;
  sendAt: Instant | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  progress: string | null;
  recipientCount: number;
  deliveredCount: number;
  skippedCount: number;
  createdAt: Instant;
};

/** How many recipients read it, wrote after it, and hold its files that they bought. */
export type BroadcastStatistics = {
  openedCount: number;
  answeredCount: number;
  boughtCount: number;
  /** What those who hold its files paid for them, fees included. Refunded purchases are left out. */
  boughtCents: Cents;
};
