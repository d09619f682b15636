import { expect, test } from "vitest";
import { z } from "zod";
import { StaleWrite } from "#app/db/errors.ts";
import { Refusal } from "#app/domain/errors.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { handleForm } from "#app/http/form.ts";

const schema = z.object({
  title: z.string({ error: "Campo obrigatório" }).min(1, "Campo obrigatório"),
  password: z.string().min(8, "Curta demais."),
  tags: z.union([z.string(), z.array(z.string())]).optional(),
  image: z.file().optional(),
});

function request(fields: [string, string | File][]): Request {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return new Request("https://coreto.test/x", { method: "POST", body });
}

const done = async () => new Response("feito", { status: 201 });

async function problemOf(
  answer: ReturnType<typeof handleForm<typeof schema>>,
): Promise<{ status: number | undefined; data: FormProblem }> {
  const found = await answer;
  if (found instanceof Response) throw new Error("it was accepted");
  return { status: found.init?.status, data: found.data };
}

test("a valid form runs the action with the parsed input", async () => {
  let seen: unknown;
  const answer = await handleForm(
    request([
      ["title", "Oi"],
      ["password", "12345678"],
      ["tags", "a"],
      ["tags", "b"],
    ]),
    schema,
    async (input) => {
      seen = input;
      return done();
    },
  );
  expect(answer).toBeInstanceOf(Response);
  expect(seen).toEqual({ title: "Oi", password: "12345678", tags: ["a", "b"] });
});

test("an invalid form answers an error for each field and the typed values, without the password", async () => {
  const { status, data } = await problemOf(
    handleForm(
      request([
        ["title", ""],
        ["password", "1234"],
        ["tags", "a"],
      ]),
      schema,
      done,
    ),
  );
  expect(status).toBe(400);
  expect(data.errors).toEqual({ title: "Campo obrigatório", password: "Curta demais." });
  expect(data.values).toEqual({ title: "", tags: "a" });
});

test("a form with one name repeated 150,000 times is parsed in linear time", async () => {
  const times = 150_000;
  const body = "t=&".repeat(times);
  const sent = new Request("https://coreto.test/x", {
    method: "POST",
    body,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  const { status } = await problemOf(handleForm(sent, schema, done));
  expect(status).toBe(400);
});

test("a missing field is reported as required, in Portuguese", async () => {
  const { data } = await problemOf(handleForm(request([["title", "Oi"]]), schema, done));
  expect(data.errors.password).toBe("Campo obrigatório");
});

test("an empty file input, as browsers send it, counts as no file", async () => {
  const part = (disposition: string, value: string) =>
    `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
  const empty =
    '--edge\r\nContent-Disposition: form-data; name="image"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n';
  const body = `${part('name="title"', "Oi")}${part('name="password"', "12345678")}${empty}--edge--\r\n`;
  const headers = { "Content-Type": "multipart/form-data; boundary=edge" };
  const answer = await handleForm(
    new Request("https://coreto.test/x", { method: "POST", body, headers }),
    schema,
    done,
  );
  expect(answer).toBeInstanceOf(Response);
});

test.each([
  ["invalid", 400],
  ["unauthenticated", 401],
  ["forbidden", 403],
  ["not_found", 404],
  ["conflict", 409],
  ["limit", 429],
  ["unavailable", 503],
] as const)("a refusal of kind %s answers %i", async (kind, expected) => {
  const { status, data } = await problemOf(
    handleForm(
      request([
        ["title", "Oi"],
        ["password", "12345678"],
      ]),
      schema,
      async () => {
        throw new Refusal(kind, "Não dá.", "title");
      },
    ),
  );
  expect(status).toBe(expected);
  expect(data).toMatchObject({
    errors: { title: "Não dá." },
    message: null,
    values: { title: "Oi" },
  });
});

test("a refusal without a field becomes the message of the form", async () => {
  const { data } = await problemOf(
    handleForm(
      request([
        ["title", "Oi"],
        ["password", "12345678"],
      ]),
      schema,
      async () => {
        throw new Refusal("conflict", "Não dá.");
      },
    ),
  );
  expect(data).toMatchObject({ errors: {}, message: "Não dá." });
});

test("a stale write answers 409 and asks to try again", async () => {
  const { status, data } = await problemOf(
    handleForm(
      request([
        ["title", "Oi"],
        ["password", "12345678"],
      ]),
      schema,
      async () => {
        throw new StaleWrite();
      },
    ),
  );
  expect(status).toBe(409);
  expect(data.message).toContain("tente de novo");
});

test("an unexpected error is thrown and not shown as a refusal", async () => {
  const fault = handleForm(
    request([
      ["title", "Oi"],
      ["password", "12345678"],
    ]),
    schema,
    async () => {
      throw new Error("disk on fire");
    },
  );
  await expect(fault).rejects.toThrow("disk on fire");
});

test("a body that is not a form is refused with a message", async () => {
  const broken = new Request("https://coreto.test/x", {
    method: "POST",
    body: "{",
    headers: { "Content-Type": "application/json" },
  });
  const { status, data } = await problemOf(handleForm(broken, schema, done));
  expect(status).toBe(400);
  expect(data.message).toContain("Não conseguimos ler");
});

test("a form over the limit is refused before it is read", async () => {
  const large = new Request("https://coreto.test/x", {
    method: "POST",
    body: "x",
    headers: { "Content-Length": String(13 * 1024 * 1024) },
  });
  const { data } = await problemOf(handleForm(large, schema, done));
  expect(data.message).toContain("12 MB");
});

/** A form without a Content-Length header, as `Transfer-Encoding: chunked` sends it. */
function unannounced(sizeBytes: number, contentType: string): Request {
  let left = sizeBytes;
  const body = new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new TextEncoder().encode("a".repeat(Math.min(left, 64 * 1024))));
      left -= 64 * 1024;
    },
  });
  return new Request("https://coreto.test/x", {
    method: "POST",
    body,
    headers: { "Content-Type": contentType },
    duplex: "half",
  } as RequestInit);
}

test.each([
  ["words", 2, "application/x-www-form-urlencoded"],
  ["files", 13, "multipart/form-data; boundary=b"],
])(
  "a form of %s without a length is refused past the limit, and its values are not returned",
  async (_, megabytes, contentType) => {
    const { status, data } = await problemOf(
      handleForm(unannounced(megabytes * 1024 * 1024, contentType), schema, done),
    );
    expect(status).toBe(400);
    expect(data.message).toContain("grande demais");
    expect(data.values).toEqual({});
  },
);

/** A form that says its length, as browsers do. */
async function announced(fields: [string, string | File][]): Promise<Request> {
  const form = request(fields);
  const body = await form.arrayBuffer();
  const headers = new Headers(form.headers);
  headers.set("Content-Length", String(body.byteLength));
  return new Request(form.url, { method: "POST", body, headers });
}

test("a file over the limit is refused beside its field, and the texts around it stay", async () => {
  const form = await announced([
    ["title", "Roda de rabeca"],
    ["tags", "forró"],
    ["tags", "baião"],
    ["password", "secreta-2026"],
    ["small", new File(["a".repeat(64)], "nota.txt")],
    ["image", new File(["a\r\n--b".repeat(2 * 1024 * 1024)], "capa.png")],
    ["alt", "A rabeca"],
  ]);
  const { status, data } = await problemOf(handleForm(form, schema, done));
  expect(status).toBe(400);
  expect(data.message).toContain("grande demais");
  expect(data.errors).toEqual({ image: "Este arquivo é grande demais. Escolha um menor." });
  expect(data.values).toEqual({
    title: "Roda de rabeca",
    tags: "forró\nbaião",
    alt: "A rabeca",
  });
});

test("of a file far over the limit only the texts before it are read", async () => {
  const form = await announced([
    ["title", "Roda de rabeca"],
    ["image", new File([new Uint8Array(41 * 1024 * 1024)], "capa.png")],
    ["alt", "A rabeca"],
  ]);
  const { data } = await problemOf(handleForm(form, schema, done));
  expect(Object.keys(data.errors)).toEqual(["image"]);
  expect(data.values).toEqual({ title: "Roda de rabeca" });
});

test("a text over the limit is refused without a field, and is not returned", async () => {
  const form = await announced([["title", "a".repeat(13 * 1024 * 1024)]]);
  const { data } = await problemOf(handleForm(form, schema, done));
  expect(data).toMatchObject({ errors: {}, message: expect.stringContaining("grande demais") });
  expect(data.values).toEqual({});
});
