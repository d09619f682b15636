import { createBroadcast, scheduleBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { broadcastOf } from "#app/domain/broadcasts/queries.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { prepareMessageFiles } from "#app/domain/messages/commands/files.server.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { PEAKS_COUNT } from "#app/domain/messages/rules/recording.ts";
import type { Recording } from "#app/domain/messages/rules/recording.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { shippedFile } from "#drizzle/seed/town/files.ts";
import { personOf } from "./town.ts";
import type { SeededWorld } from "./town.ts";

type SentFile = {
  to: string;
  text: string;
  /** Audios, with their descriptions. */
  audios: { filename: string; alt: string }[];
  /** Of an audio that counts as recorded in the browser. */
  durationMs?: number;
  priceCents?: number;
};

/** What Ana sends into conversations that exist: an audio, and two that are for sale. */
const AUDIO: SentFile = {
  to: "caio.brito",
  text: "",
  audios: [{ filename: "afinando-a-rabeca.mp3", alt: "" }],
  durationMs: 11_500,
};
const FOR_SALE: SentFile = {
  to: "felipe.arruda",
  text: "Gravei a Lua de Goiana só com a rabeca, sem edição. Quem quiser levar:",
  audios: [
    { filename: "lua-de-goiana.mp3", alt: "Lua de Goiana na rabeca, com grilo" },
    { filename: "afinando-a-rabeca.mp3", alt: "A afinação, antes de tocar" },
  ],
  priceCents: 1_200,
};
const TO_MANY =
  "Oi, {nome}! Sábado tem ensaio aberto no quintal, às quatro. Quem assina entra sem ingresso: é só dizer o nome no portão.";

/** Ana sends files, and writes to all her subscribers at once. */
export function planMessageFiles(world: SeededWorld): void {
  world.calendar.at(world.endAt - 5 * HOUR_MS, () => sendFile(world, AUDIO));
  world.calendar.at(world.endAt - 4 * HOUR_MS, () => sendFile(world, FOR_SALE));
  world.calendar.at(world.endAt - 2 * DAY_MS, () => writeToMany(world));
}

async function sendFile(world: SeededWorld, sent: SentFile): Promise<void> {
  const { ctx } = world.rehearsal;
  const personId = personOf(world, "ana").id;
  const clientMessageId = ctx.newId();
  const otherId = personOf(world, sent.to).id;
  const found = await loadWriting(ctx, { personId, otherId }, clientMessageId);
  if (!found?.conversationId) throw new Error(`Ana and ${sent.to} have not talked`);
  const place = { conversationId: found.conversationId, personId, clientMessageId };
  const files = await prepareMessageFiles(ctx, {
    ...place,
    uploaded: [],
    files: sent.audios.map(({ filename, alt }) => ({
      file: new File([shippedFile(filename)], filename, { type: "audio/mpeg" }),
      alt,
    })),
    isSensitive: false,
    recording: sent.durationMs === undefined ? null : recordingOf(sent.durationMs),
    priceCents: sent.priceCents ?? null,
  });
  await sendMessage(ctx, { ...place, writtenById: null, text: sent.text, files });
}

/** A waveform that rises and falls twice, as the tuning does. */
function recordingOf(durationMs: number): Recording {
  const random = randomFrom("waveform");
  const peaks = Array.from({ length: PEAKS_COUNT }, (_, at) =>
    Math.round(40 + 35 * Math.sin((at / PEAKS_COUNT) * 4 * Math.PI) + random.between(0, 20)),
  );
  return { durationMs, peaks };
}

async function writeToMany(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const creatorId = personOf(world, "ana").id;
  const id = await createBroadcast(ctx, {
    creatorId,
    writtenById: null,
    segment: "subscribers",
    planIds: [],
    text: TO_MANY,
  });
  await scheduleBroadcast(ctx, { id, creatorId, sendAt: ctx.now() });
  const sendPage = async (): Promise<void> => {
    await sendBroadcastPage(ctx, { broadcastId: id });
    const { state } = (await broadcastOf(ctx, { id, creatorId })) ?? {};
    if (state === "sending") world.calendar.at(ctx.now() + MINUTE_MS, sendPage);
  };
  await sendPage();
}
