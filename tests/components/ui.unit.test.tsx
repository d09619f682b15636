import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { errorNow } from "#app/components/ui/use-field-state.ts";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { TruncatedNote } from "#app/components/ui/pager.tsx";
import { priceProblem } from "#app/domain/plans/schema.ts";
import { truncateList } from "#app/domain/page.ts";
import { retryDelayMs } from "#app/components/shell/query-client.tsx";

test("a field says its label, its hint and its error to who cannot see them", () => {
  const html = renderToStaticMarkup(
    <TextField
      id="preco"
      label="Preço"
      name="price"
      hint="Por mês"
      error="Use pelo menos R$ 5,00."
    />,
  );
  expect(html).toContain('<label for="preco"');
  expect(html).toContain('aria-describedby="preco-hint preco-error"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('<p id="preco-error"');
});

test("what describes a field besides its hint, as the return of a price, is still said", () => {
  const html = renderToStaticMarkup(
    <TextField id="preco" label="Preço" name="price" hint="Por mês" aria-describedby="volta" />,
  );
  expect(html).toContain('aria-describedby="volta preco-hint"');
});

test("a field without an error is not called invalid", () => {
  const html = renderToStaticMarkup(<TextField id="nome" label="Nome" name="name" />);
  expect(html).not.toContain("aria-invalid");
  expect(html).not.toContain("aria-describedby");
});

test("a group of answers has its question as legend and the chosen one checked", () => {
  const options = [
    { value: "pix", label: "Pix" },
    { value: "card", label: "Cartão" },
  ];
  const html = renderToStaticMarkup(
    <Choices legend="Como pagar" name="method" options={options} defaultValue="card" />,
  );
  expect(html).toMatch(/<legend[^>]*>Como pagar<\/legend>/);
  expect(html.match(/checked=""/g)).toHaveLength(1);
});

test("money keeps its symbol, its sign and its no-break space in every size", () => {
  expect(renderToStaticMarkup(<Money cents={123_456} />)).toContain("R$\u00a01.234,56");
  expect(renderToStaticMarkup(<Money cents={1_990} size="display" />)).toMatch(
    />R\$\u00a0<\/span>19,90</,
  );
  expect(renderToStaticMarkup(<Money cents={-500} size="large" />)).toMatch(
    />-R\$\u00a0<\/span>5,00</,
  );
});

test("a person without a picture has a drawn face, always the same", () => {
  const face = renderToStaticMarkup(<Avatar name="Ana Lira" src={null} />);
  expect(face).toContain("<svg");
  expect(renderToStaticMarkup(<Avatar name="Ana Lira" src={null} />)).toBe(face);
});

test("a form with nothing to say says nothing", () => {
  expect(renderToStaticMarkup(<FormMessage message={null} />)).toBe("");
  expect(renderToStaticMarkup(<FormMessage message="Não deu." />)).toContain('role="alert"');
});

test("what went wrong leads on in another tab, says so, and keeps the form where it is", () => {
  const html = renderToStaticMarkup(
    <FormMessage message="Não deu." link={{ to: "/checkout/c1", words: "Ver o que espera" }} />,
  );
  expect(html).toMatch(
    /<a href="\/checkout\/c1" target="_blank"[^>]*>Ver o que espera \(abre em outra aba\)<\/a>/,
  );
});

test("failed queries wait 1 s, then twice as long each time, never over 30 s", () => {
  expect([0, 1, 2, 3, 4, 5, 20].map(retryDelayMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
});

test("a list that goes no further says so, and one that is whole says nothing", () => {
  const said = (rows: readonly number[]) =>
    renderToStaticMarkup(<TruncatedNote list={truncateList(rows, 2)} />);
  expect([said([1]), said([1, 2])]).toEqual(["", ""]);
  expect(said([1, 2, 3])).toContain("As últimas 2.");
});

test("a field counts near its limit, says when it is passed, and never cuts what is typed", () => {
  const field = (defaultValue: string) =>
    renderToStaticMarkup(
      <TextField id="t" label="Título" name="title" limit={20} defaultValue={defaultValue} />,
    );
  expect(field("Roda")).not.toMatch(/caractere|maxlength/i);
  expect(field("Roda de domingo às")).toContain("Faltam 2 caracteres.");
  const over = field("Roda de domingo às oito");
  expect(over).toContain("Passou 3 caracteres do limite de 20. Encurte para salvar.");
  expect(over).toContain('aria-invalid="true"');
  expect(over).toContain('value="Roda de domingo às oito"');
});

test("a refusal goes as soon as its field is right, and not before", () => {
  const error = "Use pelo menos R$ 5,00.";
  expect(errorNow({ error, problemOf: priceProblem }, null)).toBe(error);
  expect(errorNow({ error, problemOf: priceProblem }, "2,00")).toMatch(/5,00/);
  expect(errorNow({ error, problemOf: priceProblem }, "19,90")).toBeUndefined();
  expect(errorNow({ error: "Campo obrigatório", problemOf: undefined }, " ")).toBe(
    "Campo obrigatório",
  );
  expect(errorNow({ error: "Campo obrigatório", problemOf: undefined }, "Ana")).toBeUndefined();
  expect(errorNow({ error: undefined, problemOf: priceProblem }, "2,00")).toBeUndefined();
});
