import type { Page } from "playwright-core";

/** Fills the form of an event at a place, with times such as "2027-05-20T20:00". */
export async function fillEventForm(
  page: Page,
  { startsAt, endsAt, link = "" }: { startsAt: string; endsAt: string; link?: string },
): Promise<void> {
  await page.getByLabel("Título").fill("Roda de rabeca");
  await page.getByLabel("Começa").fill(startsAt);
  await page.getByLabel("Termina").fill(endsAt);
  await page.getByLabel("Lugar").fill("Praça da Matriz, Olinda");
  await page.getByLabel("Link (opcional)").fill(link);
}
