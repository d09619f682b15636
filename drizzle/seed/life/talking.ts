import { reactToChatMessage, sendChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { notifyUnread } from "#app/domain/messages/commands/notify.server.ts";
import { loadWriting } from "#app/domain/messages/queries/writing.server.ts";
import { decideWriting } from "#app/domain/messages/rules/writing.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { randomFrom } from "#drizzle/seed/random.ts";
import { fans } from "#drizzle/seed/town/fans.ts";
import {
  eventTalk,
  longTalk,
  questionsForAna,
  STRANGERS_QUESTION,
  talks,
} from "#drizzle/seed/town/talks.ts";
import type { Talk } from "#drizzle/seed/town/talks.ts";
import { personOf } from "./town.ts";
import type { SeededWorld } from "./town.ts";

const ANAS_CONVERSATIONS = 30;
/** The long one and the request. */
const OTHERS = 2;
const LONG_ROUNDS = 10;
/** She reads and answers all of them but the last few. */
const UNREAD = 3;

/** Conversations of the last days, a few minutes between answers. */
export function planTalks(world: SeededWorld): void {
  const random = randomFrom("talks");
  for (const talk of allTalks()) {
    const days = talk.bodies.length > 20 ? 9 : random.between(0.3, 9);
    let at = world.endAt - days * DAY_MS;
    talk.bodies.forEach((body, index) => {
      at += random.between(5, 50) * MINUTE_MS;
      world.calendar.at(at, () => say(world, talk, { body, isAnswer: index % 2 === 1 }));
    });
  }
  world.calendar.at(world.endAt - 3 * MINUTE_MS, () => askAsStranger(world));
  // As the notifications worker does each minute.
  world.calendar.at(world.endAt - MINUTE_MS, () => notifyUnread(world.rehearsal.ctx));
}

/** Somebody whom Ana does not know writes to her: it waits in her requests. */
async function askAsStranger(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const otherId = personOf(world, "ana").id;
  for (const { username } of fans) {
    const { id: personId } = personOf(world, username);
    const clientMessageId = ctx.newId();
    const found = await loadWriting(ctx, { personId, otherId }, clientMessageId);
    if (username === "bruno" || found?.conversationId !== null) continue;
    if (decideWriting(found).box !== "request") continue;
    await sendMessage(ctx, {
      personId,
      otherId,
      writtenById: null,
      text: STRANGERS_QUESTION,
      clientMessageId,
    });
    return;
  }
}

/** Who came to an event talks in its chat, and its creator answers. */
export async function talkAtEvent(
  world: SeededWorld,
  { eventId, creatorId }: { eventId: string; creatorId: string },
): Promise<void> {
  const { ctx } = world.rehearsal;
  const idOf = (fanAt: number | null): string =>
    fanAt === null ? creatorId : personOf(world, fans[fanAt]?.username ?? "").id;
  for (const [fanAt, text, replyToSeq] of eventTalk) {
    const message = { eventId, personId: idOf(fanAt), text, clientMessageId: ctx.newId() };
    await sendChatMessage(ctx, { ...message, replyToSeq });
  }
  for (const fanAt of [0, 2, null])
    await reactToChatMessage(ctx, { eventId, personId: idOf(fanAt), seq: 5, emoji: "❤️" });
}

function allTalks(): Talk[] {
  const senders = new Set(talks.filter(({ to }) => to === "ana").map(({ from }) => from));
  const long = {
    from: "lucia.amaral",
    to: "ana",
    bodies: Array(LONG_ROUNDS).fill(longTalk).flat(),
  };
  const others = fans
    .map(({ username }) => username)
    .filter((username) => username !== "bruno" && username !== long.from && !senders.has(username))
    .slice(0, ANAS_CONVERSATIONS - senders.size - OTHERS);
  const asked = others.map((from, index): Talk => {
    const [question = "", answer = ""] = questionsForAna[index % questionsForAna.length] ?? [];
    const thanks = index < UNREAD ? ["Obrigado! Vou esperar."] : [];
    return { from, to: "ana", bodies: [question, answer, ...thanks] };
  });
  return [...talks, long, ...asked];
}

async function say(
  world: SeededWorld,
  { from, to }: Talk,
  { body, isAnswer }: { body: string; isAnswer: boolean },
): Promise<void> {
  const { ctx } = world.rehearsal;
  const [speaker, listener] = isAnswer ? [to, from] : [from, to];
  const personId = personOf(world, speaker).id;
  const { conversationId } = await sendMessage(ctx, {
    personId,
    otherId: personOf(world, listener).id,
    writtenById: null,
    text: body,
    clientMessageId: ctx.newId(),
  });
  if (isAnswer) await changeConversation(ctx, { conversationId, personId, act: "read" });
}
