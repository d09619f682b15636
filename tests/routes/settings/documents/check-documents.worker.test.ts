import { generateCpf } from "@brazilian-utils/brazilian-utils/generate-cpf";
import { expect, test } from "vitest";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { signedUp } from "#tests/support/account-browser.ts";
import { expireRecentAuth } from "#tests/support/external-accounts.ts";

const HERE = "/settings/check-documents";

test("resubmitted documents change the Pix key only after recent authentication, and the typed values stay", async () => {
  const { browser, person } = await signedUp();
  const details = {
    fullName: "Ana Maria Lira",
    cpf: generateCpf(),
    birthDate: "31/01/1990",
    keyKind: "email",
    pixKey: person.email,
  };
  const send = async (pixKey: string) =>
    (await browser.post(HERE, { ...details, pixKey })).headers.get("Location");
  await expireRecentAuth(person.email);
  expect(await send(person.email)).toBe(`${HERE}/files`);
  const other = { ...details, pixKey: `outra.${person.email}` };
  const refused = await browser.post(HERE, other);
  expect(refused.status).toBe(401);
  expect(await refused.json<FormProblem>()).toMatchObject({
    message: expect.stringContaining(
      "Antes de enviar de novo os seus dados, confirme de novo que é você",
    ),
    link: { to: `/auth/confirm?to=${HERE}` },
    values: other,
  });
  await browser.post("/auth/confirm", { currentPassword: person.password });
  expect(await send(`outra.${person.email}`)).toBe(`${HERE}/files`);
});
