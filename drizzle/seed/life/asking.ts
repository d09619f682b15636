import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { addQuestion } from "#app/domain/events/questions/commands.server.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import type { QuestionInput } from "#app/domain/events/questions/schema.ts";
import {
  approveRequest,
  refuseRequest,
  requestSeats,
} from "#app/domain/events/requests/commands.server.ts";
import { reportSubject } from "#app/domain/moderation/reports/commands/report.server.ts";
import { addDays, HOUR_MS } from "#app/domain/time.ts";
import { fans } from "#drizzle/seed/town/fans.ts";
import { hourOf, plainEvent } from "./gathering.ts";
import { personOf, studioOf } from "./town.ts";
import type { SeededWorld } from "./town.ts";

type Asked = { question: QuestionInput; values: string[][] };

/** What the class asks, and what each of its people answers, in the order of the fans. */
const CLASS_QUESTIONS: Asked[] = [
  {
    question: {
      text: "Você já toca algum instrumento?",
      kind: "short",
      options: [],
      isRequired: true,
    },
    values: [["Violão, de ouvido"], ["Ainda não"], ["Sanfona"], ["Violino, na escola"]],
  },
  {
    question: {
      text: "De qual rabeca você precisa?",
      kind: "one",
      options: ["Levo a minha", "Uma emprestada", "Uma de canhoto"],
      isRequired: true,
    },
    values: [["Uma emprestada"], ["Uma emprestada"], ["Levo a minha"], ["Levo a minha"]],
  },
  {
    question: {
      text: "Alguma comida que você não come?",
      kind: "long",
      options: [],
      isRequired: false,
    },
    values: [[], ["Camarão, por alergia."], [], []],
  },
];

/** What the residency asks, and what each person who wants to come answers. */
const RESIDENCY_QUESTIONS: Asked[] = [
  {
    question: {
      text: "Conte de uma música que você quer aprender.",
      kind: "long",
      options: [],
      isRequired: true,
    },
    values: [
      ["A que meu avô assobiava na feira. Só sei o começo."],
      ["O baião do fim do disco."],
      ["Qualquer uma que dê para tocar na rua."],
      ["A valsa da ladeira, com a segunda voz."],
      ["A do ensaio de ontem."],
      ["Não sei ainda, quero ouvir primeiro."],
    ],
  },
  {
    question: { text: "Você dorme na casa?", kind: "yes_no", options: [], isRequired: true },
    values: [["Sim"], ["Não"], ["Sim"], ["Sim"], ["Não"], ["Sim"]],
  },
];

/** Announces an event that asks questions, one with requests, and one that a fan reports. */
export async function announceAskingEvents(world: SeededWorld): Promise<void> {
  await announceClass(world);
  await announceResidency(world);
  await reportEvent(world);
}

async function announceClass(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const own = await announced(world, {
    title: "Mutirão de conserto de rabecas",
    description: "Cola, cravelha e corda. Traga a sua, ou conserte uma da casa.",
    inDays: 24,
    needsApproval: false,
  });
  const ids = await askAll(world, own, CLASS_QUESTIONS);
  for (const [at, { username }] of fans.slice(0, 4).entries())
    await takeSeats(ctx, {
      eventId: own.eventId,
      personId: personOf(world, username).id,
      quantity: at === 0 ? 2 : 1,
      names: at === 0 ? ["Zeca do Pife"] : [],
      answers: answersOf(CLASS_QUESTIONS, ids, at),
    });
}

/** Four requests wait, one was approved and one refused. */
async function announceResidency(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const own = await announced(world, {
    title: "Vivência de rabeca: um fim de semana no sítio",
    description: "Dois dias, oito pessoas. Escrevo a cada uma antes de confirmar.",
    inDays: 34,
    needsApproval: true,
  });
  const ids = await askAll(world, own, RESIDENCY_QUESTIONS);
  const people = fans.slice(0, 6).map(({ username }) => personOf(world, username).id);
  for (const [at, personId] of people.entries())
    await requestSeats(ctx, {
      eventId: own.eventId,
      personId,
      quantity: at === 1 ? 2 : 1,
      answers: answersOf(RESIDENCY_QUESTIONS, ids, at),
    });
  const [approved = "", refused = ""] = people.slice(4);
  await approveRequest(ctx, {
    ...own,
    personId: approved,
    reply: "Que bom! Leve repelente e um caderno.",
  });
  await refuseRequest(ctx, {
    ...own,
    personId: refused,
    reply: "Desta vez são só oito. A próxima é em março.",
  });
}

async function reportEvent(world: SeededWorld): Promise<void> {
  const { ctx } = world.rehearsal;
  const creatorId = studioOf(world, "otavio").person.id;
  const startsAt = hourOf(addDays(ctx.now(), 27), 18);
  const { eventId } = await createEvent(ctx, {
    creatorId,
    ...plainEvent(startsAt, {
      title: "Feira de troca, entrada com doação",
      place: "Praça do Carmo, Olinda",
    }),
  });
  await publishEvent(ctx, { eventId, creatorId });
  await reportSubject(ctx, {
    reporterId: personOf(world, fans[6]?.username ?? "").id,
    reason: "scam",
    details: "Pediram um Pix por fora para guardar o lugar.",
    subject: { kind: "event", id: eventId },
  });
}

type Announced = { title: string; description: string; inDays: number; needsApproval: boolean };

/** Publishes an event of Ana's at 14:00 in `inDays`. */
async function announced(world: SeededWorld, { inDays, ...input }: Announced) {
  const { ctx } = world.rehearsal;
  const creatorId = studioOf(world, "ana").person.id;
  const startsAt = hourOf(addDays(ctx.now(), inDays), 14);
  const { eventId } = await createEvent(ctx, {
    creatorId,
    ...plainEvent(startsAt, {
      ...input,
      endsAt: startsAt + 5 * HOUR_MS,
      place: "Rua do Sossego, 120, Recife",
      capacity: 8,
      maxPerPerson: 2,
    }),
  });
  await publishEvent(ctx, { eventId, creatorId });
  return { eventId, creatorId };
}

async function askAll(
  { rehearsal: { ctx } }: SeededWorld,
  own: { eventId: string; creatorId: string },
  asked: Asked[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { question } of asked)
    ids.push((await addQuestion(ctx, { ...own, ...question, scope: "one" })).questionId);
  return ids;
}

/** The answers of the person with the number `at`. */
const answersOf = (asked: Asked[], ids: string[], at: number): Answer[] =>
  asked.flatMap(({ question, values }, index) => {
    const given = values[at] ?? [];
    return given.length === 0
      ? []
      : [{ id: ids[index] ?? "", question: question.text, values: given }];
  });
