import { asc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import * as dates from "#app/routes/events/series/dates.ts";
import * as cancellation from "#app/routes/events/event-cancellation.tsx";
import * as create from "#app/routes/events/event-create.tsx";
import * as edit from "#app/routes/events/event-edit.tsx";
import * as repetition from "#app/routes/events/series/repetition.tsx";
import * as event from "#app/routes/events/event.tsx";
import * as list from "#app/routes/home/events.tsx";
import * as publicEvent from "#app/routes/public/event.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { events } from "#drizzle/schema/events.ts";

const routes = callRoutesAs([
  { path: "events", module: list },
  { path: "events/create", module: create },
  { path: "events/dates", module: dates },
  { path: "events/:id", module: event },
  { path: "events/:id/edit", module: edit },
  { path: "events/:id/cancellation", module: cancellation },
  { path: "events/:id/repetition", module: repetition },
]);
const visit = createRouteCaller([
  { path: "space/:username/public/events/:id", module: publicEvent },
]);

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

const form = (changed: Record<string, string> = {}) => ({
  title: "Roda de rabeca",
  startsAt: "2027-03-18T20:00",
  endsAt: "2027-03-18T22:00",
  timeZone: "America/Sao_Paulo",
  place: "Olinda",
  repeat: "weekly",
  repeatEnds: "times",
  repeatTimes: "4",
  ...changed,
});
const as = () => ({ person: ana, isCreator: true });

async function createdDates(): Promise<{ id: string; seriesDay: string | null; title: string }[]> {
  const made = await routes.post(as(), "/events/create", form({ publish: "true" }));
  const id = (made.headers.get("Location") ?? "").split("/").at(-1) ?? "";
  const saved = await editableEvent(world.ctx, { eventId: id, creatorId: ana.id });
  return await rowsOf(saved?.seriesId ?? "");
}

const rowsOf = async (seriesId: string) =>
  await world.ctx.db
    .select()
    .from(events)
    .where(eq(events.seriesId, seriesId))
    .orderBy(asc(events.seriesDay));

type Answer = {
  errors: Record<string, string>;
  message: string | null;
  values: Record<string, string>;
  dates: { dates: string[]; total: number; problem: string | null } | null;
};

test("without JavaScript the dates are shown, nothing is saved, and nothing typed is lost", async () => {
  const before = await world.ctx.db.select().from(events);
  const answer = await routes.post(as(), "/events/create", form({ preview: "true" }));
  const { message, values, dates: shown } = await answer.json<Answer>();
  expect(message).toContain("Nada foi salvo ainda.");
  expect(values).toMatchObject(form());
  expect(shown).toMatchObject({ total: 4, problem: null });
  expect(shown?.dates[3]).toBe("quinta-feira, 8 de abril de 2027, 20:00 até 22:00");
  expect(await world.ctx.db.select().from(events)).toEqual(before);
});

test("the dates are shown beside other mistakes, and a million of them are refused", async () => {
  const untitled = await routes.post(as(), "/events/create", form({ title: "", preview: "true" }));
  expect(await untitled.json<Answer>()).toMatchObject({
    errors: { title: "Campo obrigatório" },
    dates: { total: 4 },
  });
  const million = await routes.post(as(), "/events/create", form({ repeatTimes: "1000000" }));
  expect(million.status).toBe(400);
  expect((await million.json<Answer>()).errors).toEqual({
    repeatTimes: "Escreva quantas vezes, de 2 a 366.",
  });
});

test("the live preview asks by address", async () => {
  const { preview } = await routes.read<{ preview: Answer["dates"] }>(
    as(),
    `/events/dates?${new URLSearchParams([...Object.entries(form()), ["weekdays", "3"], ["weekdays", "4"]])}`,
  );
  expect(preview?.dates[1]).toBe("sexta-feira, 19 de março de 2027, 20:00 até 22:00");
});

test("each date has its page with the next ones, and its own data for search engines", async () => {
  const rows = await createdDates();
  expect(rows.map(({ seriesDay }) => seriesDay)).toEqual([
    "2027-03-18",
    "2027-03-25",
    "2027-04-01",
    "2027-04-08",
  ]);
  const second = rows[1]?.id ?? "";
  const shown = await (await routes.get(as(), `/events/${second}`)).text();
  expect(shown).toContain("Toda semana: quinta-feira, 4 vezes");
  const visited = await visit(
    new Request(`${TEST_ORIGIN}/space/${ana.username}/public/events/${second}`),
  );
  const text = await visited.text();
  expect(visited.status).toBe(200);
  for (const { id } of rows) expect(text).toContain(id);
});

test("a change of “Todas” and a cancellation of “Esta e as próximas” go through their forms", async () => {
  const rows = await createdDates();
  const [first, second] = rows;
  const saved = await editableEvent(world.ctx, { eventId: first?.id ?? "", creatorId: ana.id });
  const changed = await routes.post(
    as(),
    `/events/${first?.id}/edit`,
    form({ title: "Roda nova", revision: "0", scope: "all" }),
  );
  expect(changed.status).toBe(302);
  const after = await rowsOf(saved?.seriesId ?? "");
  expect(after.map(({ title }) => title)).toEqual(Array(4).fill("Roda nova"));
  const refused = await routes.post(
    as(),
    `/events/${first?.id}/edit`,
    form({ revision: "1", scope: "all", startsAt: "2027-03-19T20:00", endsAt: "2027-03-19T22:00" }),
  );
  expect((await refused.json<Answer>()).errors["startsAt"]).toContain("Só esta data");
  await routes.post(as(), `/events/${second?.id}/cancellation`, { scope: "next" });
  expect((await rowsOf(saved?.seriesId ?? "")).map(({ status }) => status)).toEqual([
    "published",
    "canceled",
    "canceled",
    "canceled",
  ]);
});

test("an event begins to repeat on its own page, which shows the rule and changes it from a date on", async () => {
  const single = form({ publish: "true", repeat: "none" });
  const made = await routes.post(as(), "/events/create", single);
  const page = `/events/${(made.headers.get("Location") ?? "").split("/").at(-1)}`;
  const { startsAt, endsAt, timeZone } = form();
  const asked = { startsAt, endsAt, timeZone, repeat: "weekly", repeatEnds: "times" };
  type Loaded = { repeats: string | null; values: Record<string, string> };
  const shownBefore = await routes.read<Loaded>(as(), `${page}/repetition`);
  expect(shownBefore).toMatchObject({ repeats: null, values: {} });
  const none = await routes.post(as(), `${page}/repetition`, { ...asked, repeat: "none" });
  expect((await none.json<Answer>()).errors).toEqual({ repeat: "Escolha como o evento repete." });
  const many = await routes.post(as(), `${page}/repetition`, { ...asked, repeatTimes: "900" });
  expect((await many.json<Answer>()).errors["repeatTimes"]).toContain("de 2 a 366");
  const shown = { ...asked, repeatTimes: "3", preview: "true" };
  expect(await (await routes.post(as(), `${page}/repetition`, shown)).json<Answer>()).toMatchObject(
    { values: { repeatTimes: "3" }, dates: { total: 3, problem: null } },
  );
  const saved = await routes.post(as(), `${page}/repetition`, { ...asked, repeatTimes: "3" });
  expect(saved.headers.get("Location")).toBe(page);
  expect(await routes.read<Loaded>(as(), `${page}/repetition`)).toMatchObject({
    repeats: "Toda semana: quinta-feira, 3 vezes",
    values: { repeat: "weekly", repeatTimes: "3" },
  });
  const { id = "" } = { id: page.split("/").at(-1) };
  const event = await editableEvent(world.ctx, { eventId: id, creatorId: ana.id });
  await routes.post(as(), `${page}/repetition`, { ...asked, repeat: "daily", repeatTimes: "2" });
  expect((await rowsOf(event?.seriesId ?? "")).map(({ seriesDay }) => seriesDay)).toEqual([
    "2027-03-18",
    "2027-03-19",
  ]);
});

test("the week starts on the Monday of any of its days, and another text is this week", async () => {
  type Week = { week: { days: string[]; placed: { title: string }[][] } | null };
  const weekOf = async (query: string) =>
    (await routes.read<Week>(as(), `/events?view=week${query}`)).week;
  await createdDates();
  const found = await weekOf("&semana=2027-03-21");
  expect([found?.days[0], found?.days[6]]).toEqual(["2027-03-15", "2027-03-21"]);
  expect(found?.placed[3]?.map(({ title }) => title)).toContain("Roda de rabeca");
  const today = await weekOf("");
  expect(await weekOf("&semana=2027-02-31")).toEqual(today);
  expect(await weekOf("&semana=<script>")).toEqual(today);
});
