import { beforeAll, expect, test } from "vitest";
import * as broadcast from "#app/routes/messages/broadcasts/broadcast.tsx";
import * as broadcastCancellation from "#app/routes/messages/broadcasts/broadcast-cancellation.tsx";
import * as broadcastCreate from "#app/routes/messages/broadcasts/broadcast-create.tsx";
import * as broadcastEdit from "#app/routes/messages/broadcasts/broadcast-edit.tsx";
import * as broadcastFiles from "#app/routes/messages/broadcasts/broadcast-files.ts";
import * as broadcastSchedule from "#app/routes/messages/broadcasts/broadcast-schedule.tsx";
import * as broadcasts from "#app/routes/messages/broadcasts/broadcasts.tsx";
import { createBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { broadcastOf } from "#app/domain/broadcasts/queries.server.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { pdf } from "#tests/support/media-files.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { createTeamFor, createTeammate } from "#tests/support/teams.ts";

const routes = callRoutesAs([
  { path: "messages/broadcasts", module: broadcasts },
  { path: "messages/broadcasts/new", module: broadcastCreate },
  { path: "messages/broadcasts/files", module: broadcastFiles },
  { path: "messages/broadcasts/:id", module: broadcast },
  { path: "messages/broadcasts/:id/edit", module: broadcastEdit },
  { path: "messages/broadcasts/:id/schedule", module: broadcastSchedule },
  { path: "messages/broadcasts/:id/cancellation", module: broadcastCancellation },
]);

let world: World;
let ana: Seller;
let id: string;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  id = await createBroadcast(world.ctx, {
    creatorId: ana.id,
    writtenById: null,
    segment: "followers",
    planIds: [],
    text: "Segredo da Ana",
  });
});

test("another creator gets 404 for a broadcast, and changes nothing of it", async () => {
  const eve = { person: await createSeller(world.ctx), isCreator: true };
  for (const path of ["", "/edit", "/schedule", "/cancellation"]) {
    const answer = await routes.get(eve, `/messages/broadcasts/${id}${path}`);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.text()).not.toContain("Segredo");
  }
  for (const [path, fields] of [
    ["/edit", { segment: "followers", text: "Mudei" }],
    ["/schedule", { sendAt: "" }],
    ["/cancellation", {}],
  ] as const)
    expect((await routes.post(eve, `/messages/broadcasts/${id}${path}`, fields)).status).toBe(404);
  expect(await (await routes.get(eve, "/messages/broadcasts")).text()).not.toContain(id);
  expect(await broadcastOf(world.ctx, { id, creatorId: ana.id })).toMatchObject({
    state: "draft",
    text: "Segredo da Ana",
  });
});

test("who has no page is sent to open one, and a team member needs the permission to write", async () => {
  const bia = { person: await createPerson(world.ctx, "Bia") };
  const answer = await routes.get(bia, "/messages/broadcasts");
  expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/space/create"]);
  const team = await createTeamFor(world.ctx, ana);
  for (const [role, status] of [
    ["basic_member", 200],
    ["guest_member", 403],
  ] as const) {
    const person = await createTeammate(world.ctx, team, role);
    const caller = { person, teamId: team.teamId };
    expect((await routes.get(caller, `/messages/broadcasts/${id}`)).status).toBe(status);
  }
});

test("the form keeps what was typed, and a good one leads to the preview", async () => {
  const own = { person: ana, isCreator: true };
  const refused = await routes.post(own, "/messages/broadcasts/new", {
    segment: "plans",
    text: "Oi",
  });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Escolha pelo menos um plano.");
  const made = await routes.post(own, "/messages/broadcasts/new", {
    segment: "followers",
    text: "Oi, {nome}",
  });
  expect(made.headers.get("Location")).toMatch(/^\/messages\/broadcasts\/[0-9a-f]{32}$/);
});

test("files are taken from who writes for a page only", async () => {
  const upload = async (caller: Parameters<typeof routes.postForm>[0]) => {
    const form = new FormData();
    form.set("file", new File([pdf()], "a.pdf", { type: "application/pdf" }));
    return (await routes.postForm(caller, "/messages/broadcasts/files", form)).status;
  };
  const carla = await createSeller(world.ctx);
  const team = await createTeamFor(world.ctx, carla);
  const guest = await createTeammate(world.ctx, team, "guest_member");
  expect(await upload({ person: carla, isCreator: true })).toBe(200);
  expect(await upload({ person: await createPerson(world.ctx, "Davi") })).toBe(403);
  expect(await upload({ person: guest, teamId: team.teamId })).toBe(403);
});

test("the form keeps the text of refused files, and a draft with files can be changed", async () => {
  const caller = { person: ana, isCreator: true };
  const form = (files: File[]) => {
    const filled = new FormData();
    for (const [name, value] of [
      ["segment", "followers"],
      ["text", "Fica aqui"],
      ["price", files.length > 1 ? "" : "10,00"],
    ] as const)
      filled.set(name, value);
    for (const file of files) filled.append("file", file);
    return filled;
  };
  const path = "/messages/broadcasts/new";
  const refused = await routes.postForm(caller, path, form([]));
  expect([refused.status, await refused.text()]).toMatchObject([
    400,
    expect.stringContaining("O preço é de um arquivo."),
  ]);
  const files = ["a.pdf", "b.pdf"].map(
    (name) => new File([pdf()], name, { type: "application/pdf" }),
  );
  const answer = await routes.postForm(caller, path, form(files));
  const made = answer.headers.get("Location")?.split("/").at(-1) ?? "";
  expect(await routes.read(caller, `/messages/broadcasts/${made}/edit`)).toMatchObject({
    broadcast: { files: [{ filename: "a.pdf" }, { filename: "b.pdf" }] },
  });
});
