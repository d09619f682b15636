import { expect, test } from "vitest";
import { newPage } from "#tests/support/browser.ts";
import { signUpMember } from "#tests/support/form-client.ts";
import { sharedServer } from "#tests/support/server.ts";
import { openPage, screenshot, signInAsMember } from "#tests/support/steps.ts";

test("a new creator is led to a photo first, hides the steps without JavaScript, and finds them again", async () => {
  const person = await signUpMember(sharedServer().origin, "Rosa do Coco");
  const page = await newPage({ width: 390, height: 844 });
  await signInAsMember(page, person);
  await openPage(page);
  await page.goto("/me");
  const steps = page.getByRole("region", { name: "Primeiros passos" });
  await steps.getByText("1 de 8").waitFor();
  await steps.getByRole("link", { name: "Escolher foto" }).waitFor();
  await screenshot(page, "first-steps-390");
  await page.setViewportSize({ width: 1440, height: 900 });
  await screenshot(page, "first-steps-1440");

  const plain = await newPage({ javaScript: false, width: 390, height: 844 });
  await signInAsMember(plain, person);
  await plain.goto("/me");
  await screenshot(plain, "first-steps-390-nojs");
  await plain.getByRole("button", { name: "Esconder da minha página" }).click();
  await plain.getByText("Os primeiros passos saíram da sua página.").waitFor();
  await expect.poll(() => plain.getByRole("region", { name: "Primeiros passos" }).count()).toBe(0);
  await plain.getByText("Menu", { exact: true }).click();
  await plain.getByRole("link", { name: "Primeiros passos" }).click();
  await plain.getByRole("button", { name: "Mostrar na minha página" }).click();
  await plain.goto("/me");
  await plain.getByRole("region", { name: "Primeiros passos" }).waitFor();
});
