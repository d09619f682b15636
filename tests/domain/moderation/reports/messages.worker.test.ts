import { beforeAll, expect, test } from "vitest";
import { deleteMessage, editMessage } from "#app/domain/messages/commands/messages.server.ts";
import { CannotReportOwn, SubjectNotFound } from "#app/domain/moderation/reports/errors.ts";
import { caseDetail } from "#app/domain/moderation/reports/queries/cases.server.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { reported } from "#tests/support/reports.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let carla: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  carla = await createModerator(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
});
const { write } = messageHelpers(() => world);

const report = (reporter: TestPerson, message: { conversationId: string; seq: number }) =>
  reported(world.ctx, reporter, {
    subject: { kind: "message", id: messageSubjectId(message) },
    reason: "harassment",
  });

test("a message is reported by whom it was sent to, and by nobody else", async () => {
  const message = await write(bia, ana, "Vou achar onde você mora");
  await expect(report(bia, message)).rejects.toBeInstanceOf(CannotReportOwn);
  const outsider = await createPerson(world.ctx, "Caio");
  await expect(report(outsider, message)).rejects.toBeInstanceOf(SubjectNotFound);
  await expect(report(ana, { ...message, seq: 999 })).rejects.toBeInstanceOf(SubjectNotFound);
  expect(await report(ana, message)).toMatchObject({ isNew: true });
});

test("the copy of a message stays as it was, whoever edits or deletes it", async () => {
  const message = await write(bia, ana, "Manda o dinheiro agora");
  const { caseId } = await report(ana, message);
  const own = { conversationId: message.conversationId, seq: message.seq, personId: bia.id };
  await editMessage(world.ctx, { ...own, text: "Bom dia" });
  await deleteMessage(world.ctx, own);
  const found = await caseDetail(world.ctx, { caseId, moderatorId: carla.id });
  expect(found?.reports.map(({ evidence }) => evidence)).toMatchObject([
    { kind: "message", body: "Manda o dinheiro agora" },
  ]);
});
