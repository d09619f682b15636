import { beforeAll, expect, test } from "vitest";
import * as ownPage from "#app/routes/space/me.tsx";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { asMember, renderPagesAs } from "#tests/support/rendered-pages.ts";

type Who = Parameters<typeof asMember>[1];

let world: World;
beforeAll(async () => {
  world = await testContext();
});

/** The header of `/me`, as its owner sees it: from the cover to the first section. */
async function headerOf(person: TestPerson, who: Who = {}): Promise<string> {
  const html = await renderPagesAs(
    () => world.ctx,
    () => asMember(person, who),
    [{ path: "me", module: ownPage }],
  )("/me");
  return /<header\b.*?<\/header>/s.exec(html)?.[0] ?? "";
}

/** The buttons of the header that stand outside of its menu, with their classes. */
const buttonsOf = (header: string) =>
  [...header.replaceAll(/<details\b.*?<\/details>/gs, "").matchAll(/<a\b([^>]*)>([^<]+)</g)].map(
    ([, attributes = "", label = ""]) => ({ label, attributes }),
  );

test("a creator's own page has two buttons, and the rest in a menu", async () => {
  const header = await headerOf(await createSeller(world.ctx), { isCreator: true });
  expect(buttonsOf(header).map(({ label }) => label)).toEqual(["Publicar", "Editar perfil"]);
  const menu = /<details\b.*?<\/details>/s.exec(header)?.[0];
  for (const label of ["Ver como visitante", "Rascunhos", "Assinantes", "Novo plano", "Cupons"])
    expect(menu).toContain(label);
});

test("to open a page is the main act of who has none, and not of the staff", async () => {
  const looks = async (who: Who) => {
    const buttons = buttonsOf(await headerOf(await createPerson(world.ctx), who));
    return buttons.find(({ label }) => label === "Abrir minha página")?.attributes ?? "";
  };
  const [ofMember, ofStaff] = [await looks({}), await looks({ isModerator: true })];
  expect(ofMember).toContain("bg-signal");
  expect(ofStaff).toContain("/space/create");
  expect(ofStaff).not.toContain("bg-signal");
});
