import { cpf as cpfNumber } from "cpf-cnpj-validator";
import { expect, test } from "vitest";
import { signedUp } from "#tests/support/account-browser.ts";
import { tire } from "#tests/support/outside.ts";

const HERE = "/settings/check-documents";

test("documents that are sent again bring no other Pix key before their sender shows that it is them", async () => {
  const { browser, person } = await signedUp();
  const details = { fullName: "Ana Maria Lira", cpf: cpfNumber.generate(), birthDate: "31/01/1990", keyKind: "email", pixKey: person.email };
  const send = async (pixKey: string) => (await browser.post(HERE, { ...details, pixKey })).headers.get("Location");
  await tire(person.email);
  expect(await send(person.email)).toBe(`${HERE}/files`);
  expect(await send(`outra.${person.email}`)).toBe(`/auth/confirm?to=${HERE}`);
  await browser.post("/auth/confirm", { currentPassword: person.password });
  expect(await send(`outra.${person.email}`)).toBe(`${HERE}/files`);
});
