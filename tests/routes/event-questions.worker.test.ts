import { beforeAll, expect, test } from "vitest";
import { addQuestion } from "#app/domain/events/questions/commands.server.ts";
import { questionsOf } from "#app/domain/events/questions/queries.server.ts";
import type { QuestionInput } from "#app/domain/events/questions/schema.ts";
import * as peopleCsv from "#app/routes/events/people/people-csv.ts";
import * as questionPage from "#app/routes/events/questions/question.tsx";
import * as removal from "#app/routes/events/questions/question-removal.tsx";
import * as questionsPage from "#app/routes/events/questions/questions.tsx";
import * as seat from "#app/routes/events/seats/seat.tsx";
import * as ticket from "#app/routes/events/tickets/ticket.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "events/:id/questions", module: questionsPage },
  { path: "events/:id/questions/:questionId", module: questionPage },
  { path: "events/:id/questions/:questionId/removal", module: removal },
  { path: "events/:id/people.csv", module: peopleCsv },
  { path: "events/:id/seat", module: seat },
  { path: "events/:id/ticket", module: ticket },
]);

let world: World;
let ana: Seller;
let fan: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  fan = await createPerson(world.ctx, "Bia");
});

const asked = async (eventId: string, input: Partial<QuestionInput> = {}) =>
  (
    await addQuestion(world.ctx, {
      eventId,
      creatorId: ana.id,
      scope: "one",
      text: "Que instrumento?",
      kind: "short",
      options: [],
      isRequired: true,
      ...input,
    })
  ).questionId;

test("a missing answer is said beside its question, and nothing that was typed is lost", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  const first = await asked(eventId);
  const options = ["Manhã", "Tarde"];
  const second = await asked(eventId, { text: "Quando?", kind: "several", options });
  const path = `/events/${eventId}`;
  const refused = await routes.post({ person: fan }, `${path}/seat`, {
    quantity: "1",
    [`answer-${second}`]: "Tarde",
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({
    errors: { [`answer-${first}`]: "Responda a esta pergunta." },
    values: { [`answer-${second}`]: "Tarde" },
  });
  const taken = await routes.post({ person: fan }, `${path}/seat`, {
    quantity: "1",
    [`answer-${first}`]: "Rabeca",
    [`answer-${second}`]: "Tarde",
  });
  expect(taken.headers.get("Location")).toBe(`${path}/ticket`);
  const { answers } = await routes.read<{ answers: { question: string; values: string[] }[][] }>(
    { person: fan },
    `${path}/ticket`,
  );
  expect(answers[0]?.map(({ question, values }) => [question, ...values])).toEqual([
    ["Que instrumento?", "Rabeca"],
    ["Quando?", "Tarde"],
  ]);
});

test("the spreadsheet has a column for each question, and runs no answer as a formula", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  const question = await asked(eventId, { text: "=Instrumento?" });
  await routes.post({ person: fan }, `/events/${eventId}/seat`, {
    quantity: "1",
    [`answer-${question}`]: '=HYPERLINK("https://mal.exemplo")',
  });
  const as = { person: ana, isCreator: true };
  const answer = await routes.get(as, `/events/${eventId}/people.csv`);
  const [head = "", row = ""] = (await answer.text()).split("\r\n");
  expect(head.endsWith("Entrou em;'=Instrumento?")).toBe(true);
  expect(row.endsWith(`;"'=HYPERLINK(""https://mal.exemplo"")"`)).toBe(true);
});

test("who manages the page's events asks; a guest of the team and a stranger do not", async () => {
  const creator = await createSeller(world.ctx);
  const team = await createTeamFor(world.ctx, creator);
  const member = await createTeammate(world.ctx, team, "basic_member");
  const guest = await createTeammate(world.ctx, team, "guest_member");
  const eventId = await publishedEvent(world.ctx, creator);
  const path = `/events/${eventId}/questions`;
  const inTeam = (person: TestPerson) => ({ person, teamId: team.teamId });
  const space = creator.id;
  const form = { space, text: "Vem de carro?", kind: "yes_no" };
  expect((await routes.post(inTeam(guest), path, form)).status).toBe(403);
  expect((await routes.post({ person: fan }, path, { ...form, space: fan.id })).status).toBe(404);
  expect((await routes.post(inTeam(member), path, form)).status).toBe(302);
  const [made] = await questionsOf(world.ctx, { eventId });
  expect(made).toMatchObject({ text: "Vem de carro?", kind: "yes_no", isRequired: false });
  const edited = { space, text: "Vem de ônibus?", kind: "yes_no", isRequired: "true" };
  const one = `${path}/${made?.id}`;
  expect((await routes.post(inTeam(member), one, edited)).status).toBe(302);
  expect(await questionsOf(world.ctx, { eventId })).toMatchObject([{ text: "Vem de ônibus?" }]);
  expect((await routes.get(inTeam(member), `${path}/nenhuma`)).status).toBe(404);
  expect((await routes.post(inTeam(member), `${one}/removal`, { space })).status).toBe(302);
  expect(await questionsOf(world.ctx, { eventId })).toEqual([]);
});
